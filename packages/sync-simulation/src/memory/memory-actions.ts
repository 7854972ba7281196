/** Actions written down, in memory: begun once for each key, claimed when due, and what became of them. */
import type { ActionCall, ActionEnd, ActionOutcome } from "@accord/sync-engine/actions";

export interface ActionFaults {
  /** An action that nobody waits for is lost with the worker that had begun it. */
  neverTakesUp?: boolean;
  /** Whatever its page had performed is forgotten with the worker. */
  forgetsBegun?: boolean;
  /** A page's keys are never let go. */
  keepsKeys?: boolean;
  /** Actions are written down though their page is not committed. */
  writesEarly?: boolean;
  /** One record's actions are performed in any order. */
  anyOrder?: boolean;
}

export interface KeptAction {
  id: string;
  key: string | null;
  call: ActionCall;
  isAwaited: boolean;
  state: "DUE" | "BEGUN" | ActionEnd["state"];
  attempts: number;
  dueAt: number;
  heldUntil: number;
  outcome: ActionOutcome | null;
}

/** How long somebody has for one action; then another one may take it up. */
export const HOLD_MS = 3_000;

const whoIs = ({ call }: KeptAction): string => call.externalId ?? call.recordId ?? "";

export class MemoryActions {
  readonly kept: KeptAction[] = [];
  readonly #faults: ActionFaults;

  constructor(faults: ActionFaults = {}) {
    this.#faults = faults;
  }

  /** One whose key is there already is not written again. */
  write(calls: readonly ActionCall[], key: "keyed" | "keyless", now: number): void {
    for (const call of calls) this.#add(call, key === "keyed" ? call.key : null, now, null);
  }

  /** Written down as begun by the caller, unless it is there already. */
  begin(call: ActionCall, now: number): { kept: KeptAction; isOwn: boolean } {
    const known = this.#faults.forgetsBegun
      ? undefined
      : this.kept.find((one) => one.key !== null && one.key === call.key);
    return known ? { kept: known, isOwn: false } : { kept: this.#add(call, call.key, now, now + HOLD_MS), isOwn: true };
  }

  #add(call: ActionCall, key: string | null, now: number, heldUntil: number | null): KeptAction {
    const known = key === null ? undefined : this.kept.find((one) => one.key === key);
    if (known && !this.#faults.forgetsBegun) return known;
    const isAwaited = heldUntil !== null;
    const kept: KeptAction = {
      id: `action${this.kept.length + 1}`,
      key,
      call,
      isAwaited,
      state: isAwaited ? "BEGUN" : "DUE",
      attempts: isAwaited ? 1 : 0,
      dueAt: now,
      heldUntil: heldUntil ?? 0,
      outcome: null,
    };
    this.kept.push(kept);
    return kept;
  }

  /** Takes up again what somebody began and left; false while that one may still be at it. */
  reclaim(kept: KeptAction, now: number): boolean {
    if (kept.state !== "BEGUN" || kept.heldUntil > now) return false;
    kept.attempts += 1;
    kept.heldUntil = now + HOLD_MS;
    return true;
  }

  /** The page is committed: what its records had performed on the way is over, and is done anew when they come again. */
  letGo(keys: readonly string[]): void {
    if (this.#faults.keepsKeys) return;
    for (const kept of this.kept) if (kept.key !== null && keys.includes(kept.key)) kept.key = null;
  }

  /** Begins what is due: those of one record in their order. */
  claimDue(now: number): { kept: KeptAction; isLeft: boolean }[] {
    const isOpen = ({ state }: KeptAction): boolean => state === "DUE" || state === "BEGUN";
    const busy = new Set<string>();
    return this.kept.flatMap((kept) => {
      if (!isOpen(kept)) return [];
      const isLeft = kept.state === "BEGUN";
      const isAbandoned = isLeft && kept.heldUntil <= now;
      const isBehind = busy.has(whoIs(kept)) && !this.#faults.anyOrder;
      if (!(kept.isAwaited && isAbandoned)) busy.add(whoIs(kept));
      const isDue = isLeft ? isAbandoned && (kept.key === null || !kept.isAwaited) : kept.dueAt <= now;
      if (!isDue || isBehind || (isLeft && this.#faults.neverTakesUp)) return [];
      Object.assign(kept, { state: "BEGUN", attempts: kept.attempts + 1, heldUntil: now + HOLD_MS });
      return [{ kept, isLeft }];
    });
  }

  settle(kept: KeptAction, end: ActionEnd, now: number): void {
    kept.state = end.state;
    kept.outcome = end.outcome;
    if (end.state === "DUE") kept.dueAt = now + end.inMs;
  }

  /** Whether something is still to be performed. */
  isBusy(now: number): boolean {
    return this.kept.some(
      ({ state, isAwaited, heldUntil }) => state === "DUE" || (state === "BEGUN" && !(isAwaited && heldUntil <= now)),
    );
  }

  /** When the last of those that are tried again is due. */
  dueAt(): number {
    return Math.max(0, ...this.kept.map(({ state, dueAt }) => (state === "DUE" ? dueAt : 0)));
  }

  /** Planted: a page's actions are there before the page is. */
  get writesEarly(): boolean {
    return this.#faults.writesEarly === true;
  }
}
