/**
 * One simulated history: systems that people edit and that misbehave, workers that crash and oversleep, and the real
 * engine between them, in virtual time. Everything that happens follows from the seed.
 */
import { advance, beginRun } from "../run/advance.ts";
import type { Plan } from "../run/plan.ts";
import type { CycleSummary, Effect, Input, RunStart } from "../run/protocol.ts";
import type { Run } from "../run/run.ts";
import type { CommitAnswer, CommitBatch } from "../run/storage.ts";
import { type Chance, makeChance } from "./chance.ts";
import { drawTraits, FakeSystem, START } from "./fake-system.ts";
import { MemoryStore, type StoreFaults } from "./memory-store.ts";
import { Oracle } from "./oracle.ts";
import { Outside, type OutcomePlant } from "./outside.ts";
import { People } from "./people.ts";
import { RecordedStore, type TimedCommand } from "./recorded-store.ts";
import { resolveReferences } from "./references-first.ts";
import { type Authority, type GraphChanges, planFor, REFERENCE_FIELD } from "./scenario.ts";
import { drawStory, type Story } from "./story.ts";
import { Timeline } from "./timeline.ts";
import { Witness } from "./witness.ts";

const LEASE_MS = 10_000;
const RENEW_MS = 3_000;
/** Cycles after which a history that has not come to rest is stuck. */
const REST_CYCLES = 150;
const QUIET_CYCLES = 3;
/** A cycle that never ends is stuck as well. Histories take some hundreds of steps. */
const MOST_STEPS = 30_000;
const HOUR = 3_600_000;

/** Faults planted into the engine's surroundings, to see that simulations catch them. */
export interface Plant {
  store?: StoreFaults;
  plan?: (plan: Plan) => Plan;
  /** Stories in which it can show; the others are not worth playing with it. */
  shows?: (story: Story) => boolean;
  /** Changes an effect before it is done, or drops it (null). */
  effect?: (effect: Effect, chance: Chance) => Effect | null;
  input?: (input: Input, chance: Chance) => Input;
  outcomes?: OutcomePlant;
  worker?: {
    /** Sends though its lease may be over. */
    ignoresDeadline?: boolean;
    /** Goes by its own clock, which jumps, instead of the storage's. */
    trustsOwnClock?: boolean;
    /** Does not look whether missing references have turned up. */
    skipsReferences?: boolean;
  };
}

/** By name, each with what it does to the engine in words. */
export type NamedPlants = Readonly<Record<string, Plant & { says: string }>>;

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
  /** Counts runs: what was under way in an earlier one is void. */
  life: number;
  run: Run | null;
  plan: Plan;
  epoch: number;
  /** Until when it surely owns the lease. */
  deadline: number;
  asleepUntil: number;
  /** How far its clock is off; it may jump. */
  skew: number;
}

/** Told everything that happens, one line each, when somebody wants to read a history. */
export type Trace = (line: string) => void;

/** Plays one history to its end and judges it. */
export function play(seed: number, plant: Plant = {}, trace?: Trace): History {
  return new World(seed, plant, trace).play();
}

export interface RecordedHistory {
  /** Every command its storage was given, in order, with what it answered. */
  commands: readonly TimedCommand[];
  /** The storage as it stands in the end. */
  store: MemoryStore;
  plan: Plan;
}

/** Plays one history and writes down what its storage was asked. */
export function record(seed: number): RecordedHistory {
  const world = new World(seed, {}, undefined, true);
  world.play();
  return world.recorded();
}

/** Maps and sets as lists, for reading. */
const plainly = (_key: string, value: unknown): unknown =>
  value instanceof Map || value instanceof Set ? [...value] : value;

class World {
  readonly #seed: number;
  readonly #chance: Chance;
  readonly #plant: Plant;
  readonly #trace: Trace | undefined;
  readonly #timeline = new Timeline();
  readonly #store: MemoryStore;
  readonly #systems: FakeSystem[];
  readonly #story: Story;
  readonly #authority: Authority;
  readonly #oracle: Oracle;
  readonly #witness: Witness;
  readonly #people: People;
  readonly #outside: Outside;
  readonly #workers: Worker[];
  #plan: Plan;
  #ids = 0;
  #steps = 0;
  #quietCycles = 0;
  #restCycles = 0;
  /** Cycles that changed something since the busy time, or since the last edit. */
  #activeCycles = 0;
  #mustReadAll = true;

