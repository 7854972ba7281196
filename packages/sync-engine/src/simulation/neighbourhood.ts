/** Several pipelines in one history: each has its own world, and all of them run in the same few server processes. */
import { editionOf } from "./found-seeds.ts";
import type { History, Trace } from "./history.ts";
import { Host } from "./host.ts";
import { type Chance, makeChance } from "./chance.ts";
import { LimitedCalls, RateBoard } from "./limited-calls.ts";
import type { Neighbours } from "./neighbours.ts";
import type { Plant } from "./plant.ts";
import { RequestLimit } from "./request-limit.ts";
import type { Company } from "./seat.ts";
import { drawStory, type Story } from "./story.ts";
import { Timeline } from "./timeline.ts";
import { World } from "./world.ts";

/** Processes; each runs one worker of every pipeline. */
const HOSTS = 2;
/** How long a pipeline that is due may wait for its slot. */
const MAX_SLOT_WAIT_MS = 20_000;
/** Calls of a resync that may leave while one that follows changes waits. */
const MAX_OVERTAKEN = 0;
/** Calls that a system may have to refuse in one window of its limit. */
const MAX_REFUSED = 20;

type SharedStory = Story & { neighbours: Neighbours };

export class Neighbourhood {
  readonly #neighbours: Neighbours;
  readonly #plant: Plant;
  readonly #chance: Chance;
  readonly #timeline = new Timeline();
  readonly #worlds: readonly World[];
  /** By connector: what a shared system allows, and what processes tell each other of that. */
  readonly #limits = new Map<string, { limit: RequestLimit; board: RateBoard }>();
  readonly #violations = new Set<string>();

  constructor(seed: number, plant: Plant, story: SharedStory, trace: Trace | undefined) {
    this.#neighbours = story.neighbours;
    this.#plant = plant;
    this.#chance = makeChance(seed ^ 0x5_77_21_56);
    const { shared, limit } = this.#neighbours;
    if (limit) {
      for (const index of shared)
        this.#limits.set(nameOf(index, null), { limit: new RequestLimit(limit), board: new RateBoard() });
    }
    const hosts = Array.from({ length: HOSTS }, () => this.#newHost());
    this.#worlds = [seed, ...this.#neighbours.seeds].map((own, number) => {
      const told = trace && ((line: string) => trace(`${number} ${line}`));
      const company = this.#companyOf(number, hosts);
      const ownStory = number === 0 ? story : { ...drawStory(own, editionOf(seed)), neighbours: null };
      return new World(own, plant, {
        story: this.#isSharing(number) ? this.#fitOutage(ownStory) : ownStory,
        trace: told,
        shared: { timeline: this.#timeline, company },
      });
    });
  }

  play(): History {
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
      faults: this.#plant.host ?? {},
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
      chance: this.#chance,
      faults: this.#plant.limits ?? {},
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

  /** What fails as a whole fails for all, as far as the pipeline's own story goes together with it. */
  #fitOutage(story: Story): Story {
    const { outage } = this.#neighbours;
    const isPlain =
      !story.duplicates && !story.hasReferences && !story.errand && !story.hasNameless && !story.hasGiants;
    if (!outage || !isPlain || story.keepers.length > 0 || story.hasWriteOnly) return story;
    return { ...story, outages: [outage] };
  }
}

/** A system's name; `pipeline`: the one that has it for itself. */
const nameOf = (index: number, pipeline: number | null): string =>
  pipeline === null ? `system ${index}` : `system ${index} of ${pipeline}`;
