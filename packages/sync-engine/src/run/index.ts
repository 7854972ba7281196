/** Running pipelines: the pure core, what it asks of the world and of its storage. */
export { advance, beginRun } from "./advance.ts";
export { type CycleSlot, CycleSlots, type SlotBounds } from "./limits/cycle-slots.ts";
export { compilePipeline } from "./plan/compile.ts";
export type * from "./plan/compile-input.ts";
export {
  type AuthorityPlan,
  BY_USER,
  type FieldRule,
  placeName,
  rejectionReason,
  type Remapped,
  remappedKey,
  ruleOf,
} from "./merge/authority/authority.ts";
export {
  fieldOf,
  holds,
  isExpectation,
  isKnown,
  isMissing,
  offsetOf,
  partAt,
  REMOVED_BY_US,
  UNKNOWN,
} from "./state/fingerprint.ts";
export { decideReferences } from "./merge/reference-updates.ts";
export type { MergePlan, MergePolicy } from "./merge/duplicates/merge-plan.ts";
export { fieldVerdicts, type FieldVerdictOf, type FieldVerdict } from "./sink/field-verdicts.ts";
export { findSource, ConversionError } from "./plan/plan.ts";
export { readIndexOf } from "./state/fields/read-index.ts";
export type * from "./plan/plan.ts";
export type * from "./protocol/protocol.ts";
export {
  onCallFinished,
  onCallStarted,
  mergeRemoteRemaining,
  mergeRemoteBackoff,
  reservedFor,
  isRateRefusal,
  newRateBudget,
  type RateAnswer,
  type RateBudget,
  type Traffic,
  waitBefore,
} from "./limits/rate-budget.ts";
export { maxHolders } from "./merge/reinserted-rows.ts";
export { nextQueuedCall } from "./limits/rate-queue.ts";
export { wholeFlow } from "./state/flow-counts.ts";
export { isSpellingOf } from "./state/normalization/spelling.ts";
export { linkAfterReturn } from "./state/links/released-links.ts";
export type { FreedRecord } from "./sink/creation/key-changes.ts";
export { freedByPage, freedByWritten, writtenBeforeStray } from "./state/unconfirmed/claimed-externals.ts";
export { DELIVERY_ATTEMPTS, MAX_WAIT, RETRY_WINDOW } from "./protocol/retry.ts";
export { noCounts, type Run, type Step, type StepContext } from "./run.ts";
export { joinRecords } from "./merge/duplicates/deduplicate.ts";
export { sinksAffectedByMerges } from "./merge/duplicates/merge-page.ts";
export type * from "./protocol/merge-writes.ts";
export {
  MAX_MATCH_BYTES,
  MAX_MATCH_ROWS,
  MAX_MATCHES_OF_KEY,
  type CutKey,
  type FoundCandidates,
  type MatchKeys,
  type MatchRequest,
} from "./protocol/match-requests.ts";
export { emptyBatch } from "./protocol/storage.ts";
export type * from "./protocol/quarantine-entries.ts";
export type * from "./protocol/returned-records.ts";
export type * from "./protocol/storage.ts";
export type * from "./protocol/stored-references.ts";
export { changesOf } from "./protocol/stored.ts";
export type * from "./protocol/stored.ts";
export { converter } from "./graph/field-conversion.ts";
export { newTrace, type Trace, type TraceStep } from "./graph/trace.ts";
export { secretConnectorFields } from "./plan/secret-fields.ts";
export { type FieldGraphs, isActionsEndpoint, type EndpointFields, placesOf } from "./plan/endpoints.ts";
export { inDoubtForMs } from "./sink/deliveries/pending-writes.ts";
export { MAX_RECORD_SIZE } from "./state/sanitize-records.ts";
