/** What a cycle says to outside systems: reads, look-ups, writes and the questions of nodes, and how long it waits. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Connection, ConnectorError } from "@accord/connector-sdk";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Effect, Input, PlacePlan } from "@accord/sync-engine/run";
import type { Patience } from "../../connections/connectors/index.ts";
import type { ReadyPipeline, RunsNeeds } from "./plans.ts";
import type { Acquired } from "./pipeline-rows.store.ts";
import { systemFailure } from "./system-failure.ts";

export interface OutsideParts {
  needs: Pick<RunsNeeds, "connectors" | "answers">;
  pipeline: ReadyPipeline;
  acquired: Acquired;
  traffic: Patience["traffic"];
  /** Aborts what is under way. */
  signal: AbortSignal;
  /** Told what is done or waited for. */
  doing: (activity: string) => void;
  /** Whether the lease is sure to last: nothing is sent otherwise. */
  mayStillSend: () => boolean;
}

type Of<Kind extends Effect["kind"]> = Extract<Effect, { kind: Kind }>;

/** The outside calls of one cycle; failures of systems come back as inputs, those of ours are thrown. */
export class OutsideCalls {
  readonly #parts: OutsideParts;
  readonly #connections = new Map<string, Promise<Connection>>();
  /** Aborts what waits, when nothing more is to be begun. */
  readonly #giveUp = new AbortController();
  /** Calls that wait for a system to take calls again. */
  #waiting = 0;

  constructor(parts: OutsideParts) {
    this.#parts = parts;
  }

  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  /** Whatever waits is not begun any more. */
  giveUp(): void {
    this.#giveUp.abort();
  }

  async close(): Promise<void> {
    for (const connection of this.#connections.values()) {
      await connection.then((open) => open.close()).catch(() => {});
    }
  }

  async read({ nodeId, ticket, ...effect }: Of<"read">): Promise<Input> {
    const { plan, connectors } = this.#parts.pipeline;
    const source = plan.sources.find((one) => one.nodeId === nodeId);
    if (!source) throw new Error(`no source ${nodeId}`);
    const { place, entity } = this.#at(source.place.id);
    this.#parts.doing(`Reading from ${this.#nameOf(place)}`);
    try {
      await this.#delay(place, effect.delayMs);
      const connection = await this.#connect(place.connectorId);
      const pageSize = connectors.get(place.connectorId)?.readPageSize;
      if (pageSize === undefined) throw new Error(`no connector ${place.connectorId}`);
      const page = await connection.read({
        entity,
        fields: [...place.readFields],
        cursor: effect.cursor,
        mode: effect.mode,
        pageSize,
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

  async lookup({ placeId, field, values, delayMs }: Of<"lookup">): Promise<Input> {
    const { place, entity } = this.#at(placeId);
    try {
      await this.#delay(place, delayMs);
      const connection = await this.#connect(place.connectorId);
      const fields = [...new Set([field, ...place.toldFields])];
      const records = await connection.lookup?.({ entity, fields, field, values });
      return { kind: "lookedUp", placeId, records: records ?? [] };
    } catch (error) {
      await this.#report(place.connectorId, error);
      return { kind: "sendFailed", placeId, failure: { ...systemFailure(error), nothingDone: true } };
    }
  }

  async send({ placeId, operations, delayMs }: Of<"send">): Promise<Input> {
    const { place, entity } = this.#at(placeId);
    this.#parts.doing(`Writing to ${this.#nameOf(place)}`);
    try {
      await this.#delay(place, delayMs);
      const connection = await this.#connect(place.connectorId);
      // A worker that can't be sure of its lease sends nothing.
      if (!this.#parts.mayStillSend()) return { kind: "leaseLost" };
      if (!connection.write) throw new Error(`${this.#nameOf(place)} takes no records`);
      const outcomes = await connection.write({ entity, operations });
      return { kind: "sent", placeId, outcomes };
    } catch (error) {
      await this.#report(place.connectorId, error);
      return { kind: "sendFailed", placeId, failure: systemFailure(error) };
    }
  }

  async ask({ nodeId, placeId, questions }: Of<"ask">): Promise<Input> {
    const { acquired, pipeline, needs } = this.#parts;
    let asked = "";
    // Whoever has the lease by now may have performed them for this coming already, and let their keys go.
    if (questions.some(({ kind }) => kind === "action") && !this.#parts.mayStillSend()) return { kind: "leaseLost" };
    try {
      const asking = {
        instanceId: acquired.instanceId,
        pipelineId: acquired.pipelineId,
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

  #at(placeId: number): { place: PlacePlan; entity: EntitySchema } {
    const { plan, entities } = this.#parts.pipeline;
    const place = plan.places.get(placeId);
    const entity = entities.get(placeId)?.schema;
    if (!place || !entity) throw new Error(`no place ${placeId}`);
    return { place, entity };
  }

  #nameOf({ connectorId, entity }: PlacePlan): string {
    return this.#parts.pipeline.connectors.get(connectorId)?.name ?? entity;
  }

  async #connect(connectorId: string): Promise<Connection> {
    let connection = this.#connections.get(connectorId);
    if (!connection) {
      const { acquired, needs, pipeline, signal, traffic } = this.#parts;
      const name = pipeline.connectors.get(connectorId)?.name ?? connectorId;
      const patience: Patience = {
        traffic,
        giveUp: this.#giveUp.signal,
        onWait: (isWaiting) => this.#wait(name, isWaiting),
      };
      connection = needs.connectors.openConnection(acquired.instanceId, connectorId, { signal, patience });
      this.#connections.set(connectorId, connection);
    }
    return connection;
  }

  /** Waits before a call is made again; throws when there is no more use in it. */
  async #delay(place: PlacePlan, delayMs: number | undefined): Promise<void> {
    if (delayMs === undefined) return;
    const name = this.#nameOf(place);
    this.#wait(name, true);
    try {
      await sleep(delayMs, undefined, { signal: this.#giveUp.signal });
    } catch {
      throw new ConnectorError("rateLimited", "The cycle ends here.", { neverSent: true });
    } finally {
      this.#wait(name, false);
    }
  }

  #wait(name: string, isWaiting: boolean): void {
    this.#waiting += isWaiting ? 1 : -1;
    if (isWaiting) this.#parts.doing(`Waiting until ${name} takes calls again`);
  }

  async #report(connectorId: string, error: unknown): Promise<void> {
    const { acquired, needs } = this.#parts;
    if (error instanceof Error) await needs.connectors.reportFailure(acquired.instanceId, connectorId, error);
  }
}
