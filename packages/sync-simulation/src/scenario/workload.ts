/** What people do in a history: they edit in every system and in Accord, pause, resync, publish, and fix in the end. */
import { hashValue } from "@accord/connector-sdk/fingerprint";
import type { Value, Values } from "@accord/contracts/data/values";
import { isBlank } from "@accord/expressions";
import { MAX_RECORD_SIZE, holds, type Plan } from "@accord/sync-engine/run";
import type { Rng } from "../rng.ts";
import type { Drift } from "../systems/drift.ts";
import { type FakeSystem, START } from "../systems/fake-system.ts";
import type { MemoryStore } from "../memory/memory-store.ts";
import { at } from "../memory/memory-tables.ts";
import type { NewField } from "../systems/new-fields.ts";
import type { Oracle } from "../oracle.ts";
import type { FakeService } from "../systems/fake-service.ts";
import { EDITED_FIELDS, REFERENCE_FIELD } from "./pipeline-fixture.ts";
import type { Scenario } from "./scenario.ts";
import { BUSY_MS, Timeline } from "../timeline.ts";
import { CHANGING_FIELD, isFit, type TypeChange } from "../systems/type-changes.ts";
import { enteredValue, typedValues } from "../systems/typed-values.ts";
import type { InvariantChecker } from "../invariants/invariant-checker.ts";

/** More than a record may hold. */
export const OVERSIZED = "x".repeat(MAX_RECORD_SIZE + 1);

/** Rows of contacts that can be distinguished. */
const namedRows = (system: FakeSystem): ReturnType<FakeSystem["rows"]> =>
  system.rows().filter(({ values }) => !isBlank(values["email"]));

/** This long after a system's last change everything is read that ever will be. */
const MAX_READING_MS = 60_000;
/** Likewise where pipelines wait for each other, or a cycle reads a page. */
const MAX_SHARED_READING_MS = 600_000;
/** Between two looks whether something is over. */
const NOTICED_MS = 500;

/** A field that people can neither see nor enter in a system now. */
const lackedBy = ({ vanished }: FakeSystem): string | null =>
  vanished && (vanished.renamedTo ?? null) === null ? vanished.field : null;
const lacks = (system: FakeSystem, field: string): boolean => lackedBy(system) === field;

/**
 * Whether a system stores what it is written in a way of its own, or not at all. There a save that changes nothing but
 * the time looks just like somebody's correcting our write or putting back what stood there before, which are edits:
 * nobody can tell them apart, and nobody saves anything so, be it in two steps of which readers see the second alone.
 */
const isOwnWay = ({ texts }: Scenario, systems: readonly FakeSystem[], system: FakeSystem): boolean =>
  system.traits.respells || (texts?.kinds[systems.indexOf(system)] ?? null) !== null;

/** Contacts at first of a system whose pages are numbered. */
const LISTED_ROWS = 8;

/** When, after the busy time, somebody has everything tried again that was quarantined. */
const MENDING_MS = [1_000, 20_000, 60_000];
/** Where pipelines wait for each other. */
const LATE_MENDING_MS = [...MENDING_MS, 600_000, 3_600_000];

/** Age of what is imported. */
const IMPORTED_FROM_MS = 600_000;

export interface WorkloadContext {
  rng: Rng;
  /** For what only some scenarios have, so that the others stay as they are. */
  extra: Rng;
  scenario: Scenario;
  timeline: Timeline;
  systems: readonly FakeSystem[];
  store: MemoryStore;
  oracle: Oracle;
  checker: InvariantChecker;
  fakeService: FakeService;
  /** Other pipelines use the same processes and systems. */
  isShared: boolean;
  plan: () => Plan;
  publish: () => void;
  /** The schema of a system is read again: what type the column of changing type has there. */
  refresh: (system: string) => void;
  log: (who: string, what: unknown) => void;
}

export class WorkloadGenerator {
  readonly #scene: WorkloadContext;
  #count = 0;
  #mendings = 0;
  readonly #overfilled: { system: FakeSystem; id: string; before: Value }[] = [];

  constructor(scene: WorkloadContext) {
    this.#scene = scene;
  }

