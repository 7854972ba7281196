/** A source's way through a cycle: look, match, decide, commit, page by page and in order, ahead where nothing asks. */
import { runTexts } from "@accord/contracts/messages/en/sync/run/cycle";
import type { SourceRecord } from "@accord/connector-sdk";
import { matchRequest } from "../merge/duplicates/match-request.ts";
import { withoutUndecided } from "../merge/duplicates/page-matching.ts";
import { goneAmong, holdersToConfirm, maySeekHolders } from "../merge/reinserted-rows.ts";
import type { Plan } from "../plan/plan.ts";
import { clearFailure, recordFailure, recordWarnings } from "../protocol/problems.ts";
import type { Effect, Input, SystemFailure } from "../protocol/protocol.ts";
import type { Resolved } from "../protocol/storage.ts";
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
import { lostAfter, resolvedWithLosses } from "../state/fields/dropped-fields.ts";
import { maybeReactivated } from "../state/links/reactivation.ts";
import { type Found, withCuts } from "./decision.ts";
import { type FingerprintedPage, resolveRequest } from "./page/fingerprint-page.ts";
import { afterCommit, countPage, mayStayUnsaved, requestCommit } from "./page-commit.ts";
import { decideNow, fingerprinted, isSinglePage, lostAt, lostWith, positionAfter, runEnv } from "./page-decision.ts";
import { finishPage, resumePage, type ProcessedPage, startPage, type PageExecution } from "./page/process-page.ts";
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

/** Pages behind the one worked on that are looked up, sent down their path and decided meanwhile. */
const PAGES_AHEAD = 2;
/** Pages of a resync after which a normal cycle gets its turn, so that live changes do not wait for history. */
const RESYNC_SLICE = 100;
const CONFLICTS_IN_A_ROW = 20;

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
      else if (state.work.stage === "mergingByCode") {
        const { decided, pending } = state.work;
        decideByCode(step, { ...decided, decision: pending.resume(input.answers) });
      }
      break;
    case "requestFailed":
      if (state.work.stage === "confirmingHolders") decideFirst(step, state.work.processed, state.work.found);
      else if (["suspended", "confirming", "mergingByCode"].includes(state.work.stage)) giveUp(step, input.failure);
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
  const processed = finishPage(pageExecution);
  if (matchRequest(plan, source, processed, runEnv(step))) {
    precomputed.processed = processed;
    return;
  }
  precomputed.decided = decideNow(step, processed, { candidates: [] }, positionAfter(step, slot));
  precomputed.resolved = null;
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

/** Looks the next pages up while the first is worked on. */
function prefetch(step: SourceStep): void {
  const { state, source } = step;
  if (state.work.stage === "idle") return;
  if (source.mappings.some(({ reference }) => reference !== null)) return;
  for (let index = 1; index <= PAGES_AHEAD; index += 1) {
    if (!state.slots[index]?.precomputed && !precomputeSlot(step, index)) return;
  }
}

/**
 * Only a page that shares no record with those before it: then nothing that their commits do can change the answer
 * unnoticed.
 */
function precomputeSlot(step: SourceStep, index: number): boolean {
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

function decideFirst(step: SourceStep, processed: ProcessedPage, found: Found): void {
  decideByCode(step, decideNow(step, processed, found, positionAfter(step, step.state.slots[0])));
}

/** Writes the page down, unless code has to say first what becomes of its duplicates. */
function decideByCode(step: SourceStep, decided: DecidedPage): void {
  const { pending } = decided.decision;
  if (!pending) {
    commit(step, decided);
    return;
  }
  step.state.work = { stage: "mergingByCode", decided, pending };
  step.effects.push({ kind: "ask", nodeId: step.source.nodeId, placeId: null, dataRequests: pending.dataRequests });
}

function commit(step: SourceStep, decided: DecidedPage): void {
  if (requestCommit(step, decided)) return;
  countPage(step, decided);
  pageDone(step, false);
}

function committed(step: SourceStep, answer: Extract<Input, { kind: "committed" }>["answer"]): void {
  const { state, run } = step;
  if (state.work.stage !== "committing") return;
  if (answer.status === "lost") {
    run.stopping = "lost";
    return;
  }
  if (answer.status === "conflict") {
    conflict(step);
    return;
  }
  afterCommit(step, state.work, answer.signal);
  pageDone(step, true);
}

/** A record or link moved meanwhile: the same page is looked at again from the start. */
function conflict(step: SourceStep): void {
  const { state } = step;
  if (state.work.stage !== "committing") return;
  const { seen } = state.work.decided.processed;
  state.conflicts += 1;
  if (state.conflicts > CONFLICTS_IN_A_ROW) {
    const message = runTexts.keptChanging;
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
