/** “Active accounts”, “flights from JFK, not ATL”: options and sample values that are named without their column. */
import type { ProposedCondition } from "@accord/contracts/insights/card-assistant";
import type { DatasetColumn } from "@accord/contracts/insights/dataset-config";
import { equality } from "./condition-words.ts";
import { NEGATION } from "../negation.ts";
import { CONDITION, type QuestionText, TAKEN } from "../question-text.ts";
import type { QuestionSource } from "../source.ts";
import { fold } from "../values.ts";

/** A known value where it stands in the question. */
interface Occurrence {
  column: DatasetColumn;
  value: ProposedCondition["values"][number];
  /** With its column, where that is named right after it: “high priority”. */
  from: number;
  to: number;
  isBeforeColumn: boolean;
}

const AFTER_NOT = "in|from|for|are|is|was|were|that|at|be|been";
const BEFORE = `(?:only|${AFTER_NOT})`;
const PREFIX = new RegExp(
  `(?:(?<not>(?<![\\p{L}\\d])${NEGATION})[\\s-]+(?:(?:the|an?|any|${AFTER_NOT})\\s+)*|(?<![\\p{L}\\d])${BEFORE}\\s+)?$`,
  "iu",
);
const LEADING = new RegExp(`(?:(?<![\\p{L}\\d])${BEFORE}\\s+)*$`, "iu");
const JOINT = new RegExp(`^\\s*(?:,\\s*)?(?:(or|and|but)\\s+)?(?:(?:the|an?|any|${BEFORE})\\s+)*$`, "iu");

export function takeKnownValues(text: QuestionText, source: QuestionSource): ProposedCondition[] {
  const merged = new Map<string, { column: DatasetColumn; isNegated: boolean; values: ProposedCondition["values"] }>();
  const marks: { from: number; to: number; mark: string }[] = [];
  let before: { at: Occurrence; isNegated: boolean } | undefined;
  for (const at of occurrencesIn(text, source)) {
    const joined = text.text.slice(before?.at.to ?? 0, at.from);
    const start = at.from - prefixOf(joined).length;
    const isNegatedHere = PREFIX.exec(joined)?.groups?.["not"] !== undefined;
    const joint = JOINT.exec(joined);
    // “Not new or closed” is neither of them; “not new, but closed” is closed.
    const goesOn = before?.at.column === at.column && joint !== null && joint[1]?.toLowerCase() !== "but";
    const isNegated = isNegatedHere || (goesOn && before?.isNegated === true);
    const key = `${at.column.name} ${isNegated}`;
    const one = merged.get(key);
    const isSameList = goesOn && before?.isNegated === isNegated && !isNegatedHere;
    // What joins two values of one condition joins no conditions.
    marks.push({ from: isSameList && before ? before.at.to : start, to: at.to, mark: one ? TAKEN : CONDITION });
    if (one) one.values.push(at.value);
    else merged.set(key, { column: at.column, isNegated, values: [at.value] });
    before = { at, isNegated };
  }
  for (const { from, to, mark } of marks.toReversed()) text.replace(from, to, mark);
  return [...merged.values()].map(({ column, values, isNegated }) => equality(column, [...new Set(values)], isNegated));
}

/** The words before a value that lead to it, with its negation. */
function prefixOf(before: string): string {
  const own = PREFIX.exec(before)?.[0] ?? "";
  const further = LEADING.exec(before.slice(0, before.length - own.length))?.[0] ?? "";
  return `${further}${own}`;
}

/** In order and beside each other; of those that overlap the longest, and the one before its own column. */
function occurrencesIn(text: QuestionText, { columns, samples }: QuestionSource): Occurrence[] {
  const found = columns.flatMap((column) => [
    ...Object.entries(column.labels ?? {}).flatMap(([value, label]) => placesOf(text, column, label, value)),
    ...(column.dataType === "string" ? (samples?.get(column.name) ?? []) : []).flatMap((sample) =>
      placesOf(text, column, sample, sample),
    ),
  ]);
  const length = ({ from, to }: Occurrence): number => to - from;
  const best = found.toSorted(
    (one, other) => length(other) - length(one) || Number(other.isBeforeColumn) - Number(one.isBeforeColumn),
  );
  const chosen: Occurrence[] = [];
  for (const one of best) if (chosen.every(({ from, to }) => one.to <= from || one.from >= to)) chosen.push(one);
  return chosen.toSorted((one, other) => one.from - other.from);
}

/** Where a value is written, as whole words or in quotes. */
function placesOf(
  text: QuestionText,
  column: DatasetColumn,
  written: string,
  value: Occurrence["value"],
): Occurrence[] {
  const label = fold(written);
  if (label.length < 2) return [];
  const plain = text.folded;
  const places: Occurrence[] = [];
  const add = (from: number, end: number): void => {
    const after = /^\s*⟨(\d+)⟩/.exec(plain.slice(end));
    const isBeforeColumn = after !== null && text.peek(after[1]) === column;
    places.push({ column, value, from, to: isBeforeColumn ? end + after[0].length : end, isBeforeColumn });
  };
  for (let from = plain.indexOf(label); from >= 0; from = plain.indexOf(label, from + 1)) {
    const end = from + label.length;
    if (
      !/[\p{L}\d⟨⟦]$/u.test(plain.slice(Math.max(0, from - 1), from)) &&
      !/^[\p{L}\d]/u.test(plain.slice(end, end + 1))
    )
      add(from, end);
  }
  for (const [at, quoted] of text.quoted.entries()) {
    const from = fold(quoted) === label ? plain.indexOf(`⟦${at}⟧`) : -1;
    if (from >= 0) add(from, from + `⟦${at}⟧`.length);
  }
  return places;
}
