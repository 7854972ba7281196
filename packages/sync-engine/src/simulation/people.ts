/** What people do in a history: they edit in every system and in Accord, pause, resync, publish, and mend in the end. */
import type { Plan } from "../run/plan.ts";
import type { Chance } from "./chance.ts";
import { type FakeSystem, START } from "./fake-system.ts";
import type { MemoryStore } from "./memory-store.ts";
import type { Oracle } from "./oracle.ts";
import { EDITED_FIELDS } from "./scenario.ts";
import { Timeline } from "./timeline.ts";

/** When, after the busy time, somebody has everything tried again that was put aside. */
const MENDING_MS = [1_000, 20_000, 60_000];

export interface Scene {
  chance: Chance;
  timeline: Timeline;
  systems: readonly FakeSystem[];
  store: MemoryStore;
  oracle: Oracle;
  plan: () => Plan;
  publish: () => void;
  tell: (who: string, what: unknown) => void;
}

export class People {
  readonly #scene: Scene;
  #count = 0;
  #mendings = 0;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** Puts the first rows where they are and plans everything that people will do. */
  begin(): void {
    const { chance, timeline, systems, oracle, tell, publish } = this.#scene;
    for (let index = 0; index < 3; index += 1) {
      const email = this.#newEmail();
      const holders = systems.filter(() => chance.happens(0.6));
      for (const system of holders.length > 0 ? holders : [chance.pick(systems)]) {
        const values = oracle.newRow(email, system.name);
        tell("at first", { has: system.insert(values, START - 10_000), values });
      }
    }
    const edits = chance.between(5, 20);
    for (let index = 0; index < edits; index += 1) this.#sometime(0, () => this.#edit());
    if (chance.happens(0.4)) this.#sometime(2_000, () => this.#startResync());
    if (chance.happens(0.3)) this.#sometime(2_000, () => this.#pause());
    if (chance.happens(0.35)) this.#sometime(1_000, publish);
    timeline.later(Timeline.moment(1), () => this.#mend());
  }

  #sometime(from: number, act: () => void): void {
    const { chance, timeline } = this.#scene;
    timeline.later(Timeline.moment(chance.next(), from), act);
  }

  #newEmail(): string {
    this.#count += 1;
    return `p${this.#count}@example.com`;
  }

  #edit(): void {
    const { chance, timeline, systems, oracle, tell } = this.#scene;
    if (chance.happens(0.12)) {
      this.#editByHand();
      return;
    }
    const system = chance.pick(systems);
    const rows = system.rows();
    if (rows.length === 0 || chance.happens(0.15)) {
      const values = oracle.newRow(this.#newEmail(), system.name);
      tell("somebody", { creates: system.insert(values, timeline.now), values });
      return;
    }
    const row = chance.pick(rows);
    const email = String(row.values["email"]);
    if (chance.happens(0.08)) {
      const isKnown = this.#isTiedEverywhere(email);
      system.remove(row.id, timeline.now);
      tell("somebody", { deletes: row.id, email, isKnown });
      oracle.deleted(email, isKnown);
      return;
    }
    this.editField(system, row, chance.pick(EDITED_FIELDS));
  }

  editField(system: FakeSystem, row: ReturnType<FakeSystem["rows"]>[number], field: string): void {
    const { timeline, oracle, tell } = this.#scene;
    const email = String(row.values["email"]);
    const before = row.values[field];
    const value = oracle.edit(email, field, before === undefined ? null : String(before), system.name);
    system.update(row.id, { [field]: value }, timeline.now);
    tell("somebody", { edits: row.id, email, field, before, value });
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

  #editByHand(): void {
    const { chance, store, oracle, timeline, plan, tell } = this.#scene;
    const records = [...store.records.values()].filter(({ deleted }) => !deleted);
    if (records.length === 0) return;
    const { recordId, values } = chance.pick(records);
    const field = chance.pick(EDITED_FIELDS);
    const before = values[field];
    const email = String(values["email"]);
    const value = oracle.edit(email, field, before === undefined ? null : String(before), "hand");
    const placeIds = plan().sinks.map(({ place }) => place.id);
    store.changeByHand(recordId, { [field]: value }, placeIds, timeline.now);
    tell("somebody", { editsCore: recordId, email, field, before, value });
  }

  #startResync(): void {
    const { store, chance, timeline, plan } = this.#scene;
    if (store.resync) return;
    const nodeIds = plan().sources.map(({ nodeId }) => nodeId);
    store.resync = { resyncId: "resync", nodeIds, since: null, until: null, cursors: {}, finished: [] };
    if (!chance.happens(0.3)) return;
    timeline.later(chance.between(10, 2_000), () => {
      if (store.resync && store.signal === "none") store.signal = "cancelResync";
    });
  }

  #pause(): void {
    const { store, chance, timeline, tell } = this.#scene;
    if (store.signal !== "none") return;
    store.signal = "pause";
    tell("somebody", "pauses");
    timeline.later(chance.between(500, 5_000), () => (store.signal = "none"));
  }

  /** Whether somebody is still to have set-aside work tried again. */
  isMending(): boolean {
    return this.#mendings < MENDING_MS.length && this.#scene.store.hasParked();
  }

  /** Destinations take what they refused so far, and what waits in quarantine is tried again. */
  #mend(): void {
    const { store, systems, timeline } = this.#scene;
    for (const { traits } of systems) traits.refuses = null;
    for (const delay of MENDING_MS)
      timeline.later(delay, () => {
        this.#mendings += 1;
        store.replayParked(timeline.now);
      });
  }
}
