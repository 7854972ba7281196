/**
 * Runs one statement and hands its rows on in batches; the connection is not read while a batch is worked on, so that the
 * memory it takes does not grow with the rows. Not by a cursor: PostgreSQL shares the work of a statement among processes
 * only when all of its rows are asked for at once, and ends transactions that wait between two statements.
 */
import pg, { type PoolClient } from "pg";
import type { RawRow } from "./analytics-engine.ts";

interface PlainStatement {
  text: string;
  params: unknown[];
}

/** Of rows that wait for their batch; those of one packet more may come. */
const MAX_WAITING_BYTES = 131_072;
const MAX_COUNT_MS = 20_000;
const CANCELLED = "57014";
const exactText: pg.CustomTypesConfig = { getTypeParser: () => (value: string) => value };

/** How many rows a statement gives; null when counting them takes too long. */
export async function countRows(client: PoolClient, { text, params }: PlainStatement): Promise<number | null> {
  await client.query(`SAVEPOINT counting; SET LOCAL statement_timeout = ${MAX_COUNT_MS}`);
  let total: number | null = null;
  try {
    const reply = await client.query<{ total: number | string }>({
      text: `SELECT count(*) AS total FROM (\n${text}\n) AS "answer"`,
      values: params,
    });
    total = Number(reply.rows[0]?.total);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== CANCELLED) throw error;
  }
  // Takes the short timeout back as well.
  await client.query("ROLLBACK TO SAVEPOINT counting");
  return total;
}

/** When `take` throws, the statement may still run: the caller has to cancel it. `progress` counts the rows that came. */
export async function streamBatches(
  client: PoolClient,
  { text, params }: PlainStatement,
  take: (rows: RawRow[], types: readonly number[]) => Promise<void>,
  progress: { rows: number } = { rows: 0 },
): Promise<void> {
  if (!(client instanceof pg.Client)) throw new TypeError("the rows of this connection can't be held back");
  const { stream } = client.connection;
  let rows: RawRow[] = [];
  let bytes = 0;
  let types: number[] | undefined;
  let end: { error?: Error } | undefined;
  let wake = (): void => {};
  // By the extended protocol even without parameters: it takes one statement and no more.
  const config = { text, values: params, types: exactText, rowMode: "array", queryMode: "extended" };
  const query = new pg.Query<RawRow>(config);
  query.on("row", (row, result) => {
    types ??= result?.fields.map(({ dataTypeID }) => dataTypeID) ?? [];
    rows.push(row);
    progress.rows += 1;
    for (const cell of row) bytes += cell?.length ?? 0;
    if (bytes >= MAX_WAITING_BYTES) stream.pause();
    wake();
  });
  query.on("error", (error) => {
    end = { error };
    wake();
  });
  query.on("end", () => {
    end ??= {};
    wake();
  });
  client.query(query);
  for (;;) {
    if (rows.length === 0 && !end) await new Promise<void>((resolve) => (wake = resolve));
    if (end?.error) throw end.error;
    if (rows.length === 0) return;
    const batch = rows;
    rows = [];
    bytes = 0;
    await take(batch, types ?? []);
    stream.resume();
  }
}
