/**
 * Polls of a PostgreSQL table of 2,000,000 rows (or `--rows=N`), by row versions and by logical replication: with nothing
 * changed, beside an empty question, and with 50,000 rows changed, beside one statement that hands over the same rows.
 * `ACCORD_TEST_POSTGRES_PROGRAMS=/usr/lib/postgresql/15/bin` measures another version.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Connection, Cursor } from "@accord/connector-sdk";
import { connectTo, entityNamed, fieldNames } from "@accord/connector-sdk/test-kit";
import { findConnectorType } from "@accord/connectors";
import { startPostgresServer, type PostgresServer } from "@accord/connectors/test-systems/postgres-server";
import type { EntitySchema } from "@accord/contracts/data/schema";
import { peakRssMb, type Measure, type Measurement } from "../setup/measurement.ts";

const POLLS = 20;
const CHANGED = 50_000;
const PAGE_SIZE = 2_000;
/** Sessions tell the table's counters a while after their commit. */
const TOLD_MS = 2_000;
const HOUR_MS = 3_600_000;
/** How far the reader's clock is ahead. */
let aheadMs = 0;

export const measure: Measure = async (words, say) => {
  const rows = Number(words.find((word) => word.startsWith("--rows="))?.slice("--rows=".length) ?? 2_000_000);
  const server = await startPostgresServer({ wal_level: "logical", max_wal_size: "4GB" });
  const client = await server.client();
  try {
    say(`  ${rows} rows`);
    await client.query("CREATE TABLE item (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text, filler text)");
    await client.query(
      "INSERT INTO item (name, filler) SELECT 'n' || n, repeat('x', 100) FROM generate_series(1, $1::int) n",
      [rows],
    );
    await client.query("CREATE TABLE other (n int)");
    await client.query("VACUUM ANALYZE item");
    const measured: Measurement[] = [];
    for (const changes of ["rowVersions", "replication"]) {
      const connection = connectionTo(server, changes);
      const reader = new Reader(connection, await entityNamed(connection, "item"));
      await reader.readToEnd();
      await client.query("INSERT INTO other VALUES (1)");
      await reader.readToEnd();
      const polls: number[] = [];
      const empty: number[] = [];
      for (let poll = 0; poll < POLLS; poll += 1) {
        // Something else in the database changes before each poll.
        await client.query("INSERT INTO other VALUES (1)");
        polls.push(await timeOf(() => reader.readToEnd()));
        empty.push(await timeOf(() => client.query("SELECT 1")));
      }
      const by = changes === "replication" ? "by replication" : "by row versions";
      const unit = { unit: "ms", better: "less" } as const;
      measured.push({
        ...unit,
        name: `polls: nothing changed, ${by} (an empty question)`,
        ours: medianOf(polls),
        limit: medianOf(empty),
        rssMb: peakRssMb(),
      });
      const name = `changed ${changes}`;
      const some = `SELECT id FROM item LIMIT ${CHANGED}`;
      await client.query(`UPDATE item SET name = $1 WHERE id IN (${some})`, [name]);
      await pause(TOLD_MS);
      // The table is not read through again so soon after the last time.
      aheadMs += HOUR_MS;
      let records = 0;
      const ours = await timeOf(async () => (records = await reader.readToEnd()));
      if (records !== Math.min(rows, CHANGED)) throw new Error(`${records} of ${CHANGED} changes came`);
      const limit = await timeOf(() => client.query("SELECT * FROM item WHERE name = $1", [name]));
      measured.push({ ...unit, name: `polls: ${CHANGED} changed, ${by}`, ours, limit, rssMb: peakRssMb() });
      await connection.close();
    }
    return measured;
  } finally {
    await client.end();
    await server.stop();
  }
};

function connectionTo(server: PostgresServer, changes: string): Connection {
  const type = findConnectorType("postgres");
  if (!type) throw new Error("there is a connector for PostgreSQL");
  const { host, port, user, password } = server;
  return connectTo(type, {
    config: { host, port, database: "postgres", encryption: "none", changes, statementSeconds: 600 },
    credentials: { username: user, password },
    world: { now: () => new Date(Date.now() + aheadMs) },
  });
}

/** Reads on from where it stopped, as a pipeline does; history begins with its first reading. */
class Reader {
  readonly #connection: Connection;
  readonly #entity: EntitySchema;
  #cursor: Cursor = null;

  constructor(connection: Connection, entity: EntitySchema) {
    this.#connection = connection;
    this.#entity = entity;
  }

  /** Answers how many records came. */
  async readToEnd(): Promise<number> {
    for (let records = 0; ;) {
      const page = await this.#connection.read({
        entity: this.#entity,
        fields: fieldNames(this.#entity),
        cursor: this.#cursor,
        committed: this.#cursor,
        mode: "changes",
        pageSize: PAGE_SIZE,
        reader: "accord_bench",
        since: new Date(),
      });
      this.#cursor = page.cursor;
      records += page.records.length;
      if (page.drained) return records;
    }
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const medianOf = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[times.length >> 1] ?? 0;
