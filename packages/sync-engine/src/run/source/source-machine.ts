/** A source's way through a cycle: look, match, decide, commit, page by page and in order, ahead where nothing asks. */
import type { ReadPage, SourceRecord } from "@accord/connector-sdk";
import type { RunEnv } from "../../functions/run-env.ts";
import { maybeReactivated } from "../state/links/reactivation.ts";
import { decide } from "./batch-builder.ts";
import { type Found, withCuts } from "./decision.ts";
import {
  finishPage,
  resumePage,
  type ProcessedPage,
  resolveRequest,
  fingerprintPage,
  type FingerprintedPage,
  startPage,
  type PageExecution,
} from "./process-page.ts";
import { countFailed, countSourcePath } from "../state/flow-counts.ts";
import { lastLoss, lostAfter, lostByPage, resolvedWithLosses } from "../state/fields/dropped-fields.ts";
import { matchRequest } from "../merge/duplicates/match-request.ts";
import { withoutUndecided } from "../merge/duplicates/page-matching.ts";
import { goneAmong, holdersToConfirm, maySeekHolders } from "../merge/reinserted-rows.ts";
import type { Plan } from "../plan/plan.ts";
import { clearFailure, recordFailure, recordWarnings, warningsOfQuarantine } from "../protocol/problems.ts";
import type { Effect, Input, SystemFailure } from "../protocol/protocol.ts";
import {
  countRead,
  type DecidedPage,
  type PrecomputedPage,
  nextRequestId,
  type Run,
  type Slot,
  type StepContext,
  type SourceStage,
} from "../run.ts";
import {
  stopReading,
  halve,
  reopenSources,
  idsOf,
  coalescePages,
  pageRead,
  readFailed,
  requestNextPages,
  holdDeletions,
  releaseDeletions,
  replaySlot,
  type ReadSlot,
  type SourceStep,
} from "./source-reading.ts";
import type { CommitBatch, Position, Resolved } from "../protocol/storage.ts";
import type { LostFields } from "../protocol/stored.ts";

/** Pages behind the one worked on that are looked up, sent down their path and decided meanwhile. */
const PAGES_AHEAD = 2;
/** Pages without anything to write after which the position is written down all the same. */
const MAX_UNCOMMITTED_PAGES = 20;
/** Milliseconds after which it is too: people watch a resync that finds nothing to write. */
const MAX_UNCOMMITTED_MS = 3_000;
/** Pages of a resync after which a normal cycle gets its turn, so that live changes do not wait for history. */
const RESYNC_SLICE = 100;
const CONFLICTS_IN_A_ROW = 20;
/** Quarantined records in one cycle after which a pipeline that fails more often than not stops. */
const MAX_QUARANTINED = 500;

type SourceInput =
  | Extract<
      Input,
      {
        kind:
          | "pageRead"
          | "readFailed"
          | "resolved"
          | "gotById"
          | "matched"
          | "committed"
          | "unstorable"
          | "answered"
          | "requestFailed";
      }
    >
  | { kind: "requestNextPages"; nodeId: string };

export function stepSource(plan: Plan, run: Run, input: SourceInput, env: StepContext, effects: Effect[]): void {
  const state = run.sources.find(({ nodeId }) => nodeId === input.nodeId);
  const source = plan.sources.find(({ nodeId }) => nodeId === input.nodeId);
  if (!state || !source) return;
  const step: SourceStep = { plan, run, source, state, env, effects };
  switch (input.kind) {
    case "requestNextPages":
      break;
    case "pageRead":
      pageRead(step, input);
      break;
    case "readFailed":
      readFailed(step, input.requestId, input.failure);
      break;
    case "resolved":
      resolved(step, input.requestId, input.resolved);
      break;
    case "answered":
      if (state.work.stage === "suspended") travel(step, resumePage(state.work.pageExecution, input.answers));
      break;
    case "requestFailed":
      if (state.work.stage === "confirmingHolders") decideFirst(step, state.work.processed, state.work.found);
      else if (["suspended", "confirming"].includes(state.work.stage)) giveUp(step, input.failure);
      break;
    case "gotById":
      confirmed(step, input.records);
      break;
    case "matched":
      if (state.work.stage === "matching") matched(step, state.work, input);
      break;
    case "committed":
      committed(step, input.answer);
      break;
    case "unstorable":
      unstorable(step, input.reason);
  }
  if (state.state === "open" && !run.stopping) {
    requestNextPages(step);
    beginWork(step);
    prefetch(step);
  }
}