  constructor(seed: number, plant: Plant, trace: Trace | undefined, isRecorded = false) {
    this.#seed = seed;
    this.#trace = trace;
    const chance = makeChance(seed);
    this.#chance = chance;
    this.#plant = plant;
    const story = drawStory(seed);
    this.#story = story;
    const count = chance.happens(0.3) || story.hasWriteOnly ? 3 : 2;
    this.#systems = ["A", "B", "C"]
      .slice(0, count)
      .map((name, index) => new FakeSystem(name, drawTraits(chance), story.skews[index]));
    // What is still unread there can only be found by asking before it is created again.
    if (story.readsSinglePages) for (const { traits } of this.#systems) traits.canLookup = true;
    const drawn = chance.pick(["NONE", "NONE", "NONE", "RANKED", "LATEST"] as const);
    this.#authority = story.authority ?? drawn;
    const layout = {
      places: new Map(this.#systems.map(({ name }, index) => [name, index + 1])),
      references: story.hasReferences ? [REFERENCE_FIELD] : [],
    };
    this.#store = isRecorded
      ? new RecordedStore(layout, () => this.#timeline.now)
      : new MemoryStore(layout, plant.store);
    const scene = { systems: this.#systems, store: this.#store, authority: this.#authority, story };
    this.#oracle = new Oracle(scene);
    this.#witness = new Witness(scene);
    this.#tell("story", story);
    for (const { name, traits } of this.#systems) this.#tell(name, traits);
    this.#tell("authority", this.#authority);
    this.#plan = this.#compile(1, {});
    this.#outside = new Outside(this.#systems, this.#timeline, chance, plant.outcomes);
    this.#people = new People({
      chance,
      timeline: this.#timeline,
      systems: this.#systems,
      store: this.#store,
      oracle: this.#oracle,
      witness: this.#witness,
      story,
      extra: makeChance(seed ^ 0x3_14_15_92),
      plan: () => this.#plan,
      publish: () => this.#publish(),
      tell: (who, what) => this.#tell(who, what),
    });
    this.#workers = ["one", "two"].map((name) => ({
      name,
      life: 0,
      run: null,
      plan: this.#plan,
      epoch: 0,
      deadline: 0,
      asleepUntil: 0,
      skew: 0,
    }));
  }

