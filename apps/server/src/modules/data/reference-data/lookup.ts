/** Looking something up in reference data, for many values at once. */
import type { Id } from "@accord/contracts";
import type { Client, Pool } from "../../../platform/db/db.ts";
import * as store from "./reference-data.store.ts";
import { STANDARD_LISTS } from "./standard-lists.ts";

export interface ReferenceQuestion {
  /** Id of the list; a deactivated one still answers what uses it already. */
  list: string;
  column: string;
  texts: readonly string[];
  caseSensitive: boolean;
  /** Most rows for each text. */
  limit: number;
}

/** Text of each column by the column's name. */
export type ReferenceRow = { readonly [column: string]: string };

/**
 * Rows by the text they were found with, in the order of the file; a text without a row is absent.
 * null: there is no such list in the instance, or it has no such column.
 */
export async function findReferenceRows(
  db: Pool | Client,
  at: Id<"instance">,
  { list, column, texts, caseSensitive, limit }: ReferenceQuestion,
): Promise<Map<string, ReferenceRow[]> | null> {
  const standard = STANDARD_LISTS.get(list);
  const columns = standard?.columns ?? (await store.findList(db, at, list))?.columns;
  const place = columns?.indexOf(column) ?? -1;
  if (!columns || place < 0) return null;
  const asked = [...new Set(texts)];
  const found = standard
    ? inMemory(standard.rows, { place, asked, caseSensitive, limit })
    : await store.findRows(db, at, list, { column: place + 1, texts: asked, caseSensitive, limit });
  const rows = new Map<string, ReferenceRow[]>();
  for (const one of found) {
    const row = Object.fromEntries(columns.map((name, index) => [name, one.texts[index] ?? ""]));
    rows.set(one.asked, [...(rows.get(one.asked) ?? []), row]);
  }
  return rows;
}

function inMemory(
  rows: readonly (readonly string[])[],
  { place, asked, caseSensitive, limit }: { place: number; asked: string[]; caseSensitive: boolean; limit: number },
): { asked: string; texts: readonly string[] }[] {
  const same = (text: string): string => (caseSensitive ? text : text.toLowerCase());
  return asked.flatMap((text) =>
    rows
      .filter((row) => same(row[place] ?? "") === same(text))
      .slice(0, limit)
      .map((texts) => ({ asked: text, texts })),
  );
}
