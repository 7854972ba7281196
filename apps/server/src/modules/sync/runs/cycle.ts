/** One cycle: gives the core what happened and does what it answers, until it says finish. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Connection, ConnectorError } from "@accord/connector-sdk";
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
import type { Patience } from "../../connections/connectors/index.ts";
import type { ReadyPipeline, RunsNeeds } from "./plans.ts";
import { resolveReferences } from "./resolve-references.ts";
import { LEASE_SECONDS, type RunIdentity } from "./run-storage.store.ts";
import type { Acquired, ScheduleStore } from "./schedule.store.ts";
import { systemFailure } from "./system-failure.ts";

const RENEW_MS = (LEASE_SECONDS * 1000) / 3;
/** While calls wait, people who pause the pipeline are heard this soon. */
const PATIENT_MS = 1_000;
/** Nothing is sent this close to the end of the lease. */
const LEASE_MARGIN_MS = 5_000;

export interface CycleParts {
  deps: Pick<Deps, "clock" | "newId" | "log">;
  needs: Pick<RunsNeeds, "connectors" | "answers">;
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
  /** Aborts what waits, when nothing more is to be begun. */
  readonly #giveUp = new AbortController();
  /** Calls that wait for a system to take calls again. */
  #waiting = 0;
  #finish: (summary: CycleSummary | null) => void = () => {};
  #isOver = false;
  /** Something happened since the lease was last renewed. */
  #hasGotOn = false;

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
    const patient = setInterval(() => this.#waiting > 0 && void this.#renew(), PATIENT_MS);
    await this.#begin();
    const summary = await over;
    clearInterval(timer);
    clearInterval(patient);
    this.#parts.signal.removeEventListener("abort", stop);
    await this.#close();
    return summary;
  }

  async #begin(): Promise<void> {
    try {
      await resolveReferences(this.#parts.pipeline, this.#identity, this.#parts.deps.newId);
    } catch (error) {
      this.#break(error);
    }
    this.#give({ kind: "start" });
  }

  #end(summary: CycleSummary | null): void {
    this.#isOver = true;
    this.#giveUp.abort();
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
    const { stopping } = this.#run;
    if (stopping === "pause" || stopping === "cancelResync") this.#giveUp.abort();
    for (const effect of effects) {
      if (effect.kind === "finish") {
        this.#end(effect.summary);
        return;
      }
      this.#do(effect).then(
        (answer) => {
          this.#hasGotOn = true;
          if (answer) this.#give(answer);
        },
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
      const signal = await schedule.renew(acquired, this.#activity, this.#hasGotOn);
      this.#hasGotOn = false;
      if (signal === "lost") {
        this.#give({ kind: "leaseLost" });
        return;
      }
      this.#deadline = asked + LEASE_SECONDS * 1000;
      if (signal !== "none") this.#give({ kind: "signal", signal });
    } catch (error) {
      this.#break(error);
    }
  }

  async #do(effect: Effect): Promise<Input | null> {
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
        return this.#match(effect);
      case "prepare":
        // What is under way goes first.
        setImmediate(() => storage.prepare(this.#identity, effect.batch));
        return null;
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
      case "ask":
        return this.#ask(effect);
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

  /** Waits before a call is made again; throws when there is no more use in it. */
  async #delay(placeId: number, delayMs: number | undefined): Promise<void> {
    if (delayMs === undefined) return;
    this.#isWaiting(this.#nameOf(placeId), true);
    try {
      await sleep(delayMs, undefined, { signal: this.#giveUp.signal });
    } catch {
      throw new ConnectorError("rateLimited", "The cycle ends here.", { neverSent: true });
    } finally {
      this.#isWaiting(this.#nameOf(placeId), false);
    }
  }

  #isWaiting(name: string, isWaiting: boolean): void {
    this.#waiting += isWaiting ? 1 : -1;
    if (isWaiting) this.#doing(`Waiting until ${name} takes calls again`);
  }

  async #match({ nodeId, request }: Extract<Effect, { kind: "match" }>): Promise<Input> {
    const { storage } = this.#parts.pipeline;
    const candidates = request.fields.length > 0 ? await storage.match(request) : [];
    if (!request.duplicates) return { kind: "matched", nodeId, candidates };
    return { kind: "matched", nodeId, candidates, duplicates: await storage.findDuplicates(request.duplicates) };
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

  #connection(placeId: number): Promise<Connection> {
    return this.#connect(this.#parts.pipeline.plan.places.get(placeId)!.connectorId);
  }

  async #ask({ nodeId, placeId, questions }: Extract<Effect, { kind: "ask" }>): Promise<Input> {
    const { acquired, pipeline, needs } = this.#parts;
    let asked = "";
    try {
      const asking = {
        instanceId: this.#instanceId,
        pipelineId: acquired.pipelineId as Id<"entity">,
        versionNumber: pipeline.plan.versionNumber,
        connect: (connectorId: string) => this.#connect((asked = connectorId)),
      };
      return { kind: "answered", nodeId, placeId, answers: await needs.answers.answer(asking, questions) };
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      if (asked) await this.#report(asked, error);
      return { kind: "askFailed", nodeId, placeId, failure: systemFailure(error) };
    }
  }

  async #connect(connectorId: string): Promise<Connection> {
    let connection = this.#connections.get(connectorId);
    if (!connection) {
      const { signal, start, needs } = this.#parts;
      const name = this.#parts.pipeline.connectors.get(connectorId)?.name ?? connectorId;
      const patience: Patience = {
        traffic: start.resync ? "resync" : "live",
        giveUp: this.#giveUp.signal,
        onWait: (isWaiting) => this.#isWaiting(name, isWaiting),
      };
      connection = needs.connectors.openConnection(this.#instanceId, connectorId, { signal, patience });
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
      await this.#delay(placeId, effect.delayMs);
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
      await this.#delay(placeId, effect.delayMs);
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
      await this.#delay(placeId, effect.delayMs);
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
