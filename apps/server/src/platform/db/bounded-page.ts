/** Pages of rows that may each be large: the database takes as many as fit, before any of them is read. */
import type { QueryResultRow } from "pg";
import { SEALED_VALUE_PREFIX } from "../secrets/secrets.ts";

/** As text. The first row of a page is given however large it is, its large values cut. */
export const PAGE_BYTES = 8_000_000;
/** Bytes of a value that is cut in such a row, and characters of it that stay. */
const LARGE_VALUE_BYTES = 10_000;
const KEPT_CHARACTERS = 1_000;
/** For what is read beside columns that may be large. */
const ROW_BYTES = 500;

export interface BoundedPage<Row> {
  rows: Row[];
  /** There are rows beyond them: more than were asked for, or more than fit. */
  isMore: boolean;
}

export interface PageColumns {
  /** What is read of a row. */
  columns: readonly string[];
  /**
   * What may be large in it: a column of `picked`, or `full` as SQL over them, and `short`, which stands for it in a
   * row that is larger than a page.
   */
  large: Readonly<Record<string, { short: string; full?: string }>>;
}

/** SQL of a page. `picked`: a SELECT in this order of one row more than asked for. */
export function boundedPage(picked: string, { order, columns, large }: PageColumns & { order: string }): string {
  const sizes = Object.entries(large).map(
    ([name, { full = name }]) => `coalesce(octet_length((${full})::text), 0)::bigint`,
  );
  const size = `SELECT ${[ROW_BYTES, ...sizes].join(" + ")} AS page_size`;
  const cut = Object.entries(large).map(
    ([name, { short, full = name }]) => `CASE WHEN page_size > ${PAGE_BYTES} THEN ${short} ELSE ${full} END AS ${name}`,
  );
  // Row by row, so that the sizes of those that do not fit are not looked at: each has to be unpacked for that.
  return `WITH RECURSIVE picked AS MATERIALIZED (
      SELECT *, row_number() OVER (ORDER BY ${order}) AS page_place FROM (${picked}) rows_in_order
    ), sized AS (
      SELECT page_place, page_size, page_size AS page_total FROM picked, LATERAL (${size} OFFSET 0) own
      WHERE page_place = 1
      UNION ALL
      SELECT next.page_place, own.page_size, page_total + own.page_size
      FROM sized JOIN picked next ON next.page_place = sized.page_place + 1, LATERAL (${size} OFFSET 0) own
      WHERE page_total < ${PAGE_BYTES}
    )
    SELECT ${[...columns, ...cut].join(", ")}, (SELECT count(*) FROM picked) AS page_found
    FROM sized JOIN picked USING (page_place) ORDER BY page_place`;
}

/** At most `count` of the rows that such a statement answered, in its order. */
export function takePage<Row>(
  rows: readonly QueryResultRow[],
  count: number,
  read: (row: QueryResultRow) => Row,
): BoundedPage<Row> {
  const page = rows.slice(0, count);
  return { rows: page.map(read), isMore: Number(rows[0]?.["page_found"] ?? 0) > page.length };
}

type JsonType = "json" | "jsonb";

/** SQL: the beginning of a large text and how many bytes it has; of a sealed one the latter alone. */
export const shortText = (text: string): string =>
  `concat(CASE WHEN starts_with(${text}, '${SEALED_VALUE_PREFIX}') THEN '' ELSE left(${text}, ${KEPT_CHARACTERS}) END,
     '… (', octet_length(${text}), ' bytes)')`;

/** SQL: a JSON value; of a large one as `shortText`. */
export const shortJson = (value: string, type: JsonType): string =>
  `CASE WHEN octet_length((${value})::text) > ${LARGE_VALUE_BYTES}
     THEN to_${type}(${shortText(`((${value}) #>> '{}')`)}) ELSE ${value} END`;

/** SQL: an object with its large members cut. */
export const shortMembers = (object: string, type: JsonType): string =>
  `(SELECT ${type}_object_agg(key, ${shortJson("value", type)}) FROM ${type}_each(${object}))`;

/** SQL: an object of pairs, such as changes from and to, with what is large in them cut. */
export const shortPairs = (object: string, type: JsonType): string =>
  `(SELECT ${type}_object_agg(key, ${type}_build_array(${shortJson("value -> 0", type)}, ${shortJson("value -> 1", type)}))
    FROM ${type}_each(${object}))`;