  play(): History {
    this.#people.begin();
    for (const worker of this.#workers) {
      this.#timeline.later(this.#chance.between(0, 1_000), () => this.#wake(worker, 0));
      if (this.#chance.happens(0.2)) {
        const moment = Timeline.moment(this.#chance.next());
        this.#timeline.later(moment, () => this.#jump(worker, this.#chance.pick([-HOUR, HOUR])));
      }
    }
    let isAtRest = this.#comeToRest();
    if (isAtRest) isAtRest = this.#followOneEdit();
    const { lost, doubled } = this.#oracle.judge();
    this.#witness.conclude();
    const violations = [...this.#witness.violations];
    return { seed: this.#seed, lost, doubled, violations, stuck: !isAtRest, steps: this.#steps };
  }

  recorded(): RecordedHistory {
    const commands = this.#store instanceof RecordedStore ? this.#store.commands : [];
    return { commands, store: this.#store, plan: this.#plan };
  }

  /** Goes on until nothing happens any more; false when that never comes. */
  #comeToRest(): boolean {
    this.#quietCycles = 0;
    this.#restCycles = 0;
    this.#activeCycles = 0;
    while (this.#quietCycles < QUIET_CYCLES && this.#restCycles < REST_CYCLES) {
      if (this.#steps > MOST_STEPS || !this.#timeline.step()) break;
      this.#steps += 1;
    }
    return this.#quietCycles >= QUIET_CYCLES;
  }

  /** In the calm at the end: one edit is told once to each other system, and then all is quiet again. */
  #followOneEdit(): boolean {
    const system = this.#chance.pick(this.#systems);
    const row = system.rows().find((candidate) => this.#oracle.isSettled(system, candidate));
    if (!row || (this.#story.hasWriteOnly && system === this.#systems.at(-1))) return true;
    const before = this.#systems.map(({ writes }) => writes);
    this.#people.editField(system, row, "name");
    const isAtRest = this.#comeToRest();
    const told = this.#systems.map(({ writes }, index) => writes - before[index]!);
    const own = told[this.#systems.indexOf(system)]!;
    const others = told.filter((_, index) => this.#systems[index] !== system);
    const hasTravelled = own === 0 && others.every((count) => count === 1);
    const mayRefuse = this.#authority === "RANKED" || this.#story.skews.length > 0;
    const wasRefused = mayRefuse && own === 1 && others.every((count) => count === 0);
    if (!hasTravelled && !wasRefused) this.#witness.violations.add(`one edit made ${told.join(", ")} writes`);
    if (this.#activeCycles > 2) this.#witness.violations.add("not quiet within two cycles");
    return isAtRest;
  }

  #tell(who: string, what: unknown): void {
    this.#trace?.(`${String(this.#timeline.now - START).padStart(7)} ${who}: ${JSON.stringify(what, plainly)}`);
  }

  #compile(version: number, changes: GraphChanges): Plan {
    const story = this.#story;
    const writeOnly = story.hasWriteOnly ? this.#systems.slice(-1).map(({ name }) => name) : [];
    const plan = planFor(this.#systems, this.#authority, version, { ...changes, story, writeOnly });
    return this.#plant.plan ? this.#plant.plan(plan) : plan;
  }

  #publish(): void {
    const changes: GraphChanges = this.#chance.happens(0.5) ? { road: { note: "another road" } } : {};
    this.#store.version += 1;
    this.#plan = this.#compile(this.#store.version, changes);
    this.#tell("somebody", { publishes: changes });
  }

  #jump(worker: Worker, by: number): void {
    worker.skew += by;
    this.#tell(worker.name, { clockJumps: by });
  }

  // Workers

  #wake(worker: Worker, life: number): void {
    if (worker.life !== life || worker.run) return;
    const isPaused = this.#store.signal === "pause";
    const { now } = this.#timeline;
    const epoch = isPaused ? null : this.#store.acquire(worker.name, this.#ownTime(worker, now));
    if (epoch === null) {
      this.#timeline.later(this.#chance.between(300, 1_500), () => this.#wake(worker, life));
      return;
    }
    this.#witness.acquired(epoch, worker.name);
    if (this.#store.signal === "cancelResync" && !this.#store.resync) this.#store.signal = "none";
    worker.epoch = epoch;
    worker.deadline = now + LEASE_MS;
    worker.plan = this.#plan;
    if (worker.plan.hasReferences && !this.#plant.worker?.skipsReferences) {
      resolveReferences(worker.plan, this.#store, now, (batch) => this.#commit(worker, batch));
    }
    worker.run = beginRun(worker.plan, this.#start(worker.plan, epoch));
    this.#timeline.later(RENEW_MS, () => this.#renew(worker, life));
    this.#give(worker, life, { kind: "start" });
  }

  /** All workers go by the storage's clock; what their own says is of no account. */
  #ownTime(worker: Worker, now: number): number {
    return this.#plant.worker?.trustsOwnClock ? now + worker.skew : now;
  }

  #start(plan: Plan, epoch: number): RunStart {
    const mustReadAll = this.#mustReadAll || !this.#timeline.isBusy;
    return {
      cycleId: `cycle-${epoch}`,
      epoch,
      sources: plan.sources.map(({ nodeId }) => ({
        nodeId,
        cursor: this.#store.cursors.get(nodeId) ?? null,
        isThrough: this.#store.through.has(nodeId),
        since: null,
        due: mustReadAll || this.#chance.happens(0.8),
        replay: [],
      })),
      // Turn about with normal cycles, as in the server.
      resync: epoch % 2 === 0 && this.#store.resync ? { ...this.#store.resync, finished: [] } : null,
      failures: this.#store.failures,
    };
  }

  #renew(worker: Worker, life: number): void {
    const { now } = this.#timeline;
    if (worker.life !== life || !worker.run) return;
    if (worker.asleepUntil > now) {
      this.#timeline.later(worker.asleepUntil - now, () => this.#renew(worker, life));
    } else if (this.#store.renew(worker.epoch, now)) {
      worker.deadline = now + LEASE_MS;
      this.#timeline.later(RENEW_MS, () => this.#renew(worker, life));
    } else {
      this.#give(worker, life, { kind: "leaseLost" });
    }
  }

  #give(worker: Worker, life: number, input: Input): void {
    const { now } = this.#timeline;
    if (worker.life !== life || !worker.run) return;
    if (worker.asleepUntil > now) {
      this.#timeline.later(worker.asleepUntil - now, () => this.#give(worker, life, input));
      return;
    }
    this.#tell(`${worker.name} ${worker.epoch} hears`, input);
    const seen = this.#plant.input ? this.#plant.input(input, this.#chance) : input;
    const { effects } = advance(worker.plan, worker.run, seen, {
      now: this.#ownTime(worker, now),
      random: () => this.#chance.next(),
      newId: () => `r${String((this.#ids += 1)).padStart(4, "0")}`,
    });
    for (const wanted of effects) {
      const effect = this.#plant.effect ? this.#plant.effect(wanted, this.#chance) : wanted;
      if (!effect) continue;
      const delay = "delayMs" in effect ? Number(effect.delayMs ?? 0) : 0;
      this.#timeline.later(delay + this.#chance.between(1, 60), () => this.#perform(worker, life, effect));
    }
  }

  #perform(worker: Worker, life: number, effect: Effect): void {
    const { now, isBusy } = this.#timeline;
    if (worker.life !== life || !worker.run) return;
    if (worker.asleepUntil > now) {
      this.#timeline.later(worker.asleepUntil - now, () => this.#perform(worker, life, effect));
      return;
    }
    if (isBusy && this.#chance.happens(0.01)) {
      worker.asleepUntil = now + this.#chance.between(2_000, 15_000);
      this.#timeline.later(worker.asleepUntil - now, () => this.#perform(worker, life, effect));
      return;
    }
    if (isBusy && this.#chance.happens(0.008)) {
      this.#crash(worker);
      return;
    }
    this.#tell(`${worker.name} ${worker.epoch} does`, effect);
    const answer = this.#do(worker, effect);
    if (isBusy && this.#chance.happens(0.008)) {
      this.#crash(worker);
      return;
    }
    if (answer) this.#timeline.later(this.#chance.between(1, 60), () => this.#give(worker, life, answer));
  }

  #crash(worker: Worker): void {
    this.#tell(worker.name, "crashes");
    worker.life += 1;
    worker.run = null;
    worker.asleepUntil = 0;
    const { life } = worker;
    this.#mustReadAll = true;
    this.#timeline.later(this.#chance.between(100, 8_000), () => this.#wake(worker, life));
  }

  #do(worker: Worker, effect: Effect): Input | null {
    const { epoch } = worker;
    const store = this.#store;
    const { now } = this.#timeline;
    switch (effect.kind) {
      case "read":
        return this.#outside.read(effect);
      case "resolve": {
        const { nodeId, ticket } = effect;
        return { kind: "resolved", nodeId, ticket, resolved: store.resolve(effect.request) };
      }
      case "match": {
        const { nodeId, request } = effect;
        const duplicates = request.duplicates && store.findDuplicates(request.duplicates);
        return { kind: "matched", nodeId, candidates: store.match(request), ...(duplicates ? { duplicates } : {}) };
      }
      case "prepare":
        this.#witness.prepared(() => store.prepare(epoch, effect.batch, now));
        return null;
      case "ask":
        throw new Error("no node of the scenario asks anything");
      case "commit":
        return { kind: "committed", nodeId: effect.nodeId, answer: this.#commit(worker, effect.batch) };
      case "claim":
        return { kind: "claimed", placeId: effect.placeId, claimed: store.claim(effect.request, now) };
      case "intend": {
        const answer = store.intend(epoch, effect.placeId, effect.intents, now);
        if (answer.status === "done") {
          this.#witness.wrote(epoch);
          this.#witness.intended(effect.placeId, effect.intents, answer.standing);
        }
        return { kind: "intended", placeId: effect.placeId, answer };
      }
      case "lookup":
      case "send":
        return this.#call(worker, effect);
      case "settle":
        return this.#settle(worker, effect);
      case "finish":
        this.#finish(worker, effect.summary);
        return null;
    }
  }

  #commit({ epoch, plan }: Worker, batch: CommitBatch): CommitAnswer {
    this.#witness.deciding(batch);
    const answer = this.#store.commit(epoch, batch, this.#timeline.now);
    if (answer.status !== "done") return answer;
    this.#witness.wrote(epoch);
    if (batch.position) this.#witness.committed(epoch, plan.versionNumber, batch.position.of);
    this.#witness.decided(batch);
    return answer;
  }

  #call(worker: Worker, effect: Extract<Effect, { kind: "lookup" | "send" }>): Input {
    // A worker that can't be sure of its lease sends nothing.
    if (this.#timeline.now >= worker.deadline && !this.#plant.worker?.ignoresDeadline) return { kind: "leaseLost" };
    if (effect.kind === "lookup") return this.#outside.lookup(effect);
    this.#witness.sent(effect.placeId, worker.epoch, effect.operations);
    return this.#outside.send(effect);
  }

  #settle(worker: Worker, { placeId, settlements }: Extract<Effect, { kind: "settle" }>): Input {
    const { now } = this.#timeline;
    const answer = this.#store.settle(worker.epoch, placeId, settlements, now);
    if (answer.status === "done") {
      this.#witness.wrote(worker.epoch);
      this.#witness.settled(placeId, settlements);
    }
    return { kind: "settled", placeId, answer };
  }

