/**
 * Numbered pages slide when records are added or removed while they are read: what slides over the seam between two
 * pages would never be seen. Offsets ask for the last record of the page before once more, in the same call. Page
 * numbers can't, so there the page before is read again: what slid onto it is read now.
 */
import type { Value } from "@accord/contracts/data/values";
import { z } from "zod";
import { PageCursor } from "./paging.ts";

/** By what a page is recognized when it comes again, and where it was. */
export const PageMark = z.strictObject({
  at: PageCursor,
  count: z.int(),
  firstId: z.string(),
  lastId: z.string(),
});
export type PageMark = z.infer<typeof PageMark>;

export interface Seam {
  /** Records of this page that have not been read by the page before. */
  records: Value[];
  /** Records were removed before this page: others may have slid past earlier seams. */
  moved: boolean;
}

type IdOf = (record: Value | undefined) => string | null;

/** null for a page that can't be recognized: it is empty, or its records have no ids. */
export function markOf(at: PageCursor, page: readonly Value[], idOf: IdOf): PageMark | null {
  const [firstId, lastId] = [idOf(page[0]), idOf(page.at(-1))];
  return firstId === null || lastId === null ? null : { at, count: page.length, firstId, lastId };
}

export const isSamePage = (one: PageMark | null, other: PageMark | null): boolean =>
  one !== null && one.count === other?.count && one.firstId === other.firstId && one.lastId === other.lastId;

/** Offsets: the page begins with the last record of the one before, unless the list moved. */
export function overlapSeam(place: PageCursor, page: readonly Value[], idOf: IdOf): Seam {
  const seam = place.kind === "offset" ? place.seam : null;
  if (seam === null) return { records: [...page], moved: false };
  const isWhole = idOf(page[0]) === seam;
  return { records: isWhole ? page.slice(1) : [...page], moved: !isWhole };
}

/** Page numbers: `again` is the page before, read after this one. */
export function rereadSeam(seam: string, page: readonly Value[], again: readonly Value[], idOf: IdOf): Seam {
  const index = again.findLastIndex((record) => idOf(record) === seam);
  // It still ends the page before, or records were added and it slid onto this one: nothing was passed over.
  if (index >= 0 && index === again.length - 1) return { records: [...page], moved: false };
  if (page.some((record) => idOf(record) === seam)) return { records: [...page], moved: false };
  return { records: [...again.slice(index + 1), ...page], moved: true };
}
