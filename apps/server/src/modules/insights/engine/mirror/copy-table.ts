/** Makes a copy of a table, from one snapshot, a batch at a time. */
import type { MirrorColumn } from "@accord/analytics-engine";
import type { PoolClient } from "pg";
import type { Pool } from "../../../../platform/db/db.ts";
import { SOURCE_TYPES } from "./cells.ts";
import type { Copy, MirrorDatabase } from "./mirror-database.store.ts";
import { type CopyState, readShape, streamRecords } from "./mirror-source.store.ts";
import type { MirrorLimits } from "./protocol.ts";
import { inSnapshot } from "./snapshot.store.ts";

export interface MirrorContext {
  pool: Pool;
  schema: string;
  limits: MirrorLimits;
  log(level: "info" | "warn", facts: Record<string, unknown>, message: string): void;
  now(): number;
  onChange(): void;
  /** DuckDB does not answer any more. */
  onStuck(): void;
  /** It could not read or write its files. */
  onBroken(error: unknown): void;
}

export interface TableCopy extends Copy, CopyState {
  /** What questions may read; with ` folded` after it the form in small letters. */
  columnNames: ReadonlySet<string>;
  /** That it has now. */
  records: number;
  /** Records that changed since. */
  changes: number;
}

interface CopyOptions {
  table: string;
  wanted: readonly MirrorColumn[];
  isClosed(): boolean;
  onRecords(records: number): void;
}

const LOG_MS = 5_000;
/** As long as changes are kept: an older snapshot could not be brought up to date. */
const COPY_MS = 10 * 60_000;

export async function copyTable(
  database: MirrorDatabase,
  context: MirrorContext,
  options: CopyOptions,
): Promise<TableCopy> {
  const { table, wanted } = options;
  const place = { schema: context.schema, tables: [table], maxMs: COPY_MS, isOver: options.isClosed };
  let begun: Copy | undefined;
  try {
    return await inSnapshot(context.pool, place, async ({ client, snapshot }) => {
      const shape = await readShape(client, context.schema, table);
      if (!shape) throw new Error("the table is gone");
      // Of a table whose triggers somebody dropped after they were made nothing would ever be seen to change.
      if (!shape.isCaptured) throw new Error("the changes of the table are not noted");
      const columns = wanted.filter(({ name, type }) => shape.columns.get(name) === SOURCE_TYPES[type]);
      const copy = await database.createCopy(columns);
      begun = copy;
      // What the table does not have, or has with another type, is not looked for again until the table changes.
      for (const { name } of wanted) if (!columns.some((one) => one.name === name)) copy.unfit.add(name);
      const records = await fill(copy, { client, database, context, options });
      const columnNames = new Set(
        columns.flatMap(({ name, isFolded }) => (isFolded ? [name, `${name} folded`] : [name])),
      );
      return Object.assign(copy, {
        ...{ table, oid: shape.oid, signature: shape.signature, snapshot },
        ...{ columnNames, records, changes: 0 },
      });
    });
  } catch (error) {
    // What remains where DuckDB can't drop it either goes with its file.
    if (begun) await database.discard(begun).catch(() => {});
    throw error;
  }
}

interface Filling {
  client: PoolClient;
  database: MirrorDatabase;
  context: MirrorContext;
  options: CopyOptions;
}

async function fill(copy: Copy, { client, database, context, options }: Filling): Promise<number> {
  const { schema, log, now, onChange } = context;
  const { table, isClosed, onRecords } = options;
  let records = 0;
  let loggedAt = now();
  await streamRecords(client, { schema, table, columns: copy.columns }, async (rows) => {
    if (isClosed()) throw new Error("the mirror is closed");
    await database.append(copy, rows);
    records += rows.length;
    onRecords(records);
    if (now() - loggedAt < LOG_MS) return;
    loggedAt = now();
    log("info", { schema, table, records }, "a table is being mirrored");
    onChange();
  });
  return records;
}