  /** Puts the first rows where they are and plans everything that people will do. */
  begin(): void {
    const { rng, timeline, oracle, scenario, log } = this.#scene;
    const systems = this.#edited();
    for (let index = 0; index < 3; index += 1) {
      const email = this.#newEmail();
      const holders = systems.filter(() => rng.bool(0.6));
      const shared = scenario.types?.isFirstLoad ? oracle.newRow(email, "everybody") : null;
      for (const system of holders.length > 0 ? holders : [rng.pick(systems)]) {
        const values = shared ?? oracle.newRow(email, system.name);
        log("at first", { has: system.insert(values, START - 10_000), values });
      }
    }
    if (scenario.hasNumberedLists.includes(true)) this.#fillPages();
    oracle.published();
    if (scenario.drift) this.#planDrift(scenario.drift);
    if (scenario.newField) this.#planNewField(scenario.newField);
    if (scenario.typeChange) this.#planTypeChange(scenario.typeChange);
    if (!scenario.types?.isFirstLoad) this.#planEdits();
    timeline.later(Timeline.moment(1), () => this.#repair());
  }

  /** Several pages of contacts; while they are read for the first time, some go and some change their places. */
  #fillPages(): void {
    const { extra, timeline, oracle, scenario, log } = this.#scene;
    const [system] = this.#edited().filter((_, index) => scenario.hasNumberedLists[index]);
    if (!system) return;
    for (let index = 0; index < LISTED_ROWS; index += 1)
      system.insert(oracle.newRow(this.#newEmail(), system.name), START - 10_000);
    const touch = (): void => {
      const row = extra.pick(namedRows(system));
      const email = String(row.values["email"]);
      if (lacks(system, "name")) return;
      if (extra.bool(0.3) || scenario.duplicates || scenario.hasReferences) {
        this.editField(system, row, "name");
        return;
      }
      const isKnown = this.#isKnown(email);
      system.remove(row.id, timeline.now);
      log("somebody", { deletes: row.id, email, isKnown });
      oracle.deleted(email, system, isKnown);
    };
    for (let index = 0; index < LISTED_ROWS / 2; index += 1) timeline.later(extra.between(0, 2_500), touch);
  }

  #planDrift(drift: Drift): void {
    const { timeline, systems, log } = this.#scene;
    const system = systems[drift.system];
    if (!system) return;
    timeline.later(drift.fromMs, () => {
      system.vanished = drift;
      log("somebody", { drops: drift.field, in: system.name, renamedTo: drift.renamedTo ?? null });
    });
    timeline.later(drift.untilMs, () => this.#bringBack(system, drift));
  }

  /** A column takes numbers only, and perhaps texts again; each time the schema is refreshed some time later. */
  #planTypeChange({ system: index, fromMs, toldMs }: TypeChange): void {
    const { timeline, systems, oracle, refresh, log } = this.#scene;
    const system = systems[index];
    if (!system) return;
    timeline.later(fromMs, () => {
      system.hasNumbers = true;
      log("somebody", { changesTypeOf: CHANGING_FIELD, in: system.name });
      for (const { id, values } of system.rows()) {
        if (isFit(values[CHANGING_FIELD])) continue;
        oracle.erased(String(values[CHANGING_FIELD]));
        system.update(id, { [CHANGING_FIELD]: null }, timeline.now);
      }
    });
    timeline.later(toldMs, () => refresh(system.name));
  }

  /** A field is added to a system, and people enter something in it: to the pipeline that is nothing. */
  #planNewField({ system: index, field, fromMs, touchesRows, edits }: NewField): void {
    const { timeline, extra, systems, scenario, log } = this.#scene;
    const system = systems[index];
    if (!system) return;
    const isSaved = !isOwnWay(scenario, systems, system);
    timeline.later(fromMs, () => {
      system.newFields = { [field]: "new" };
      log("somebody", { adds: field, in: system.name });
      if (touchesRows && isSaved) for (const { id } of system.rows()) system.update(id, {}, timeline.now);
    });
    for (let count = 1; count <= edits && isSaved; count += 1) {
      timeline.later(fromMs + extra.between(1, BUSY_MS), () => {
        const rows = namedRows(system);
        if (rows.length === 0) return;
        const { id } = extra.pick(rows);
        system.update(id, { [field]: `entered ${count}` }, timeline.now);
        log("somebody", { edits: id, field });
      });
    }
  }

