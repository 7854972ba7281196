/** What a turn of a loop leaves in the record that goes round. */
import type { FlowRecord } from "../../functions/flow.ts";

/** A record in a loop: what is left to do and what was collected so far. */
export interface LoopState {
  record: FlowRecord;
  rowIndex: number;
  items: readonly Item[];
  collected: Item[];
}
type Item = (FlowRecord["results"][number] & {}) | null;

/** What a record became in the body; of several copies all changes count, the later ones first. */
export function mergeLoopResult(record: FlowRecord, copy: FlowRecord, isLaterCopy: boolean): void {
  if (copy === record) return;
  const { values, variables, attach, warnings } = record;
  const { results, previous, outcomes, snapshots, branches } = copy;
  Object.assign(record, { results, previous, outcomes, snapshots, branches });
  record.values = isLaterCopy ? { ...values, ...copy.values } : copy.values;
  record.variables = isLaterCopy ? { ...variables, ...copy.variables } : copy.variables;
  record.attach = isLaterCopy ? [...attach, ...copy.attach.filter((one) => !attach.includes(one))] : copy.attach;
  record.warnings = isLaterCopy
    ? [...warnings, ...copy.warnings.filter((one) => !warnings.includes(one))]
    : copy.warnings;
}