/** The look-up of the page worked on, or of one behind it. */
function resolved(step: SourceStep, requestId: number, found: Resolved): void {
  const { state } = step;
  const slot = state.slots.find((candidate) => candidate.requestId === requestId);
  if (!slot) return;
  const known = resolvedWithLosses(step.source.place, lostWith(step, slot.page), found);
  if (slot === state.slots[0] && state.work.stage === "resolving") buildBatch(step, state.work.seen, known);
  else if (slot.precomputed) precomputePage(step, slot, slot.precomputed, known);
}

/** Decides on a page while those before it are committed; what somebody changes in between shows as a conflict. */
function precomputePage(step: SourceStep, slot: Slot, precomputed: PrecomputedPage, found: Resolved): void {
  const { plan, source, effects } = step;
  precomputed.resolved = found;
  // Records have to be asked for first.
  if (slot.isUnsure || maybeReactivated(source, precomputed.seen, found).size > 0) return;
  const pageExecution = startPage(source, precomputed.seen, found, runEnv(step));
  // What is asked may depend on the page before: it waits for its turn.
  if (pageExecution.execution.state === "suspended") return;
  precomputed.processed = finishPage(pageExecution);
  if (matchRequest(plan, source, precomputed.processed, runEnv(step))) return;
  precomputed.decided = decideNow(step, precomputed.processed, { candidates: [] }, positionAfter(step, slot));
  effects.push({ kind: "prepare", nodeId: source.nodeId, batch: precomputed.decided.decision.batch });
}

function buildBatch(step: SourceStep, seen: FingerprintedPage, found: Resolved): void {
  const [slot] = step.state.slots;
  const ids = slot?.isUnsure ? new Set(seen.records.map(({ id }) => id)) : maybeReactivated(step.source, seen, found);
  if (ids.size === 0) {
    travel(step, startPage(step.source, seen, found, runEnv(step)));
    return;
  }
  step.state.work = { stage: "confirming", ids, askedAt: step.env.now };
  step.effects.push({ kind: "getById", nodeId: step.source.nodeId, ids: [...ids] });
}

/** Records that seemed to have come back, or to be gone, as they stand: they go before the page that they were on, and leave it. */
function confirmed(step: SourceStep, records: SourceRecord[]): void {
  const { state, run, source } = step;
  const { work, slots } = state;
  const [slot] = slots;
  if (work.stage === "confirmingHolders") holdersConfirmed(step, work, records);
  if (work.stage !== "confirming" || !slot?.page) return;
  // The page is counted when its turn comes again.
  countRead(run, source.nodeId, -slot.page.records.length);
  slot.page = { ...slot.page, records: slot.page.records.filter(({ id }) => !work.ids.has(id)) };
  Object.assign(slot, { ids: null, precomputed: null });
  slots.unshift(replaySlot(records, { requestId: nextRequestId(run), askedAt: work.askedAt }));
  state.work = { stage: "idle" };
}

/** Decides on a page, once it is known whether rows that stand for what its new ones are are still there. */
function matched(
  step: SourceStep,
  { processed: all, request }: Extract<SourceStage, { stage: "matching" }>,
  input: Extract<Input, { kind: "matched" }>,
): void {
  const { state, source, effects } = step;
  const [slot] = state.slots;
  if ((input.isFull || input.duplicates?.isFull) && slot?.page && all.seen.records.length > 1) {
    halvePage(step, { ...slot, page: slot.page }, all.seen);
    return;
  }
  const found = withCuts(request, input);
  const processed = withoutUndecided(source, all, found);
  const ids = slot?.hasHolders ? NO_IDS : holdersToConfirm(processed, found);
  if (ids.size === 0) {
    decideFirst(step, processed, found);
    return;
  }
  state.work = { stage: "confirmingHolders", processed, found };
  effects.push({ kind: "getById", nodeId: source.nodeId, ids: [...ids] });
}

