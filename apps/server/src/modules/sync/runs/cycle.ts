/** One cycle: gives the core what happened and does what it answers, until it says finish. */
import type { Connection } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import {
  advance,
  beginRun,
  type CycleSummary,
  type Effect,
  type Input,
  type Run,
  type RunStart,
} from "@accord/sync-engine/run";
import type { Deps } from "../../../platform/deps.ts";
import type { ReadyPipeline, RunsNeeds } from "./plans.ts";
import { LEASE_SECONDS, type RunIdentity } from "./run-storage.store.ts";
import type { Acquired, ScheduleStore } from "./schedule.store.ts";
import { systemFailure } from "./system-failure.ts";

const RENEW_MS = (LEASE_SECONDS * 1000) / 3;
/** Nothing is sent this close to the end of the lease. */
const LEASE_MARGIN_MS = 5_000;

export interface CycleParts {
  deps: Pick<Deps, "clock" | "newId" | "log">;
  needs: Pick<RunsNeeds, "connectors">;
  schedule: ScheduleStore;
  pipeline: ReadyPipeline;
  acquired: Acquired;
  start: RunStart;
  /** Told what the cycle is doing, often. */
  onProgress: (run: Run, activity: string) => void;
  /** Records changed by a page that was committed. */
  onCommitted: (count: number) => void;
  signal: AbortSignal;
}

/**
 * Runs one cycle to its end. Answers its summary, or null when the database failed or the server stops: then nothing
 * more is written and the next owner of the lease goes on from the last checkpoint.
 */
export function runCycle(parts: CycleParts): Promise<CycleSummary | null> {
  return new Cycle(parts).run();
}

class Cycle {
  readonly #parts: CycleParts;
  readonly #run: Run;
  readonly #identity: RunIdentity;
  readonly #connections = new Map<string, Promise<Connection>>();
  readonly #instanceId: Id<"instance">;
  #deadline: number;
  #activity = "Waiting";
  #finish: (summary: CycleSummary | null) => void = () => {};
  #isOver = false;

  constructor(parts: CycleParts) {
    const { acquired, pipeline, start, deps } = parts;
    this.#parts = parts;
    this.#instanceId = acquired.instanceId as Id<"instance">;
    this.#run = beginRun(pipeline.plan, start);
    const { versionNumber } = pipeline.plan;
    this.#identity = { epoch: acquired.epoch, cycleNumber: acquired.cycleNumber, versionNumber };
    this.#deadline = deps.clock.monotonicMs() + LEASE_SECONDS * 1000;
  }

  async run(): Promise<CycleSummary | null> {
    const over = new Promise<CycleSummary | null>((resolve) => (this.#finish = resolve));
    const stop = (): void => this.#end(null);
    this.#parts.signal.addEventListener("abort", stop, { once: true });
    const timer = setInterval(() => void this.#renew(), RENEW_MS);
    this.#give({ kind: "start" });
    const summary = await over;
    clearInterval(timer);
    this.#parts.signal.removeEventListener("abort", stop);
    await this.#close();
    return summary;
  }

  #end(summary: CycleSummary | null): void {
    this.#isOver = true;
    this.#finish(summary);
  }

  #give(input: Input): void {
    if (this.#isOver) return;
    const { deps, pipeline } = this.#parts;
    const { effects } = advance(pipeline.plan, this.#run, input, {
      now: deps.clock.now().getTime(),
      newId: deps.newId,
      random: Math.random,
    });
    for (const effect of effects) {
      if (effect.kind === "finish") {
        this.#end(effect.summary);
        return;
      }
      this.#do(effect).then(
        (answer) => this.#give(answer),
        (error: unknown) => this.#break(error),
      );
    }
  }

  /** Storage failed: as if the worker had crashed here. */
  #break(error: unknown): void {
    if (this.#isOver) return;
    this.#parts.deps.log.warn({ err: error, pipelineId: this.#parts.acquired.pipelineId }, "a cycle broke off");
    this.#end(null);
  }

