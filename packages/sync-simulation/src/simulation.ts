/**
 * The world of one pipeline: systems that people edit and that misbehave, workers that crash and oversleep, and the real
 * engine between them, in virtual time. Everything that happens follows from the seed.
 */
import type { CycleSummary, Plan } from "@accord/sync-engine/run";
import { type Rng, createRng } from "./rng.ts";
import { WorkerPool } from "./worker-pool.ts";
import { unprovenRejections } from "./invariants/unproven-rejections.ts";
import { ActionRunner } from "./action-runner.ts";
import { type FakeSystem, START } from "./systems/fake-system.ts";
import { moment } from "./systems/system-clock.ts";
import { firstLoadWrites } from "./invariants/first-load-writes.ts";
import type { SimulationRun, RecordedRun, Trace, SimulationOptions } from "./simulation-run.ts";
import { MemoryActions } from "./memory/memory-actions.ts";
import { MemoryStore } from "./memory/memory-store.ts";
import { Oracle } from "./oracle.ts";
import { outageViolations } from "./invariants/outage-invariants.ts";
import { FlakyNetwork } from "./systems/flaky-network.ts";
import { WorkloadGenerator } from "./scenario/workload.ts";
import type { InjectedFault } from "./faults/injected-fault.ts";
import { FakeService } from "./systems/fake-service.ts";
import { RecordedStore } from "./memory/recorded-store.ts";
import { drawSystems } from "./systems/draw-systems.ts";
import { mostWrites, mostWritesBack } from "./systems/text-rewriting.ts";
import { type Authority, type GraphChanges, planFor, REFERENCE_FIELD } from "./scenario/pipeline-fixture.ts";
import type { Scenario } from "./scenario/scenario.ts";
import { isUnderWay } from "./systems/outages.ts";
import { Timeline } from "./timeline.ts";
import { InvariantChecker } from "./invariants/invariant-checker.ts";
import { strayFields } from "./invariants/unmapped-fields.ts";

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

export class Simulation {
  readonly #seed: number;
  readonly #rng: Rng;
  readonly #fault: InjectedFault;
  readonly #trace: Trace | undefined;
  readonly #timeline: Timeline;
  readonly #isShared: boolean;
  readonly #store: MemoryStore;
  readonly #systems: FakeSystem[];
  readonly #scenario: Scenario;
  readonly #authority: Authority;
  readonly #oracle: Oracle;
  readonly #checker: InvariantChecker;
  readonly #workload: WorkloadGenerator;
  readonly #outside: FlakyNetwork;
  readonly #actions: MemoryActions;
  readonly #fakeService: FakeService;
  readonly #actionRunner: ActionRunner;
  readonly #workerPool: WorkerPool;
  readonly #rowsBefore = new Map<string, Set<string>>();
  #plan: Plan;
  /** In what the version that is published differs. */
  #changes: GraphChanges = {};
  #steps = 0;
  #quietCycles = 0;
  #restCycles = 0;
  /** Cycles that changed something since the busy time, or since the last edit. */
  #activeCycles = 0;