const NO_IDS: ReadonlySet<string> = new Set();

/** Rows that are gone become part of the page, which is looked at again: a new row may take their records over. */
function holdersConfirmed(
  step: SourceStep,
  { processed, found }: Extract<SourceStage, { stage: "confirmingHolders" }>,
  records: readonly SourceRecord[],
): void {
  const { state, run, source } = step;
  const [slot] = state.slots;
  if (!slot?.page) return;
  slot.hasHolders = true;
  const gone = goneAmong(records);
  if (gone.length === 0) {
    decideFirst(step, processed, found);
    return;
  }
  countRead(run, source.nodeId, -slot.page.records.length);
  slot.page = { ...slot.page, records: [...gone, ...slot.page.records] };
  Object.assign(slot, { ids: null, precomputed: null });
  state.work = { stage: "idle" };
}

/** Sends a page on; where its path asks, the answers bring it further. */
function travel(step: SourceStep, pageExecution: PageExecution): void {
  const { state, source, effects } = step;
  if (pageExecution.execution.state === "suspended") {
    state.work = { stage: "suspended", pageExecution };
    const { dataRequests } = pageExecution.execution;
    effects.push({ kind: "ask", nodeId: source.nodeId, placeId: null, dataRequests });
    return;
  }
  completed(step, finishPage(pageExecution));
}

function completed(step: SourceStep, processed: ProcessedPage): void {
  const { state, source, effects } = step;
  const request = matchRequest(step.plan, source, processed, runEnv(step));
  if (request) {
    state.work = { stage: "matching", processed, request };
    effects.push({ kind: "match", nodeId: source.nodeId, request });
  } else decideFirst(step, processed, { candidates: [] });
}

/** Fields that the source's place has lost so far. */
const lostAt = ({ run, source }: SourceStep): LostFields => run.lostFields[source.place.id] ?? NOTHING_LOST;
const NOTHING_LOST: LostFields = {};
/** Likewise once a page is read. */
const lostWith = (step: SourceStep, page: ReadPage | null | undefined): LostFields =>
  page ? lostByPage(step.source, lostAt(step), page) : lostAt(step);

const fingerprinted = (step: SourceStep, page: ReadPage, { isReplay, askedAt }: Slot): FingerprintedPage =>
  fingerprintPage(step.source, page, { isReplay, askedAt, loss: lastLoss(lostWith(step, page)) });

/** Looks the next pages up while the first is worked on. */
function prefetch(step: SourceStep): void {
  const { state, source } = step;
  if (state.work.stage === "idle") return;
  if (source.mappings.some(({ reference }) => reference !== null)) return;
  for (let index = 1; index <= PAGES_AHEAD; index += 1) {
    if (!state.slots[index]?.precomputed && !processRecord(step, index)) return;
  }
}

/**
 * Only a page that shares no record with those before it: then nothing that their commits do can change the answer
 * unnoticed.
 */
function processRecord(step: SourceStep, index: number): boolean {
  const { state, source, effects } = step;
  coalescePages(state, index);
  const slot = state.slots[index];
  if (!slot?.page || slot.page.records.length === 0) return false;
  const before = state.slots.slice(0, index).map(idsOf);
  if (slot.page.records.some(({ id }) => before.some((ids) => ids.has(id)))) return false;
  const seen = fingerprinted(step, slot.page, slot);
  slot.precomputed = { seen, resolved: null, processed: null, decided: null };
  const request = resolveRequest(source, seen, state.mode === "changes");
  effects.push({ kind: "resolve", nodeId: source.nodeId, requestId: slot.requestId, request });
  return true;
}

const runEnv = ({ env, state }: SourceStep): RunEnv => ({
  now: env.now,
  random: env.random,
  isResync: state.mode === "all",
});

