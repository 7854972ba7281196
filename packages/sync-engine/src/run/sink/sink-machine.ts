/** A destination's way through a cycle: claim, look before creating, write down the intent, send, settle. */
import { runTexts } from "@accord/contracts/messages/en/sync/run/cycle";
import type { WriteOutcome } from "@accord/connector-sdk";
import { batchSize } from "./deliveries/batch-size.ts";
import { recordDue } from "./deliveries/due-deliveries.ts";
import { adoptExisting, lookupOf } from "./creation/find-before-create.ts";
import { afterSinkDeletion, sinkDeletionOf } from "../state/links/deleted-at-sink.ts";
import { waitingForHeldBack } from "../state/filtered-records.ts";
import { isLateRead } from "../merge/partial-reads.ts";
import { countSinkPath } from "../state/flow-counts.ts";
import { claimedWithLosses, lastLoss } from "../state/fields/dropped-fields.ts";
import {
  beginPreparation,
  claimRequest,
  finishPreparation,
  resumePreparation,
  type WritePreparation,
} from "./prepare-writes.ts";
import { createOnlyChanges } from "./create-only-changes.ts";
import { intentOf, operationOf, type PreparedWrites, type PendingWrite } from "./deliveries/pending-writes.ts";
import { findSinkAt, type Plan } from "../plan/plan.ts";
import type { Effect, Input, SystemFailure } from "../protocol/protocol.ts";
import type { Run, StepContext } from "../run.ts";
import { warningsOf } from "../protocol/inbound-record.ts";
import { enqueueRecords, enqueueUnsure } from "../source/source-reading.ts";
import { afterConflict, afterLateRead, DEFER_UNTIL_READ_MS, deferUntilRead, waitForTie } from "./delivery-results.ts";
import { afterSystemFailure, failureOfAll, isOfPermission, isSuspected } from "./deliveries/system-failures.ts";
import { clearFailure, recordFailure, recordWarnings } from "../protocol/problems.ts";
import type { Claimed } from "../protocol/storage.ts";
import { settle } from "./deliveries/write-outcome.ts";
import { callDelay } from "../protocol/retry.ts";
import { holdsCreations, isReadSince, withoutUnread } from "../state/links/unread-endpoints.ts";
import { recordDeferred } from "./deliveries/deferred-records.ts";
import { refusedFields, withoutRefused } from "../state/fields/deferred-fields.ts";
import { type SinkStep, conclude } from "./sink-step.ts";

type SinkInput =
  | Extract<Input, { kind: "claimed" | "intended" | "lookedUp" | "sent" | "sendFailed" | "settled" }>
  | (Extract<Input, { kind: "answered" | "requestFailed" }> & { placeId: number })
  | { kind: "claim"; placeId: number };

