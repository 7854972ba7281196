/** Which of the fields that a place was ever read for its pipeline reads now: lists of fields only grow, mappings don't. */
import type { EndpointPlan } from "../../plan/plan.ts";

type ReadFields = Pick<EndpointPlan, "readFields" | "lapsed">;

/** Index of a field among those read there; -1 where this version does not read it. */
export function readIndexOf({ readFields, lapsed }: ReadFields, field: string): number {
  const index = readFields.indexOf(field);
  return lapsed?.has(index) ? -1 : index;
}

/** Index among the written fields of the one that is read at `read`; undefined where nothing is notified of it. */
export const writeIndexOf = ({ shared }: Pick<EndpointPlan, "shared">, read: number): number | undefined =>
  shared.find((pair) => pair.read === read)?.writeIndex;

/** Index among the read fields of the one that is written at `writeIndex`; undefined where it is not read. */
export const readIndexAt = ({ shared }: Pick<EndpointPlan, "shared">, writeIndex: number): number | undefined =>
  shared.find((pair) => pair.writeIndex === writeIndex)?.read;

/** Whether anything of the place is read. */
export const isReadNow = ({ readFields, lapsed }: ReadFields): boolean => readFields.length > (lapsed?.size ?? 0);
