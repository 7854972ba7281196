/** Words of questions and of names, made comparable: lower case, singular, split where camel case changes. */

/** Words that are part of many names and stand for none of them alone. */
const GENERIC = new Set(
  "number name id date time code total count since in of at on by per the a an is are to from for and or value amount type".split(
    " ",
  ),
);

/** Singular by the common endings of English. */
export function stem(word: string): string {
  const lower = word.toLowerCase();
  if (/[^aeiou]ies$/.test(lower) && lower.length > 4) return `${lower.slice(0, -3)}y`;
  if (/(ss|us|is)$/.test(lower) || lower.length < 4) return lower;
  if (/(ches|shes|xes|sses|zes|[tprn]uses)$/.test(lower)) return lower.slice(0, -2);
  return lower.endsWith("s") ? lower.slice(0, -1) : lower;
}

export const stemsOf = (text: string): string[] =>
  text
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map(stem);

/** How well words name something called `name`: 0 for not at all, more for more and more exact words. */
export function nameScore(words: readonly string[], name: readonly string[]): number {
  const at = name.findIndex((_, start) => words.every((word, offset) => name[start + offset] === word));
  if (at < 0 || words.length === 0) return 0;
  if (words.length === name.length) return 10 + words.length;
  if (words.length === 1 && GENERIC.has(words[0] ?? "")) return 0;
  return words.length * 2 + words.length / name.length;
}
