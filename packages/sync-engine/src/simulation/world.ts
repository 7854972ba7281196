/**
 * One simulated history: systems that people edit and that misbehave, workers that crash and oversleep, and the real
 * engine between them, in virtual time. Everything that happens follows from the seed.
 */
import type { WriteOperation, WriteOutcome } from "@accord/connector-sdk";
import { advance, beginRun } from "../run/advance.ts";
import type { Plan } from "../run/plan.ts";
import type { CycleSummary, Effect, Input, RunStart, SystemFailure } from "../run/protocol.ts";
import { DELIVERY_ATTEMPTS } from "../run/retry.ts";
import type { Run } from "../run/run.ts";
import { type Chance, makeChance } from "./chance.ts";
import { drawTraits, FakeSystem, START } from "./fake-system.ts";
import { MemoryStore, type StoreFaults } from "./memory-store.ts";
import { Oracle } from "./oracle.ts";
import { type Authority, EDITED_FIELDS, planFor } from "./scenario.ts";

const LEASE_MS = 10_000;
const RENEW_MS = 3_000;
/** People edit and things break until then; afterwards everything has to come to rest. */
const BUSY_MS = 25_000;
/** Cycles after which a history that has not come to rest is stuck. */
const REST_CYCLES = 150;

/** Faults planted into the engine's surroundings, to see that simulations catch them. */
export interface Plant {
  store?: StoreFaults;
  plan?: (plan: Plan) => Plan;
  /** Changes an effect before it is done, or drops it (null). */
  effect?: (effect: Effect, chance: Chance) => Effect | null;
  input?: (input: Input, chance: Chance) => Input;
}

export interface History {
  seed: number;
  lost: string[];
  doubled: string[];
  violations: string[];
  stuck: boolean;
  steps: number;
}

interface Worker {
  name: string;
  /** Counts lives: what was under way in an earlier one is void. */
  life: number;
  run: Run | null;
  epoch: number;
  /** Until when it surely owns the lease, by its own clock. */
  deadline: number;
  asleepUntil: number;
}

interface Event {
  at: number;
  order: number;
  act: () => void;
}

/** Told everything that happens, one line each, when somebody wants to read a history. */
export type Trace = (line: string) => void;

/** Plays one history to its end and judges it. */
export function play(seed: number, plant: Plant = {}, trace?: Trace): History {
  return new World(seed, plant, trace).play();
}

/** Maps and sets as lists, for reading. */
const plainly = (_key: string, value: unknown): unknown =>
  value instanceof Map || value instanceof Set ? [...value] : value;

class World {
  readonly #seed: number;
  readonly #chance: Chance;
  readonly #plant: Plant;
  readonly #trace: Trace | undefined;
  readonly #store: MemoryStore;
  readonly #systems: FakeSystem[];
  readonly #authority: Authority;
  readonly #plan: Plan;
  readonly #oracle = new Oracle();
  readonly #workers: Worker[];
  readonly #events: Event[] = [];
  readonly #violations = new Set<string>();
  #now = START;
  #order = 0;
  #ids = 0;
  #steps = 0;
  #people = 0;
  #quietCycles = 0;
  #restCycles = 0;