export function stepSink(plan: Plan, run: Run, input: SinkInput, env: StepContext, effects: Effect[]): void {
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
      if (at.stage === "suspended") travel(step, resumePreparation(at.preparation, input.answers));
      return;
    case "requestFailed":
      if (at.stage === "suspended") {
        recordSinkFailure(step, input.failure);
        state.state = { stage: "failed" };
      }
      return;
    case "lookedUp":
      if (at.stage === "looking") {
        intend(step, adoptExisting(sink, at.preparedWrites, input.records, env.now));
      }
      return;
    case "intended":
      if (at.stage === "intending") intended(step, at.preparedWrites, input.answer);
      return;
    case "sent":
      if (at.stage === "sending") {
        state.operationMs = (env.now - at.sentAt) / Math.max(1, at.standing.length);
        sent(step, at.preparedWrites, at.standing, input.outcomes);
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
  const heldUntil = holdsCreations(step) ? env.now + DEFER_UNTIL_READ_MS : 0;
  if (found.nextAt !== null) recordDue(step, Math.max(found.nextAt, heldUntil));
  if (found.deliveries.length === 0) {
    // What was forbidden is in quarantine, and nothing else says that it would be too.
    const failed = run.failures[sink.place.id];
    if (failed && isOfPermission(failed)) clearFailure(run, sink.place.id);
    state.state = state.dirty ? { stage: "waiting" } : { stage: "done" };
    return;
  }
  // Claimed work may hide more behind it.
  state.dirty = true;
  const precomputed = found.deliveries.filter(
    (delivery) => delivery.unanswered !== null && !isReadSince(step, delivery),
  );
  const deliveries = found.deliveries.filter((delivery) => !precomputed.includes(delivery));
  const preparation = beginPreparation(
    sink,
    { ...found, deliveries },
    { now: env.now, random: env.random },
    state.lacking,
  );
  for (const delivery of precomputed) preparation.preparedWrites.settled.push(deferUntilRead(delivery, env.now));
  travel(step, preparation);
}

/** Sends records on; where their path asks, the answers bring them further. */
function travel(step: SinkStep, preparation: WritePreparation): void {
  const { run, sink, state, effects } = step;
  if (preparation.execution.state === "suspended") {
    state.state = { stage: "suspended", preparation };
    const { dataRequests } = preparation.execution;
    effects.push({ kind: "ask", nodeId: sink.nodeId, placeId: sink.place.id, dataRequests });
    return;
  }
  const onTheWay = preparation.execution.completed.flatMap((flow) =>
    flow.warnings.length > 0 ? warningsOf(flow) : [],
  );
  countSinkPath(run.counts, sink.nodeId, preparation.execution.counts);
  recordWarnings(run, [...onTheWay, ...createOnlyChanges(sink, preparation)]);
  const preparedWrites = withoutUnread(step, finishPreparation(sink, preparation));
  recordDeferred(step, preparedWrites.waiting);
  const lookup = lookupOf(sink, preparedWrites.pendingWrites);
  if (lookup) {
    state.state = { stage: "looking", preparedWrites, tries: 0 };
    effects.push({ kind: "lookup", placeId: sink.place.id, ...lookup });
  } else intend(step, preparedWrites);
}

function intend(step: SinkStep, preparedWrites: PreparedWrites): void {
  const { sink, state, effects } = step;
  if (preparedWrites.pendingWrites.length === 0) {
    conclude(step, preparedWrites.settled, true);
    return;
  }
  state.state = { stage: "intending", preparedWrites };
  effects.push({
    kind: "intend",
    placeId: sink.place.id,
    intents: preparedWrites.pendingWrites.map((pendingWrite) => intentOf(sink, pendingWrite, step.env.now)),
  });
}

function intended(
  step: SinkStep,
  preparedWrites: PreparedWrites,
  answer: Extract<Input, { kind: "intended" }>["answer"],
): void {
  const { run, sink, state, effects } = step;
  if (answer.status === "lost") {
    run.stopping = "lost";
    return;
  }
  const standing = preparedWrites.pendingWrites.filter(({ delivery }) => answer.standing.has(delivery.recordId));
  for (const pendingWrite of preparedWrites.pendingWrites) {
    if (answer.taken.has(pendingWrite.delivery.recordId))
      preparedWrites.settled.push(waitForTie(pendingWrite, step.env.now));
  }
  if (standing.length === 0) {
    conclude(step, preparedWrites.settled, true);
    return;
  }
  state.state = { stage: "sending", preparedWrites, standing, tries: 0, sentAt: step.env.now };
  const operations = standing.map((pendingWrite) => operationOf(sink, pendingWrite));
  effects.push({ kind: "send", placeId: sink.place.id, operations });
}

function sent(
  step: SinkStep,
  preparedWrites: PreparedWrites,
  standing: readonly PendingWrite[],
  outcomes: readonly WriteOutcome[],
): void {
  const { plan, run, sink, state, env } = step;
  const noAnswer: WriteOutcome = { status: "unknown", message: runTexts.noAnswer };
  const failure = failureOfAll(outcomes, run.failures[sink.place.id]);
  if (failure) {
    systemFailed(step, preparedWrites, standing, outcomes, failure);
    return;
  }
  clearFailure(run, sink.place.id);
  const isLate = (index: number): boolean => {
    const [pendingWrite, outcome] = [standing[index], outcomes[index]];
    return (
      pendingWrite !== undefined &&
      outcome?.status === "conflict" &&
      isLateRead(sink, pendingWrite.delivery, outcome.record)
    );
  };
  const changed = outcomes.flatMap((outcome, index) =>
    outcome.status === "conflict" && !isLate(index) ? [outcome.record] : [],
  );
  recordWarnings(run, waitingForHeldBack(sink, standing, outcomes));
  const isReadNow = changed.length > 0 && enqueueRecords(plan, run, sink.place.id, changed);
  const gone = sinkDeletionOf(plan, sink, standing, outcomes);
  if (gone.ids.length > 0) enqueueUnsure(plan, run, sink.place.id, gone.ids);
  const settlements = standing.map((pendingWrite, index) => {
    const outcome = outcomes[index] ?? noAnswer;
    if (isLate(index)) return afterLateRead(pendingWrite.delivery, env.now);
    if (outcome.status === "conflict") return afterConflict(pendingWrite.delivery, isReadNow, env.now);
    if (gone.pendingWrites.has(pendingWrite)) return afterSinkDeletion(pendingWrite, env.now);
    const refused = refusedFields(sink, pendingWrite, outcome);
    if (refused.length > 0) {
      state.lacking = new Set([...state.lacking, ...refused]);
      state.refused.add(pendingWrite.delivery.recordId);
      return withoutRefused(sink, pendingWrite, refused, env.now);
    }
    return settle(sink, pendingWrite, outcome, env.now);
  });
  const done = outcomes.filter(({ status }) => status === "done").length;
  run.counts.delivered[sink.place.id] = (run.counts.delivered[sink.place.id] ?? 0) + done;
  conclude(step, [...preparedWrites.settled, ...settlements], true);
}

function recordSinkFailure({ run, sink, env }: SinkStep, failure: SystemFailure): void {
  recordFailure(run, { placeId: sink.place.id, nodeId: sink.nodeId, isOfWrites: true }, failure, env.now);
}

/** The system refused or broke as a whole: tried again later, by its own back-off and counting against no record. */
function sendFailed(step: SinkStep, failure: SystemFailure): void {
  const { state } = step;
  const at = state.state;
  if (tryAgain(step, failure)) return;
  if (at.stage === "looking") {
    recordSinkFailure(step, failure);
    state.state = { stage: "failed" };
  } else if (at.stage === "sending") {
    const status = failure.isSafeToRetry ? "retry" : "unknown";
    const outcomes = at.standing.map((): WriteOutcome => ({ status, message: failure.message }));
    systemFailed(step, at.preparedWrites, at.standing, outcomes, failure);
  }
}

function systemFailed(
  step: SinkStep,
  preparedWrites: PreparedWrites,
  standing: readonly PendingWrite[],
  outcomes: readonly WriteOutcome[],
  failure: SystemFailure,
): void {
  const { sink, env } = step;
  recordSinkFailure(step, failure);
  const settlements = standing.map((pendingWrite, index) => {
    const status = outcomes[index]?.status;
    const isAnswered = (status === "retry" || status === "rejected") && pendingWrite.delivery.unanswered === null;
    const isSuspect = isSuspected(failure, standing.length);
    return afterSystemFailure(sink, pendingWrite, failure.message, { isAnswered, isSuspect, now: env.now });
  });
  conclude(step, [...preparedWrites.settled, ...settlements], false);
}

/** The same call once more after a while, where it surely did nothing. */
function tryAgain({ run, sink, state, env, effects }: SinkStep, failure: SystemFailure): boolean {
  const at = state.state;
  // A system that is known to be down is asked once a cycle.
  const isDown = run.failures[sink.place.id] !== undefined && failure.kind !== "rateLimited";
  if (run.stopping || isDown || !failure.isSafeToRetry) return false;
  if (at.stage !== "looking" && at.stage !== "sending") return false;
  const delayMs = callDelay(failure, at.tries, env.random());
  if (delayMs === null) return false;
  at.tries += 1;
  const placeId = sink.place.id;
  if (at.stage === "sending") {
    effects.push({
      kind: "send",
      placeId,
      operations: at.standing.map((pendingWrite) => operationOf(sink, pendingWrite)),
      delayMs,
    });
    return true;
  }
  const lookup = lookupOf(sink, at.preparedWrites.pendingWrites);
  if (lookup) effects.push({ kind: "lookup", placeId, ...lookup, delayMs });
  return lookup !== null;
}

function settled(step: SinkStep, more: boolean, answer: Extract<Input, { kind: "settled" }>["answer"]): void {
  const { run, state } = step;
  if (answer.status === "lost") {
    run.stopping = "lost";
    return;
  }
  if (answer.signal === "pause") run.stopping ??= "pause";
  state.state = more ? { stage: "waiting" } : { stage: "failed" };
}
