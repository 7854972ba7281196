/** Reading of a source: pages asked for ahead of the one worked on, joined where they are small, again where it failed. */
import type { BadRecord, PageWarning, ReadPage, SourceRecord } from "@accord/connector-sdk";
import { MOMENT_MS } from "../state/links/reactivation.ts";
import type { FingerprintedPage } from "./page/fingerprint-page.ts";
import type { Plan, SourcePlan } from "../plan/plan.ts";
import { recordFailure } from "../protocol/problems.ts";
import type { Effect, Input, SystemFailure } from "../protocol/protocol.ts";
import { callDelay } from "../protocol/retry.ts";
import { nextRequestId, type Run, type Slot, type SourceRun, type StepContext } from "../run.ts";

/** Pages held at once: the one worked on and those read ahead. */
const PAGES_IN_HAND = 8;
/** Pages that are there already are worked on as one, up to about this many records: a checkpoint costs the same. */
const RECORDS_AT_ONCE = 2_000;
/** What a step of a source works with. */
export interface SourceStep {
  plan: Plan;
  run: Run;
  source: SourcePlan;
  state: SourceRun;
  env: StepContext;
  effects: Effect[];
}

type Reading = Pick<SourceRun, "mode" | "since" | "until" | "next" | "slots">;

/** A source that has not begun: what it is to read, and records that are there already. */
export const newSourceRun = (source: SourcePlan, reading: Reading): SourceRun => ({
  nodeId: source.nodeId,
  placeId: source.place.id,
  ...reading,
  state: "waiting",
  work: { stage: "idle" },
  uncommittedPosition: null,
  uncommittedPages: 0,
  committedAt: null,
  begunAt: null,
  readAt: null,
  deletions: { records: [], askedAt: 0 },
  isDueAgain: false,
  conflicts: 0,
});

/**
 * A page of records that were asked for one by one. `isCurrent`: as they stand now, whatever their time of change;
 * `askedAt`: 0 where it is not known.
 */
export const replaySlot = (
  records: SourceRecord[],
  { requestId = 0, askedAt = 0, isCurrent = false }: { requestId?: number; askedAt?: number; isCurrent?: boolean } = {},
): Slot => ({
  requestId,
  askedAt,
  cursor: null,
  page: { records, cursor: null, drained: false, ...(isCurrent ? { isCurrent } : {}) },
  isReplay: true,
  tries: 0,
  ids: null,
  precomputed: null,
});

/**
 * Takes records as they were just found at a place into the run, ahead of anything that is read. False when that can't
 * be in this cycle: nobody reads there, reading failed, or the run is about to stop.
 */
export const enqueueRecords = (plan: Plan, run: Run, placeId: number, records: SourceRecord[]): boolean =>
  enqueue(plan, run, placeId, (requestId) => replaySlot(records, { requestId, isCurrent: true }));

/** Likewise has records that seem to be gone asked for by their ids. */
export const enqueueUnsure = (plan: Plan, run: Run, placeId: number, ids: readonly string[]): boolean =>
  enqueue(plan, run, placeId, (requestId) => ({
    ...replaySlot(
      ids.map((id) => ({ id, values: {}, deleted: true })),
      { requestId },
    ),
    isUnsure: true,
  }));

function enqueue(plan: Plan, run: Run, placeId: number, slotOf: (requestId: number) => Slot): boolean {
  const source = plan.sources.find(({ place }) => place.id === placeId);
  if (!source || run.stopping) return false;
  let state = run.sources.find((candidate) => candidate.nodeId === source.nodeId);
  if (state?.state === "failed") return false;
  if (!state) {
    const reading = { mode: "changes", since: null, until: null, next: undefined, slots: [] } as const;
    state = newSourceRun(source, { ...reading, slots: [] });
    run.sources.push(state);
  }
  state.slots.splice(state.work.stage === "idle" ? 0 : 1, 0, slotOf(nextRequestId(run)));
  if (state.state === "done") state.state = "waiting";
  return true;
}

