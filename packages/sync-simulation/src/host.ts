/**
 * A server process: it runs cycles of several pipelines side by side as far as it has slots for them, by the rules of the
 * server. What has been due for longest goes first; all its cycles go down with it.
 */
import { type CycleSlot, CycleSlots, type SlotBounds } from "@accord/sync-engine/run";
import type { LimitedCalls } from "./systems/limited-calls.ts";
import type { Timeline } from "./timeline.ts";

/** A pipeline that is due. */
export interface Candidate {
  pipeline: number;
  version: number;
  /** Systems it uses, by connector. */
  connectorIds: readonly string[];
  /** Since when; Infinity while another process runs it. */
  dueAt: () => number;
  /** Its turn has come: takes the slot, or has no use for it. */
  begin: (slot: CycleSlot) => boolean;
}

export interface HostFaults {
  /** A cycle that waits for a system counts as one that works. */
  waitsHoldSlots?: boolean;
  /** A slot of a cycle that went down is never free again. */
  leaksSlots?: boolean;
}

interface HostParts {
  timeline: Timeline;
  bounds: SlotBounds;
  faults: HostFaults;
  /** The ways to systems with limits, by connector, as they are in a new process. */
  newCalls: () => ReadonlyMap<string, LimitedCalls>;
  /** A pipeline waited so long for its slot. */
  waited: (pipeline: number, ms: number) => void;
}

const POLL_MS = 1_000;
/** While another process runs whatever is due here. */
const ELSEWHERE_MS = 5_000;

export class Host {
  readonly #parts: HostParts;
  readonly #slots: CycleSlots;
  #due: Candidate[] = [];
  #calls: ReadonlyMap<string, LimitedCalls>;
  readonly #cycles = new Set<() => void>();
  /** Number of the look that is planned; earlier ones are void. */
  #look = 0;

  constructor(parts: HostParts) {
    this.#parts = parts;
    this.#slots = new CycleSlots(() => parts.timeline.now, parts.bounds);
    this.#calls = parts.newCalls();
  }

  callsTo(connectorId: string): LimitedCalls | null {
    return this.#calls.get(connectorId) ?? null;
  }

  get allCalls(): Iterable<LimitedCalls> {
    return this.#calls.values();
  }

  due(candidate: Candidate): void {
    this.#due = this.#due.filter(({ pipeline }) => pipeline !== candidate.pipeline);
    this.#due.push(candidate);
    this.look();
  }

  /** `down`: what becomes of the cycle when the process crashes. Answers how to say that the cycle is over. */
  runs(slot: CycleSlot, down: () => void): () => void {
    this.#cycles.add(down);
    return () => {
      this.#cycles.delete(down);
      if (!this.#parts.faults.leaksSlots) slot.end();
      this.#parts.timeline.later(0, () => this.look());
    };
  }

  /** A cycle calls a system (the empty name: one of nobody's), or works (null); answers how to say that this is over. */
  occupy(slot: CycleSlot, called: string | null): () => void {
    if (called === null || this.#parts.faults.waitsHoldSlots) return slot.works();
    return slot.calls(called === "" ? null : called);
  }

  crash(): void {
    for (const down of [...this.#cycles]) down();
    this.#calls = this.#parts.newCalls();
  }

  /** Begins what is due while there is room. */
  look(): void {
    const { timeline, waited } = this.#parts;
    const inTurn = this.#due.toSorted((left, right) => left.dueAt() - right.dueAt());
    for (const candidate of inTurn) {
      if (!this.#slots.canBegin()) break;
      const { pipeline, version, connectorIds, dueAt } = candidate;
      const since = dueAt();
      if (since > timeline.now) continue;
      const name = String(pipeline);
      if (!this.#slots.knows(name, version)) this.#slots.learn(name, version, connectorIds);
      if (this.#slots.isHeldUp(name)) continue;
      this.#due.splice(this.#due.indexOf(candidate), 1);
      const slot = this.#slots.begin(name);
      if (candidate.begin(slot)) waited(pipeline, timeline.now - since);
      else slot.end();
    }
    this.#lookLater();
  }

  #lookLater(): void {
    if (this.#due.length === 0) return;
    this.#look += 1;
    const look = this.#look;
    this.#parts.timeline.later(Math.max(1, this.#nextLookIn()), () => {
      if (this.#look === look) this.look();
    });
  }

  #nextLookIn(): number {
    if (!this.#slots.canBegin()) return Math.min(this.#slots.nextWaitingIn ?? POLL_MS, POLL_MS);
    const soonest = Math.min(...this.#due.map(({ dueAt }) => dueAt())) - this.#parts.timeline.now;
    return soonest === Infinity ? ELSEWHERE_MS : Math.max(soonest, POLL_MS);
  }
}
