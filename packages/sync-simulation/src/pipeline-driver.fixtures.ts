/** Runs a two-way pipeline over fake systems cycle by cycle, without faults: what tests arrange is all that happens. */
import type { SourceRecord, WriteOutcome } from "@accord/connector-sdk";
import type { Values } from "@accord/contracts/data/values";
import { advance, beginRun, compilePipeline, placeName, placesOf, remappedKey } from "@accord/sync-engine/run";
import type { CycleSummary, Effect, Input, Plan, Remapped, ResyncStart } from "@accord/sync-engine/run";
import { assertNotWritten } from "./read-while-written.fixtures.ts";
import { schemaWithout } from "./systems/drift.ts";
import type { DriverOptions, MappingChanges } from "./driver-options.fixtures.ts";
import { PLAIN_SYSTEM } from "./systems/plain-system.ts";
import { FakeSystem, START } from "./systems/fake-system.ts";
import { driverGraph, driverSchema } from "./fixtures/driver-graph.ts";
import { CALM_TRAITS } from "./fixtures/plain-traits.ts";
import { MemoryStore } from "./memory/memory-store.ts";
import { matchPage } from "./memory/page-matches.ts";
import { resolveReferences } from "./memory/references-first.ts";
import { REFERENCE_FIELD } from "./scenario/pipeline-fixture.ts";

export type { DriverOptions } from "./driver-options.fixtures.ts";

type Sending = Extract<Effect, { kind: "send" }>;

const MINUTE = 60_000;

const asKept = (id: string): SourceRecord => ({ id, values: {} });

export class PipelineDriver {
  readonly systems: readonly FakeSystem[];
  readonly store: MemoryStore;
  plan: Plan;
  now = START;
  /** Stands in for a system's answer; null lets the system do it. */
  answer: (sending: Sending, system: FakeSystem) => WriteOutcome[] | Input | null = () => null;
  /** What happens right before a page is read. */
  beforeRead: (system: FakeSystem) => void = () => undefined;
  /** Receives each input of a run, and what it asks for then. */
  onStep: (input: Input, effects: readonly Effect[]) => void = () => undefined;
  /** Given to the run under way before anything else. */
  interrupt: Input | null = null;
  /** Operations that were sent, by system. */
  readonly sent: { [system: string]: number } = {};
  /** When it was published; null: what systems hold is read without asking since when. */
  publishedAt: string | null = null;
  /** Sources that joined it later, and since when it ran before. */
  readonly joinedAfter = new Map<string, string>();
  /** Sources of which a resync is yet to bring in what they hold. */
  readonly awaitsHistory = new Set<string>();
  /** Ids that a look at all that a system lists did not find, by system. */
  readonly missing = new Map<string, readonly string[]>();
  /** What tells fields from others of their names, by system. */
  readonly fieldIds = new Map<string, Record<string, string>>();
  readonly #options: DriverOptions;
  /** Fields that were not there when the schema was read last, by system. */
  readonly #vanished = new Map<string, readonly string[]>();
  #ids = 0;

  constructor(options: DriverOptions) {
    const { systems, hasReferences = false, listsAll = false } = options;
    this.#options = options;
    const kind = { ...PLAIN_SYSTEM, reading: listsAll ? ("listing" as const) : ("feed" as const) };
    this.systems = systems.map(
      (traits, index) => new FakeSystem("ABCDEF"[index] ?? "", { ...CALM_TRAITS, ...traits }, kind),
    );
    const places = new Map(this.systems.map(({ name }, index) => [name, index + 1]));
    this.store = new MemoryStore({ places, references: hasReferences ? [REFERENCE_FIELD] : [] });
    this.plan = this.#compile(1, {});
  }

  /** Publishes a version that leaves these fields out, by system: its source, and its destination too unless `keepsSink`. */
  publish(without: { readonly [system: string]: readonly string[] }, changes: Partial<MappingChanges> = {}): void {
    this.plan = this.#compile(this.plan.versionNumber + 1, without, changes);
  }

  /** Reads a system's schema again, in which these fields are not there. */
  refreshSchema(system: string, vanished: readonly string[]): void {
    this.#vanished.set(system, vanished);
    this.plan = this.#compile(this.plan.versionNumber, {});
  }

