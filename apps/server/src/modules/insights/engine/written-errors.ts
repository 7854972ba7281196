/** What PostgreSQL says against statements that people wrote, as sentences with the place in what was written. */
import { WRITTEN } from "@accord/analytics-engine";
import { insights } from "@accord/contracts/messages/en/insights";
import { fill } from "@accord/contracts/messages/fill";
import { type DatabaseError, isDatabaseError } from "../../../platform/db/database-error.ts";
import { AppError } from "../../../platform/http/app-error.ts";

/** Where in the written text: the line, counted from one, and the word on it. */
export interface WrittenPlace {
  line: number;
  word: string;
}

/** A written statement that PostgreSQL refuses before it runs. */
export class WrittenSqlError extends Error {
  override readonly name = "WrittenSqlError";
  /** Without a full stop. */
  readonly detail: string;
  readonly hint: string;
  readonly place: WrittenPlace | null;

  constructor(error: DatabaseError, text: string) {
    super(error.message, { cause: error });
    this.detail = readable(error.message);
    this.hint = readable(error.hint ?? "");
    this.place = placeOf(error, text);
  }
}

export const isWritten = (text: string): boolean => text.includes(WRITTEN);

/** Of syntax, names and types: a statement that the database can't plan. */
const CANNOT_PLAN = /^(42|0A)/;
/** A subquery that gives several rows where one value is needed. */
const SEVERAL_ROWS = "21000";
const DATA_EXCEPTION = /^22/;
/** What the functions of `accord_written` say of operations that would not end at their time limit. */
const TOO_LONG = "values too long for this operation";

/** An answer for a written statement that fails when it runs; undefined for what is no fault of the statement. No values of records. */
export function writtenProblem(error: unknown, text: string): AppError | undefined {
  if (!isDatabaseError(error) || !isWritten(text)) return undefined;
  const code = error.code ?? "";
  const problem = (reason: string) => new AppError("dataset_invalid", { reason }, { cause: error });
  const { sqlRun } = insights;
  if (error.message === TOO_LONG) return problem(sqlRun.too_long);
  if (code === SEVERAL_ROWS) return problem(sqlRun.several_rows);
  if (DATA_EXCEPTION.test(code)) return problem(RUN_PROBLEMS.get(code) ?? sqlRun.value);
  if (!CANNOT_PLAN.test(code)) return undefined;
  const { detail, place } = new WrittenSqlError(error, text);
  return problem(place ? fill(sqlRun.outdated_at, { detail, line: place.line }) : fill(sqlRun.outdated, { detail }));
}

const RUN_PROBLEMS: ReadonlyMap<string, string> = new Map([
  ["22012", insights.sqlRun.division_by_zero],
  ["22003", insights.sqlRun.too_large],
  ["22P02", insights.sqlRun.not_of_type],
  ["22007", insights.sqlRun.not_of_type],
  ["22008", insights.sqlRun.date_range],
  ["22009", insights.sqlRun.time_zone],
  ["22023", insights.sqlRun.argument],
  ["2201B", insights.sqlRun.pattern],
]);

/** Names that only the statement around it has are left out. */
const readable = (message: string): string =>
  message.replaceAll(/"?\b(?:accord_analytics|pg_catalog|w)\b"?\./g, "").replace(/\.$/, "");

function placeOf({ position }: DatabaseError, text: string): WrittenPlace | null {
  const at = Number(position) - 1;
  if (!position || !Number.isInteger(at)) return null;
  const before = Array.from(text).slice(0, at).join("");
  const start = before.lastIndexOf(WRITTEN);
  if (start < 0) return null;
  const line = before.slice(start).split("\n").length - 1;
  const word = /^(?:"(?:[^"]|"")*"|\w+|\S)/.exec(text.slice(before.length))?.[0] ?? "";
  return line < 1 ? null : { line, word: word.replaceAll('"', "") };
}