/**
 * Reads sources again that are through in this cycle, or had no turn in it: a long delivery does not keep others
 * waiting. Those that failed wait for the next cycle, and a resync is no cycle for what is new.
 */
export function reopenSources(plan: Plan, run: Run, nodeIds: readonly string[]): void {
  if (run.stopping || run.resync) return;
  for (const source of plan.sources) {
    if (!nodeIds.includes(source.nodeId)) continue;
    const next = run.reached[source.nodeId] ?? null;
    const state = run.sources.find(({ nodeId }) => nodeId === source.nodeId);
    if (state?.state === "done") Object.assign(state, { state: "waiting", next });
    else if (state) state.isDueAgain = true;
    else if (!state) {
      const reading = { mode: "changes", since: null, until: null, next, slots: [] } as const;
      run.sources.push(newSourceRun(source, { ...reading, slots: [] }));
    }
  }
}

/**
 * Deletions that were found one by one wait until the source is read to its end: the row may have been entered again
 * under another id, and its record then passes to the new row. Dropped with the run, they are found again.
 */
export function holdDeletions(state: SourceRun, slot: Slot): void {
  const isToRead = state.next !== undefined || state.slots.some(({ isReplay }) => !isReplay);
  if (!slot.page || !slot.isReplay || slot.isUnsure || slot.part || slot.precomputed || !isToRead) return;
  const gone = slot.page.records.filter(({ deleted }) => deleted === true);
  if (gone.length === 0) return;
  state.deletions.records.push(...gone);
  state.deletions.askedAt = Math.max(state.deletions.askedAt, slot.askedAt);
  slot.page = { ...slot.page, records: slot.page.records.filter(({ deleted }) => !deleted) };
  Object.assign(slot, { ids: null, precomputed: null });
}

/** Takes them up, once nothing is left to be read. */
export function releaseDeletions({ state, run, env }: SourceStep): void {
  const { records, askedAt } = state.deletions;
  if (records.length === 0) return;
  state.deletions = { records: [], askedAt: 0 };
  // Long after they were asked for they may be there again under their own ids.
  const isUnsure = env.now - askedAt > MOMENT_MS;
  state.slots.push({ ...replaySlot(records, { requestId: nextRequestId(run), askedAt }), isUnsure });
}

/** Drops what was read ahead; the page under way is finished. */
export function stopReading(state: SourceRun): void {
  state.slots.length = state.work.stage === "idle" ? 0 : 1;
  state.next = undefined;
}

function ask(step: SourceStep, cursor: Slot["cursor"]): void {
  const { run, state, effects, env } = step;
  const slot: Slot = {
    requestId: nextRequestId(run),
    askedAt: env.now,
    cursor,
    page: null,
    isReplay: false,
    tries: 0,
    ids: null,
    precomputed: null,
  };
  state.begunAt ??= env.now;
  state.slots.push(slot);
  effects.push(readEffect(state, slot));
}

function readEffect({ nodeId, mode, since, until }: SourceRun, { requestId, cursor }: Slot): Effect & { kind: "read" } {
  return { kind: "read", nodeId, requestId, cursor, mode, since, until };
}

export function requestNextPages(step: SourceStep): void {
  const { state } = step;
  if (state.next === undefined || state.slots.length >= PAGES_IN_HAND) return;
  const last = state.slots.at(-1);
  if (last && !last.page) return;
  const cursor = state.next;
  state.next = undefined;
  ask(step, cursor);
}

