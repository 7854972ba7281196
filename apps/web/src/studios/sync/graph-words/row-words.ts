/** Rows of a setting as people read them: cases, tables, headers and values of fields. */
import { z } from "zod";
import { conditionWords, fieldName, withNames } from "../pipeline-editor/cards/card-summary.ts";
import type { GraphWords, Setting } from "./graph-words.ts";

const Case = z.looseObject({
  name: z.string(),
  value: z.unknown().optional(),
  filters: z.unknown().optional(),
  doNotMatchOnBlank: z.boolean().optional(),
});
const Row = z.union([
  z.strictObject({ from: z.string(), to: z.string() }),
  z.strictObject({ name: z.string(), value: z.string() }),
  z.strictObject({ field: z.string(), value: z.string() }),
]);

/** Each case in a line of its own, by its place: the first that holds is taken. Undefined of what is no list of cases. */
export function caseSettings(value: unknown, words: GraphWords): Setting[] | undefined {
  const cases = z.array(Case).safeParse(value).data;
  return cases?.map(({ name, value: gives, filters, doNotMatchOnBlank }, index) => ({
    label: words.t("words.case", { number: index + 1 }),
    value: words.t(doNotMatchOnBlank ? "words.caseUnlessBlank" : "words.caseIs", {
      name,
      condition: conditionWords(filters, words) || words.t("words.always"),
      gives: typeof gives === "string" && gives !== "" ? withNames(gives, words) : words.t("compare.nothing"),
    }),
  }));
}

/** One row of a table; undefined of what is none. */
export function rowWords(value: unknown, words: GraphWords, renderType: string | undefined): string | undefined {
  const row = Row.safeParse(value).data;
  if (!row) return undefined;
  const named = (text: string): string => withNames(text, words);
  if ("name" in row) return `${row.name}: ${named(row.value)}`;
  if ("field" in row) return `${fieldName(row.field, words)} = ${named(row.value)}`;
  const isField = renderType === "fieldValues" || renderType === "placeValues";
  return isField
    ? `${fieldName(row.to, words)} = ${named(row.from)}`
    : words.t("words.becomes", { from: named(row.from), to: named(row.to) });
}

const Operand = z.union([
  z.looseObject({ kind: z.literal("token"), token: z.string() }),
  z.looseObject({ kind: z.literal("field"), field: z.string() }),
]);

/** A token or a field that stands for a value; undefined of what is none. */
export function operandWords(value: unknown, words: GraphWords): string | undefined {
  const operand = Operand.safeParse(value).data;
  if (!operand) return undefined;
  return operand.kind === "token" ? withNames(`{{${operand.token}}}`, words) : fieldName(operand.field, words);
}
