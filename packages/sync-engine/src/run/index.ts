/** Running pipelines: the pure core, what it asks of the world and of its storage. */
export { advance, beginRun } from "./advance.ts";
export { type CycleSlot, CycleSlots } from "./cycle-slots.ts";
export { compilePipeline } from "./compile.ts";
export type * from "./pipeline-facts.ts";
export { BY_USER, placeName, refusalOf, type Remapped, remappedKey, ruleOf } from "./authority.ts";
export { fieldOf, isKnown, isMissing, offsetOf, partAt, REMOVED_BY_US, UNKNOWN } from "./fingerprint.ts";
export { decideReferences } from "./references.ts";
export type { MergePolicy } from "./merge-plan.ts";
export { fieldReasons, type FieldReason, type FieldVerdict } from "./field-reasons.ts";
export { findSource, Inconvertible } from "./plan.ts";
export { readIndexOf } from "./read-now.ts";
export type * from "./plan.ts";
export type * from "./protocol.ts";
export {
  callEnded,
  callLeaves,
  heardOfLeft,
  heardOfRefusal,
  keptFrom,
  isRateRefusal,
  newRateBudget,
  type RateBudget,
  type Traffic,
  waitBefore,
} from "./rate-budget.ts";
export { maxHolders } from "./reentered.ts";
export { nextToLeave } from "./rate-turns.ts";
export { isSpellingOf } from "./spelling.ts";
export { tieAfterReturn } from "./let-go.ts";
export type { FreedRecord } from "./key-changes.ts";
export { freedByPage, freedByTold, toldBeforeStray } from "./taken-records.ts";
export { DELIVERY_ATTEMPTS, MAX_WAIT, RETRY_WINDOW } from "./retry.ts";
export { noCounts, type Run, type Step, type StepEnv } from "./run.ts";
export { joinRecords } from "./deduplicate.ts";
export { hearersOfMerges } from "./merge-within.ts";
export type * from "./merge-writes.ts";
export { emptyBatch } from "./storage.ts";
export type * from "./returned-records.ts";
export type * from "./storage.ts";
export type * from "./stored-references.ts";
export { changesOf } from "./stored.ts";
export type * from "./stored.ts";
export { newTrace, type Trace, type TraceStep } from "./trace.ts";
export { secretConnectorFields } from "./secret-fields.ts";
export { type FieldGraphs, isActionsPlace, type PlaceNeed, placesOf } from "./places.ts";
export { inDoubtForMs } from "./parcels.ts";
