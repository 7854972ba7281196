/** Which records a list shows: predicate, quick search and deleted ones, as one SQL condition over known columns. */
import { Predicate } from "@accord/contracts/data/predicate";
import type { FieldProblem } from "@accord/contracts";
import { values as words } from "@accord/contracts/messages/en/values";
import {
  fixedSql,
  foldedSql,
  joinSql,
  PredicateError,
  predicateSql,
  sql,
  type PredicateProblem,
  type SqlFragment,
} from "@accord/expressions";
import { AppError, invalidField } from "../../../platform/http/app-error.ts";
import { fill } from "./fill.ts";
import { columnType, fieldColumn, type RecordField } from "../schema/index.ts";

export interface Filter {
  /** JSON of a predicate tree; empty for none. */
  predicate: string;
  search: string;
  deleted: "hide" | "show" | "only";
}

export interface FilterScope {
  fields: readonly RecordField[];
  timeZone: string;
  /** UTC milliseconds. */
  now: number;
}

/** More words than this add nothing but cost. */
const MAX_WORDS = 8;
/** The quick search looks into the first text fields; a filter reaches any. */
const MAX_SEARCHED_FIELDS = 12;

const DELETED: Record<Filter["deleted"], string> = {
  hide: "NOT accord_deleted",
  show: "TRUE",
  only: "accord_deleted",
};

/** A predicate tree out of its JSON text. Throws `validation_failed` naming the place. */
export function parsePredicate(text: string): Predicate | null {
  if (text.trim() === "") return null;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalidField("predicate", "is not JSON: send the predicate tree as JSON text");
  }
  if (depthOf(json) > MAX_DEPTH)
    throw invalidField("predicate", "is nested too deeply: at most 20 groups in each other");
  const parsed = Predicate.safeParse(json);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.slice(0, 10).map((issue) => ({
    path: ["predicate", ...issue.path].join("."),
    message: issue.message,
  }));
  throw new AppError("validation_failed", {}, { errors });
}

/** A group is two levels of JSON, its list and its entry. */
const MAX_DEPTH = 44;

function depthOf(value: unknown): number {
  let level: unknown[] = [value];
  for (let depth = 0; ; depth++) {
    if (level.length === 0 || depth > MAX_DEPTH) return depth;
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
  }
}

/** The condition for a WHERE. Names come from the entity's fields alone; values are bind parameters. */
export function filterSql(filter: Filter, scope: FilterScope): SqlFragment {
  const parts = [fixedSql(DELETED[filter.deleted])];
  const predicate = parsePredicate(filter.predicate);
  if (predicate) parts.push(conditionSql(predicate, scope));
  parts.push(
    ...filter.search
      .split(/\s+/)
      .filter(Boolean)
      .slice(0, MAX_WORDS)
      .map((word) => wordSql(word, scope.fields)),
  );
  return joinSql(parts, " AND ");
}

/** Throws `validation_failed` when the predicate does not fit the entity's fields. */
export function conditionSql(predicate: Predicate, { fields, timeZone, now }: FilterScope): SqlFragment {
  const byName = new Map(fields.map((field) => [field.apiName, field]));
  try {
    return predicateSql(predicate, {
      column: (name) => {
        const field = byName.get(name);
        // A password can be guessed letter by letter through filters, so there are none on it.
        if (!field || field.dataType === "password") return undefined;
        return { ...field, sql: fixedSql(fieldColumn(field)) };
      },
      timeZone,
      now,
    });
  } catch (error) {
    if (!(error instanceof PredicateError)) throw error;
    throw new AppError("validation_failed", {}, { errors: error.problems.map(toProblem) });
  }
}

const toProblem = ({ path, code, facts }: PredicateProblem): FieldProblem => ({
  path: ["predicate", ...path].join("."),
  message: fill(words.predicate[code], facts),
});

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");

function wordSql(word: string, fields: readonly RecordField[]): SqlFragment {
  const texts = fields.filter((field) => columnType(field) === "text" && field.dataType === "string");
  const pattern = `%${escapeLike(word.toLowerCase().replaceAll("\0", ""))}%`;
  const parts = texts
    .slice(0, MAX_SEARCHED_FIELDS)
    .map((field) => sql`${foldedSql(fixedSql(fieldColumn(field)))} LIKE ${pattern}::text`);
  if (/^[0-9a-f]{24}$/.test(word)) parts.push(sql`accord_id = ${word}`);
  return parts.length > 0 ? sql`(${joinSql(parts, " OR ")})` : fixedSql("FALSE");
}
