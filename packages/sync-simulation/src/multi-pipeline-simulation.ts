/** Several pipelines in one history: each has its own world, and all of them run in the same few server processes. */
import { scenarioVersionOf } from "./regression-seeds.ts";
import type { SimulationRun, Trace } from "./simulation-run.ts";
import { Host } from "./host.ts";
import { type Rng, createRng } from "./rng.ts";
import { LimitedCalls, RateBoard } from "./systems/limited-calls.ts";
import type { ConcurrentPipelines } from "./scenario/concurrent-pipelines.ts";
import type { InjectedFault } from "./faults/injected-fault.ts";
import { RequestLimit } from "./systems/request-limit.ts";
import type { Company } from "./cycle-context.ts";
import { generateScenario, type Scenario } from "./scenario/scenario.ts";
import { Timeline } from "./timeline.ts";
import { Simulation } from "./simulation.ts";

/** Processes; each runs one worker of every pipeline. */
const HOSTS = 2;
/** How long a pipeline that is due may wait for its slot. */
const MAX_SLOT_WAIT_MS = 20_000;
/** Calls of a resync that may leave while one that follows changes waits. */
const MAX_OVERTAKEN = 0;
/** Calls that a system may have to refuse in one window of its limit. */
const MAX_REFUSED = 20;

type SharedScenario = Scenario & { neighbours: ConcurrentPipelines };

export class MultiPipelineSimulation {
  readonly #neighbours: ConcurrentPipelines;
  readonly #fault: InjectedFault;
  readonly #rng: Rng;
  readonly #timeline = new Timeline();
  readonly #worlds: readonly Simulation[];
  /** By connector: what a shared system allows, and what processes tell each other of that. */
  readonly #limits = new Map<string, { limit: RequestLimit; board: RateBoard }>();
  readonly #violations = new Set<string>();

  constructor(seed: number, fault: InjectedFault, scenario: SharedScenario, trace: Trace | undefined) {
    this.#neighbours = scenario.neighbours;
    this.#fault = fault;
    this.#rng = createRng(seed ^ 0x5_77_21_56);
    const { shared, limit } = this.#neighbours;
    if (limit) {
      for (const index of shared)
        this.#limits.set(nameOf(index, null), { limit: new RequestLimit(limit), board: new RateBoard() });
    }
    const hosts = Array.from({ length: HOSTS }, () => this.#newHost());
    this.#worlds = [seed, ...this.#neighbours.seeds].map((own, number) => {
      const traceLine = trace && ((line: string) => trace(`${number} ${line}`));
      const company = this.#companyOf(number, hosts);
      const ownScenario =
        number === 0 ? scenario : { ...generateScenario(own, scenarioVersionOf(seed)), neighbours: null };
      return new Simulation(own, fault, {
        scenario: this.#isSharing(number) ? this.#fitOutage(ownScenario) : ownScenario,
        trace: traceLine,
        shared: { timeline: this.#timeline, company },
      });
    });
  }

  runSimulation(): SimulationRun {
    for (const world of this.#worlds) world.begin();
    const histories = this.#worlds.map((world) => world.conclude());
    for (const [name, { limit }] of this.#limits) {
      if (limit.mostRefused > MAX_REFUSED) this.#violations.add(`${name} had to refuse call after call`);
    }
    const all = <Key extends "lost" | "doubled" | "violations">(key: Key): string[] =>
      histories.flatMap((history, number) => history[key].map((fault) => `pipeline ${number}: ${fault}`));
    return {
      seed: histories[0]?.seed ?? 0,
      lost: all("lost"),
      doubled: all("doubled"),
      violations: [...all("violations"), ...this.#violations],
      stuck: histories.some(({ stuck }) => stuck),
      steps: histories.reduce((sum, { steps }) => sum + steps, 0),
    };
  }

  #newHost(): Host {
    const { bounds } = this.#neighbours;
    return new Host({
      timeline: this.#timeline,
      bounds,
      faults: this.#fault.host ?? {},
      newCalls: () => this.#newCalls(),
      waited: (pipeline, ms) => {
        if (!this.#isSharing(pipeline) && ms > MAX_SLOT_WAIT_MS)
          this.#violations.add("a pipeline that uses no limited system waited long for its slot");
      },
    });
  }

  #newCalls(): Map<string, LimitedCalls> {
    const parts = {
      timeline: this.#timeline,
      rng: this.#rng,
      faults: this.#fault.limits ?? {},
      left: (overtaken: number) => {
        if (overtaken > MAX_OVERTAKEN) this.#violations.add("what just changed waited for what is read again");
      },
    };
    return new Map([...this.#limits].map(([name, limit]) => [name, new LimitedCalls({ ...parts, ...limit })]));
  }

  #companyOf(number: number, hosts: readonly Host[]): Company {
    const { shared } = this.#neighbours;
    const isSharing = this.#isSharing(number);
    return {
      pipeline: number,
      hosts,
      connectorAt: (placeId) => nameOf(placeId - 1, isSharing && shared.includes(placeId - 1) ? null : number),
    };
  }

  #isSharing(number: number): boolean {
    return this.#neighbours.sharing[number] === true;
  }

  /** What fails as a whole fails for all, as far as the pipeline's own scenario goes together with it. */
  #fitOutage(scenario: Scenario): Scenario {
    const { outage } = this.#neighbours;
    const isPlain =
      !scenario.duplicates &&
      !scenario.hasReferences &&
      !scenario.actionOptions &&
      !scenario.hasNameless &&
      !scenario.hasGiants;
    if (!outage || !isPlain || scenario.noDeleteSystems.length > 0 || scenario.hasWriteOnly) return scenario;
    return { ...scenario, outages: [outage] };
  }
}

/** A system's name; `pipeline`: the one that has it for itself. */
const nameOf = (index: number, pipeline: number | null): string =>
  pipeline === null ? `system ${index}` : `system ${index} of ${pipeline}`;
