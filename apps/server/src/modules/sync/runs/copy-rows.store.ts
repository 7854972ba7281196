/** Many rows into a table by COPY: the fastest way in, measured against unnest in the same run of `bench sync`. */
import { once } from "node:events";
import type { PoolClient } from "pg";
import { from as copyFrom } from "pg-copy-streams";

/** A column's value in COPY's text form. Objects and lists go as JSON. */
export function copyValue(value: unknown): string {
  if (value === null || value === undefined) return "\\N";
  if (typeof value === "string") return escapeText(value);
  if (typeof value === "object") return escapeText(JSON.stringify(value));
  return String(value);
}

const SPECIAL = /[\\\n\r\t]/;
const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

const escapeText = (text: string): string =>
  SPECIAL.test(text) ? text.replace(/[\\\n\r\t]/g, (found) => ESCAPES[found] ?? found) : text;

/** Copies `text` (one line a row, tab-separated `copyValue`s) into `target`: a table with its column list. */
export async function copyRows(client: PoolClient, target: string, text: string): Promise<void> {
  if (text === "") return;
  const stream = client.query(copyFrom(`COPY ${target} FROM STDIN`));
  const finished = once(stream, "finish");
  stream.end(text);
  await finished;
}
