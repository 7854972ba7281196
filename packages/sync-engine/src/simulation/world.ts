/**
 * The world of one pipeline: systems that people edit and that misbehave, workers that crash and oversleep, and the real
 * engine between them, in virtual time. Everything that happens follows from the seed.
 */
import type { Plan } from "../run/plan/plan.ts";
import type { CycleSummary } from "../run/protocol/protocol.ts";
import { type Chance, makeChance } from "./chance.ts";
import { Crew } from "./crew.ts";
import { doubtfulRefusals } from "./doubtful-refusals.ts";
import { Errands } from "./errands.ts";
import { FakeSystem, moment, START } from "./fake-system.ts";
import { firstLoadWrites } from "./first-load-writes.ts";
import type { History, RecordedHistory, Trace, WorldOptions } from "./history.ts";
import { MemoryActions } from "./memory-actions.ts";
import { MemoryStore } from "./memory-store.ts";
import { Oracle } from "./oracle.ts";
import { outageFaults } from "./outage-faults.ts";
import { Outside } from "./outside.ts";
import { People } from "./people.ts";
import type { Plant } from "./plant.ts";
import { Receiver } from "./receiver.ts";
import { RecordedStore } from "./recorded-store.ts";
import { fitTraits, systemOptions } from "./system-options.ts";
import { type Authority, type GraphChanges, planFor, REFERENCE_FIELD } from "./scenario.ts";
import { drawTraits } from "./system-traits.ts";
import type { Story } from "./story.ts";
import { Timeline } from "./timeline.ts";
import { Witness } from "./witness.ts";
import { strayFields } from "./unmapped-fields.ts";

/** Cycles after which a history that has not come to rest is stuck. */
const REST_CYCLES = 150;
const QUIET_CYCLES = 3;
const IDLE_FACTOR = 60;
/** A cycle that never ends is stuck as well. Histories take some hundreds of steps; where a limit is shared, all wait. */
const MAX_STEPS = 30_000;
const MAX_SHARED_STEPS = 200_000;

/** Maps and sets as lists and long texts cut, for reading. */
function plainly(_key: string, value: unknown): unknown {
  if (typeof value === "string" && value.length > 500) return `${value.slice(0, 20)}…`;
  return value instanceof Map || value instanceof Set ? [...value] : value;
}

export class World {
  readonly #seed: number;
  readonly #chance: Chance;
  readonly #plant: Plant;
  readonly #trace: Trace | undefined;
  readonly #timeline: Timeline;
  readonly #isShared: boolean;
  readonly #store: MemoryStore;
  readonly #systems: FakeSystem[];
  readonly #story: Story;
  readonly #authority: Authority;
  readonly #oracle: Oracle;
  readonly #witness: Witness;
  readonly #people: People;
  readonly #outside: Outside;
  readonly #actions: MemoryActions;
  readonly #receiver: Receiver;
  readonly #errands: Errands;
  readonly #crew: Crew;
  readonly #rowsBefore = new Map<string, Set<string>>();
  #plan: Plan;
  /** In what the version that is published differs. */
  #changes: GraphChanges = {};
  #steps = 0;
  #quietCycles = 0;
  #restCycles = 0;
  /** Cycles that changed something since the busy time, or since the last edit. */
  #activeCycles = 0;