function beginWork(step: SourceStep): void {
  const { state, source, run, effects } = step;
  if (state.work.stage !== "idle") return;
  coalescePages(state, 0);
  const [slot] = state.slots;
  if (slot && maySeekHolders(source)) holdDeletions(state, slot);
  const page = slot?.page;
  if (!page) {
    if (state.slots.length === 0 && state.next === undefined) finishSource(step);
    return;
  }
  const precomputed = slot.precomputed;
  const seen = precomputed?.seen ?? fingerprinted(step, page, slot);
  countRead(run, source.nodeId, page.records.length);
  if (!run.failures[source.place.id]?.isOfWrites) clearFailure(run, source.place.id);
  const isNothing =
    seen.records.length === 0 && seen.bad.length === 0 && lostAfter(source, lostWith(step, page)) === lostAt(step);
  if (isNothing && mayStayUnsaved(step)) {
    recordWarnings(run, seen.warnings);
    pageDone(step, false);
    return;
  }
  state.work = { stage: "resolving", seen };
  if (precomputed?.decided) commit(step, precomputed.decided);
  else if (precomputed?.processed) completed(step, precomputed.processed);
  else if (precomputed?.resolved) buildBatch(step, seen, precomputed.resolved);
  if (precomputed) return;
  const request = resolveRequest(source, seen, state.mode === "changes");
  effects.push({ kind: "resolve", nodeId: source.nodeId, requestId: state.slots[0]!.requestId, request });
}

/** Where reading goes on after a page, if that is news. */
function positionAfter(step: SourceStep, slot: Slot | undefined): Position | null {
  const { state, source, run } = step;
  if (!slot?.page || slot.isReplay || slot.part === "first") return null;
  const isComplete = slot.page.drained || source.readMode === "single";
  return {
    nodeId: source.nodeId,
    cursor: slot.page.cursor,
    ...(state.mode === "all" ? { of: "resync", resyncId: run.resync?.resyncId } : { of: "changes" }),
    isComplete,
    ...knownAfter(step, slot.page),
  };
}

/** The last page of a reading of changes brought what was done before that began, as far as the system showed it. */
function knownAfter({ state, source }: SourceStep, { drained, isPutOff }: ReadPage): Pick<Position, "knownUntil"> {
  const isWhole = drained && !isPutOff && source.readMode === "drain" && state.mode === "changes";
  if (!isWhole || !state.begunAt) return {};
  return { knownUntil: new Date(state.begunAt - source.readDelayMs).toISOString() };
}

function decideNow(step: SourceStep, processed: ProcessedPage, found: Found, position: Position | null): DecidedPage {
  const { plan, source, state, env, run } = step;
  const decision = decide(plan, source, processed, found, position, {
    now: new Date(env.now).toISOString(),
    newId: env.newId,
    reapply: state.mode === "all",
    following: {
      since: run.followedSince[source.nodeId] ?? null,
      joinedAfter: run.joinedAfter[source.nodeId] ?? null,
      isOfAll: !processed.seen.isReplay && (state.mode === "all" || (run.reached[source.nodeId] ?? null) === null),
      isFirstLoad: run.resync !== null || run.historyPlaces.length > 0 || run.unreadPlaces.length > 0,
    },
    knownUntil: run.knownUntil[source.nodeId] ?? null,
    run: runEnv(step),
  });
  return { processed, decision };
}

function decideFirst(step: SourceStep, processed: ProcessedPage, found: Found): void {
  commit(step, decideNow(step, processed, found, positionAfter(step, step.state.slots[0])));
}

function commit(step: SourceStep, decided: DecidedPage): void {
  const { source, state, run, effects } = step;
  const { batch } = decided.decision;
  const lost = lostAfter(source, lostWith(step, state.slots[0]?.page));
  if (lost !== lostAt(step)) batch.lostFields = lost;
  if (isEmpty(batch) && mayStayUnsaved(step)) {
    count(step, decided);
    pageDone(step, false);
    return;
  }
  if (batch.position) batch.position.read = Object.values(run.counts.read).reduce((sum, read) => sum + read, 0);
  const affectedSinks = new Set([
    ...placesOf(batch.deliveries),
    ...placesOf(batch.lacking),
    ...(batch.mergeBatch?.notifySinkIds ?? []),
  ]);
  state.work = { stage: "committing", decided, affectedSinks };
  effects.push({ kind: "commit", nodeId: source.nodeId, batch });
}

