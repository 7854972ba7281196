/** How far the reading of a list is: the position that is kept between passes, and the pass under way. */
import { ConnectorError, type Cursor, type ReadRequest } from "@accord/connector-sdk";
import type { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import { z } from "zod";
import { isBelowSize, pageSizeOf, PageCursor, START } from "./paging.ts";
import { PageMark } from "./seams.ts";
import type { SourceClock } from "./watermark.ts";

const Pass = z.strictObject({
  /** ISO. */
  began: z.string(),
  /** Whether `began` is by the system's own clock; else the newest time stamp seen decides where the next pass begins. */
  isSourceClock: z.boolean().default(true),
  newest: z.string().nullable().default(null),
  at: PageCursor,
  /** Whether it reads the call for changes; the list itself otherwise. */
  isOfChanges: z.boolean().default(false),
  /** Sorted lists: the moment from which the pages are counted. */
  step: z.string().nullable(),
  /** Records read since then. */
  stepRead: z.int().default(0),
  pages: z.int(),
  read: z.int(),
  /** Records of the largest page. */
  largest: z.int().default(0),
  /** Pages without a record, one after the other up to now. */
  emptyPages: z.int().default(0),
  /** The page before this one. */
  last: PageMark.nullable().default(null),
  /** Records there are, as the last page told it. */
  total: z.number().nullable().default(null),
  /** The pages hold more records than the API tells there are: what it tells is of no use in this pass. */
  isTotalWrong: z.boolean().default(false),
  /** The list moved since the pass began: records may have been passed over. */
  moved: z.boolean(),
  /** Records changed since: they may have changed their places. */
  changed: z.boolean().default(false),
});
export type Pass = z.infer<typeof Pass>;

const Position = z.strictObject({
  /** ISO. Everything changed before it has been read; null: nothing yet. */
  since: z.string().nullable(),
  /** How often this stretch was read again because it moved. */
  again: z.int(),
  pass: Pass.nullable(),
});
export type Position = z.infer<typeof Position>;

export const BEGINNING = { since: null, again: 0, pass: null } satisfies Position;

export const newPass = (clock: SourceClock, isOfChanges: boolean): Pass => ({
  began: clock.now,
  isSourceClock: clock.isSource,
  newest: null,
  at: START,
  isOfChanges,
  step: null,
  stepRead: 0,
  pages: 0,
  read: 0,
  largest: 0,
  emptyPages: 0,
  last: null,
  total: null,
  isTotalWrong: false,
  moved: false,
  changed: false,
});

export const startOf = ({ pass, since: known }: Position, { mode, since }: ReadRequest): string | null =>
  pass?.step ?? (mode === "changes" ? known : (since?.toISOString() ?? null));

/** Positions of the pages after the next one, for lists whose pages are numbered. */
export function pagesAhead(entity: HttpEntityConfig, position: Position): Cursor[] | undefined {
  const { paging, pagesAhead: count, watermark } = entity.list;
  const { pass } = position;
  if (count === 0 || watermark?.sorted || !pass) return undefined;
  const size = pageSizeOf(paging);
  if (pass.at.kind !== "page" && (pass.at.kind !== "offset" || size === null)) return undefined;
  // Nobody knows yet whether there is a next page, or by how many records offsets move on.
  if (isBelowSize(paging, pass.largest) && (pass.pages === 1 || pass.at.kind === "offset")) return undefined;
  return Array.from({ length: count }, (_, index): Cursor => ({
    ...position,
    pass: { ...pass, at: shifted(pass.at, index, size ?? 0) },
  }));
}

function shifted(place: PageCursor, by: number, size: number): PageCursor {
  if (place.kind === "page") return { ...place, number: place.number + by };
  return place.kind === "offset" ? { ...place, offset: place.offset + by * size } : place;
}

export function parsePosition(cursor: Cursor): Position {
  const parsed = Position.safeParse(cursor);
  if (parsed.success) return parsed.data;
  throw new ConnectorError("configuration", "The stored reading position can't be understood.", {
    hint: "Resync this source to start from the beginning.",
  });
}
