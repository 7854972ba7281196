/**
 * The DuckDB database of one instance: copies of its tables in a file of its own. It is a working copy that lives as long as
 * this process: begun with an empty file, for making it anew takes seconds and whatever the last process left may be broken.
 */
import { mkdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type MirrorColumn, mirrorName } from "@accord/analytics-engine";
import { type DuckDBConnection, DuckDBDataChunk, DuckDBInstance, VARCHAR } from "@duckdb/node-api";
import type { RawRow } from "../analytics-engine.ts";
import { cellsOf, stage } from "./cells.ts";
import type { MirrorAnswer, MirrorLimits } from "./protocol.ts";

/** The copies take more of the disk than they may. */
export class DiskLimitError extends Error {
  override readonly name = "DiskLimitError";
}
export class TooManyGroupsError extends Error {
  override readonly name = "TooManyGroupsError";
}

const CHUNK_ROWS = 2_048;
/** Of all values of an answer. */
const MAX_ANSWER_LENGTH = 8_000_000;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export interface Copy {
  /** In DuckDB. */
  name: string;
  columns: readonly MirrorColumn[];
  unfit: Set<string>;
}

export interface MirrorDatabase {
  /** An empty copy, which nobody asks yet. */
  createCopy(columns: readonly MirrorColumn[]): Promise<Copy>;
  append(copy: Copy, rows: RawRow[]): Promise<void>;
  /** Questions about the table are asked of this copy from now on; the one before it goes. Both or nothing. */
  publish(table: string, copy: Copy, former: Copy | undefined): Promise<void>;
  /** A copy that was not published. */
  discard(copy: Copy): Promise<void>;
  drop(copy: Copy): Promise<void>;
  /** All or nothing, as one step for those who ask. */
  applyChanges(work: (changes: ChangeWriter) => Promise<void>): Promise<void>;
  /** Sees the copies as they are now, whatever is changed in them afterwards; has to be run or ended. */
  beginRead(table: string): Promise<MirrorRead>;
  /** Of its file, with what is not yet written into it. */
  bytes(): Promise<number>;
  close(): Promise<void>;
}

export interface MirrorRead {
  run(question: { text: string; params: string[]; ages: readonly string[]; maxGroups: number }): Promise<MirrorAnswer>;
  interrupt(): void;
  /** In place of `run`. */
  end(): void;
}

export interface ChangeWriter {
  /** Takes out the records of these ids; answers how many of them it had. */
  remove(copy: Copy, ids: readonly string[]): Promise<number>;
  append(copy: Copy, rows: RawRow[]): Promise<void>;
}