const placesOf = (told: readonly { placeId: number }[] = []): number[] => told.map(({ placeId }) => placeId);

/** What came of a page, once that is certain: a page that is looked at again after a conflict counts once. */
function count({ run, source }: SourceStep, { processed, decision }: DecidedPage): void {
  recordWarnings(run, processed.warnings);
  recordWarnings(run, decision.warnings);
  recordWarnings(run, warningsOfQuarantine(decision.batch.quarantine, source.nodeId));
  run.counts.absorbed += processed.absorbed;
  run.counts.filtered += processed.filtered;
  run.counts.created += decision.created;
  run.counts.updated += decision.updated;
  run.counts.deleted += decision.deleted;
  run.counts.refused += decision.refused;
  run.counts.quarantined += decision.batch.quarantine.length;
  countSourcePath(run.counts, processed.pathCounts);
  countFailed(run.counts, decision.batch.quarantine, source.nodeId);
}

/** A page with nothing to write costs no checkpoint, unless the last one is some pages or seconds ago. */
function mayStayUnsaved({ state, env }: SourceStep): boolean {
  state.committedAt ??= env.now;
  return state.uncommittedPages < MAX_UNCOMMITTED_PAGES && env.now - state.committedAt < MAX_UNCOMMITTED_MS;
}

const isEmpty = (batch: CommitBatch): boolean =>
  batch.creates.length +
    batch.updates.length +
    batch.links.length +
    batch.ledger.length +
    batch.deliveries.length +
    batch.quarantine.length +
    batch.settled.length +
    batch.actions.length +
    batch.endedOccurrences.length +
    batch.pending.length +
    (batch.conflicts?.length ?? 0) +
    (batch.agreed?.length ?? 0) +
    (batch.lacking?.length ?? 0) ===
    0 &&
  !batch.mergeBatch &&
  !batch.lostFields;

function wake(run: Run, placeId: number): void {
  const sink = run.sinks.find((candidate) => candidate.placeId === placeId);
  if (!sink) return;
  sink.dirty = true;
  if (sink.state.stage === "done") sink.state = { stage: "waiting" };
}

function committed(step: SourceStep, answer: Extract<Input, { kind: "committed" }>["answer"]): void {
  const { state, run, source } = step;
  if (state.work.stage !== "committing") return;
  if (answer.status === "lost") {
    run.stopping = "lost";
    return;
  }
  if (answer.status === "conflict") {
    conflict(step);
    return;
  }
  count(step, state.work.decided);
  const { lostFields } = state.work.decided.decision.batch;
  if (lostFields) run.lostFields[source.place.id] = lostFields;
  // Not before: a claim that came earlier than the commit would find nothing and never look again.
  for (const placeId of state.work.affectedSinks) wake(run, placeId);
  if (answer.signal !== "none") run.stopping ??= answer.signal;
  const read = Object.values(run.counts.read).reduce((sum, count) => sum + count, 0);
  const failed = run.counts.quarantined - run.failedBefore;
  if (failed > MAX_QUARANTINED && failed * 2 > read) {
    run.stopping ??= "tooManyFailures";
    run.problems.push({
      severity: "error",
      nodeId: source.nodeId,
      code: "too_many_failures",
      message: "Most records of this cycle were put into quarantine, so the pipeline stopped.",
      detail: null,
    });
  }
  pageDone(step, true);
}

/** A record or link moved meanwhile: the same page is looked at again from the start. */
function conflict(step: SourceStep): void {
  const { state } = step;
  if (state.work.stage !== "committing") return;
  const { seen } = state.work.decided.processed;
  state.conflicts += 1;
  if (state.conflicts > CONFLICTS_IN_A_ROW) {
    const message = "Records of this page kept changing while it was processed.";
    giveUp(step, { kind: "conflict", message, retryable: true, isSafeToRetry: true });
    return;
  }
  lookAgain(step, seen);
}