export function pageRead(step: SourceStep, input: Extract<Input, { kind: "pageRead" }>): void {
  const { state } = step;
  const index = state.slots.findIndex(({ requestId }) => requestId === input.requestId);
  const slot = state.slots[index];
  if (!slot) return;
  slot.page = input.page;
  if (input.page.drained) {
    state.slots.length = index + 1;
    state.next = undefined;
  } else if (index === state.slots.length - 1) {
    state.next = input.page.cursor;
    const [first, ...ahead] = input.page.ahead ?? [];
    if (first === undefined) return;
    state.next = undefined;
    for (const cursor of [first, ...ahead].slice(0, PAGES_IN_HAND - state.slots.length)) ask(step, cursor);
    if (state.slots.length === index + 1) state.next = input.page.cursor;
  }
}

export function readFailed(step: SourceStep, requestId: number, failure: SystemFailure): void {
  const { run, state, source, env, effects } = step;
  const index = state.slots.findIndex((slot) => slot.requestId === requestId);
  const failed = state.slots[index];
  if (!failed) return;
  // A system that is known to be down is asked once a cycle.
  const isDown = run.failures[source.place.id] !== undefined && failure.kind !== "rateLimited";
  const delayMs = index > 0 || run.stopping || isDown ? null : callDelay(failure, failed.tries, env.random());
  if (delayMs !== null) {
    failed.tries += 1;
    failed.askedAt = env.now + delayMs;
    effects.push({ ...readEffect(state, failed), delayMs });
    return;
  }
  state.slots.length = index;
  if (index > 0) {
    // Read too early or at a bad moment: asked for again when its turn comes.
    state.next = failed.cursor;
    return;
  }
  state.next = undefined;
  state.state = "failed";
  recordFailure(run, { placeId: source.place.id, nodeId: source.nodeId }, failure, env.now);
}

/** Joins the pages that follow the one at `index` and have been read to it. */
export function coalescePages(state: SourceRun, index: number): void {
  const slot = state.slots[index];
  if (!slot?.page || slot.isReplay || slot.part || slot.precomputed) return;
  for (
    let next = state.slots[index + 1];
    next?.page && !next.part && !next.precomputed;
    next = state.slots[index + 1]
  ) {
    if (slot.page.records.length + next.page.records.length > RECORDS_AT_ONCE) return;
    // A column that was made anew between the two is another one on the second page.
    if (JSON.stringify(next.page.fieldIds ?? null) !== JSON.stringify(slot.page.fieldIds ?? null)) return;
    const bad: BadRecord[] = [...(slot.page.bad ?? []), ...(next.page.bad ?? [])];
    const warnings: PageWarning[] = [...(slot.page.warnings ?? []), ...(next.page.warnings ?? [])];
    const isCurrent: boolean = slot.page.isCurrent === true && next.page.isCurrent === true;
    const records: SourceRecord[] = [...slot.page.records, ...next.page.records];
    slot.page = { ...next.page, records, bad, warnings, isCurrent };
    Object.assign(slot, { ids: null, hasHolders: false });
    state.slots.splice(index + 1, 1);
  }
}

/** Outside ids of a page's records. */
export function idsOf(slot: Slot): ReadonlySet<string> {
  slot.ids ??= new Set(slot.page?.records.map(({ id }) => id));
  return slot.ids;
}

export type ReadSlot = Slot & { page: ReadPage };

/** The two halves of a page, each a page by itself; all versions of a record stay together. */
export function halve(
  { run }: SourceStep,
  slot: ReadSlot,
  seen: FingerprintedPage,
): { sooner: ReadSlot; later: ReadSlot } {
  const { page } = slot;
  const ids = new Set(seen.records.slice(0, seen.records.length >> 1).map(({ id }) => id));
  const part = (which: "first" | "last", change: Partial<ReadPage>): ReadSlot => ({
    ...slot,
    requestId: nextRequestId(run),
    page: { ...page, ...change },
    part: which,
    ids: null,
    precomputed: null,
  });
  return {
    sooner: part("first", {
      records: page.records.filter(({ id }) => ids.has(id)),
      bad: [],
      warnings: [],
      drained: false,
    }),
    later: part(slot.part ?? "last", { records: page.records.filter(({ id }) => !ids.has(id)) }),
  };
}