export async function openMirrorDatabase(folder: string, limits: MirrorLimits): Promise<MirrorDatabase> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, "temp"), { recursive: true, mode: 0o700 });
  const file = join(folder, "mirror.duckdb");
  const instance = await DuckDBInstance.create(file, {
    memory_limit: `${limits.memoryMb}MB`,
    threads: String(limits.threads),
    temp_directory: join(folder, "temp"),
    max_temp_directory_size: `${limits.diskMb}MB`,
    preserve_insertion_order: "false",
    enable_external_access: "false",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    allow_community_extensions: "false",
    lock_configuration: "true",
  });
  // One connection makes copies while the other takes in changes: neither waits for the other.
  const [building, writing] = [await instance.connect(), await instance.connect()];
  const asking = new Map<DuckDBConnection, Promise<unknown>>();
  let copies = 0;

  const bytes = async (): Promise<number> => {
    const sizes = await Promise.all(
      [file, `${file}.wal`].map((path) =>
        stat(path).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  const demandSpace = async (): Promise<void> => {
    const megabytes = (await bytes()) / 1_000_000;
    if (megabytes > limits.diskMb) throw new DiskLimitError(`the copies take ${Math.round(megabytes)} MB`);
  };
  const append = async (copy: Copy, rows: RawRow[]): Promise<void> => {
    await appendRows(building, copy, rows);
    await demandSpace();
  };

  return {
    async createCopy(columns) {
      copies += 1;
      const copy: Copy = { name: `copy_${copies}`, columns, unfit: new Set() };
      const cells = cellsOf(columns).map(({ ddl }) => ddl);
      await building.run(`CREATE TABLE ${copy.name} (${cells.join(", ")})`);
      return copy;
    },
    append,
    bytes,
    async publish(table, copy, former) {
      await asOne(writing, async () => {
        await writing.run(`CREATE OR REPLACE VIEW ${quoted(mirrorName(table))} AS SELECT * FROM ${copy.name}`);
        if (former) await writing.run(`DROP TABLE IF EXISTS ${former.name}`);
      });
    },
    discard: async (copy) => void (await building.run(`DROP TABLE IF EXISTS ${copy.name}`)),
    drop: async (copy) => void (await writing.run(`DROP TABLE IF EXISTS ${copy.name}`)),
    async applyChanges(work) {
      await asOne(writing, () =>
        work({
          remove: (copy, ids) => removeRows(writing, copy, ids),
          append: (copy, rows) => appendRows(writing, copy, rows),
        }),
      );
      await demandSpace();
    },
    async beginRead(table) {
      const connection = await instance.connect();
      asking.set(connection, Promise.resolve());
      const end = (): void => {
        if (asking.delete(connection)) connection.closeSync();
      };
      try {
        await connection.run("BEGIN TRANSACTION READ ONLY");
        // A transaction sees the database as it is when it first reads.
        await connection.run(`SELECT 1 FROM ${quoted(mirrorName(table))} LIMIT 1`);
      } catch (error) {
        end();
        throw error;
      }
      return {
        run(question) {
          const running = answer(connection, question).finally(end);
          asking.set(
            connection,
            running.catch(() => {}),
          );
          return running;
        },
        interrupt() {
          if (asking.has(connection)) connection.interrupt();
        },
        end,
      };
    },
    async close() {
      await interruptAll(asking);
      building.closeSync();
      writing.closeSync();
      instance.closeSync();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function asOne(on: DuckDBConnection, work: () => Promise<void>): Promise<void> {
  await on.run("BEGIN TRANSACTION");
  try {
    await work();
    await on.run("COMMIT");
  } catch (error) {
    await on.run("ROLLBACK").catch(() => {});
    throw error;
  }
}

const INTERRUPT_MS = 100;

/** Until all have ended: what is interrupted between two of its steps does not notice. */
async function interruptAll(asking: ReadonlyMap<DuckDBConnection, Promise<unknown>>): Promise<void> {
  const interrupt = (): void => {
    for (const connection of asking.keys()) connection.interrupt();
  };
  interrupt();
  const again = setInterval(interrupt, INTERRUPT_MS);
  await Promise.all(asking.values());
  clearInterval(again);
}

async function answer(
  on: DuckDBConnection,
  { text, params, ages, maxGroups }: Parameters<MirrorRead["run"]>[0],
): Promise<MirrorAnswer> {
  const reader = await on.streamAndReadUntil(text, maxGroups + 1, params);
  const rows = reader.getRowsJson();
  if (rows.length > maxGroups) throw new TooManyGroupsError(`more than ${maxGroups} groups`);
  const columns = reader.columnNames().map((_, at) => rows.map((row) => asText(row[at])));
  return { columns: bounded(columns), dataAsOf: ages.length === 0 ? null : await lastWritten(on, ages) };
}

const asText = (value: unknown): string | null => (typeof value === "string" ? value : null);

function bounded(columns: (string | null)[][]): (string | null)[][] {
  let length = 0;
  for (const column of columns) for (const text of column) length += text?.length ?? 0;
  if (length > MAX_ANSWER_LENGTH) throw new TooManyGroupsError("the groups are too large");
  return columns;
}

const STAGED = "staged";

async function appendRows(on: DuckDBConnection, copy: Copy, rows: RawRow[]): Promise<void> {
  if (rows.length === 0) return;
  const cells = cellsOf(copy.columns);
  await stageColumns(on, stage(copy.columns, rows, copy.unfit));
  const casts = cells.map(({ cast }, at) => cast(`c${at}`)).join(", ");
  await on.run(`INSERT INTO ${copy.name} SELECT ${casts} FROM ${STAGED}`);
  await on.run(`DROP TABLE ${STAGED}`);
}

async function removeRows(on: DuckDBConnection, copy: Copy, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  await stageColumns(on, [[...ids]]);
  const { rowsChanged } = await on.run(`DELETE FROM ${copy.name} WHERE "accord_id" IN (SELECT c0 FROM ${STAGED})`);
  await on.run(`DROP TABLE ${STAGED}`);
  return rowsChanged;
}

async function stageColumns(on: DuckDBConnection, columns: (string | null)[][]): Promise<void> {
  const names = columns.map((_, at) => `c${at} VARCHAR`).join(", ");
  await on.run(`CREATE OR REPLACE TEMP TABLE ${STAGED} (${names})`);
  const appender = await on.createAppender(STAGED);
  const types = columns.map(() => VARCHAR);
  const count = columns[0]?.length ?? 0;
  for (let first = 0; first < count; first += CHUNK_ROWS) {
    const chunk = DuckDBDataChunk.create(types);
    chunk.setColumns(columns.map((column) => column.slice(first, first + CHUNK_ROWS)));
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}

/** As `dataAsOf` of PostgreSQL's engine gives it: in milliseconds, finer digits cut. */
async function lastWritten(on: DuckDBConnection, tables: readonly string[]): Promise<string | null> {
  const parts = tables.map(
    (table) => `SELECT max(${quoted(mirrorName("accord_updated_at"))}) AS last FROM ${quoted(mirrorName(table))}`,
  );
  const reader = await on.runAndReadAll(
    `SELECT strftime(date_trunc('milliseconds', max(last)), '%Y-%m-%dT%H:%M:%S.%gZ') FROM (${parts.join(" UNION ALL ")}) AS ages`,
  );
  return asText(reader.getRowsJson()[0]?.[0]);
}
