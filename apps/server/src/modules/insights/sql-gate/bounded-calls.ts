/** Exchanges calls for ones of our own that mean the same and are bounded, by edits of the text. */
import type { SqlFunction } from "./functions.ts";
import { closingOf, type Edit, type Token } from "./parse.ts";

/** Where the bounded forms of functions are that could make texts of any length. */
export const BOUNDED_SCHEMA = "accord_analytics.";
/** Where those are that PostgreSQL would work on for long in one step; found by the search path but for what the grammar names itself. */
const LONG_SCHEMA = "accord_written.";

/** None for a call that needs none; undefined where the text is not as expected. `at`: of the function's name. */
export function boundedCall(called: SqlFunction, tokens: readonly Token[], at: number): Edit[] | undefined {
  const { name, isBounded, isBoundedAround } = called;
  if (isBounded) return [{ from: at, to: at, text: BOUNDED_SCHEMA }];
  if (name === "position") return positionCall(tokens, at);
  return isBoundedAround ? around(name, tokens, at) : [];
}

/** `concat(…)` becomes `accord_analytics.concat(concat(…))`. */
function around(name: string, tokens: readonly Token[], at: number): Edit[] | undefined {
  const end = closingOf(tokens, at);
  if (end === undefined) return undefined;
  return [
    { from: at, to: at, text: `${BOUNDED_SCHEMA}${name}(` },
    { from: end, to: end, text: ")" },
  ];
}

/** `position(part IN value)` becomes `accord_written.position(part , value)`. Only CASE … END holds another IN without parentheses. */
function positionCall(tokens: readonly Token[], at: number): Edit[] | undefined {
  let depth = 0;
  for (const { from, to, text } of tokens) {
    if (from < at) continue;
    if (/^(?:\(|case)$/i.test(text)) depth += 1;
    if (/^(?:\)|end)$/i.test(text)) depth -= 1;
    if (depth === 1 && /^in$/i.test(text))
      return [
        { from: at, to: at, text: LONG_SCHEMA },
        { from, to, text: "," },
      ];
    if (depth === 0 && text === ")") return undefined;
  }
  return undefined;
}
