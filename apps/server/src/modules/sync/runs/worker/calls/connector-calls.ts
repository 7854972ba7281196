/** What a cycle says to outside systems: reads, look-ups, writes and the questions of nodes, and how long it waits. */
import { syncRefusals } from "@accord/contracts/messages/en/sync/run/refusals";
import { fill } from "@accord/contracts/messages/fill";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Connection,
  ConnectorError,
  type Cursor,
  type WriteOperation,
  type WriteOutcome,
} from "@accord/connector-sdk";
import type { EntitySchema } from "@accord/contracts/data/schema";
import { type Effect, findSource, type Input, type EndpointPlan, type SystemFailure } from "@accord/sync-engine/run";
import { readerName, type WaitPolicy } from "../../../../connections/connectors/index.ts";
import type { HeldUp } from "../../schedule/pipeline-rows.store.ts";
import type { ConnectorCallsContext } from "./calls-context.ts";
import { type PageArrived, reservePageMemory } from "./page-memory.ts";
import { readSingle } from "../single-records.ts";
import { SlowCalls } from "./slow-calls.ts";
import { systemFailure } from "../system-failure.ts";

type Of<Kind extends Effect["kind"]> = Extract<Effect, { kind: Kind }>;

/** The outside calls of one cycle; failures of systems come back as inputs, those of ours are thrown. */
export class ConnectorCalls {
  readonly #parts: ConnectorCallsContext;
  readonly #connections = new Map<string, Promise<Connection>>();
  /** Aborts what waits, when nothing more is to be begun. */
  readonly #giveUp = new AbortController();
  /** Positions by source that are stored for good. */
  readonly #committed = new Map<string, Cursor>();
  readonly #slow: SlowCalls;

  constructor(parts: ConnectorCallsContext) {
    this.#parts = parts;
    this.#slow = new SlowCalls(parts.now);
  }

  get isWaiting(): boolean {
    return this.#slow.isWaiting;
  }

  /** Systems that have held the cycle up for long. */
  heldUp(): HeldUp[] {
    return this.#slow.heldUp();
  }

