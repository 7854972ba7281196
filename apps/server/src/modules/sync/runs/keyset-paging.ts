/** Pages of lists that are read newest first: from cursor to keyset, and from rows to a page. */
import { syncRefusals } from "@accord/contracts/messages/en/sync/run/refusals";
import type { BoundedPage } from "../../../platform/db/bounded-page.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { Keyset } from "./monitoring/runs.store.ts";

export interface PageQuery {
  cursor?: string | undefined;
  count: number;
  direction: "next" | "previous";
}

export const fromCursor = (cursor: string | undefined): number | null => {
  if (cursor === undefined) return null;
  if (!/^\d{1,15}$/.test(cursor)) throw invalid("cursor", syncRefusals.noCursor);
  return Number(cursor);
};

export const keyset = ({ cursor, count, direction }: PageQuery): Keyset => ({
  from: fromCursor(cursor),
  count,
  direction,
});

/** Where a page goes on, on either side. */
export function cursors<Row>(
  { rows, isMore }: BoundedPage<Row>,
  { cursor, direction }: PageQuery,
  key: (row: Row) => string,
): { nextCursor: string | null; previousCursor: string | null } {
  const [first, last] = [rows[0], rows.at(-1)];
  const isMoreAfter = direction === "next" ? isMore : true;
  const isMoreBefore = direction === "next" ? cursor !== undefined : isMore;
  return {
    nextCursor: last && isMoreAfter ? key(last) : null,
    previousCursor: first && isMoreBefore ? key(first) : null,
  };
}

export const missing = (what: string): AppError => new AppError("not_found", { what });

export const invalid = (path: string, message: string): AppError =>
  new AppError("validation_failed", {}, { errors: [{ path, message }] });