/** The first page is looked up and decided once more. */
function lookAgain({ state, source, effects }: SourceStep, seen: FingerprintedPage): void {
  state.work = { stage: "resolving", seen };
  effects.push({
    kind: "resolve",
    nodeId: source.nodeId,
    requestId: state.slots[0]!.requestId,
    request: resolveRequest(source, seen, state.mode === "changes"),
  });
}

/** Halves the page until the record that can't be stored is alone, and puts that one aside. */
function unstorable(step: SourceStep, reason: string): void {
  const { state } = step;
  const [slot] = state.slots;
  const seen = seenAtWork(state);
  const page = slot?.page;
  if (!page || !seen) return;
  const [record, ...others] = seen.records;
  // What is left of the page is no record of it: nothing that reading could pass by.
  if (!record) throw new Error(reason);
  if (others.length === 0) {
    lookAgain(step, { ...seen, records: [], seen: [], unstorable: [...(seen.unstorable ?? []), { record, reason }] });
    return;
  }
  halvePage(step, { ...slot, page }, seen);
}

/** The page goes on as two. */
function halvePage(step: SourceStep, slot: ReadSlot, seen: FingerprintedPage): void {
  const { state, source, run } = step;
  const half = halve(step, slot, seen);
  countRead(run, source.nodeId, -half.later.page.records.length);
  state.slots.splice(0, 1, half.sooner, half.later);
  lookAgain(step, fingerprinted(step, half.sooner.page, slot));
}

/** What is known of the page that is decided or written; null while it is at another stage. */
function seenAtWork({ work }: SourceStep["state"]): FingerprintedPage | null {
  if (work.stage === "matching") return work.processed.seen;
  return work.stage === "committing" ? work.decided.processed.seen : null;
}

/** Nothing more of this source in this cycle; the page is read again in a later one. */
function giveUp({ run, state, source, env }: SourceStep, failure: SystemFailure): void {
  state.work = { stage: "idle" };
  state.slots.length = 0;
  state.next = undefined;
  state.state = "failed";
  recordFailure(run, { placeId: source.place.id, nodeId: source.nodeId }, failure, env.now);
}

/** The first page is through: its position is reached, the next one moves up. */
function pageDone(step: SourceStep, isSaved: boolean): void {
  const { state } = step;
  const position = positionAfter(step, state.slots[0]);
  state.uncommittedPosition = isSaved ? null : (position ?? state.uncommittedPosition);
  state.uncommittedPages = isSaved ? 0 : state.uncommittedPages + 1;
  if (isSaved) state.committedAt = step.env.now;
  state.conflicts = 0;
  const isLast = state.slots[0]?.page?.drained === true || isSinglePage(step);
  if (isLast && position) step.run.reached[state.nodeId] = position.cursor;
  if (position?.knownUntil) step.run.knownUntil[state.nodeId] = position.knownUntil;
  if (isLast) {
    // A single page of many leaves the rest unread.
    if (state.slots[0]?.page?.drained) state.readAt = state.slots[0].askedAt;
    stopReading(state);
  }
  state.slots.shift();
  state.work = { stage: "idle" };
  step.run.pages += 1;
  if (isLast && !step.run.stopping) releaseDeletions(step);
  if (step.run.resync && step.run.pages >= RESYNC_SLICE && !isLast) step.run.stopping ??= "timeSlice";
  if (isLast && state.slots.length === 0) finishSource(step);
  else if (state.state === "open" && !step.run.stopping) {
    requestNextPages(step);
    beginWork(step);
  }
}

/** A source that gives one page a cycle has given it. */
function isSinglePage({ source, state }: SourceStep): boolean {
  const [slot] = state.slots;
  return source.readMode === "single" && state.mode === "changes" && slot?.isReplay === false && slot.part !== "first";
}

function finishSource(step: SourceStep): void {
  const { state, run } = step;
  state.state = "done";
  state.begunAt = null;
  if (state.isDueAgain) {
    state.isDueAgain = false;
    reopenSources(step.plan, run, [state.nodeId]);
  }
  if (run.resync && !run.resync.finished.includes(state.nodeId)) run.resync.finished.push(state.nodeId);
}
