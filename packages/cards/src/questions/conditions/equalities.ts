/** Values of columns that are named: `State is TX`, `status not active`, `country is Germany and not France`. */
import type { ProposedCondition } from "@accord/contracts/insights/card-assistant";
import type { DatasetColumn } from "@accord/contracts/insights/dataset-config";
import { isDateColumn } from "../../column-types.ts";
import { equality, isGrouped, LEAD, LIST, NEGATED } from "./condition-words.ts";
import { CONDITION, COLUMN, type QuestionText } from "../question-text.ts";
import type { QuestionSource } from "../source.ts";
import { fold, valueFor } from "../values.ts";

const NOT = "(?:is|are|was|were)?\\s*(?:not|isn't|aren't|!=|<>)\\s*(?:equal\\s+to\\s+|in\\s+|one\\s+of\\s+)?";
const IS = "(?:is|are|was|were|equals?|equal\\s+to|=|:)\\s*(?:equal\\s+to\\s+|one\\s+of\\s+|either\\s+|in\\s+)?";
/** Without a verb only options, samples and names are values. */
const BESIDE = "(?:of\\s+)?";
const JOINT = /(\s*,\s*(?:(?:or|and|but)\s+)?|\s+(?:or|and|but)\s+)/i;

interface Item {
  text: string;
  isNegated: boolean;
  /** What joins it to the one before. */
  joint: string;
}

export function takeEqualities(text: QuestionText, source: QuestionSource): ProposedCondition[] {
  const conditions: ProposedCondition[] = [];
  for (const [verb, isNegatedVerb] of [
    [NOT, true],
    [IS, false],
    [BESIDE, false],
  ] as const)
    text.takeEach(
      new RegExp(`${LEAD}${NEGATED}${COLUMN.replace("(", "(?<column>")}\\s+${verb}(?<list>${LIST})`, "iu"),
      ({ groups = {}, input, index }) => {
        const mark = groups["column"];
        const column = text.peek(mark);
        if (!column || isDateColumn(column)) return null;
        const items = itemsOf(groups["list"] ?? "", (groups["not"] !== undefined) !== isNegatedVerb);
        const written = items.map((item) => text.value(item.text));
        const isSure = verb !== BESIDE || isKnownList(column, written, source) || isWrittenAsName(column, written);
        if (!isSure || written.some((one) => valueFor(column, one) === null)) return null;
        const { made, marks } = conditionsOf(column, items, (item) => valueFor(column, text.value(item)) ?? "");
        conditions.push(...made);
        if (isGrouped(input.slice(0, index))) return `⟨${mark}⟩ ${marks}`;
        text.column(mark);
        return marks;
      },
    );
  return conditions;
}

/** A negation goes on until “but”: “not new or closed” is neither of them, “not new, but closed” is closed. */
function itemsOf(list: string, isNegated: boolean): Item[] {
  const parts = list.split(JOINT);
  const items: Item[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const joint = (parts[at - 1] ?? "").trim().toLowerCase();
    const part = parts[at] ?? "";
    const plain = part.replace(/^(?:not|without)\s+(?:in\s+)?/i, "");
    const before = items.at(-1)?.isNegated ?? isNegated;
    items.push({ text: plain, joint, isNegated: plain !== part || (before && !joint.endsWith("but")) });
  }
  return items;
}

type Value = ProposedCondition["values"][number];

/** One condition for the values that hold and one for those that don't, with what joins them in the text. */
function conditionsOf(column: DatasetColumn, items: readonly Item[], valueOf: (text: string) => Value) {
  const made = [true, false].flatMap((isNegated) => {
    const values = items.filter((item) => item.isNegated === isNegated).map(({ text }) => valueOf(text));
    return values.length > 0 ? [equality(column, values, isNegated)] : [];
  });
  const turn = items.find((item, at) => at > 0 && item.isNegated !== items[at - 1]?.isNegated);
  const joint = turn?.joint.endsWith("or") ? "or" : "";
  return { made: made.toReversed(), marks: made.map(() => CONDITION).join(joint) };
}

/** “Origin ATL”: what stands beside a column of texts with a capital or a digit is a value of it. */
const isWrittenAsName = ({ dataType }: DatasetColumn, written: readonly string[]): boolean =>
  dataType === "string" && written.every((text) => /^[\p{Lu}\d]/u.test(text));

function isKnownList(column: DatasetColumn, written: readonly string[], { samples }: QuestionSource): boolean {
  const texts = [...Object.values(column.labels ?? {}), ...(samples?.get(column.name) ?? [])];
  const known = new Set(texts.map(fold));
  return written.every((text) => known.has(fold(text)));
}