  /** They were written down; answers whether they are others than before. */
  noteWritten(heldUp: readonly HeldUp[]): boolean {
    return this.#slow.noteWritten(heldUp);
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

  /** A source's position is stored for good: its system need not retain what is before. */
  committed(nodeId: string, cursor: Cursor): void {
    this.#committed.set(nodeId, cursor);
  }

  async read({ nodeId, requestId, ...effect }: Of<"read">): Promise<Input> {
    const { connectors } = this.#parts.pipeline;
    const { place, entity } = this.#sourceAt(nodeId);
    this.#parts.doing(`Reading from ${this.#nameOf(place)}`);
    let completed: PageArrived | undefined;
    try {
      await this.#delay(place, effect.delayMs);
      completed = await reservePageMemory(this.#parts.slot, place, requestId, this.#giveUp.signal);
      const pageSize = connectors.get(place.connectorId)?.readPageSize;
      if (pageSize === undefined) throw new Error(`no connector ${place.connectorId}`);
      const request = {
        entity,
        fields: [...place.readFields],
        cursor: effect.cursor,
        mode: effect.mode,
        pageSize,
        reader: await this.#reader(place, nodeId, effect.cursor === null && effect.mode === "changes"),
        committed: this.#committed.get(nodeId) ?? null,
        signal: this.#parts.signal,
        ...(effect.since === null ? {} : { since: new Date(effect.since) }),
        ...(effect.until === null ? {} : { until: new Date(effect.until) }),
      };
      const page = await this.#call(place.connectorId, (connection) => connection.read(request));
      if (page.missedDeletes) {
        const { instanceId, pipelineId } = this.#parts.acquired;
        await this.#parts.followUps?.missedDeletes({ instanceId, pipelineId, placeId: place.id });
      }
      completed?.(page);
      return { kind: "pageRead", nodeId, requestId, page };
    } catch (error) {
      completed?.(null);
      return this.#failed(place, error, (failure) => ({ kind: "readFailed", nodeId, requestId, failure }));
    }
  }

  /** Records as they stand; those that are gone are answered as deleted. */
  async getById({ nodeId, ids }: Of<"getById">): Promise<Input> {
    const { place, entity } = this.#sourceAt(nodeId);
    this.#parts.doing(`Reading from ${this.#nameOf(place)}`);
    try {
      const request = { entity, fields: place.readFields, ids };
      const records = await this.#call(place.connectorId, (connection) => readSingle(connection, request));
      return { kind: "gotById", nodeId, records };
    } catch (error) {
      const asInput = (failure: SystemFailure): Input => ({ kind: "requestFailed", nodeId, placeId: null, failure });
      return this.#failed(place, error, asInput);
    }
  }

  async lookup({ placeId, field, values, delayMs }: Of<"lookup">): Promise<Input> {
    const { place, entity } = this.#at(placeId);
    try {
      await this.#delay(place, delayMs);
      const fields = [...new Set([field, ...place.writeFields])];
      const records = await this.#call(place.connectorId, async (connection) =>
        connection.lookup?.({ entity, fields, field, values }),
      );
      return { kind: "lookedUp", placeId, records: records ?? [] };
    } catch (error) {
      const secrets = this.#parts.pipeline.secrets.at(placeId);
      // Systems repeat what they were asked for.
      const hidden = (text: string): string => secrets.text(text, { [field]: [...values] });
      return this.#failed(place, error, ({ message, ...failure }) => ({
        kind: "sendFailed",
        placeId,
        failure: { ...failure, message: hidden(message), isSafeToRetry: true },
      }));
    }
  }

  /** Something will be sent there next: its connection is opened meanwhile. */
  openAhead(placeId: number): void {
    const place = this.#parts.pipeline.plan.places.get(placeId);
    // Whoever sends is notified of what goes wrong.
    if (place) this.#connect(place.connectorId).catch(() => {});
  }

  async send({ placeId, operations, delayMs }: Of<"send">): Promise<Input> {
    const { place, entity } = this.#at(placeId);
    const secrets = this.#parts.pipeline.secrets.at(placeId);
    // Systems repeat what they were sent when they refuse it.
    const hidden = (text: string, operation: WriteOperation | undefined): string =>
      operation && "values" in operation ? secrets.text(text, operation.values) : text;
    const hide = (outcome: WriteOutcome, operation: WriteOperation | undefined): WriteOutcome =>
      "message" in outcome ? { ...outcome, message: hidden(outcome.message, operation) } : outcome;
    this.#parts.doing(`Writing to ${this.#nameOf(place)}`);
    let isBegun = false;
    try {
      await this.#delay(place, delayMs);
      const { lease, signal } = this.#parts;
      const request = { entity, operations, fields: [...place.readFields], signal };
      const outcomes = await this.#call(place.connectorId, async (connection) => {
        if (lease.isOver) return null;
        if (!connection.write) throw new Error(`${this.#nameOf(place)} takes no records`);
        isBegun = true;
        return connection.write({ ...request, assertMaySend: lease.assertMaySend });
      });
      if (!outcomes) return { kind: "leaseLost" };
      return { kind: "sent", placeId, outcomes: outcomes.map((one, index) => hide(one, operations[index])) };
    } catch (error) {
      return this.#failed(place, error, ({ message, ...failure }) => ({
        kind: "sendFailed",
        placeId,
        // What fails before has sent nothing, whatever it is.
        failure: {
          ...failure,
          ...(isBegun ? {} : { isSafeToRetry: true }),
          message: operations.reduce((text, one) => hidden(text, one), message),
        },
      }));
    }
  }

  async ask({ nodeId, placeId, dataRequests }: Of<"ask">): Promise<Input> {
    const { acquired, pipeline, needs } = this.#parts;
    const asked: string[] = [];
    // Whoever has the lease by now may have performed them for this coming already, and let their keys go.
    if (dataRequests.some(({ kind }) => kind === "action") && this.#parts.lease.isOver) return { kind: "leaseLost" };
    try {
      const asking = {
        instanceId: acquired.instanceId,
        pipelineId: acquired.pipelineId,
        versionNumber: pipeline.plan.versionNumber,
        connect: (connectorId: string) => {
          asked.push(connectorId);
          return this.#connect(connectorId);
        },
        permit: this.#parts.lease,
      };
      const answers = await needs.answers.answer(asking, dataRequests);
      for (const connectorId of asked) this.#slow.answered(connectorId);
      return { kind: "answered", nodeId, placeId, answers };
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      const asInput = (failure: SystemFailure): Input => ({ kind: "requestFailed", nodeId, placeId, failure });
      return this.#failed({ connectorId: asked.at(-1) ?? "" }, error, asInput);
    }
  }

  /** The name of a source's reader. */
  async #reader({ id, connectorId }: EndpointPlan, nodeId: string, isNew: boolean): Promise<string> {
    const { acquired, pipeline, followUps } = this.#parts;
    const { instanceId, pipelineId } = acquired;
    const name = readerName(connectorId, pipelineId, nodeId);
    if (isNew && pipeline.entities.get(id)?.capabilities.includes("retainsChanges"))
      await followUps?.newReader({ instanceId, connectorId, pipelineId, nodeId }, name);
    return name;
  }

  #sourceAt(nodeId: string): { place: EndpointPlan; entity: EntitySchema } {
    return this.#at(findSource(this.#parts.pipeline.plan, nodeId).place.id);
  }

  #at(placeId: number): { place: EndpointPlan; entity: EntitySchema } {
    const { plan, entities } = this.#parts.pipeline;
    const place = plan.places.get(placeId);
    const entity = entities.get(placeId)?.schema;
    if (!place || !entity) throw new Error(`no place ${placeId}`);
    return { place, entity };
  }

  #nameOf({ connectorId, entity }: EndpointPlan): string {
    return this.#parts.pipeline.connectors.get(connectorId)?.name ?? entity;
  }

  async #connect(connectorId: string): Promise<Connection> {
    let connection = this.#connections.get(connectorId);
    if (!connection) {
      const { acquired, needs, pipeline, signal, traffic, lease } = this.#parts;
      const name = pipeline.connectors.get(connectorId)?.name ?? connectorId;
      const patience: WaitPolicy = {
        traffic,
        giveUp: this.#giveUp.signal,
        onWait: (isWaiting) => this.#wait(connectorId, name, isWaiting),
      };
      connection = needs.connectors.openConnection(acquired.instanceId, connectorId, {
        signal,
        patience,
        assertMaySend: lease.assertMaySend,
        stored: pipeline.stored(connectorId),
      });
      this.#connections.set(connectorId, connection);
    }
    return connection;
  }

  /** Waits before a call is made again; throws when there is no more use in it. */
  async #delay(place: EndpointPlan, delayMs: number | undefined): Promise<void> {
    if (delayMs === undefined) return;
    const name = this.#nameOf(place);
    this.#wait(place.connectorId, name, true);
    try {
      await sleep(delayMs, undefined, { signal: this.#giveUp.signal });
    } catch {
      throw new ConnectorError("rateLimited", syncRefusals.cycleEnds, { neverSent: true });
    } finally {
      this.#wait(place.connectorId, name, false);
    }
  }

  #wait(connectorId: string, name: string, isWaiting: boolean): void {
    this.#slow.wait(connectorId, isWaiting);
    if (isWaiting) this.#parts.doing(fill(syncRefusals.waitingForSystem, { system: name }));
  }

  /** A call to a system, which is named while it takes long. */
  async #call<Answer>(connectorId: string, call: (connection: Connection) => Promise<Answer>): Promise<Answer> {
    const over = this.#slow.begin(connectorId);
    let isAnswered = false;
    try {
      const answer = await call(await this.#connect(connectorId));
      isAnswered = true;
      return answer;
    } finally {
      over(isAnswered);
    }
  }

  /** What a call that failed means. One that was cut off with the lease says nothing about the system. */
  async #failed(
    { connectorId, entity }: { connectorId: string; entity?: string },
    error: unknown,
    asInput: (failure: SystemFailure) => Input,
  ): Promise<Input> {
    const { acquired, lease, needs } = this.#parts;
    if (lease.isOver) return { kind: "leaseLost" };
    if (connectorId && error instanceof Error) {
      await needs.connectors.reportFailure(acquired.instanceId, connectorId, error, entity);
    }
    return asInput(systemFailure(error));
  }
}