  #finish(worker: Worker, summary: CycleSummary): void {
    const before = this.#store.resync;
    const isOurs = this.#store.lease.epoch === worker.epoch;
    this.#store.finish(worker.epoch, summary);
    if (before && !this.#store.resync && this.#store.signal === "cancelResync") this.#store.signal = "none";
    worker.run = null;
    // What is still under way belongs to a run that is over.
    worker.life += 1;
    const { life } = worker;
    this.#mustReadAll = summary.nextAt !== null || summary.outcome !== "finished";
    this.#timeline.later(isOurs ? this.#rest(worker, summary) : this.#chance.between(300, 1_500), () =>
      this.#wake(worker, life),
    );
  }

  /** After the busy time: counts cycles until nothing happens any more; answers when the next one begins. */
  #rest(worker: Worker, summary: CycleSummary): number {
    const { now, isBusy } = this.#timeline;
    const delay = this.#chance.between(300, 1_500);
    if (isBusy || summary.outcome === "lost") return delay;
    const { created, updated, deleted, delivered } = summary.counts;
    const changed = created + updated + deleted + Object.values(delivered).reduce((sum, count) => sum + count, 0);
    const areAllShown = this.#systems.every(({ changedAt, traits }) => now > changedAt + traits.lagMs + 2_000);
    const areAllRead = worker.plan.sources.every(
      ({ nodeId, place }) => (this.#store.cursors.get(nodeId) ?? 0) === this.#systems[place.id - 1]?.changes,
    );
    const isQuiet = changed === 0 && this.#store.outstanding() === 0 && areAllShown && areAllRead;
    this.#restCycles += 1;
    if (changed > 0) this.#activeCycles += 1;
    this.#quietCycles = isQuiet && !this.#people.isMending() ? this.#quietCycles + 1 : 0;
    return changed === 0 && summary.nextAt !== null ? Math.max(delay, summary.nextAt - now) : delay;
  }
}