  constructor(seed: number, plant: Plant, trace: Trace | undefined) {
    this.#seed = seed;
    this.#trace = trace;
    this.#chance = makeChance(seed);
    this.#plant = plant;
    this.#store = new MemoryStore(plant.store);
    const count = this.#chance.happens(0.3) ? 3 : 2;
    this.#systems = ["A", "B", "C"].slice(0, count).map((name) => new FakeSystem(name, drawTraits(this.#chance)));
    this.#authority = this.#chance.pick(["NONE", "NONE", "NONE", "RANKED", "LATEST"] as const);
    const plan = planFor(this.#systems, this.#authority);
    for (const { name, traits } of this.#systems) this.#tell(name, traits);
    this.#tell("authority", this.#authority);
    this.#plan = plant.plan ? plant.plan(plan) : plan;
    this.#workers = ["one", "two"].map((name) => ({
      name,
      life: 0,
      run: null,
      epoch: 0,
      deadline: 0,
      asleepUntil: 0,
    }));
  }

  play(): History {
    this.#populate();
    for (const worker of this.#workers) this.#later(this.#chance.between(0, 1_000), () => this.#wake(worker, 0));
    while (this.#quietCycles < 3 && this.#restCycles < REST_CYCLES) {
      const event = this.#nextEvent();
      if (!event) break;
      this.#now = Math.max(this.#now, event.at);
      event.act();
      this.#steps += 1;
    }
    const { lost, doubled } = this.#oracle.judge(this.#systems, this.#store, this.#authority);
    this.#checkLedger();
    this.#checkPositions();
    return {
      seed: this.#seed,
      lost,
      doubled,
      violations: [...this.#violations],
      stuck: this.#quietCycles < 3,
      steps: this.#steps,
    };
  }

  #tell(who: string, what: unknown): void {
    this.#trace?.(`${String(this.#now - START).padStart(7)} ${who}: ${JSON.stringify(what, plainly)}`);
  }

  // Time

  get #isBusy(): boolean {
    return this.#now < START + BUSY_MS;
  }

  #later(delay: number, act: () => void): void {
    this.#order += 1;
    this.#events.push({ at: this.#now + delay, order: this.#order, act });
  }

  #nextEvent(): Event | undefined {
    let first = 0;
    for (let index = 1; index < this.#events.length; index += 1) {
      const event = this.#events[index]!;
      const best = this.#events[first]!;
      if (event.at < best.at || (event.at === best.at && event.order < best.order)) first = index;
    }
    const last = this.#events.pop();
    if (!last || first === this.#events.length) return last;
    const event = this.#events[first]!;
    this.#events[first] = last;
    return event;
  }

  // People

  #populate(): void {
    const chance = this.#chance;
    for (let index = 0; index < 3; index += 1) {
      const email = this.#newEmail();
      const holders = this.#systems.filter(() => chance.happens(0.6));
      for (const system of holders.length > 0 ? holders : [chance.pick(this.#systems)]) {
        const values = this.#oracle.newRow(email, system.name);
        this.#tell("at first", { has: system.insert(values, START - 10_000), values });
      }
    }
    const edits = chance.between(5, 20);
    for (let index = 0; index < edits; index += 1) this.#later(chance.between(0, BUSY_MS), () => this.#edit());
    if (chance.happens(0.4)) this.#later(chance.between(2_000, BUSY_MS), () => this.#startResync());
    if (chance.happens(0.3)) this.#later(chance.between(2_000, BUSY_MS), () => this.#pause());
  }

  #newEmail(): string {
    this.#people += 1;
    return `p${this.#people}@example.com`;
  }

  #edit(): void {
    const chance = this.#chance;
    if (chance.happens(0.12)) {
      this.#editByHand();
      return;
    }
    const system = chance.pick(this.#systems);
    const rows = system.rows();
    if (rows.length === 0 || chance.happens(0.15)) {
      const values = this.#oracle.newRow(this.#newEmail(), system.name);
      this.#tell("somebody", { creates: system.insert(values, this.#now), values });
      return;
    }
    const row = chance.pick(rows);
    const email = String(row.values["email"]);
    if (chance.happens(0.08)) {
      const isKnown = this.#isTiedEverywhere(email);
      system.remove(row.id, this.#now);
      this.#tell("somebody", { deletes: row.id, email, isKnown });
      this.#oracle.deleted(email, isKnown);
      return;
    }
    const field = chance.pick(EDITED_FIELDS);
    const before = row.values[field];
    const value = this.#oracle.edit(email, field, before === undefined ? null : String(before), system.name);
    system.update(row.id, { [field]: value }, this.#now);
    this.#tell("somebody", { edits: row.id, email, field, before, value });
  }

  /** Whether the engine knows every row of this contact, so that deleting one has to delete all. */
  #isTiedEverywhere(email: string): boolean {
    const records = [...this.#store.records.values()].filter(({ deleted }) => !deleted);
    return this.#systems.every((system, index) =>
      system
        .rows()
        .filter(({ values }) => values["email"] === email)
        .every(({ id }) => records.some(({ recordId }) => this.#store.linkOf(index + 1, recordId)?.externalId === id)),
    );
  }

  #editByHand(): void {
    const records = [...this.#store.records.values()].filter(({ deleted }) => !deleted);
    if (records.length === 0) return;
    const { recordId, values } = this.#chance.pick(records);
    const field = this.#chance.pick(EDITED_FIELDS);
    const before = values[field];
    const email = String(values["email"]);
    const value = this.#oracle.edit(email, field, before === undefined ? null : String(before), "hand");
    const placeIds = this.#plan.sinks.map(({ place }) => place.id);
    this.#store.changeByHand(recordId, { [field]: value }, placeIds, this.#now);
    this.#tell("somebody", { editsCore: recordId, email, field, before, value });
  }

  #startResync(): void {
    if (this.#store.resync) return;
    const nodeIds = this.#plan.sources.map(({ nodeId }) => nodeId);
    this.#store.resync = { resyncId: "resync", nodeIds, since: null, until: null, cursors: {}, finished: [] };
    if (this.#chance.happens(0.3)) this.#later(this.#chance.between(10, 2_000), () => this.#cancelResync());
  }

  #cancelResync(): void {
    if (this.#store.resync && this.#store.signal === "none") this.#store.signal = "cancelResync";
  }

  #pause(): void {
    if (this.#store.signal !== "none") return;
    this.#store.signal = "pause";
    this.#later(this.#chance.between(500, 5_000), () => (this.#store.signal = "none"));
  }

  // Workers

  #wake(worker: Worker, life: number): void {
    if (worker.life !== life || worker.run) return;
    const isPaused = this.#store.signal === "pause";
    const epoch = isPaused ? null : this.#store.acquire(worker.name, this.#now);
    if (epoch === null) {
      this.#later(this.#chance.between(300, 1_500), () => this.#wake(worker, life));
      return;
    }
    if (this.#store.signal === "cancelResync" && !this.#store.resync) this.#store.signal = "none";
    worker.epoch = epoch;
    worker.deadline = this.#now + LEASE_MS;
    worker.run = beginRun(this.#plan, this.#start(epoch));
    this.#later(RENEW_MS, () => this.#renew(worker, life));
    this.#give(worker, life, { kind: "start" });
  }

  #start(epoch: number): RunStart {
    return {
      cycleId: `cycle-${epoch}`,
      epoch,
      sources: this.#plan.sources.map(({ nodeId }) => ({
        nodeId,
        cursor: this.#store.cursors.get(nodeId) ?? null,
        since: null,
        due: true,
        replay: [],
      })),
      // Turn about with normal cycles, as in the server.
      resync: epoch % 2 === 0 && this.#store.resync ? { ...this.#store.resync, finished: [] } : null,
      failures: this.#store.failures,
    };
  }

  #renew(worker: Worker, life: number): void {
    if (worker.life !== life || !worker.run) return;
    if (worker.asleepUntil > this.#now) {
      this.#later(worker.asleepUntil - this.#now, () => this.#renew(worker, life));
    } else if (this.#store.renew(worker.epoch, this.#now)) {
      worker.deadline = this.#now + LEASE_MS;
      this.#later(RENEW_MS, () => this.#renew(worker, life));
    } else {
      this.#give(worker, life, { kind: "leaseLost" });
    }
  }

  #give(worker: Worker, life: number, input: Input): void {
    if (worker.life !== life || !worker.run) return;
    if (worker.asleepUntil > this.#now) {
      this.#later(worker.asleepUntil - this.#now, () => this.#give(worker, life, input));
      return;
    }
    this.#tell(`${worker.name} ${worker.epoch} hears`, input);
    const seen = this.#plant.input ? this.#plant.input(input, this.#chance) : input;
    const { effects } = advance(this.#plan, worker.run, seen, {
      now: this.#now,
      random: () => this.#chance.next(),
      newId: () => `r${(this.#ids += 1)}`,
    });
    for (const wanted of effects) {
      const effect = this.#plant.effect ? this.#plant.effect(wanted, this.#chance) : wanted;
      if (!effect) continue;
      const delay = ("delayMs" in effect && effect.delayMs) || 0;
      this.#later(delay + this.#chance.between(1, 60), () => this.#perform(worker, life, effect));
    }
  }

  #perform(worker: Worker, life: number, effect: Effect): void {
    if (worker.life !== life || !worker.run) return;
    if (worker.asleepUntil > this.#now) {
      this.#later(worker.asleepUntil - this.#now, () => this.#perform(worker, life, effect));
      return;
    }
    if (this.#isBusy && this.#chance.happens(0.01)) {
      worker.asleepUntil = this.#now + this.#chance.between(2_000, 15_000);
      this.#later(worker.asleepUntil - this.#now, () => this.#perform(worker, life, effect));
      return;
    }
    if (this.#isBusy && this.#chance.happens(0.008)) {
      this.#crash(worker);
      return;
    }
    this.#tell(`${worker.name} ${worker.epoch} does`, effect);
    const answer = this.#do(worker, effect);
    if (this.#isBusy && this.#chance.happens(0.008)) {
      this.#crash(worker);
      return;
    }
    if (answer) this.#later(this.#chance.between(1, 60), () => this.#give(worker, life, answer));
  }

  #crash(worker: Worker): void {
    this.#tell(worker.name, "crashes");
    worker.life += 1;
    worker.run = null;
    worker.asleepUntil = 0;
    const { life } = worker;
    this.#later(this.#chance.between(100, 8_000), () => this.#wake(worker, life));
  }

  #do(worker: Worker, effect: Effect): Input | null {
    const { epoch } = worker;
    const store = this.#store;
    switch (effect.kind) {
      case "read":
        return this.#read(effect);
      case "resolve":
        return {
          kind: "resolved",
          nodeId: effect.nodeId,
          ticket: effect.ticket,
          resolved: store.resolve(effect.request),
        };
      case "match":
        return { kind: "matched", nodeId: effect.nodeId, candidates: store.match(effect.request) };
      case "prepare":
        return null;
      case "commit": {
        const answer = store.commit(epoch, effect.batch, this.#now);
        if (answer.status === "done" && store.lease.epoch !== epoch) this.#violations.add("a dead epoch wrote");
        return { kind: "committed", nodeId: effect.nodeId, answer };
      }
      case "claim":
        return { kind: "claimed", placeId: effect.placeId, claimed: store.claim(effect.request, this.#now) };
      case "intend": {
        const answer = store.intend(epoch, effect.placeId, effect.intents, this.#now);
        if (store.mostAttempts() > DELIVERY_ATTEMPTS) this.#violations.add("more attempts than allowed");
        return { kind: "intended", placeId: effect.placeId, answer };
      }
      case "lookup":
      case "send":
        return this.#call(worker, effect);
      case "settle":
        return {
          kind: "settled",
          placeId: effect.placeId,
          answer: store.settle(epoch, effect.placeId, effect.settlements, this.#now),
        };
      case "ask":
        // No node of the scenario asks anything.
        throw new Error("a question in a scenario without questions");
      case "finish":
        this.#finish(worker, effect.summary);
        return null;
    }
  }

  #finish(worker: Worker, summary: CycleSummary): void {
    const before = this.#store.resync;
    this.#store.finish(worker.epoch, summary);
    if (before && !this.#store.resync && this.#store.signal === "cancelResync") this.#store.signal = "none";
    worker.run = null;
    const { life } = worker;
    const delay = this.#rest(summary);
    this.#later(delay, () => this.#wake(worker, life));
  }

  /** After the busy time: counts cycles until nothing happens any more; answers when the next one begins. */
  #rest(summary: CycleSummary): number {
    const delay = this.#chance.between(300, 1_500);
    if (this.#isBusy || summary.outcome === "lost") return delay;
    const { created, updated, deleted, delivered } = summary.counts;
    const changed = created + updated + deleted + Object.values(delivered).reduce((sum, count) => sum + count, 0);
    const areAllShown = this.#systems.every(({ changedAt, traits }) => this.#now > changedAt + traits.lagMs + 2_000);
    const isQuiet = changed === 0 && this.#store.outstanding() === 0 && areAllShown;
    this.#restCycles += 1;
    this.#quietCycles = isQuiet ? this.#quietCycles + 1 : 0;
    return changed === 0 && summary.nextAt !== null ? Math.max(delay, summary.nextAt - this.#now) : delay;
  }

  // The outside world

  #read(effect: Extract<Effect, { kind: "read" }>): Input {
    const { nodeId, ticket } = effect;
    const system = this.#systems.find(({ name }) => `source-${name}` === nodeId)!;
    if (this.#isBusy && this.#chance.happens(0.05)) {
      return { kind: "readFailed", nodeId, ticket, failure: this.#failure(true) };
    }
    const page =
      effect.mode === "all" ? system.readAll(effect.cursor, this.#now) : system.readChanges(effect.cursor, this.#now);
    if (this.#chance.happens(0.2)) page.records.reverse();
    return { kind: "pageRead", nodeId, ticket, page };
  }

  #failure(nothingDone: boolean): SystemFailure {
    const kind = this.#chance.pick(["rateLimited", "unavailable"]);
    return { kind, message: `simulated ${kind}`, retryable: true, nothingDone };
  }

  #call(worker: Worker, effect: Extract<Effect, { kind: "lookup" | "send" }>): Input {
    const { placeId } = effect;
    const system = this.#systems[placeId - 1]!;
    // A worker that can't be sure of its lease sends nothing.
    if (this.#now >= worker.deadline) return { kind: "leaseLost" };
    if (this.#isBusy && this.#chance.happens(0.06)) {
      return { kind: "sendFailed", placeId, failure: this.#failure(true) };
    }
    if (effect.kind === "lookup") {
      return { kind: "lookedUp", placeId, records: system.lookup(effect.field, effect.values, this.#now) };
    }
    return this.#send(system, placeId, effect.operations);
  }

  #send(system: FakeSystem, placeId: number, operations: readonly WriteOperation[]): Input {
    const chance = this.#chance;
    if (this.#isBusy && chance.happens(0.06)) {
      // The connection broke: some of it was done, nobody knows what.
      const done = chance.between(0, operations.length + 1);
      for (const operation of operations.slice(0, done)) system.write(operation, this.#now);
      return { kind: "sendFailed", placeId, failure: this.#failure(false) };
    }
    const outcomes = operations.map((operation): WriteOutcome => {
      if (this.#isBusy && chance.happens(0.06)) return { status: "retry", message: "simulated: busy" };
      if (this.#isBusy && chance.happens(0.04)) {
        if (chance.happens(0.5)) system.write(operation, this.#now);
        return { status: "unknown", message: "simulated: no answer" };
      }
      return system.write(operation, this.#now);
    });
    return { kind: "sent", placeId, outcomes };
  }

  // What must hold of every history

  /** Each change starts from what the one before it ended with: nothing is written twice or in between. */
  #checkLedger(): void {
    const current = new Map<string, unknown>();
    for (const { recordId, operation, changes } of this.#store.ledger) {
      if (operation === "write") continue;
      for (const field in changes) {
        const key = `${recordId}|${field}`;
        const [from, to] = changes[field]!;
        if ((current.get(key) ?? null) !== from) this.#violations.add(`the history of ${key} has a gap`);
        current.set(key, to);
      }
    }
    for (const { recordId, values } of this.#store.records.values()) {
      for (const field in values) {
        if ((current.get(`${recordId}|${field}`) ?? null) !== (values[field] ?? null)) {
          this.#violations.add(`${recordId}.${field} is not what its history says`);
        }
      }
    }
  }

  #checkPositions(): void {
    const reached = new Map<string, number>();
    for (const { nodeId, cursor } of this.#store.positions) {
      if (Number(cursor) < (reached.get(nodeId) ?? 0)) this.#violations.add(`the position of ${nodeId} moved back`);
      reached.set(nodeId, Number(cursor));
    }
  }
}
