/** The output columns of a statement as its text writes them: where each stands, and how its name is spelled. */
import { parseSql } from "./parse.ts";
import { foldName, type TextRange } from "./text-places.ts";
import { bodyOf } from "./tree.ts";

/** Where each column of the outermost SELECT is computed; empty where a star or UNION stands for several. Throws `SqlRefusal`. */
export function outputPlaces(text: string): TextRange[] {
  const { root, tokens, toUnits } = parseSql(text);
  const select = bodyOf(root, "SelectStmt");
  const list = select?.["larg"] ? undefined : select?.["targetList"];
  if (!Array.isArray(list) || JSON.stringify(list).includes('"A_Star"')) return [];
  return list.flatMap((one: unknown) => {
    const location = bodyOf(one, "ResTarget")?.["location"];
    const from = toUnits(typeof location === "number" ? location : 0);
    return tokens.find((token) => token.from === from) ?? [];
  });
}

/** A name as the text spells it where it first occurs: PostgreSQL answers it in lower case. Throws `SqlRefusal`. */
export function spellingOf(text: string): (name: string) => string {
  const spelled = new Map<string, string>();
  for (const { kind, text: word } of parseSql(text).tokens) {
    if (kind !== "name" && kind !== "keyword" && kind !== "quotedName") continue;
    const name = kind === "quotedName" ? word.slice(1, -1).replaceAll('""', '"') : word;
    const isShouted = kind === "keyword" && name === name.toUpperCase();
    if (!spelled.has(foldName(name)) && !isShouted) spelled.set(foldName(name), name);
  }
  return (name) => spelled.get(name) ?? name;
}
