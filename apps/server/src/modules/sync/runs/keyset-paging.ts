/** Pages of lists that are read newest first: from cursor to keyset, and from one row too many to a page. */
import { AppError } from "../../../platform/http/app-error.ts";
import type { Keyset } from "./runs.store.ts";

export interface PageQuery {
  cursor?: string | undefined;
  count: number;
  direction: "next" | "previous";
}

export const fromCursor = (cursor: string | undefined): number | null => {
  if (cursor === undefined) return null;
  if (!/^\d{1,15}$/.test(cursor)) throw invalid("cursor", "is no cursor of this list");
  return Number(cursor);
};

export const keyset = ({ cursor, count, direction }: PageQuery): Keyset => ({
  from: fromCursor(cursor),
  count,
  direction,
});

/** Takes the row too many off and says whether there is more on either side. */
export function cut<Row>(
  rows: readonly Row[],
  { cursor, count, direction }: PageQuery,
  key: (row: Row) => string,
): [Row[], { nextCursor: string | null; previousCursor: string | null }] {
  const hasMore = rows.length > count;
  const page = direction === "next" ? rows.slice(0, count) : rows.slice(hasMore ? 1 : 0);
  const [first, last] = [page[0], page.at(-1)];
  const isMoreAfter = direction === "next" ? hasMore : true;
  const isMoreBefore = direction === "next" ? cursor !== undefined : hasMore;
  return [
    page,
    {
      nextCursor: last && isMoreAfter ? key(last) : null,
      previousCursor: first && isMoreBefore ? key(first) : null,
    },
  ];
}

export const missing = (what: string): AppError => new AppError("not_found", { what });

export const invalid = (path: string, message: string): AppError =>
  new AppError("validation_failed", {}, { errors: [{ path, message }] });
