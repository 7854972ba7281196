/** Where a reader of a relation stands, as it is stored between pages. */
import { z } from "zod";
import { Mark } from "./mark.ts";
import { SlotPosition } from "./replication.ts";

/** What the last whole look at a table cost and showed: while nothing suggests a change, the next one may wait. */
const Rest = z.object({ counters: z.string(), scanMs: z.number(), scannedAtMs: z.number() });

/** The pass under way: where it began, and the last id read. */
const Pass = z.object({
  began: Mark,
  after: z.string().nullable(),
  /** So few rows changed that sorting them is cheap. */
  isSparse: z.boolean().optional(),
  /** All rows are read, wherever history begins: changes may have been missed. */
  isWhole: z.boolean().optional(),
});
export type Pass = z.infer<typeof Pass>;

export const Position = z.object({
  /** Everything from before this mark has been read. */
  seen: Mark.nullable(),
  pass: Pass.nullable(),
  rest: Rest.optional(),
  /** Of a reader for whom the server retains changes: those before it have been read, or are by the pass under way. */
  slot: SlotPosition.optional(),
});
export type Position = z.infer<typeof Position>;