  #remapped(coreFields: readonly string[]): Remapped {
    const at = new Date(this.now).toISOString();
    const places = this.plan.sources.map(({ place }) => placeName(place));
    return new Map(places.flatMap((place) => coreFields.map((field) => [remappedKey(place, field), at] as const)));
  }

  #compile(
    version: number,
    without: { readonly [system: string]: readonly string[] },
    { keepsSink = false, columns = {} }: Partial<MappingChanges> = {},
  ): Plan {
    const schema = driverSchema(this.#options);
    const { graph, whole } = driverGraph(this.systems, this.#options, { without, keepsSink, columns });
    return compilePipeline(graph, {
      pipelineId: "pipeline",
      versionId: `version-${version}`,
      versionNumber: version,
      pipelineName: "Contacts",
      instanceName: "Tests",
      timeZone: "UTC",
      coreFields: schema.fields.filter(({ isIdField }) => !isIdField),
      // Storage's lists of fields only grow.
      places: placesOf(whole).map((need) => ({
        ...need,
        id: this.systems.findIndex(({ name }) => name === need.connectorId) + 1,
        connectorName: need.connectorId,
        schema: schemaWithout(schema, this.#vanished.get(need.connectorId) ?? []),
        writeBatchSize: 100,
        readDelayMs: 0,
        idempotentCreate: true,
        canLookup: this.systems.find(({ name }) => name === need.connectorId)?.traits.canLookup === true,
        canGetById: true,
        listsAll: this.#options.listsAll === true,
      })),
      ...(Object.keys(columns).length > 0 ? { remapped: this.#remapped(Object.keys(columns)) } : {}),
    });
  }

  system(name: string): FakeSystem {
    const system = this.systems.find((candidate) => candidate.name === name);
    if (!system) throw new Error(`no system ${name}`);
    return system;
  }

  /** The only row of a system. */
  row(name: string): Values {
    return this.system(name).rows()[0]?.values ?? {};
  }

  /** Rows of the systems that our writes changed so far. */
  writes(): number[] {
    return this.systems.map(({ writes }) => writes);
  }

  /** Runs cycles, a minute apart, until one does nothing; answers how many did something. */
  settle(atMost = 20): number {
    for (let count = 0; count < atMost; count += 1) {
      const { counts } = this.cycle();
      const delivered = Object.values(counts.delivered).reduce((sum, one) => sum + one, 0);
      this.now += MINUTE;
      if (counts.created + counts.updated + counts.deleted + delivered === 0 && this.store.outstanding() === 0) {
        return count;
      }
    }
    return atMost;
  }

  /** Brings in what the systems hold, and comes to rest. */
  bringIn(nodeIds: string[] = this.plan.sources.map(({ nodeId }) => nodeId)): CycleSummary {
    const summary = this.cycle({ resyncId: "resync", nodeIds, since: null, until: null, cursors: {}, finished: [] });
    for (const nodeId of nodeIds) this.awaitsHistory.delete(nodeId);
    this.settle();
    return summary;
  }

  cycle(resync: ResyncStart | null = null): CycleSummary {
    const epoch = this.store.acquire("worker", this.now);
    if (epoch === null) throw new Error("the lease is taken");
    resolveReferences(this.plan, this.store, this.now, (batch) => this.store.commit(epoch, batch, this.now));
    for (const { place, fits } of this.plan.sinks) this.store.retryUnfit(place.id, fits, this.now);
    const run = beginRun(this.plan, {
      cycleId: `cycle-${epoch}`,
      epoch,
      sources: this.plan.sources.map(({ nodeId, place }) => ({
        nodeId,
        cursor: this.store.cursors.get(nodeId) ?? null,
        isComplete: this.store.through.has(nodeId),
        knownUntil: this.store.knownUntil.get(nodeId) ?? null,
        isReadWhole: this.publishedAt === null,
        since: this.publishedAt,
        awaitsHistory: this.awaitsHistory.has(nodeId),
        ...(this.publishedAt ? { followedSince: this.publishedAt } : {}),
        ...(this.joinedAfter.has(nodeId) ? { joinedAfter: this.joinedAfter.get(nodeId) } : {}),
        lostFields: this.store.lostFields.get(place.id) ?? {},
        due: true,
        replay: this.#replayOf(nodeId, place.id),
        replayReadAt: this.now,
      })),
      resync,
      failures: this.store.failures,
    });
    const inputs: Input[] = [{ kind: "start" }];
    for (let input = inputs.shift(); input; input = inputs.shift()) {
      this.now += 1;
      const env = { now: this.now, random: () => 0.5, newId: () => `r${String((this.#ids += 1)).padStart(4, "0")}` };
      const { effects } = advance(this.plan, run, input, env);
      this.onStep(input, effects);
      for (const effect of effects) {
        if (effect.kind === "read") assertNotWritten(this.plan, run, effect.nodeId);
        if (effect.kind === "finish") {
          this.store.finish(epoch, effect.summary);
          return effect.summary;
        }
        const answer = this.#perform(epoch, effect);
        if (answer) inputs.push(answer);
      }
      if (this.interrupt) inputs.unshift(this.interrupt);
      this.interrupt = null;
    }
    throw new Error("the cycle ended without a summary");
  }

  #perform(epoch: number, effect: Effect): Input | null {
    const { store, now } = this;
    switch (effect.kind) {
      case "read": {
        const system = this.#sourceOf(effect.nodeId);
        this.beforeRead(system);
        const page =
          effect.mode === "all"
            ? system.readAll(effect.cursor, now, effect)
            : system.readChanges(effect.cursor, now, effect.since);
        const isSilent = this.#options.hidesDeletes?.includes(system.name) === true;
        const records = page.records.filter(({ deleted }) => !isSilent || !deleted);
        const fieldIds = this.fieldIds.get(system.name);
        const { nodeId, requestId } = effect;
        return { kind: "pageRead", nodeId, requestId, page: { ...page, records, ...(fieldIds ? { fieldIds } : {}) } };
      }
      case "resolve":
        return { ...effect, kind: "resolved", resolved: store.resolve(effect.request) };
      case "getById": {
        const records = this.#sourceOf(effect.nodeId).readAgain(effect.ids.map(asKept), now);
        return { kind: "gotById", nodeId: effect.nodeId, records };
      }
      case "match":
        return matchPage(effect, store);
      case "commit":
        return { kind: "committed", nodeId: effect.nodeId, answer: store.commit(epoch, effect.batch, now) };
      case "claim":
        return { kind: "claimed", placeId: effect.placeId, claimed: store.claim(effect.request, now) };
      case "intend": {
        const answer = store.intend(epoch, effect.placeId, effect.intents, now);
        return { kind: "intended", placeId: effect.placeId, answer };
      }
      case "lookup": {
        const { placeId, field, values } = effect;
        return { kind: "lookedUp", placeId, records: this.#at(placeId).lookup(field, values, now) };
      }
      case "send":
        return this.#send(effect);
      case "settle": {
        const answer = store.settle(epoch, effect.placeId, effect.settlements, now);
        return { kind: "settled", placeId: effect.placeId, answer };
      }
      default:
        return null;
    }
  }

  /** Records that are asked for one by one: what was quarantined, and what a look did not find. */
  #replayOf(nodeId: string, placeId: number): SourceRecord[] {
    const system = this.#sourceOf(nodeId);
    const missing = (this.missing.get(system.name) ?? []).map(asKept);
    this.missing.delete(system.name);
    return system.readAgain([...this.store.quarantineEntries.againAt(placeId), ...missing], this.now);
  }

  #sourceOf(nodeId: string): FakeSystem {
    return this.system(nodeId.slice("source-".length));
  }

  readonly #at = (placeId: number): FakeSystem => this.system(this.systems[placeId - 1]?.name ?? "");

  #send(effect: Sending): Input {
    const system = this.#at(effect.placeId);
    this.sent[system.name] = (this.sent[system.name] ?? 0) + effect.operations.length;
    const answer = this.answer(effect, system);
    if (answer && !Array.isArray(answer)) return answer;
    const outcomes = answer ?? effect.operations.map((operation) => system.write(operation, this.now));
    return { kind: "sent", placeId: effect.placeId, outcomes };
  }
}
