/** A source's way through a cycle: look, match, decide, commit, page by page and in order, ahead where nothing asks. */
import type { ReadPage, SourceRecord } from "@accord/connector-sdk";
import type { RunEnv } from "../functions/run-env.ts";
import { perhapsBack } from "./come-back.ts";
import { decide } from "./decide.ts";
import type { Found } from "./decision.ts";
import {
  arrive,
  goOn,
  type LookedPage,
  resolveRequest,
  seePage,
  type SeenPage,
  setOut,
  type TravellingPage,
} from "./look.ts";
import { lastLoss, lostAfter, lostByPage, resolvedWithLosses } from "./lost-fields.ts";
import { matchRequest } from "./match-request.ts";
import { goneAmong, holdersToConfirm, maySeekHolders } from "./reentered.ts";
import type { Plan } from "./plan.ts";
import { clearFailure, noteFailure, noteWarnings, warningsOfQuarantine } from "./problems.ts";
import type { Effect, Input, SystemFailure } from "./protocol.ts";
import {
  countRead,
  type DecidedPage,
  type EarlyPage,
  nextTicket,
  type Run,
  type Slot,
  type StepEnv,
  type Work,
} from "./run.ts";
import {
  closeSource,
  halve,
  reopenSources,
  idsOf,
  joinPages,
  pageRead,
  readFailed,
  readOn,
  holdDeletions,
  releaseDeletions,
  replaySlot,
  type SourceStep,
} from "./source-reading.ts";
import type { CommitBatch, Position, Resolved } from "./storage.ts";
import type { LostFields } from "./stored.ts";

/** Pages behind the one worked on that are looked up, sent down their road and decided meanwhile. */
const PAGES_AHEAD = 2;
/** Pages without anything to write after which the position is written down all the same. */
const UNSAVED_PAGES = 20;
/** Milliseconds after which it is too: people watch a resync that finds nothing to write. */
const UNSAVED_MS = 3_000;
/** Pages of a resync after which a normal cycle gets its turn, so that live changes do not wait for history. */
const RESYNC_SLICE = 100;
const CONFLICTS_IN_A_ROW = 20;
/** Quarantined records in one cycle after which a pipeline that fails more often than not stops. */
const FLOOD = 500;

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
          | "askFailed";
      }
    >
  | { kind: "readOn"; nodeId: string };

export function stepSource(plan: Plan, run: Run, input: SourceInput, env: StepEnv, effects: Effect[]): void {
  const state = run.sources.find(({ nodeId }) => nodeId === input.nodeId);
  const source = plan.sources.find(({ nodeId }) => nodeId === input.nodeId);
  if (!state || !source) return;
  const step: SourceStep = { plan, run, source, state, env, effects };
  switch (input.kind) {
    case "readOn":
      break;
    case "pageRead":
      pageRead(step, input);
      break;
    case "readFailed":
      readFailed(step, input.ticket, input.failure);
      break;
    case "resolved":
      resolved(step, input.ticket, input.resolved);
      break;
    case "answered":
      if (state.work.stage === "asking") travel(step, goOn(state.work.travelling, input.answers));
      break;
    case "askFailed":
      if (state.work.stage === "confirmingHolders") decideFirst(step, state.work.looked, state.work.found);
      else if (["asking", "confirming"].includes(state.work.stage)) giveUp(step, input.failure);
      break;
    case "gotById":
      confirmed(step, input.records);
      break;
    case "matched":
      if (state.work.stage === "matching") matched(step, state.work.looked, input);
      break;
    case "committed":
      committed(step, input.answer);
      break;
    case "unstorable":
      unstorable(step, input.reason);
  }
  if (state.state === "open" && !run.stopping) {
    readOn(step);
    beginWork(step);
    lookEarly(step);
  }
}

/** The look-up of the page worked on, or of one behind it. */
function resolved(step: SourceStep, ticket: number, found: Resolved): void {
  const { state } = step;
  const slot = state.slots.find((candidate) => candidate.ticket === ticket);
  if (!slot) return;
  const known = resolvedWithLosses(step.source.place, lostWith(step, slot.page), found);
  if (slot === state.slots[0] && state.work.stage === "resolving") decideOn(step, state.work.seen, known);
  else if (slot.early) thinkAhead(step, slot, slot.early, known);
}

