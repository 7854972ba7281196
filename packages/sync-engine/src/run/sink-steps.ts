/** A destination's way through a cycle: claim, look before creating, write down the intent, send, settle. */
import type { WriteOutcome } from "@accord/connector-sdk";
import { batchSize } from "./batch-size.ts";
import { noteDue } from "./due-deliveries.ts";
import { adoptFound, lookupOf } from "./find-before-create.ts";
import { afterFoundGone, foundGone } from "./found-gone.ts";
import { afterLoss, lossIn } from "./fingerprint.ts";
import { waitingForHeldBack } from "./held-back.ts";
import { isLateRead } from "./late-reads.ts";
import { claimedWithLosses, lastLoss } from "./lost-fields.ts";
import { beginPacking, claimRequest, createOnlyChanges, endPacking, goOnPacking, type Packing } from "./pack.ts";
import { intentOf, operationOf, type Packed, type Parcel } from "./parcels.ts";
import { findSinkAt, type Plan, type SinkPlan } from "./plan.ts";
import type { Effect, Input, SystemFailure } from "./protocol.ts";
import type { Run, SinkRun, StepEnv } from "./run.ts";
import { warningsOf } from "./traveller.ts";
import { enqueueRecords, enqueueUnsure } from "./source-reading.ts";
import { afterConflict, afterLateRead, READ_FIRST_MS, readFirst, waitForTie } from "./settlements.ts";
import { afterSystemFailure, failureOfAll } from "./system-failures.ts";
import { clearFailure, noteFailure, noteWarnings, warningsOfQuarantine } from "./problems.ts";
import type { Claimed, Settlement } from "./storage.ts";
import { settle } from "./take-answer.ts";
import { callDelay } from "./retry.ts";
import { holdsCreations, isReadSince, withoutUnread } from "./unread-places.ts";
import { noteWaiting } from "./waiting-records.ts";
import { refusedFields, withoutRefused } from "./waiting-fields.ts";

type SinkInput =
  | Extract<Input, { kind: "claimed" | "intended" | "lookedUp" | "sent" | "sendFailed" | "settled" }>
  | (Extract<Input, { kind: "answered" | "askFailed" }> & { placeId: number })
  | { kind: "claim"; placeId: number };

interface SinkStep {
  plan: Plan;
  run: Run;
  sink: SinkPlan;
  state: SinkRun;
  env: StepEnv;
  effects: Effect[];
}

export function stepSink(plan: Plan, run: Run, input: SinkInput, env: StepEnv, effects: Effect[]): void {
  const state = run.sinks.find(({ placeId }) => placeId === input.placeId);
  const sink = findSinkAt(plan, input.placeId);
  if (!state || !sink) return;
  const step: SinkStep = { plan, run, sink, state, env, effects };
  const at = state.state;
  switch (input.kind) {
    case "claim":
      state.dirty = false;
      state.loss = lastLoss(run.lostFields[sink.place.id] ?? {});
      state.state = { stage: "claiming" };
      effects.push({
        kind: "claim",
        placeId: sink.place.id,
        request: claimRequest(sink, batchSize(run, sink, state), holdsCreations(step)),
      });
      return;
    case "claimed":
      if (at.stage === "claiming") claimed(step, input.claimed);
      return;
    case "answered":
      if (at.stage === "asking") travel(step, goOnPacking(at.packing, input.answers));
      return;
    case "askFailed":
      if (at.stage === "asking") {
        noteSinkFailure(step, input.failure);
        state.state = { stage: "failed" };
      }
      return;
    case "lookedUp":
      if (at.stage === "looking") {
        intend(step, adoptFound(sink, at.packed, input.records, env.now));
      }
      return;
    case "intended":
      if (at.stage === "intending") intended(step, at.packed, input.answer);
      return;
    case "sent":
      if (at.stage === "sending") {
        state.operationMs = (env.now - at.sentAt) / Math.max(1, at.standing.length);
        sent(step, at.packed, at.standing, input.outcomes);
      }
      return;
    case "sendFailed":
      sendFailed(step, input.failure);
      return;
    case "settled":
      if (at.stage === "settling") settled(step, at.more, input.answer);
  }
}

