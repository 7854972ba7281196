/** Cuts texts of formulas to their maximal length, the same in memory and in SQL: a few nested calls would fill any memory. */
import { fixedSql, sql, type SqlFragment } from "../sql/fragment.ts";
import type { FormulaEnv } from "./types.ts";

/** Where the characters after the first `count` begin; characters may take two units. */
function indexAfter(text: string, count: number): number {
  // No text has more characters than units.
  if (text.length <= count) return text.length;
  let index = 0;
  for (let characters = 0; characters < count && index < text.length; characters++)
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  return index;
}

/** The first characters, as many as a text may have. */
export function cutText(text: string, { maxTextLength, onTextCut }: FormulaEnv): string {
  const end = indexAfter(text, maxTextLength);
  if (end >= text.length) return text;
  onTextCut?.();
  return text.slice(0, end);
}

export const cutTextSql = (text: SqlFragment, { maxTextLength }: Pick<FormulaEnv, "maxTextLength">): SqlFragment =>
  sql`left(${text}, ${fixedSql(String(Math.trunc(maxTextLength)))})`;
