/** Reading of systems without a feed of changes: passes over all rows by id, each of which shows what may be news. */
import type { Cursor, ReadPage, SourceRecord } from "@accord/connector-sdk";
import { z } from "zod";
import { OVERLAP_MS } from "./system-clock.ts";

/**
 * How changes of a system are read: by position in its feed of changes; by its times of change, with an overlap; or as
 * a full listing each time, compared by fingerprint; or by times of change on numbered pages.
 */
export type ReadingKind = "feed" | "watermark" | "listing" | "numbered";

const Mark = z.object({
  /** True time: what changed until then has been shown. */
  trueTime: z.number(),
  /** The same moment by the system's clock. */
  ownTime: z.number(),
});
export type Mark = z.infer<typeof Mark>;

const Position = z.object({
  seen: Mark.nullable(),
  /** Times that the pass was begun anew. */
  again: z.number(),
  /** `number`: of numbered pages, as is whether the list moved; `after` is their last seam. */
  pass: z.object({ began: Mark, after: z.string(), number: z.number(), moved: z.boolean() }).nullable(),
});
export type Position = z.infer<typeof Position>;

export const positionOf = (cursor: Cursor): Position => {
  if (typeof cursor !== "string") return { seen: null, again: 0, pass: null };
  return Position.parse(JSON.parse(cursor));
};

/** A row as readers are shown it now. */
export interface VisibleRow {
  record: SourceRecord;
  /** When it last changed, by the system's clock. */
  changedAt: number;
}

/** Faults of readers, built in on purpose. */
export interface ReaderFaults {
  readsWithoutOverlap?: boolean;
  /** What changed while a pass went on counts as seen by it. */
  marksTheEnd?: boolean;
  /** Numbered pages are taken as they come. */
  ignoresSeams?: boolean;
}

export interface PassRequest {
  kind: "watermark" | "listing";
  cursor: Cursor;
  pageSize: number;
  /** Now, or as late as readers are let see. */
  mark: Mark;
  /** Where the first pass starts, by the system's clock; null: everything is shown. */
  floor: number | null;
  /** Ids of all rows there ever were, in order. */
  ids: readonly string[];
  visible: (id: string) => VisibleRow | null;
}

export function readPass(request: PassRequest, faults: ReaderFaults = {}): ReadPage {
  const { kind, cursor, pageSize, mark, ids, floor, visible } = request;
  const overlap = faults.readsWithoutOverlap ? 0 : OVERLAP_MS;
  const { seen, pass } = positionOf(cursor);
  const began = pass?.began ?? mark;
  const from = seen === null ? floor : seen.ownTime;
  const isChange = ({ changedAt }: VisibleRow): boolean =>
    kind === "listing" || from === null || changedAt >= from - overlap;
  const first = pass === null ? 0 : ids.findIndex((id) => id > pass.after);
  const records: SourceRecord[] = [];
  let index = first < 0 ? ids.length : first;
  for (; index < ids.length && records.length < pageSize; index += 1) {
    const row = visible(ids[index] ?? "");
    if (row && isChange(row)) records.push(row.record);
  }
  const drained = index >= ids.length;
  const next: Position = drained
    ? { seen: faults.marksTheEnd ? mark : began, again: 0, pass: null }
    : { seen, again: 0, pass: { began, after: ids[index - 1] ?? "", number: 0, moved: false } };
  return { records, cursor: JSON.stringify(next), drained };
}

/** True time until which a reader at this position has been shown everything; null: nothing yet. */
export const seenUntil = (cursor: Cursor): number | null => positionOf(cursor).seen?.trueTime ?? null;

/** Positions in the order in which they are reached. */
export function comparePositions(left: Cursor, right: Cursor): number {
  if (typeof left === "number" || typeof right === "number") return Number(left) - Number(right);
  const [a, b] = [positionOf(left), positionOf(right)];
  return (
    (a.seen?.trueTime ?? 0) - (b.seen?.trueTime ?? 0) ||
    a.again - b.again ||
    (a.pass?.began.trueTime ?? 0) - (b.pass?.began.trueTime ?? 0) ||
    (a.pass?.number ?? 0) - (b.pass?.number ?? 0) ||
    Number((a.pass?.after ?? "") > (b.pass?.after ?? "")) - Number((a.pass?.after ?? "") < (b.pass?.after ?? ""))
  );
}