  /**
   * Where nobody reads between a write and the return of a field, a write that was ignored, or emptied afterwards, is as
   * one to a system that never takes the field. What nobody has touched is told by a reading of everything.
   */
  #bringBack(system: FakeSystem, drift: Drift): void {
    const { timeline, oracle, store, scenario, isShared, log } = this.#scene;
    const isSlow = isShared || scenario.readsSinglePages;
    const longestMs = isSlow ? MAX_SHARED_READING_MS : MAX_READING_MS;
    // A system that is down is read by nobody.
    const outages = scenario.outages.filter((outage) => outage.system === drift.system);
    const readable = Math.max(drift.untilMs, ...outages.map(({ untilMs }) => untilMs));
    const settledAt = Math.max(START + readable, system.changedAt) + longestMs;
    if (store.hasUnreadWrites(drift.system + 1) && timeline.now < settledAt) {
      timeline.later(NOTICED_MS, () => this.#bringBack(system, drift));
      return;
    }
    const emptied = drift.comesBack === "empty" ? system.rows() : [];
    for (const { values } of emptied) oracle.erased(String(values[drift.field] ?? ""));
    system.bringBack(drift, timeline.now);
    log("somebody", { bringsBack: drift.field, in: system.name });
    if (!drift.touchesRows) this.#readEverything();
    // What was refused without a word of the field waits for whoever brought it back.
    if (drift.writes === "refusedUnnamed") timeline.later(NOTICED_MS, () => store.replayParked(timeline.now));
  }

  /** Somebody has all read again, once nothing else is read again. */
  #readEverything(): void {
    const { store, timeline, plan } = this.#scene;
    if (store.resync) {
      timeline.later(NOTICED_MS, () => this.#readEverything());
      return;
    }
    const nodeIds = plan().sources.map(({ nodeId }) => nodeId);
    store.resync = { resyncId: "resync", nodeIds, since: null, until: null, cursors: {}, finished: [] };
  }