  async #renew(): Promise<void> {
    if (this.#isOver) return;
    const { acquired, schedule, deps } = this.#parts;
    const asked = deps.clock.monotonicMs();
    try {
      const isOurs = await schedule.renew(acquired.instanceId, acquired.pipelineId, acquired.epoch, this.#activity);
      if (isOurs) this.#deadline = asked + LEASE_SECONDS * 1000;
      else this.#give({ kind: "leaseLost" });
    } catch (error) {
      this.#break(error);
    }
  }

  async #do(effect: Effect): Promise<Input> {
    const { pipeline, deps } = this.#parts;
    const { storage } = pipeline;
    switch (effect.kind) {
      case "read":
        this.#doing(`Reading from ${this.#nameOf(this.#placeOf(effect.nodeId))}`);
        return this.#read(effect);
      case "resolve":
        return {
          kind: "resolved",
          nodeId: effect.nodeId,
          ticket: effect.ticket,
          resolved: await storage.resolve(effect.request),
        };
      case "match":
        return { kind: "matched", nodeId: effect.nodeId, candidates: await storage.match(effect.request) };
      case "commit": {
        this.#doing("Updating records");
        const answer = await storage.commit(this.#identity, effect.batch, deps.newId);
        if (answer.status === "done") {
          this.#parts.onCommitted(effect.batch.creates.length + effect.batch.updates.length);
        }
        return { kind: "committed", nodeId: effect.nodeId, answer };
      }
      case "claim":
        return { kind: "claimed", placeId: effect.placeId, claimed: await storage.claim(effect.request) };
      case "intend": {
        const answer = await storage.intend(this.#identity, effect.placeId, effect.intents);
        return { kind: "intended", placeId: effect.placeId, answer };
      }
      case "lookup":
        return this.#lookup(effect);
      case "send":
        this.#doing(`Writing to ${this.#nameOf(effect.placeId)}`);
        return this.#send(effect);
      case "settle": {
        const now = deps.clock.now().getTime();
        const { placeId, settlements } = effect;
        const answer = await storage.settle(this.#identity, placeId, settlements, now, deps.newId);
        return { kind: "settled", placeId, answer };
      }
      case "finish":
        throw new Error("finish is no effect to wait for");
    }
  }

  #doing(activity: string): void {
    this.#activity = activity;
    this.#parts.onProgress(this.#run, activity);
  }

  #placeOf(nodeId: string): number {
    return this.#parts.pipeline.plan.sources.find((source) => source.nodeId === nodeId)!.place.id;
  }

  #nameOf(placeId: number): string {
    const { plan, connectors } = this.#parts.pipeline;
    const place = plan.places.get(placeId)!;
    return connectors.get(place.connectorId)?.name ?? place.entity;
  }

  async #connection(placeId: number): Promise<Connection> {
    const { connectorId } = this.#parts.pipeline.plan.places.get(placeId)!;
    let connection = this.#connections.get(connectorId);
    if (!connection) {
      const { signal } = this.#parts;
      connection = this.#parts.needs.connectors.openConnection(this.#instanceId, connectorId, { signal });
      this.#connections.set(connectorId, connection);
    }
    return connection;
  }

  async #close(): Promise<void> {
    for (const connection of this.#connections.values()) {
      await connection.then((open) => open.close()).catch(() => {});
    }
  }

  async #read(effect: Extract<Effect, { kind: "read" }>): Promise<Input> {
    const { nodeId, ticket } = effect;
    const placeId = this.#placeOf(nodeId);
    const { plan, entities, connectors } = this.#parts.pipeline;
    const place = plan.places.get(placeId)!;
    const { schema } = entities.get(placeId)!;
    try {
      const connection = await this.#connection(placeId);
      const page = await connection.read({
        entity: schema,
        fields: [...place.readFields],
        cursor: effect.cursor,
        mode: effect.mode,
        pageSize: connectors.get(place.connectorId)!.readPageSize,
        signal: this.#parts.signal,
        ...(effect.since === null ? {} : { since: new Date(effect.since) }),
        ...(effect.until === null ? {} : { until: new Date(effect.until) }),
      });
      return { kind: "pageRead", nodeId, ticket, page };
    } catch (error) {
      await this.#report(place.connectorId, error);
      return { kind: "readFailed", nodeId, ticket, failure: systemFailure(error) };
    }
  }

  async #lookup(effect: Extract<Effect, { kind: "lookup" }>): Promise<Input> {
    const { placeId, field, values } = effect;
    const { plan, entities } = this.#parts.pipeline;
    const place = plan.places.get(placeId)!;
    try {
      const connection = await this.#connection(placeId);
      const fields = [...new Set([field, ...place.toldFields])];
      const records = await connection.lookup?.({ entity: entities.get(placeId)!.schema, fields, field, values });
      return { kind: "lookedUp", placeId, records: records ?? [] };
    } catch (error) {
      await this.#report(place.connectorId, error);
      return { kind: "sendFailed", placeId, failure: { ...systemFailure(error), nothingDone: true } };
    }
  }

  async #send(effect: Extract<Effect, { kind: "send" }>): Promise<Input> {
    const { placeId, operations } = effect;
    const { plan, entities } = this.#parts.pipeline;
    const place = plan.places.get(placeId)!;
    try {
      const connection = await this.#connection(placeId);
      // A worker that can't be sure of its lease sends nothing.
      if (this.#parts.deps.clock.monotonicMs() > this.#deadline - LEASE_MARGIN_MS) return { kind: "leaseLost" };
      const outcomes = await connection.write!({ entity: entities.get(placeId)!.schema, operations });
      return { kind: "sent", placeId, outcomes };
    } catch (error) {
      await this.#report(place.connectorId, error);
      return { kind: "sendFailed", placeId, failure: systemFailure(error) };
    }
  }

  async #report(connectorId: string, error: unknown): Promise<void> {
    if (error instanceof Error) await this.#parts.needs.connectors.reportFailure(this.#instanceId, connectorId, error);
  }
}
