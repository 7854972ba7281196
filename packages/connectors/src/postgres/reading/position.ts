/** Where a reader of a relation stands, as it is stored between pages. */
import { z } from "zod";
import { Mark } from "./mark.ts";
import { SlotPosition } from "../replication/replication.ts";

/** What the last whole look at a table cost and showed: the next one waits for a while after it. */
const Rest = z.object({
  /** null where nothing tells whether the table changed. */
  counters: z.string().nullable(),
  scanMs: z.number(),
  scannedAtMs: z.number(),
  /** One statement through the whole table takes longer than a statement may. */
  isWindowed: z.boolean().optional(),
});

/** The pass under way: where it began, and the last id read. */
const Pass = z.object({
  began: Mark,
  after: z.string().nullable(),
  /** So few rows changed that sorting them is cheap. */
  isSparse: z.boolean().optional(),
  /** All rows are read, wherever history begins: changes may have been missed. */
  isWhole: z.boolean().optional(),
  /** Rows that the index of the watermark names, since the last such look; others are left for the next whole one. */
  isStamped: z.boolean().optional(),
  /** The whole look that this pass is a part of; the time of a windowed one adds up. */
  look: Rest.omit({ scannedAtMs: true }).optional(),
});
export type Pass = z.infer<typeof Pass>;

export const Position = z.object({
  /** Everything from before this mark has been read. */
  seen: Mark.nullable(),
  pass: Pass.nullable(),
  rest: Rest.optional(),
  /** What is stamped from before this mark has been read too, by the index of the watermark. */
  looked: Mark.optional(),
  /** Of a reader for whom the server retains changes: those before it have been read, or are by the pass under way. */
  slot: SlotPosition.optional(),
});
export type Position = z.infer<typeof Position>;
