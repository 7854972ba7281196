/**
 * Runs one statement and takes its rows as they arrive, up to a number of bytes. Not by a cursor: PostgreSQL shares the
 * work of a statement among processes only when all of its rows are asked for at once.
 */
import pg, { type PoolClient } from "pg";
import { TooManyBytesError } from "../../../platform/db/bounded-client.ts";
import { configureTypeParsers } from "../../../platform/db/value-types.ts";

export interface StreamedRows {
  rows: Record<string, unknown>[];
  /** What the rows took on the wire, with the names that each of them has in JSON. */
  bytes: number;
}

/** Lists and objects inside each other that an answer holds: what writes it as JSON calls itself for each. */
const MAX_LEVELS = 200;

function isDeep(json: string): boolean {
  let depth = 0;
  for (const [sign] of json.matchAll(/[[\]{}]/g)) {
    depth += sign === "[" || sign === "{" ? 1 : -1;
    if (depth > MAX_LEVELS) return true;
  }
  return false;
}

/** Throws `TooManyBytesError` as soon as the limit is passed. The statement may still run then: the caller has to cancel it. */
export function streamRows(
  client: PoolClient,
  statement: { text: string; params: unknown[] },
  maxBytes: number,
): Promise<StreamedRows> {
  return new Promise((resolve, reject) => {
    let rows: Record<string, unknown>[] = [];
    let bytes = 0;
    const types: pg.CustomTypesConfig = {
      getTypeParser(oid, format) {
        const parse = configureTypeParsers.getTypeParser(oid, format);
        return (value: string) => {
          bytes += Buffer.byteLength(value);
          if (bytes > maxBytes) return null;
          return oid === pg.types.builtins.JSONB && isDeep(value) ? value : parse(value);
        };
      },
    };
    let nameBytes: number | undefined;
    // By the extended protocol even without parameters: it takes one statement and no more.
    const config = { text: statement.text, values: statement.params, types, queryMode: "extended" };
    const query = new pg.Query<Record<string, unknown>>(config);
    query.on("row", (row: Record<string, unknown>) => {
      bytes += nameBytes ??= Buffer.byteLength(JSON.stringify(Object.keys(row)));
      if (bytes <= maxBytes) rows.push(row);
      else {
        rows = [];
        reject(new TooManyBytesError(`more than ${maxBytes} bytes`));
      }
    });
    query.on("error", reject);
    query.on("end", () => resolve({ rows, bytes }));
    client.query(query);
  });
}
