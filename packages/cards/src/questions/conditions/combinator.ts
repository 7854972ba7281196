/** How the conditions of a question are joined, read from what stands between the marks that they left. */
import { CONDITION } from "../question-text.ts";

const SIGN = CONDITION.trim();
const JOINED = new RegExp(
  "^[\\s,]*(?:either\\s+)?or(?:\\s+(?:else|those|ones|the|with|that|which|where|whose|who|are|is|have|has|in|from|§|if|for|when))*\\s*$",
  "i",
);

/** Null when some are joined by “or” and others are not, or when it is not clear what an “or” joins. */
export function combinatorOf(text: string, conditions: number): "and" | "or" | null {
  const between = text.split(SIGN).slice(1, -1);
  const withOr = between.filter((part) => /\bor\b/i.test(part));
  if (withOr.length === 0) return "and";
  return withOr.every((part) => JOINED.test(part)) && withOr.length === conditions - 1 ? "or" : null;
}

/** “Or status is Closed”: the conditions come instead of what is filtered already, not in addition. */
export const isAlternative = (text: string): boolean => new RegExp(`^\\s*or\\b[^${SIGN}]*${SIGN}`, "i").test(text);