  /** A contact as somebody can enter it in a system. */
  #newContact(email: string, system: FakeSystem, blank: readonly string[] = []): Values {
    const lacked = lackedBy(system);
    return this.#scene.oracle.newRow(email, system.name, lacked === null ? blank : [...blank, lacked]);
  }

  #planEdits(): void {
    const { rng, publish } = this.#scene;
    const edits = rng.between(5, 20);
    for (let index = 0; index < edits; index += 1) this.#sometime(0, () => this.#edit());
    if (rng.bool(0.4)) this.#sometime(2_000, () => this.#startResync());
    if (rng.bool(0.3)) this.#sometime(2_000, () => this.#pause());
    if (rng.bool(0.35)) this.#sometime(1_000, publish);
    this.#beginFamily();
  }

  /** What only happens in some scenarios: duplicates, references, merges taken back, contacts that are soon gone. */
  #beginFamily(): void {
    const { extra, scenario } = this.#scene;
    const times = (most: number, act: () => void): void => {
      const count = extra.between(1, most);
      for (let index = 0; index < count; index += 1) this.#sometime(0, act, extra);
    };
    if (scenario.reading?.hasImports) times(5, () => this.#import());
    if (scenario.hasNameless) times(5, () => this.#createWithoutKey());
    if (scenario.hasGiants) times(3, () => this.#writeOversized());
    if (scenario.actionOptions) times(3, () => this.#rejectService());
    if (scenario.hasWriteOnly) times(6, () => this.#createThenDelete());
    if (scenario.duplicates) times(5, () => this.#double());
    if (scenario.hasReferences) times(9, () => this.#name());
    if (scenario.duplicates && extra.bool(0.4)) times(3, () => this.#undo());
  }

  /** A tool writes a row with a time of change from before, as imports and restored backups do. */
  #import(): void {
    const { extra, timeline, oracle, scenario, systems, log } = this.#scene;
    const system = extra.pick(this.#edited());
    const rows = namedRows(system);
    const { kinds = [], areCurrent = [] } = scenario.reading ?? {};
    const index = systems.indexOf(system);
    if (rows.length === 0 || kinds[index] === "watermark" || areCurrent[index] !== true) return;
    if (lacks(system, "name")) return;
    const row = extra.pick(rows);
    const before = String(row.values["name"]);
    const name = oracle.edit(String(row.values["email"]), "name", before, system.name);
    system.update(row.id, { name }, timeline.now, START - IMPORTED_FROM_MS);
    log("a tool", { imports: row.id, name });
  }

  /** Somebody enters a contact without an e-mail: nothing tells it from others of the kind. */
  #createWithoutKey(): void {
    const { extra, timeline, oracle, log } = this.#scene;
    const system = extra.pick(this.#edited());
    const values = oracle.createWithoutKey(extra.pick([null, ""]));
    log("somebody", { creates: system.insert(values, timeline.now), values });
  }

  /** Somebody pastes a whole file into a note. */
  #writeOversized(): void {
    const { extra, timeline, oracle, log } = this.#scene;
    const system = extra.pick(this.#edited());
    const rows = namedRows(system);
    if (rows.length === 0 || system.traits.respells || lacks(system, "note")) return;
    const row = extra.pick(rows);
    if (row.values["note"] === OVERSIZED) return;
    oracle.erased(String(row.values["note"] ?? ""));
    this.#overfilled.push({ system, id: row.id, before: row.values["note"] ?? null });
    system.update(row.id, { note: OVERSIZED }, timeline.now);
    log("somebody", { overfills: row.id });
  }

  #putRight(): void {
    const { timeline, oracle } = this.#scene;
    for (const { system, id, before } of this.#overfilled) {
      const row = namedRows(system).find((candidate) => candidate.id === id);
      if (row?.values["note"] !== OVERSIZED) continue;
      const note = oracle.edit(
        String(row.values["email"]),
        "note",
        before === null ? null : String(before),
        system.name,
      );
      system.update(id, { note }, timeline.now);
    }
  }

  /** The service outside has nothing to say about somebody any more. */
  #rejectService(): void {
    const { extra, systems, fakeService, log } = this.#scene;
    const rows = namedRows(extra.pick(systems));
    if (rows.length === 0) return;
    const email = String(extra.pick(rows).values["email"]);
    fakeService.unwilling.add(email);
    log("the receiver", { isUnwillingAbout: email });
  }

  #sometime(from: number, act: () => void, rng = this.#scene.rng): void {
    this.#scene.timeline.later(Timeline.moment(rng.next(), from), act);
  }

  /** Systems in which people edit. */
  #edited(): readonly FakeSystem[] {
    const { systems, scenario } = this.#scene;
    return scenario.hasWriteOnly ? systems.slice(0, -1) : systems;
  }

  /** Somebody enters a contact and takes it back soon, perhaps while destinations are being told. */
  #createThenDelete(): void {
    const { extra, timeline, oracle, log } = this.#scene;
    const system = extra.pick(this.#edited());
    const email = this.#newEmail();
    const values = this.#newContact(email, system);
    const id = system.insert(values, timeline.now);
    log("somebody", { creates: id, values });
    timeline.later(extra.between(300, 6_000), () => {
      const isKnown = this.#isKnown(email);
      if (!timeline.isBusy || !system.remove(id, timeline.now)) return;
      log("somebody", { deletes: id, email, isKnown });
      oracle.deleted(email, system, isKnown);
    });
  }

  /** Somebody enters a contact that is there already. */
  #double(): void {
    const { extra, timeline, log } = this.#scene;
    const system = extra.pick(this.#edited());
    const rows = namedRows(system);
    if (rows.length === 0) return;
    const email = String(extra.pick(rows).values["email"]);
    const blank = EDITED_FIELDS.filter((field) => field !== "name" && extra.bool(0.3));
    const values = this.#newContact(email, system, blank);
    log("somebody", { doubles: system.insert(values, timeline.now), values });
  }

  /** Somebody says who a contact's boss is. */
  #name(): void {
    const { extra, timeline, oracle, scenario, systems, log } = this.#scene;
    const system = extra.pick(this.#edited());
    const rows = namedRows(system);
    if (rows.length < 2) return;
    const row = extra.pick(rows);
    const email = String(row.values["email"]);
    const others = rows.filter(({ values }) => values["email"] !== email);
    const boss = others.length === 0 ? null : extra.pick(others);
    if (!boss) return;
    if (isOwnWay(scenario, systems, system) && this.#isBossOf(system, row, boss.id)) return;
    oracle.named(email, String(boss.values["email"]));
    system.update(row.id, { [REFERENCE_FIELD]: boss.id }, timeline.now);
    log("somebody", { names: boss.id, of: row.id, email });
  }

  /** Whether a row names this boss, or did so when its system was last read or written: a save that changes nothing. */
  #isBossOf(system: FakeSystem, row: ReturnType<FakeSystem["rows"]>[number], bossId: string): boolean {
    const { systems, store, plan } = this.#scene;
    const place = plan().sources.find((source) => source.place.id === systems.indexOf(system) + 1)?.place;
    const link = place && store.links.get(at(place.id, row.id));
    const index = place?.readFields.indexOf(REFERENCE_FIELD) ?? -1;
    return row.values[REFERENCE_FIELD] === bossId || holds(link?.seen ?? null, index, hashValue(bossId));
  }

  #undo(): void {
    const { extra, store, plan, timeline, log, checker } = this.#scene;
    const merges = store.merges.kept.filter(({ status }) => status === "MERGED");
    if (merges.length === 0) return;
    const merge = extra.pick(merges);
    const { epoch } = store.lease;
    const placeIds = plan().sinks.map(({ place }) => place.id);
    const isDone = store.undoMerge(merge.mergeId, placeIds, timeline.now);
    log("somebody", { undoes: merge, isDone });
    if (isDone) checker.undone(merge, epoch);
  }

  #newEmail(): string {
    this.#count += 1;
    return `p${this.#count}@example.com`;
  }

  #edit(): void {
    const { rng, timeline, oracle, log, scenario } = this.#scene;
    const systems = this.#edited();
    if (rng.bool(0.12)) {
      this.#editByHand();
      return;
    }
    const system = rng.pick(systems);
    const rows = namedRows(system);
    if (rows.length === 0 || rng.bool(0.15)) {
      const values = this.#newContact(this.#newEmail(), system);
      log("somebody", { creates: system.insert(values, timeline.now), values });
      return;
    }
    const row = rng.pick(rows);
    const email = String(row.values["email"]);
    if (rng.bool(0.08) && !scenario.duplicates && !scenario.hasReferences) {
      const isKnown = this.#isKnown(email);
      system.remove(row.id, timeline.now);
      log("somebody", { deletes: row.id, email, isKnown });
      oracle.deleted(email, system, isKnown);
      return;
    }
    const field = rng.pick(EDITED_FIELDS);
    if (lacks(system, field)) return;
    const others = EDITED_FIELDS.filter((other) => other !== field && !lacks(system, other));
    if (scenario.hasJointEdits && others.length > 0 && this.#scene.extra.bool(0.5))
      this.#editFields(system, row, [field, this.#scene.extra.pick(others)]);
    else this.editField(system, row, field);
  }

  /** Somebody enters a contact again that is gone everywhere, under the id it had. False when there is none. */
  enterAgain(rng: Rng): boolean {
    const { timeline, oracle, store, systems, scenario, log } = this.#scene;
    if (scenario.duplicates || scenario.noDeleteSystems.length > 0) return false;
    const holders = [
      ...[...store.records.values()].filter(({ deleted }) => !deleted),
      ...systems.flatMap((system) => system.rows()),
    ];
    const held = new Set(holders.map(({ values }) => values["email"]));
    const gone = this.#edited().flatMap((system) =>
      system.deletedRows().flatMap((row) => (held.has(row.values["email"]) ? [] : [{ system, row }])),
    );
    const known = gone.filter(({ row }) => oracle.isGone(String(row.values["email"])));
    if (known.length === 0) return false;
    const { system, row } = rng.pick(known);
    const values = this.#enteredAnew(system, row);
    system.reinsert(row.id, values, timeline.now);
    log("somebody", { entersAgain: row.id, values });
    return true;
  }

  /**
   * Somebody deletes a contact that is everywhere, and at once enters it again: another row of the same key. False when
   * there is none.
   */
  replaceOne(rng: Rng): boolean {
    const { timeline, oracle, scenario, log } = this.#scene;
    if (scenario.duplicates || scenario.hasReferences || scenario.noDeleteSystems.length > 0) return false;
    const system = rng.pick(this.#edited());
    const rows = namedRows(system).filter((row) => oracle.isSettled(system, row));
    if (rows.length === 0) return false;
    const row = rng.pick(rows);
    const email = String(row.values["email"]);
    system.remove(row.id, timeline.now);
    oracle.deleted(email, system, true);
    const values = this.#enteredAnew(system, row);
    log("somebody", { replaces: row.id, by: system.insert(values, timeline.now), values });
    return true;
  }

  #enteredAnew(system: FakeSystem, { values: gone }: ReturnType<FakeSystem["rows"]>[number]): Values {
    const { oracle } = this.#scene;
    const email = String(gone["email"]);
    const values = { ...gone };
    for (const field of EDITED_FIELDS) {
      const before = gone[field] ?? null;
      values[field] = oracle.edit(email, field, before === null ? null : String(before), system.name);
    }
    oracle.enteredAgain(email);
    return values;
  }

  /** Answers the new value. */
  editField(system: FakeSystem, row: ReturnType<FakeSystem["rows"]>[number], field: string): string {
    const { timeline, oracle, log } = this.#scene;
    const email = String(row.values["email"]);
    const before = row.values[field];
    const value = oracle.edit(email, field, before === undefined ? null : String(before), system.name);
    system.update(row.id, { [field]: value }, timeline.now);
    log("somebody", { edits: row.id, email, field, before, value });
    return value;
  }

  /** Somebody saves several fields at once. */
  #editFields(system: FakeSystem, row: ReturnType<FakeSystem["rows"]>[number], fields: readonly string[]): void {
    const { timeline, oracle, log } = this.#scene;
    const email = String(row.values["email"]);
    const values: Values = {};
    for (const field of fields) {
      const before = row.values[field];
      values[field] = oracle.edit(email, field, before === undefined ? null : String(before), system.name);
    }
    system.update(row.id, values, timeline.now);
    log("somebody", { edits: row.id, email, values });
  }

  /** Whether the engine knows every row of this contact, so that deleting one has to delete all. */
  #isTiedEverywhere(email: string): boolean {
    const { store, systems } = this.#scene;
    const records = [...store.records.values()].filter(({ deleted }) => !deleted);
    return systems.every((system, index) =>
      system
        .rows()
        .filter(({ values }) => values["email"] === email)
        .every(({ id }) => records.some(({ recordId }) => store.linkOf(index + 1, recordId)?.externalId === id)),
    );
  }

  /** Whether it is certain what a deletion has to lead to. */
  #isKnown(email: string): boolean {
    return (
      this.#isTiedEverywhere(email) && (this.#scene.scenario.noDeleteSystems.length === 0 || this.#isEverywhere(email))
    );
  }

  #isEverywhere(email: string): boolean {
    return this.#scene.systems.every((system) => system.rows().some(({ values }) => values["email"] === email));
  }

  #editByHand(): void {
    const { rng, store, oracle, timeline, plan, scenario, log } = this.#scene;
    const records = [...store.records.values()].filter(({ deleted, values }) => !deleted && !isBlank(values["email"]));
    if (records.length === 0) return;
    const { recordId, values } = rng.pick(records);
    const field = rng.pick(EDITED_FIELDS);
    const before = enteredValue(scenario.types, field, values[field] ?? null);
    const email = String(values["email"]);
    const value = oracle.edit(email, field, values[field] === undefined ? null : String(before), "hand");
    const placeIds = plan().sinks.map(({ place }) => place.id);
    store.applyUserEdits(recordId, typedValues(scenario.types, { [field]: value }), placeIds, timeline.now);
    log("somebody", { editsCore: recordId, email, field, before, value });
  }

  #startResync(): void {
    const { store, rng, extra, scenario, timeline, plan } = this.#scene;
    if (store.resync) return;
    const all = plan().sources.map(({ nodeId }) => nodeId);
    const some = all.filter(() => extra.bool(0.7));
    const nodeIds = scenario.hasPartialResyncs && some.length > 0 ? some : all;
    const before = new Date(timeline.now - extra.between(0, 8_000)).toISOString();
    const since = scenario.hasPartialResyncs && extra.bool(0.6) ? before : null;
    const until = since !== null && extra.bool(0.5) ? new Date(timeline.now).toISOString() : null;
    store.resync = { resyncId: "resync", nodeIds, since, until, cursors: {}, finished: [] };
    if (!rng.bool(0.3)) return;
    timeline.later(rng.between(10, 2_000), () => {
      if (store.resync && store.signal === "none") store.signal = "cancelResync";
    });
  }

  #pause(): void {
    const { store, rng, timeline, log } = this.#scene;
    if (store.signal !== "none") return;
    store.signal = "pause";
    log("somebody", "pauses");
    timeline.later(rng.between(500, 5_000), () => (store.signal = "none"));
  }

  get #mendingMs(): readonly number[] {
    return this.#scene.isShared ? LATE_MENDING_MS : MENDING_MS;
  }

  /** Whether somebody is still to have set-aside work tried again. */
  isMending(): boolean {
    return this.#mendings < this.#mendingMs.length && this.#scene.store.hasParked();
  }

  /** Destinations take what they refused so far, and what waits in quarantine is tried again. */
  #repair(): void {
    const { store, systems, timeline, fakeService } = this.#scene;
    for (const { traits } of systems) traits.refuses = null;
    fakeService.unwilling.clear();
    this.#putRight();
    // Nobody looks after an outage: what is to come back has to do so by itself.
    if (this.#scene.scenario.outages.length > 0) {
      this.#mendings = this.#mendingMs.length;
      return;
    }
    for (const delay of this.#mendingMs)
      timeline.later(delay, () => {
        this.#mendings += 1;
        store.replayParked(timeline.now);
      });
  }
}
