/**
 * How PostgreSQL's values arrive in JavaScript, the same for every pool of the server. Nothing loses digits or
 * shifts by a time zone: date `YYYY-MM-DD` text · timestamptz UTC ISO text with milliseconds · bigint a number when
 * it is safe, digit text when not · numeric exact text · json parsed. Lists of these follow the same rules.
 */
import { parseExactJson } from "@accord/contracts/data/exact-json";
import pg from "pg";

type Read = (text: string) => unknown;

const exactText: Read = (text) => text;

const readBigint: Read = (text) => {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
};

/** `2026-11-21 10:26:27.123456+00` → `2026-11-21T10:26:27.123Z`. Finer digits than milliseconds are cut. */
const readTimestamp: Read = (text) => {
  const parts = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(?:\+00)?$/.exec(text);
  // Infinity, years before 1 or after 9999: left as PostgreSQL writes them.
  return parts ? `${parts[1]}T${parts[2]}.${(parts[3] ?? "").padEnd(3, "0").slice(0, 3)}Z` : text;
};

const TEXT_LIST: number = 1009;

const readList = (read: Read): Read => {
  const deep = (item: unknown): unknown =>
    Array.isArray(item) ? item.map(deep) : typeof item === "string" ? read(item) : null;
  return (text) => deep(pg.types.getTypeParser(TEXT_LIST)(text));
};

const OID = pg.types.builtins;
const READERS = new Map<number, Read>([
  [OID.INT8, readBigint],
  [1016, readList(readBigint)],
  [OID.NUMERIC, exactText],
  [1231, readList(exactText)],
  [OID.DATE, exactText],
  [1182, readList(exactText)],
  [OID.TIMESTAMPTZ, readTimestamp],
  [1185, readList(readTimestamp)],
  [OID.TIMESTAMP, readTimestamp],
  [1115, readList(readTimestamp)],
]);

export const configureTypeParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (format !== "binary" && READERS.get(oid)) || pg.types.getTypeParser(oid, format ?? "text"),
};

/** For queries that read values of records out of JSON columns: the numbers in them keep every digit. */
export const exactValueTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === OID.JSON || oid === OID.JSONB ? parseExactJson : configureTypeParsers.getTypeParser(oid, format),
};