  constructor(seed: number, fault: InjectedFault, { scenario, trace, isRecorded = false, shared }: SimulationOptions) {
    this.#seed = seed;
    this.#trace = trace;
    this.#timeline = shared?.timeline ?? new Timeline();
    this.#isShared = shared !== undefined;
    const rng = createRng(seed);
    this.#rng = rng;
    this.#fault = fault;
    this.#scenario = scenario;
    this.#systems = drawSystems(rng, scenario, fault.reader);
    const drawn = rng.pick(["NONE", "NONE", "NONE", "RANKED", "LATEST"] as const);
    this.#authority = scenario.authority ?? drawn;
    const layout = {
      places: new Map(this.#systems.map(({ name }, index) => [name, index + 1])),
      references: scenario.hasReferences ? [REFERENCE_FIELD] : [],
    };
    this.#store = isRecorded
      ? new RecordedStore(layout, () => this.#timeline.now)
      : new MemoryStore(layout, fault.store);
    const scene = { systems: this.#systems, store: this.#store, authority: this.#authority, scenario };
    const extra = createRng(seed ^ 0x3_14_15_92);
    this.#actions = new MemoryActions(fault.actions);
    this.#fakeService = new FakeService(this.#timeline, extra);
    this.#actionRunner = new ActionRunner(this.#actions, this.#fakeService, this.#timeline, extra);
    this.#oracle = new Oracle(scene);
    this.#checker = new InvariantChecker(scene, { actions: this.#actions, fakeService: this.#fakeService });
    this.#log("story", scenario);
    for (const { name, traits } of this.#systems) this.#log(name, traits);
    this.#log("authority", this.#authority);
    this.#plan = this.#compile(1, {});
    this.#outside = new FlakyNetwork({
      systems: this.#systems,
      timeline: this.#timeline,
      rng,
      fault: fault.outcomes,
      outages: scenario.outages,
    });
    this.#workload = new WorkloadGenerator({
      rng,
      timeline: this.#timeline,
      systems: this.#systems,
      store: this.#store,
      oracle: this.#oracle,
      checker: this.#checker,
      scenario,
      extra,
      fakeService: this.#fakeService,
      isShared: this.#isShared,
      plan: () => this.#plan,
      publish: () => this.#publish(),
      refresh: (written) => this.#refresh(written),
      log: (who, what) => this.#log(who, what),
    });
    this.#workerPool = new WorkerPool({
      rng,
      timeline: this.#timeline,
      store: this.#store,
      actions: this.#actions,
      outside: this.#outside,
      actionRunner: this.#actionRunner,
      checker: this.#checker,
      fault,
      faults: fault.worker ?? {},
      isStepwise: scenario.isStepwise,
      since: scenario.reading?.startsAtPublication === true ? moment(START) : null,
      company: shared?.company ?? null,
      plan: () => this.#plan,
      log: (who, what) => this.#log(who, what),
      rest: (plan, summary) => this.#rest(plan, summary),
    });
  }

  /** Puts people and workers to their work. */
  begin(): void {
    this.#workload.begin();
    for (const system of this.#systems) this.#rowsBefore.set(system.name, new Set(system.rows().map(({ id }) => id)));
    this.#workerPool.begin();
    if (this.#scenario.actionOptions) this.#actionRunner.begin();
  }

  /** Lets everything come to rest, and judges what became of it. */
  conclude(): SimulationRun {
    let isAtRest = this.#comeToRest();
    if (this.#scenario.types?.isFirstLoad)
      for (const rule of firstLoadWrites(this.#systems, this.#rowsBefore)) this.#checker.violations.add(rule);
    if (isAtRest) isAtRest = this.#followOneEdit();
    if (isAtRest) isAtRest = this.#followOneReturn();
    const before = this.#oracle.judge();
    // What is deleted and at once entered again, as another row, comes everywhere by itself.
    if (isAtRest && this.#workload.replaceOne(createRng(this.#seed ^ 0x1_25_99_21))) isAtRest = this.#comeToRest();
    const after = this.#oracle.judge();
    const lost = [...new Set([...before.lost, ...after.lost])];
    const doubled = [...new Set([...before.doubled, ...after.doubled])];
    this.#checker.conclude(this.#timeline.now);
    const broken = outageViolations({
      scenario: this.#scenario,
      store: this.#store,
      sentInVain: this.#outside.sentInVain,
    });
    const doubtful = unprovenRejections({ systems: this.#systems, store: this.#store, scenario: this.#scenario });
    const stray = strayFields({ systems: this.#systems, store: this.#store, scenario: this.#scenario });
    for (const rule of [...broken, ...doubtful, ...stray]) this.#checker.violations.add(rule);
    const violations = [...this.#checker.violations];
    return { seed: this.#seed, lost, doubled, violations, stuck: !isAtRest, steps: this.#steps };
  }

  recorded(): RecordedRun {
    const commands = this.#store instanceof RecordedStore ? this.#store.commands : [];
    return { commands, store: this.#store, plan: this.#plan };
  }

  /** Goes on until nothing happens any more; false when that never comes. */
  #comeToRest(): boolean {
    [this.#quietCycles, this.#restCycles, this.#activeCycles] = [0, 0, 0];
    const mostSteps = this.#isShared ? MAX_SHARED_STEPS : MAX_STEPS;
    while (this.#quietCycles < QUIET_CYCLES && this.#restCycles < REST_CYCLES) {
      if (this.#steps > mostSteps || !this.#timeline.step()) break;
      this.#steps += 1;
    }
    return this.#quietCycles >= QUIET_CYCLES;
  }

  /** In the calm at the end: one edit is written once to each other system, and then all is quiet again. */
  #followOneEdit(): boolean {
    const system = this.#rng.pick(this.#systems);
    const row = system.rows().find((candidate) => this.#oracle.isSettled(system, candidate));
    if (!row || (this.#scenario.hasWriteOnly && system === this.#systems.at(-1))) return true;
    const before = this.#systems.map(({ writes }) => writes);
    const value = this.#workload.editField(system, row, "name");
    const isAtRest = this.#comeToRest();
    const written = this.#systems.map(({ writes }, index) => writes - before[index]!);
    const own = written[this.#systems.indexOf(system)]!;
    const others = written.flatMap((count, index) => {
      const other = this.#systems[index];
      return !other || other === system ? [] : [{ count, most: mostWrites(this.#scenario.texts, index, other.traits) }];
    });
    const mostBack = mostWritesBack(this.#scenario.texts, this.#systems.indexOf(system));
    const hasPropagated = own <= mostBack && others.every(({ count, most }) => count >= 1 && count <= most);
    const mayRefuse =
      this.#authority === "RANKED" ||
      this.#scenario.skews.length > 0 ||
      (this.#authority === "LATEST" && this.#scenario.reading !== null);
    const wasRefused = mayRefuse && own === 1 && others.every(({ count }) => count === 0);
    if (!hasPropagated && !wasRefused) this.#checker.violations.add(`one edit made ${written.join(", ")} writes`);
    if (this.#scenario.actionOptions) this.#checker.acted(value, `${system.name}`, hasPropagated);
    if (this.#activeCycles > 2) this.#checker.violations.add("not quiet within two cycles");
    return isAtRest;
  }

  /** In the calm at the end: what was deleted and is entered again comes everywhere again. */
  #followOneReturn(): boolean {
    return this.#workload.enterAgain(createRng(this.#seed ^ 0x1_64_49_34)) ? this.#comeToRest() : true;
  }

  #log(who: string, what: unknown): void {
    this.#trace?.(`${String(this.#timeline.now - START).padStart(7)} ${who}: ${JSON.stringify(what, plainly)}`);
  }

  #compile(version: number, changes: GraphChanges): Plan {
    const scenario = this.#scenario;
    const writeOnly = scenario.hasWriteOnly ? this.#systems.slice(-1).map(({ name }) => name) : [];
    const plan = planFor(this.#systems, this.#authority, version, { ...changes, scenario, writeOnly });
    return this.#fault.plan ? this.#fault.plan(plan) : plan;
  }

  #publish(): void {
    const changes: GraphChanges = this.#rng.bool(0.5) ? { path: { note: "another road" } } : {};
    const { numbersIn } = this.#changes;
    this.#changes = numbersIn === undefined ? changes : { ...changes, numbersIn };
    this.#store.version += 1;
    this.#plan = this.#compile(this.#store.version, this.#changes);
    this.#log("somebody", { publishes: changes });
  }

  /** The same version, with what its systems' schemas say now. */
  #refresh(system: string): void {
    this.#changes = { ...this.#changes, numbersIn: system };
    this.#plan = this.#compile(this.#store.version, this.#changes);
    this.#log("somebody", { refreshes: system });
  }

  /** After the busy time: counts cycles until nothing happens any more; answers when the next one begins. */
  #rest(plan: Plan, summary: CycleSummary): number {
    const { now, isBusy } = this.#timeline;
    const delay = this.#rng.between(300, 1_500);
    if (isBusy || summary.outcome === "lost") return delay;
    const { created, updated, deleted, delivered } = summary.counts;
    const changed = created + updated + deleted + Object.values(delivered).reduce((sum, count) => sum + count, 0);
    const areAllShown = this.#systems.every(
      ({ changedAt, traits, vanished }) => !vanished && now > changedAt + traits.lagMs + 2_000,
    );
    const areAllRead = plan.sources.every(
      ({ nodeId, place }) => this.#systems[place.id - 1]?.isReadUpTo(this.#store.cursors.get(nodeId) ?? null) === true,
    );
    const isCalm = changed === 0 && this.#isAllDone() && areAllRead;
    const isQuiet = isCalm && areAllShown;
    // While a system is down all that goes on is trying again, for hours.
    const isOut = this.#scenario.outages.some((outage) => isUnderWay(outage, now));
    if (!isOut) this.#restCycles += 1;
    if (changed > 0) this.#activeCycles += 1;
    const isMending = this.#workload.isMending();
    this.#quietCycles = isQuiet && !isMending ? this.#quietCycles + 1 : 0;
    if (changed > 0) return delay;
    // Others, people, or a field that is to come back may take hours; meanwhile one look now and then is enough.
    const lacksField = this.#systems.some(({ vanished }) => vanished);
    const isIdle = (isCalm && lacksField) || (isQuiet && (isMending || this.#quietCycles > QUIET_CYCLES));
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
      this.#store.quarantineEntries.toTry() === 0
    );
  }
}