/** Decides on a page while those before it are committed; what somebody changes in between shows as a conflict. */
function thinkAhead(step: SourceStep, slot: Slot, early: EarlyPage, found: Resolved): void {
  const { plan, source, effects } = step;
  early.resolved = found;
  // Records have to be asked for first.
  if (slot.isUnsure || perhapsBack(source, early.seen, found).size > 0) return;
  const travelling = setOut(source, early.seen, found, runEnv(step));
  // What is asked may depend on the page before: it waits for its turn.
  if (travelling.trip.state === "asking") return;
  early.looked = arrive(travelling);
  if (matchRequest(plan, source, early.looked, runEnv(step))) return;
  early.decided = decideNow(step, early.looked, { candidates: [] }, positionAfter(step, slot));
  effects.push({ kind: "prepare", nodeId: source.nodeId, batch: early.decided.decision.batch });
}

function decideOn(step: SourceStep, seen: SeenPage, found: Resolved): void {
  const [slot] = step.state.slots;
  const ids = slot?.isUnsure ? new Set(seen.records.map(({ id }) => id)) : perhapsBack(step.source, seen, found);
  if (ids.size === 0) {
    travel(step, setOut(step.source, seen, found, runEnv(step)));
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
  Object.assign(slot, { ids: null, early: null });
  slots.unshift(replaySlot(records, { ticket: nextTicket(run), askedAt: work.askedAt }));
  state.work = { stage: "idle" };
}

/** Decides on a page, once it is known whether rows that stand for what its new ones are are still there. */
function matched(step: SourceStep, looked: LookedPage, found: Found): void {
  const { state, source, effects } = step;
  const [slot] = state.slots;
  const ids = slot?.hasHolders ? NO_IDS : holdersToConfirm(looked, found);
  if (ids.size === 0) {
    decideFirst(step, looked, found);
    return;
  }
  state.work = { stage: "confirmingHolders", looked, found };
  effects.push({ kind: "getById", nodeId: source.nodeId, ids: [...ids] });
}

const NO_IDS: ReadonlySet<string> = new Set();

/** Rows that are gone become part of the page, which is looked at again: a new row may take their records over. */
function holdersConfirmed(
  step: SourceStep,
  { looked, found }: Extract<Work, { stage: "confirmingHolders" }>,
  records: readonly SourceRecord[],
): void {
  const { state, run, source } = step;
  const [slot] = state.slots;
  if (!slot?.page) return;
  slot.hasHolders = true;
  const gone = goneAmong(records);
  if (gone.length === 0) {
    decideFirst(step, looked, found);
    return;
  }
  countRead(run, source.nodeId, -slot.page.records.length);
  slot.page = { ...slot.page, records: [...gone, ...slot.page.records] };
  Object.assign(slot, { ids: null, early: null });
  state.work = { stage: "idle" };
}

/** Sends a page on; where its road asks, the answers bring it further. */
function travel(step: SourceStep, travelling: TravellingPage): void {
  const { state, source, effects } = step;
  if (travelling.trip.state === "asking") {
    state.work = { stage: "asking", travelling };
    const { questions } = travelling.trip;
    effects.push({ kind: "ask", nodeId: source.nodeId, placeId: null, questions });
    return;
  }
  arrived(step, arrive(travelling));
}

function arrived(step: SourceStep, looked: LookedPage): void {
  const { state, source, effects } = step;
  const request = matchRequest(step.plan, source, looked, runEnv(step));
  if (request) {
    state.work = { stage: "matching", looked };
    effects.push({ kind: "match", nodeId: source.nodeId, request });
  } else decideFirst(step, looked, { candidates: [] });
}

/** Fields that the source's place has lost so far. */
const lostAt = ({ run, source }: SourceStep): LostFields => run.lostFields[source.place.id] ?? NOTHING_LOST;
const NOTHING_LOST: LostFields = {};
/** Likewise once a page is read. */
const lostWith = (step: SourceStep, page: ReadPage | null | undefined): LostFields =>
  page ? lostByPage(step.source, lostAt(step), page) : lostAt(step);

const fingerprinted = (step: SourceStep, page: ReadPage, { isReplay, askedAt }: Slot): SeenPage =>
  seePage(step.source, page, { isReplay, askedAt, loss: lastLoss(lostWith(step, page)) });

/** Looks the next pages up while the first is worked on. */
function lookEarly(step: SourceStep): void {
  const { state, source } = step;
  if (state.work.stage === "idle") return;
  if (source.mappings.some(({ reference }) => reference !== null)) return;
  for (let index = 1; index <= PAGES_AHEAD; index += 1) {
    if (!state.slots[index]?.early && !lookAt(step, index)) return;
  }
}

/**
 * Only a page that shares no record with those before it: then nothing that their commits do can change the answer
 * unnoticed.
 */
function lookAt(step: SourceStep, index: number): boolean {
  const { state, source, effects } = step;
  joinPages(state, index);
  const slot = state.slots[index];
  if (!slot?.page || slot.page.records.length === 0) return false;
  const before = state.slots.slice(0, index).map(idsOf);
  if (slot.page.records.some(({ id }) => before.some((ids) => ids.has(id)))) return false;
  const seen = fingerprinted(step, slot.page, slot);
  slot.early = { seen, resolved: null, looked: null, decided: null };
  const request = resolveRequest(source, seen, state.mode === "changes");
  effects.push({ kind: "resolve", nodeId: source.nodeId, ticket: slot.ticket, request });
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
  joinPages(state, 0);
  const [slot] = state.slots;
  if (slot && maySeekHolders(source)) holdDeletions(state, slot);
  const page = slot?.page;
  if (!page) {
    if (state.slots.length === 0 && state.next === undefined) finishSource(step);
    return;
  }
  const early = slot.early;
  const seen = early?.seen ?? fingerprinted(step, page, slot);
  countRead(run, source.nodeId, page.records.length);
  if (!run.failures[source.place.id]?.isOfWrites) clearFailure(run, source.place.id);
  const isNothing =
    seen.records.length === 0 && seen.bad.length === 0 && lostAfter(source, lostWith(step, page)) === lostAt(step);
  if (isNothing && mayStayUnsaved(step)) {
    noteWarnings(run, seen.warnings);
    pageDone(step, false);
    return;
  }
  state.work = { stage: "resolving", seen };
  if (early?.decided) commit(step, early.decided);
  else if (early?.looked) arrived(step, early.looked);
  else if (early?.resolved) decideOn(step, seen, early.resolved);
  if (early) return;
  const request = resolveRequest(source, seen, state.mode === "changes");
  effects.push({ kind: "resolve", nodeId: source.nodeId, ticket: state.slots[0]!.ticket, request });
}

/** Where reading goes on after a page, if that is news. */
function positionAfter(step: SourceStep, slot: Slot | undefined): Position | null {
  const { state, source, run } = step;
  if (!slot?.page || slot.isReplay || slot.part === "first") return null;
  const isThrough = slot.page.drained || source.readMode === "single";
  return {
    nodeId: source.nodeId,
    cursor: slot.page.cursor,
    ...(state.mode === "all" ? { of: "resync", resyncId: run.resync?.resyncId } : { of: "changes" }),
    isThrough,
    ...knownAfter(step, slot.page),
  };
}

/** The last page of a reading of changes brought what was done before that began, as far as the system showed it. */
function knownAfter({ state, source }: SourceStep, { drained, isPutOff }: ReadPage): Pick<Position, "knownUntil"> {
  const isWhole = drained && !isPutOff && source.readMode === "drain" && state.mode === "changes";
  if (!isWhole || !state.begunAt) return {};
  return { knownUntil: new Date(state.begunAt - source.readDelayMs).toISOString() };
}

function decideNow(step: SourceStep, looked: LookedPage, found: Found, position: Position | null): DecidedPage {
  const { plan, source, state, env, run } = step;
  const decision = decide(plan, source, looked, found, position, {
    now: new Date(env.now).toISOString(),
    newId: env.newId,
    reapply: state.mode === "all",
    following: {
      since: run.followedSince[source.nodeId] ?? null,
      joinedAfter: run.joinedAfter[source.nodeId] ?? null,
      isOfAll: !looked.seen.isReplay && (state.mode === "all" || (run.reached[source.nodeId] ?? null) === null),
      isFirstLoad: run.resync !== null || run.historyPlaces.length > 0 || run.unreadPlaces.length > 0,
    },
    knownUntil: run.knownUntil[source.nodeId] ?? null,
    run: runEnv(step),
  });
  return { looked, decision };
}

function decideFirst(step: SourceStep, looked: LookedPage, found: Found): void {
  commit(step, decideNow(step, looked, found, positionAfter(step, step.state.slots[0])));
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
  const tells = new Set([...placesOf(batch.deliveries), ...placesOf(batch.lacking), ...(batch.merging?.tellAt ?? [])]);
  state.work = { stage: "committing", decided, tells };
  effects.push({ kind: "commit", nodeId: source.nodeId, batch });
}

const placesOf = (told: readonly { placeId: number }[] = []): number[] => told.map(({ placeId }) => placeId);

/** What came of a page, once that is certain: a page that is looked at again after a conflict counts once. */
function count({ run, source }: SourceStep, { looked, decision }: DecidedPage): void {
  noteWarnings(run, looked.warnings);
  noteWarnings(run, decision.warnings);
  noteWarnings(run, warningsOfQuarantine(decision.batch.quarantine, source.nodeId));
  run.counts.absorbed += looked.absorbed;
  run.counts.filtered += looked.filtered;
  run.counts.created += decision.created;
  run.counts.updated += decision.updated;
  run.counts.deleted += decision.deleted;
  run.counts.refused += decision.refused;
  run.counts.quarantined += decision.batch.quarantine.length;
}

/** A page with nothing to write costs no checkpoint, unless the last one is some pages or seconds ago. */
function mayStayUnsaved({ state, env }: SourceStep): boolean {
  state.savedAt ??= env.now;
  return state.unsavedPages < UNSAVED_PAGES && env.now - state.savedAt < UNSAVED_MS;
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
    batch.actionsOver.length +
    batch.pending.length +
    (batch.conflicts?.length ?? 0) +
    (batch.agreed?.length ?? 0) +
    (batch.lacking?.length ?? 0) ===
    0 &&
  !batch.merging &&
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
  for (const placeId of state.work.tells) wake(run, placeId);
  if (answer.signal !== "none") run.stopping ??= answer.signal;
  const read = Object.values(run.counts.read).reduce((sum, count) => sum + count, 0);
  const failed = run.counts.quarantined - run.failedBefore;
  if (failed > FLOOD && failed * 2 > read) {
    run.stopping ??= "flood";
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
  const { seen } = state.work.decided.looked;
  state.conflicts += 1;
  if (state.conflicts > CONFLICTS_IN_A_ROW) {
    const message = "Records of this page kept changing while it was processed.";
    giveUp(step, { kind: "conflict", message, retryable: true, nothingDone: true });
    return;
  }
  lookAgain(step, seen);
}

/** The first page is looked up and decided once more. */
function lookAgain({ state, source, effects }: SourceStep, seen: SeenPage): void {
  state.work = { stage: "resolving", seen };
  effects.push({
    kind: "resolve",
    nodeId: source.nodeId,
    ticket: state.slots[0]!.ticket,
    request: resolveRequest(source, seen, state.mode === "changes"),
  });
}

/** Halves the page until the record that can't be stored is alone, and puts that one aside. */
function unstorable(step: SourceStep, reason: string): void {
  const { state, source, run } = step;
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
  const half = halve(step, { ...slot, page }, seen);
  countRead(run, source.nodeId, -half.later.page.records.length);
  state.slots.splice(0, 1, half.sooner, half.later);
  lookAgain(step, fingerprinted(step, half.sooner.page, slot));
}

/** What is known of the page that is decided or written; null while it is at another stage. */
function seenAtWork({ work }: SourceStep["state"]): SeenPage | null {
  if (work.stage === "matching") return work.looked.seen;
  return work.stage === "committing" ? work.decided.looked.seen : null;
}

/** Nothing more of this source in this cycle; the page is read again in a later one. */
function giveUp({ run, state, source, env }: SourceStep, failure: SystemFailure): void {
  state.work = { stage: "idle" };
  state.slots.length = 0;
  state.next = undefined;
  state.state = "failed";
  noteFailure(run, { placeId: source.place.id, nodeId: source.nodeId }, failure, env.now);
}

/** The first page is through: its position is reached, the next one moves up. */
function pageDone(step: SourceStep, isSaved: boolean): void {
  const { state } = step;
  const position = positionAfter(step, state.slots[0]);
  state.unsaved = isSaved ? null : (position ?? state.unsaved);
  state.unsavedPages = isSaved ? 0 : state.unsavedPages + 1;
  if (isSaved) state.savedAt = step.env.now;
  state.conflicts = 0;
  const isLast = state.slots[0]?.page?.drained === true || isSinglePage(step);
  if (isLast && position) step.run.reached[state.nodeId] = position.cursor;
  if (position?.knownUntil) step.run.knownUntil[state.nodeId] = position.knownUntil;
  if (isLast) {
    // A single page of many leaves the rest unread.
    if (state.slots[0]?.page?.drained) state.readAt = state.slots[0].askedAt;
    closeSource(state);
  }
  state.slots.shift();
  state.work = { stage: "idle" };
  step.run.pages += 1;
  if (isLast && !step.run.stopping) releaseDeletions(step);
  if (step.run.resync && step.run.pages >= RESYNC_SLICE && !isLast) step.run.stopping ??= "slice";
  if (isLast && state.slots.length === 0) finishSource(step);
  else if (state.state === "open" && !step.run.stopping) {
    readOn(step);
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
