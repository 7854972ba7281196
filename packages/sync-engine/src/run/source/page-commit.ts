/** Writing down what was decided on a page: what there is to write, what it counts for, whom it wakes. */
import { runTexts } from "@accord/contracts/messages/en/sync/run/cycle";
import type { Input } from "../protocol/protocol.ts";
import { recordWarnings, warningsOfQuarantine } from "../protocol/problems.ts";
import type { CommitBatch } from "../protocol/storage.ts";
import type { DecidedPage, Run, SourceStage } from "../run.ts";
import { lostAfter } from "../state/fields/dropped-fields.ts";
import { countFailed, countSourcePath } from "../state/flow-counts.ts";
import { lostAt, lostWith } from "./page-decision.ts";
import type { SourceStep } from "./source-reading.ts";

/** Pages without anything to write after which the position is written down all the same. */
const MAX_UNCOMMITTED_PAGES = 20;
/** Milliseconds after which it is too: people watch a resync that finds nothing to write. */
const MAX_UNCOMMITTED_MS = 3_000;
/** Quarantined records in one cycle after which a pipeline that fails more often than not stops. */
const MAX_QUARANTINED = 500;

/** Asks for the page to be written down; false where there is nothing to write and its position can wait. */
export function requestCommit(step: SourceStep, decided: DecidedPage): boolean {
  const { source, state, run, effects } = step;
  const { batch } = decided.decision;
  const lost = lostAfter(source, lostWith(step, state.slots[0]?.page));
  if (lost !== lostAt(step)) batch.lostFields = lost;
  if (isEmpty(batch) && mayStayUnsaved(step)) return false;
  if (batch.position) batch.position.read = totalRead(run);
  const affectedSinks = new Set([
    ...placesOf(batch.deliveries),
    ...placesOf(batch.lacking),
    ...(batch.mergeBatch?.notifySinkIds ?? []),
  ]);
  state.work = { stage: "committing", decided, affectedSinks };
  effects.push({ kind: "commit", nodeId: source.nodeId, batch });
  return true;
}

const totalRead = ({ counts }: Run): number => Object.values(counts.read).reduce((sum, read) => sum + read, 0);

const placesOf = (deliveries: readonly { placeId: number }[] = []): number[] =>
  deliveries.map(({ placeId }) => placeId);

/** Counts a page that is written down and wakes the destinations that it concerns; may stop the cycle. */
export function afterCommit(
  step: SourceStep,
  { decided, affectedSinks }: Extract<SourceStage, { stage: "committing" }>,
  signal: Extract<Extract<Input, { kind: "committed" }>["answer"], { status: "done" }>["signal"],
): void {
  const { run, source } = step;
  countPage(step, decided);
  const { lostFields } = decided.decision.batch;
  if (lostFields) run.lostFields[source.place.id] = lostFields;
  // Not before: a claim that came earlier than the commit would find nothing and never look again.
  for (const placeId of affectedSinks) wake(run, placeId);
  if (signal !== "none") run.stopping ??= signal;
  const failed = run.counts.quarantined - run.failedBefore;
  if (failed > MAX_QUARANTINED && failed * 2 > totalRead(run)) {
    run.stopping ??= "tooManyFailures";
    run.problems.push({
      severity: "error",
      nodeId: source.nodeId,
      code: "too_many_failures",
      message: runTexts.mostQuarantined,
      detail: null,
    });
  }
}

function wake(run: Run, placeId: number): void {
  const sink = run.sinks.find((candidate) => candidate.placeId === placeId);
  if (!sink) return;
  sink.dirty = true;
  if (sink.state.stage === "done") sink.state = { stage: "waiting" };
}

/** What came of a page, once that is certain: a page that is looked at again after a conflict counts once. */
export function countPage({ run, source }: SourceStep, { processed, decision }: DecidedPage): void {
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
export function mayStayUnsaved({ state, env }: SourceStep): boolean {
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
