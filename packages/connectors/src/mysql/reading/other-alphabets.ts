/** Looks rows up by texts of which some may have letters that the column's alphabet lacks: no row can hold those. */
import type { TextRow } from "../client.ts";
import { serverErrorOf } from "../errors.ts";

const OTHER_ALPHABET = new Set([1267, 1270, 1271, 3854]);

/** What `ask` finds for the texts; the server refuses all of them for one that it can't compare. */
export async function rowsSpelled(
  texts: readonly string[],
  ask: (some: readonly string[]) => Promise<TextRow[]>,
): Promise<TextRow[]> {
  try {
    return await ask(texts);
  } catch (error) {
    if (!OTHER_ALPHABET.has(serverErrorOf(error)?.errno ?? 0)) throw error;
    if (texts.length === 1) return [];
    const middle = texts.length >> 1;
    const first = await rowsSpelled(texts.slice(0, middle), ask);
    return [...first, ...(await rowsSpelled(texts.slice(middle), ask))];
  }
}
