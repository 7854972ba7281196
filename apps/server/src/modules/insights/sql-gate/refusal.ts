/** Why a statement may not run, and where in it. */
import { DatasetError } from "@accord/analytics-engine";
import { insights } from "@accord/contracts/messages/en/insights";
import { fill } from "@accord/contracts/messages/fill";
import { lineColumn, type TextRange } from "./text-places.ts";

export type SqlProblemCode = keyof typeof insights.sqlProblem;

/** Thrown inside the gate; `range` is a place in the statement. */
export class SqlRefusal extends Error {
  override readonly name = "SqlRefusal";
  readonly code: SqlProblemCode;
  readonly facts: Readonly<Record<string, string>>;
  readonly range: TextRange;

  constructor(code: SqlProblemCode, facts: Readonly<Record<string, string>>, range: TextRange) {
    super(`${code} at ${range.from}`);
    this.code = code;
    this.facts = facts;
    this.range = range;
  }
}

/** A refusal of a statement by what PostgreSQL says of its columns. */
export const sqlRefused = (
  text: string,
  range: TextRange,
  code: SqlProblemCode,
  facts: Readonly<Record<string, string>>,
): DatasetError => datasetErrorOf(new SqlRefusal(code, facts, range), text);

/** The same as a problem of the dataset, with the place as people count and, in `from` and `to`, as editors do. */
export function datasetErrorOf({ code, facts, range }: SqlRefusal, text: string): DatasetError {
  return sqlError(text, range, fill(insights.sqlProblem[code], { open: "{{", close: "}}", ...facts }));
}

/** `reason`: a sentence. */
export function sqlError(text: string, range: TextRange, reason: string): DatasetError {
  const { line, column } = lineColumn(text, range.from);
  const place = { line: String(line), column: String(column), from: String(range.from), to: String(range.to) };
  return new DatasetError([{ path: "sql", code: "sql_invalid", facts: { reason, ...place } }]);
}

/** Names a table that begins alike. */
export function hintFor(name: string, known: ReadonlySet<string>): string {
  const start = name.slice(0, 3);
  const alike = name.length >= 3 ? [...known].filter((one) => one.startsWith(start)).slice(0, 3) : [];
  return alike.length > 0 ? ` Is it ${alike.map((one) => `“${one}”`).join(" or ")}?` : "";
}