function claimed(step: SinkStep, claimedWork: Claimed): void {
  const { run, sink, state, env } = step;
  const found = claimedWithLosses(sink.place, run.lostFields[sink.place.id] ?? {}, claimedWork);
  const heldUntil = holdsCreations(step) ? env.now + READ_FIRST_MS : 0;
  if (found.nextAt !== null) noteDue(step, Math.max(found.nextAt, heldUntil));
  if (found.deliveries.length === 0) {
    state.state = state.dirty ? { stage: "waiting" } : { stage: "done" };
    return;
  }
  // Claimed work may hide more behind it.
  state.dirty = true;
  const early = found.deliveries.filter((delivery) => delivery.unanswered !== null && !isReadSince(step, delivery));
  const deliveries = found.deliveries.filter((delivery) => !early.includes(delivery));
  const packing = beginPacking(sink, { ...found, deliveries }, { now: env.now, random: env.random }, state.lacking);
  for (const delivery of early) packing.packed.settled.push(readFirst(delivery, env.now));
  travel(step, packing);
}

/** Sends records on; where their road asks, the answers bring them further. */
function travel(step: SinkStep, packing: Packing): void {
  const { run, sink, state, effects } = step;
  if (packing.trip.state === "asking") {
    state.state = { stage: "asking", packing };
    const { questions } = packing.trip;
    effects.push({ kind: "ask", nodeId: sink.nodeId, placeId: sink.place.id, questions });
    return;
  }
  const onTheWay = packing.trip.arrived.flatMap((flow) => (flow.warnings.length > 0 ? warningsOf(flow) : []));
  noteWarnings(run, [...onTheWay, ...createOnlyChanges(sink, packing)]);
  const packed = withoutUnread(step, endPacking(sink, packing));
  noteWaiting(step, packed.waiting);
  const lookup = lookupOf(sink, packed.parcels);
  if (lookup) {
    state.state = { stage: "looking", packed, tries: 0 };
    effects.push({ kind: "lookup", placeId: sink.place.id, ...lookup });
  } else intend(step, packed);
}

function intend(step: SinkStep, packed: Packed): void {
  const { sink, state, effects } = step;
  if (packed.parcels.length === 0) {
    conclude(step, packed.settled, true);
    return;
  }
  state.state = { stage: "intending", packed };
  effects.push({
    kind: "intend",
    placeId: sink.place.id,
    intents: packed.parcels.map((parcel) => intentOf(sink, parcel, step.env.now)),
  });
}

function intended(step: SinkStep, packed: Packed, answer: Extract<Input, { kind: "intended" }>["answer"]): void {
  const { run, sink, state, effects } = step;
  if (answer.status === "lost") {
    run.stopping = "lost";
    return;
  }
  const standing = packed.parcels.filter(({ delivery }) => answer.standing.has(delivery.recordId));
  for (const parcel of packed.parcels) {
    if (answer.taken.has(parcel.delivery.recordId)) packed.settled.push(waitForTie(parcel, step.env.now));
  }
  if (standing.length === 0) {
    conclude(step, packed.settled, true);
    return;
  }
  state.state = { stage: "sending", packed, standing, tries: 0, sentAt: step.env.now };
  const operations = standing.map((parcel) => operationOf(sink, parcel));
  effects.push({ kind: "send", placeId: sink.place.id, operations });
}

function sent(step: SinkStep, packed: Packed, standing: readonly Parcel[], outcomes: readonly WriteOutcome[]): void {
  const { plan, run, sink, state, env } = step;
  const noAnswer: WriteOutcome = { status: "unknown", message: "The destination gave no answer for this record." };
  const failure = failureOfAll(outcomes, run.failures[sink.place.id] !== undefined);
  if (failure) {
    systemFailed(step, packed, standing, outcomes, failure);
    return;
  }
  clearFailure(run, sink.place.id);
  const isLate = (index: number): boolean => {
    const [parcel, outcome] = [standing[index], outcomes[index]];
    return parcel !== undefined && outcome?.status === "conflict" && isLateRead(sink, parcel.delivery, outcome.record);
  };
  const changed = outcomes.flatMap((outcome, index) =>
    outcome.status === "conflict" && !isLate(index) ? [outcome.record] : [],
  );
  noteWarnings(run, waitingForHeldBack(sink, standing, outcomes));
  const isReadNow = changed.length > 0 && enqueueRecords(plan, run, sink.place.id, changed);
  const gone = foundGone(plan, sink, standing, outcomes);
  if (gone.ids.length > 0) enqueueUnsure(plan, run, sink.place.id, gone.ids);
  const settlements = standing.map((parcel, index) => {
    const outcome = outcomes[index] ?? noAnswer;
    if (isLate(index)) return afterLateRead(parcel.delivery, env.now);
    if (outcome.status === "conflict") return afterConflict(parcel.delivery, isReadNow, env.now);
    if (gone.parcels.has(parcel)) return afterFoundGone(parcel, env.now);
    const refused = refusedFields(sink, parcel, outcome);
    if (refused.length > 0) {
      state.lacking = new Set([...state.lacking, ...refused]);
      state.refused.add(parcel.delivery.recordId);
      return withoutRefused(sink, parcel, refused, env.now);
    }
    return settle(sink, parcel, outcome, env.now);
  });
  const done = outcomes.filter(({ status }) => status === "done").length;
  run.counts.delivered[sink.place.id] = (run.counts.delivered[sink.place.id] ?? 0) + done;
  conclude(step, [...packed.settled, ...settlements], true);
}

