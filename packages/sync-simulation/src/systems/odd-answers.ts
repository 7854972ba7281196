/** Systems whose answers to writes say little of what they store, or nothing true. */
import type { WriteOperation, WriteOutcome } from "@accord/connector-sdk";
import type { Values } from "@accord/contracts/data/values";
import type { Rng } from "../rng.ts";

export interface OddAnswers {
  /** The record as it was sent, as it was before, or none. */
  record: "sent" | "before" | "none";
  /** Where the record is not the one from before: with the time of change that the write left. */
  namesTime: boolean;
}

export const drawAnswers = (rng: Rng): OddAnswers => ({
  record: rng.pick(["sent", "before", "none"] as const),
  namesTime: rng.bool(0.5),
});

/** A row as readers would get it, with its time of change where the system names one. */
export interface ShownRow {
  values: Values;
  modifiedAt?: string;
}

/** What a write that was done is answered with. `before`: null of a new row. */
export function oddAnswer(
  { record, namesTime }: OddAnswers,
  operation: WriteOperation,
  id: string,
  { before, now }: { before: ShownRow | null; now: ShownRow },
): WriteOutcome {
  const time = namesTime && now.modifiedAt !== undefined ? { modifiedAt: now.modifiedAt } : {};
  if (record === "none" || operation.kind === "delete") return { status: "done", id, ...time };
  if (record === "before" && before) return { status: "done", id, ...before, isUnproven: true };
  return { status: "done", id, values: { ...now.values, ...operation.values }, ...time, isUnproven: true };
}