  constructor(seed: number, plant: Plant, { story, trace, isRecorded = false, shared }: WorldOptions) {
    this.#seed = seed;
    this.#trace = trace;
    this.#timeline = shared?.timeline ?? new Timeline();
    this.#isShared = shared !== undefined;
    const chance = makeChance(seed);
    this.#chance = chance;
    this.#plant = plant;
    this.#story = story;
    const count = chance.happens(0.3) || story.hasWriteOnly ? 3 : 2;
    this.#systems = ["A", "B", "C"]
      .slice(0, count)
      .map((name, index) => new FakeSystem(name, drawTraits(chance), systemOptions(story, index, plant.reader)));
    // What is still unread or put aside there can only be found by asking before it is created again.
    // What has no key can't be looked for: it is not made twice only by systems that know a creation again, and known as
    // ours only where it looks as we sent it.
    if (story.hasNameless)
      for (const { traits } of this.#systems) Object.assign(traits, { idempotentCreate: true, respells: false });
    const hasUnread =
      story.readsSinglePages || story.errand !== null || story.hasGiants || story.reading?.startsAtPublication === true;
    if (hasUnread) for (const { traits } of this.#systems) traits.canLookup = true;
    fitTraits(this.#systems, story);
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
    const extra = makeChance(seed ^ 0x3_14_15_92);
    this.#actions = new MemoryActions(plant.actions);
    this.#receiver = new Receiver(this.#timeline, extra);
    this.#errands = new Errands(this.#actions, this.#receiver, this.#timeline, extra);
    this.#oracle = new Oracle(scene);
    this.#witness = new Witness(scene, { actions: this.#actions, receiver: this.#receiver });
    this.#tell("story", story);
    for (const { name, traits } of this.#systems) this.#tell(name, traits);
    this.#tell("authority", this.#authority);
    this.#plan = this.#compile(1, {});
    this.#outside = new Outside({
      systems: this.#systems,
      timeline: this.#timeline,
      chance,
      plant: plant.outcomes,
      outages: story.outages,
    });
    this.#people = new People({
      chance,
      timeline: this.#timeline,
      systems: this.#systems,
      store: this.#store,
      oracle: this.#oracle,
      witness: this.#witness,
      story,
      extra,
      receiver: this.#receiver,
      isShared: this.#isShared,
      plan: () => this.#plan,
      publish: () => this.#publish(),
      refresh: (told) => this.#refresh(told),
      tell: (who, what) => this.#tell(who, what),
    });
    this.#crew = new Crew({
      chance,
      timeline: this.#timeline,
      store: this.#store,
      actions: this.#actions,
      outside: this.#outside,
      errands: this.#errands,
      witness: this.#witness,
      plant,
      faults: plant.worker ?? {},
      isStepwise: story.isStepwise,
      since: story.reading?.startsAtPublication === true ? moment(START) : null,
      company: shared?.company ?? null,
      plan: () => this.#plan,
      tell: (who, what) => this.#tell(who, what),
      rest: (plan, summary) => this.#rest(plan, summary),
    });
  }

  /** Puts people and workers to their work. */
  begin(): void {
    this.#people.begin();
    for (const system of this.#systems) this.#rowsBefore.set(system.name, new Set(system.rows().map(({ id }) => id)));
    this.#crew.begin();
    if (this.#story.errand) this.#errands.begin();
  }

  /** Lets everything come to rest, and judges what became of it. */
  conclude(): History {
    let isAtRest = this.#comeToRest();
    if (this.#story.types?.isFirstLoad)
      for (const rule of firstLoadWrites(this.#systems, this.#rowsBefore)) this.#witness.violations.add(rule);
    if (isAtRest) isAtRest = this.#followOneEdit();
    if (isAtRest) isAtRest = this.#followOneReturn();
    const before = this.#oracle.judge();
    // What is deleted and at once entered again, as another row, comes everywhere by itself.
    if (isAtRest && this.#people.replaceOne(makeChance(this.#seed ^ 0x1_25_99_21))) isAtRest = this.#comeToRest();
    const after = this.#oracle.judge();
    const lost = [...new Set([...before.lost, ...after.lost])];
    const doubled = [...new Set([...before.doubled, ...after.doubled])];
    this.#witness.conclude(this.#timeline.now);
    const broken = outageFaults({ story: this.#story, store: this.#store, sentInVain: this.#outside.sentInVain });
    const doubtful = doubtfulRefusals({ systems: this.#systems, store: this.#store, story: this.#story });
    const stray = strayFields({ systems: this.#systems, store: this.#store, story: this.#story });
    for (const rule of [...broken, ...doubtful, ...stray]) this.#witness.violations.add(rule);
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
    const mostSteps = this.#isShared ? MAX_SHARED_STEPS : MAX_STEPS;
    while (this.#quietCycles < QUIET_CYCLES && this.#restCycles < REST_CYCLES) {
      if (this.#steps > mostSteps || !this.#timeline.step()) break;
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
    const value = this.#people.editField(system, row, "name");
    const isAtRest = this.#comeToRest();
    const told = this.#systems.map(({ writes }, index) => writes - before[index]!);
    const own = told[this.#systems.indexOf(system)]!;
    const others = told.filter((_, index) => this.#systems[index] !== system);
    const hasTravelled = own === 0 && others.every((count) => count === 1);
    const mayRefuse =
      this.#authority === "RANKED" ||
      this.#story.skews.length > 0 ||
      (this.#authority === "LATEST" && this.#story.reading !== null);
    const wasRefused = mayRefuse && own === 1 && others.every((count) => count === 0);
    if (!hasTravelled && !wasRefused) this.#witness.violations.add(`one edit made ${told.join(", ")} writes`);
    if (this.#story.errand) this.#witness.acted(value, `${system.name}`, hasTravelled);
    if (this.#activeCycles > 2) this.#witness.violations.add("not quiet within two cycles");
    return isAtRest;
  }

  /** In the calm at the end: what was deleted and is entered again comes everywhere again. */
  #followOneReturn(): boolean {
    return this.#people.enterAgain(makeChance(this.#seed ^ 0x1_64_49_34)) ? this.#comeToRest() : true;
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
    const changes: GraphChanges = this.#chance.happens(0.5) ? { path: { note: "another road" } } : {};
    const { numbersIn } = this.#changes;
    this.#changes = numbersIn === undefined ? changes : { ...changes, numbersIn };
    this.#store.version += 1;
    this.#plan = this.#compile(this.#store.version, this.#changes);
    this.#tell("somebody", { publishes: changes });
  }

  /** The same version, with what its systems' schemas say now. */
  #refresh(system: string): void {
    this.#changes = { ...this.#changes, numbersIn: system };
    this.#plan = this.#compile(this.#store.version, this.#changes);
    this.#tell("somebody", { refreshes: system });
  }

  /** After the busy time: counts cycles until nothing happens any more; answers when the next one begins. */
  #rest(plan: Plan, summary: CycleSummary): number {
    const { now, isBusy } = this.#timeline;
    const delay = this.#chance.between(300, 1_500);
    if (isBusy || summary.outcome === "lost") return delay;
    const { created, updated, deleted, delivered } = summary.counts;
    const changed = created + updated + deleted + Object.values(delivered).reduce((sum, count) => sum + count, 0);
    const areAllShown = this.#systems.every(
      ({ changedAt, traits, vanished }) => !vanished && now > changedAt + traits.lagMs + 2_000,
    );
    const areAllRead = plan.sources.every(
      ({ nodeId, place }) => this.#systems[place.id - 1]?.isReadUpTo(this.#store.cursors.get(nodeId) ?? null) === true,
    );
    const isQuiet = changed === 0 && this.#isAllDone() && areAllShown && areAllRead;
    this.#restCycles += 1;
    if (changed > 0) this.#activeCycles += 1;
    const isMending = this.#people.isMending();
    this.#quietCycles = isQuiet && !isMending ? this.#quietCycles + 1 : 0;
    if (changed > 0) return delay;
    // Others, or people, may take hours; meanwhile one look now and then is enough.
    const isIdle = isQuiet && (isMending || this.#quietCycles > QUIET_CYCLES);
    if (isIdle && this.#isShared) return IDLE_FACTOR * delay;
    return Math.max(
      delay,
      (summary.nextAt ?? 0) - now,
      this.#store.outstanding() > 0 ? 0 : this.#actions.dueAt() - now,
    );
  }

  /** Nothing is left to be read again, told, performed or tried again. */
  #isAllDone(): boolean {
    const { now } = this.#timeline;
    return (
      this.#store.resync === null &&
      this.#store.outstanding() === 0 &&
      !this.#actions.isBusy(now) &&
      this.#store.aside.toTry() === 0
    );
  }
}