function noteSinkFailure({ run, sink, env }: SinkStep, failure: SystemFailure): void {
  noteFailure(run, { placeId: sink.place.id, nodeId: sink.nodeId, isOfWrites: true }, failure, env.now);
}

/** The system refused or broke as a whole: tried again later, by its own back-off and counting against no record. */
function sendFailed(step: SinkStep, failure: SystemFailure): void {
  const { state } = step;
  const at = state.state;
  if (tryAgain(step, failure)) return;
  if (at.stage === "looking") {
    noteSinkFailure(step, failure);
    state.state = { stage: "failed" };
  } else if (at.stage === "sending") {
    const status = failure.nothingDone ? "retry" : "unknown";
    const outcomes = at.standing.map((): WriteOutcome => ({ status, message: failure.message }));
    systemFailed(step, at.packed, at.standing, outcomes, failure);
  }
}

function systemFailed(
  step: SinkStep,
  packed: Packed,
  standing: readonly Parcel[],
  outcomes: readonly WriteOutcome[],
  failure: SystemFailure,
): void {
  const { sink, env } = step;
  noteSinkFailure(step, failure);
  const settlements = standing.map((parcel, index) => {
    const isAnswered = outcomes[index]?.status === "retry" && parcel.delivery.unanswered === null;
    // A record that is alone with its failure may be the reason for it.
    const isSuspect = standing.length === 1 && !failure.nothingDone;
    return afterSystemFailure(sink, parcel, failure.message, { isAnswered, isSuspect, now: env.now });
  });
  conclude(step, [...packed.settled, ...settlements], false);
}

/** The same call once more after a while, where it surely did nothing. */
function tryAgain({ run, sink, state, env, effects }: SinkStep, failure: SystemFailure): boolean {
  const at = state.state;
  // A system that is known to be down is asked once a cycle.
  const isDown = run.failures[sink.place.id] !== undefined && failure.kind !== "rateLimited";
  if (run.stopping || isDown || !failure.nothingDone) return false;
  if (at.stage !== "looking" && at.stage !== "sending") return false;
  const delayMs = callDelay(failure, at.tries, env.random());
  if (delayMs === null) return false;
  at.tries += 1;
  const placeId = sink.place.id;
  if (at.stage === "sending") {
    effects.push({
      kind: "send",
      placeId,
      operations: at.standing.map((parcel) => operationOf(sink, parcel)),
      delayMs,
    });
    return true;
  }
  const lookup = lookupOf(sink, at.packed.parcels);
  if (lookup) effects.push({ kind: "lookup", placeId, ...lookup, delayMs });
  return lookup !== null;
}

function conclude(step: SinkStep, settlements: Settlement[], more: boolean): void {
  const { run, sink, state, effects } = step;
  for (const { quarantine, nextAt, result, attempts } of settlements) {
    if (quarantine) {
      run.counts.quarantined += 1;
      if (attempts > 1) run.failedBefore += 1;
      noteWarnings(run, warningsOfQuarantine([quarantine], sink.nodeId));
    }
    if (result === "again") noteDue(step, nextAt);
  }
  if (settlements.length === 0) {
    state.state = { stage: "waiting" };
    return;
  }
  state.state = { stage: "settling", more };
  effects.push({ kind: "settle", placeId: sink.place.id, settlements: settlements.map(afterLastLoss(state)) });
}

/** What is known of a record by what was written to it is known since the losses that were known by then. */
const afterLastLoss =
  ({ loss }: SinkRun) =>
  (settlement: Settlement): Settlement => {
    const { link } = settlement;
    if (link?.seen == null || lossIn(link.seen) >= loss) return settlement;
    return { ...settlement, link: { ...link, seen: afterLoss(link.seen, loss) } };
  };

function settled(step: SinkStep, more: boolean, answer: Extract<Input, { kind: "settled" }>["answer"]): void {
  const { run, state } = step;
  if (answer.status === "lost") {
    run.stopping = "lost";
    return;
  }
  if (answer.signal === "pause") run.stopping ??= "pause";
  state.state = more ? { stage: "waiting" } : { stage: "failed" };
}
