/** The parts of a checked statement: its text, cut at the variables. */
import type { CheckedSql } from "@accord/analytics-engine";
import type { Edit, ParsedSql } from "./parse.ts";
import { foldName } from "./text-places.ts";

/** The text to run: names in quotes in lower case, semicolons left out, functions bounded, cut at the variables. */
export function partsOf(
  text: string,
  { tokens, variables }: ParsedSql,
  { edits, asRows }: { edits: readonly Edit[]; asRows: ReadonlySet<number> },
): CheckedSql["parts"] {
  const changes = [
    ...edits,
    ...tokens.flatMap(({ from, to, text: word, kind }): Edit[] => {
      if (kind === "quotedName") return [{ from, to, text: foldName(word) }];
      return word === ";" ? [{ from, to, text: " " }] : [];
    }),
    ...variables.map(({ from, to, name }) => ({ from, to, name, text: "" })),
  ].toSorted((one, other) => one.from - other.from || one.to - other.to);
  const parts: CheckedSql["parts"][number][] = [];
  let open = "";
  let at = 0;
  for (const change of changes) {
    open += text.slice(at, change.from) + change.text;
    at = change.to;
    if (!("name" in change) || typeof change.name !== "string") continue;
    parts.push(open, { variable: change.name, asRows: asRows.has(change.from) });
    open = "";
  }
  return [...parts, open + text.slice(at)].filter((part) => part !== "");
}
