/**
 * Reading of systems that hand out what changed since a moment as a list of numbered pages: rows that change, come or go
 * while it is read slide from page to page. Readers read the page before once more, as connectors do, and read a pass
 * again during which the list moved.
 */
import type { ReadPage, SourceRecord } from "@accord/connector-sdk";
import {
  type Mark,
  type PassRequest,
  positionOf,
  type Position,
  type ReaderFaults,
  type VisibleRow,
} from "./row-passes.ts";
import { OVERLAP_MS } from "./system-clock.ts";

/** A list that never rests is not read over and over. */
const MAX_REREADS = 3;

interface Page {
  records: readonly VisibleRow[];
  /** Rows may have slid past the seams of earlier pages. */
  moved: boolean;
}

export function readNumberedPage(request: Omit<PassRequest, "kind">, faults: ReaderFaults = {}): ReadPage {
  const { cursor, pageSize, mark } = request;
  const { seen, again, pass } = positionOf(cursor);
  const began = pass?.began ?? mark;
  const number = pass?.number ?? 0;
  const rows = listed(request, seen);
  const list = rows.filter(({ record }) => !record.deleted).sort(byKey);
  const page = pageAt(list, number, pageSize, faults.ignoresSeams ? null : (pass?.after ?? null));
  const moved = page.moved || pass?.moved === true || page.records.some(({ changedAt }) => changedAt >= began.ownTime);
  const records = page.records.map(({ record }) => record);
  const last = list[(number + 1) * pageSize - 1];
  if (last && (number + 1) * pageSize < list.length) {
    const next: Position = { seen, again, pass: { began, after: last.record.id, number: number + 1, moved } };
    return { records, cursor: JSON.stringify(next), drained: false };
  }
  const isAgain = moved && again < MAX_REREADS && !faults.ignoresSeams;
  const end: Position = isAgain ? { seen, again: again + 1, pass: null } : { seen: began, again: 0, pass: null };
  // Deletions are found by comparing ids.
  const gone = rows.flatMap(({ record }): SourceRecord[] => (record.deleted ? [record] : []));
  // A first pass that is begun anew has not shown all there is.
  return { records: [...records, ...gone], cursor: JSON.stringify(end), drained: !isAgain || seen !== null };
}

/** Rows that changed since the last pass began, or are gone since. */
function listed({ ids, visible, floor }: Omit<PassRequest, "kind">, seen: Mark | null): VisibleRow[] {
  const from = seen === null ? floor : seen.ownTime;
  return ids
    .flatMap((id) => visible(id) ?? [])
    .filter(({ changedAt }) => from === null || changedAt >= from - OVERLAP_MS);
}

/** An order of its own, in which new rows come anywhere. */
function byKey({ record: left }: VisibleRow, { record: right }: VisibleRow): number {
  const keyOf = ({ values, id }: SourceRecord): string =>
    `${String(values["email"]).replace(/\d+/, (digits) => digits.split("").reverse().join(""))} ${id}`;
  return keyOf(left) < keyOf(right) ? -1 : 1;
}

/** A page, with what slid from it onto the page before since that was read; `seam`: the row that ended that page. */
function pageAt(list: readonly VisibleRow[], number: number, size: number, seam: string | null): Page {
  const own = list.slice(number * size, (number + 1) * size);
  if (seam === null) return { records: own, moved: false };
  const before = list.slice((number - 1) * size, number * size);
  const index = before.findIndex(({ record }) => record.id === seam);
  const isWhole = (index >= 0 && index === before.length - 1) || own.some(({ record }) => record.id === seam);
  return isWhole ? { records: own, moved: false } : { records: [...before.slice(index + 1), ...own], moved: true };
}
