/** The mirror of one instance: which tables it has copies of, how far they have seen, and whether it may answer. */
import type { MirrorColumn } from "@accord/analytics-engine";
import type { Pool } from "../../../../platform/db/db.ts";
import { OWN_COLUMNS, SOURCE_TYPES } from "./cells.ts";
import { startCapture } from "./change-capture.store.ts";
import {
  type ChangeWriter,
  type Copy,
  DiskLimitError,
  type MirrorDatabase,
  type MirrorRead,
  TooManyGroupsError,
} from "./mirror-database.store.ts";
import {
  type CopyState,
  inSnapshot,
  readChanges,
  readShape,
  snapshotOf,
  streamChangedIds,
  streamRecords,
  type TableShape,
} from "./mirror-source.store.ts";
import type { MirrorAnswer, MirrorLimits, MirroredTable, MirrorQuestion, Refusal } from "./protocol.ts";

/** Changes that a question waits for; more are taken in while PostgreSQL answers. */
const MAX_CHANGES_INLINE = 20_000;
/** More changes than this since the copy was made: it is made anew, for what is taken out leaves holes. */
const MAX_CHANGES_PER_RECORD = 2;
const RETRY_MS = [1_000, 5_000, 30_000, 120_000];

export class RefusedError extends Error {
  readonly reason: Refusal;
  constructor(reason: Refusal) {
    super(reason);
    this.reason = reason;
  }
}

interface Table {
  name: string;
  /** What questions have read so far. */
  wanted: Map<string, MirrorColumn>;
  copy: (CopyState & Copy & { columnNames: Set<string>; changes: number }) | null;
  state: MirroredTable["state"];
  records: number;
  isBuilding: boolean;
  failures: number;
  retryAt: number;
}

export interface MirrorContext {
  pool: Pool;
  schema: string;
  limits: MirrorLimits;
  log(level: "info" | "warn", facts: Record<string, unknown>, message: string): void;
  now(): number;
  onChange(): void;
}

export class MirrorOfInstance {
  readonly #context: MirrorContext;
  readonly #database: MirrorDatabase;
  readonly #tables = new Map<string, Table>();
  #turn: Promise<unknown> = Promise.resolve();
  #building: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  lastAsked: number;

  constructor(context: MirrorContext, database: MirrorDatabase) {
    this.#context = context;
    this.#database = database;
    this.lastAsked = context.now();
  }

  /** Throws `RefusedError` where PostgreSQL has to answer. */
  async ask(question: MirrorQuestion): Promise<MirrorAnswer> {
    this.lastAsked = this.#context.now();
    const tables = this.#demandCopies(question);
    const read = await this.#inTurn(() => this.#beginFresh(tables));
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      read.interrupt();
    }, question.timeoutMs);
    try {
      const { text, params, ages } = question;
      return await read.run({ text, params, ages, maxGroups: this.#context.limits.maxGroups });
    } catch (error) {
      if (isLate) throw new RefusedError("late");
      if (error instanceof TooManyGroupsError) throw new RefusedError("too_many_groups");
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  tables(): MirroredTable[] {
    return [...this.#tables.values()].map(({ name, state, records }) => ({
      ...{ schema: this.#context.schema, table: name, state, records },
    }));
  }

  /** Takes in what happened, whether somebody asks or not: the longer it waits, the more there is. */
  async tend(): Promise<void> {
    const ready = [...this.#tables.values()].filter(({ copy }) => copy !== null);
    if (ready.length > 0) await this.#inTurn(() => this.#catchUp(ready, null));
    for (const table of this.#tables.values()) if (table.copy === null) this.#build(table);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#turn, this.#building]);
    await this.#database.close();
  }

  /** The tables of a question, all of which have copies with the columns that it reads. */
  #demandCopies({ reads, ages }: MirrorQuestion): Table[] {
    const names = [...new Set([...reads.map(({ table }) => table), ...ages])];
    const tables = names.map((name) => this.#want(name, reads.find(({ table }) => table === name)?.columns ?? []));
    for (const table of tables) {
      const missing = [...table.wanted.values()].some(({ name, isFolded }) => !hasColumn(table.copy, name, isFolded));
      if (!table.copy || missing) this.#build(table);
    }
    if (tables.some(({ state }) => state === "disk_limit")) throw new RefusedError("disk_limit");
    for (const { table, columns } of reads) {
      const copy = this.#tables.get(table)?.copy;
      if (!copy || columns.some(({ name, isFolded }) => !hasColumn(copy, name, isFolded)))
        throw new RefusedError("building");
      if (columns.some(({ name }) => copy.unfit.has(name))) throw new RefusedError("column_unfit");
    }
    if (tables.some(({ copy }) => copy === null)) throw new RefusedError("building");
    return tables;
  }

  #want(name: string, columns: readonly MirrorColumn[]): Table {
    const table: Table = this.#tables.get(name) ?? {
      ...{ name, wanted: new Map(OWN_COLUMNS.map((column) => [column.name, column])), copy: null },
      ...{ state: "building", records: 0, isBuilding: false, failures: 0, retryAt: 0 },
    };
    this.#tables.set(name, table);
    for (const column of columns) {
      const known = table.wanted.get(column.name);
      table.wanted.set(column.name, { ...column, isFolded: column.isFolded || (known?.isFolded ?? false) });
    }
    return table;
  }

  /** Reads the copies with all that was committed when this was called, of one moment. */
  async #beginFresh(tables: readonly Table[]): Promise<MirrorRead> {
    if (!(await this.#catchUp(tables, MAX_CHANGES_INLINE))) throw new RefusedError("behind");
    return this.#database.beginRead(tables[0]?.name ?? "");
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  /** Copies are made one after another, while questions go on. */
  #oneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#building.then(work);
    this.#building = result.catch(() => {});
    return result;
  }

  /** False when a copy is not the table's any more, or more has happened than `atMost`. */
  async #catchUp(tables: readonly Table[], atMost: number | null): Promise<boolean> {
    const { pool, schema } = this.#context;
    const copies = tables.flatMap(({ copy }) => copy ?? []);
    if (copies.length < tables.length) return false;
    const { now, tables: changes } = await readChanges(pool, schema, copies);
    let isDone = true;
    let pending = 0;
    for (const [index, table] of tables.entries()) {
      const change = changes.find((one) => one.table === table.name);
      const copy = copies[index];
      if (!change || !copy) return false;
      const isTooMuch =
        change.count === null || copy.changes + change.count > MAX_CHANGES_PER_RECORD * Math.max(table.records, 10_000);
      if (!change.isSame || isTooMuch) {
        await this.#forgetCopy(table);
        isDone = false;
      }
      pending += change.count ?? 0;
    }
    if (!isDone) return false;
    if (pending === 0) {
      for (const copy of copies) copy.snapshot = now;
      return true;
    }
    if (atMost !== null && pending > atMost) {
      void this.tend().catch((error: unknown) =>
        this.#context.log("warn", { err: String(error) }, "the mirror could not catch up"),
      );
      return false;
    }
    await this.#takeIn(tables, copies);
    return true;
  }

  /** All tables from one snapshot, seen by questions at once. */
  async #takeIn(tables: readonly Table[], copies: readonly NonNullable<Table["copy"]>[]): Promise<void> {
    const { pool, schema } = this.#context;
    let isBroken: unknown;
    const snapshot = await inSnapshot(pool, async (client) => {
      const now = await snapshotOf(client);
      const again = await readChanges(client, schema, copies);
      if (again.tables.some(({ isSame, count }) => !isSame || count === null)) throw new RefusedError("behind");
      await this.#database.applyChanges(async (changes: ChangeWriter) => {
        for (const copy of copies) {
          const since = { ...copy };
          await streamChangedIds(client, { schema, since }, (rows) =>
            changes.remove(
              copy,
              rows.flatMap(([id]) => id ?? []),
            ),
          );
          const from = { schema, table: copy.table, columns: copy.columns, since };
          await streamRecords(client, from, (rows) => changes.append(copy, rows));
        }
      });
      for (const { table, count } of again.tables)
        for (const copy of copies) if (copy.table === table) copy.changes += count ?? 0;
      return now;
    }).catch((error: unknown) => {
      isBroken = error;
      return "";
    });
    if (snapshot === "") {
      if (isBroken instanceof DiskLimitError) await this.#exceed(tables);
      throw isBroken;
    }
    for (const copy of copies) copy.snapshot = snapshot;
  }

  async #exceed(tables: readonly Table[]): Promise<void> {
    for (const table of tables) {
      await this.#forgetCopy(table);
      table.state = "disk_limit";
      table.retryAt = this.#context.now() + (RETRY_MS.at(-1) ?? 0);
    }
  }

  async #forgetCopy(table: Table): Promise<void> {
    const { copy } = table;
    table.copy = null;
    table.state = "building";
    if (copy) await this.#database.drop(copy);
    this.#build(table);
  }

  /** In the background, once at a time; what fails is tried again later. */
  #build(table: Table): void {
    const { log, now, onChange } = this.#context;
    if (table.isBuilding || this.#isClosed || now() < table.retryAt) return;
    table.isBuilding = true;
    const facts = { schema: this.#context.schema, table: table.name };
    void this.#oneAtATime(() => this.#makeCopy(table))
      .then((isDone) => {
        table.failures = isDone ? 0 : table.failures + 1;
      })
      .catch((error: unknown) => {
        table.failures += 1;
        table.state = error instanceof DiskLimitError ? "disk_limit" : "failed";
        log("warn", { ...facts, reason: String(error) }, "a table could not be mirrored: PostgreSQL answers");
      })
      .finally(() => {
        const wait = RETRY_MS[Math.min(table.failures, RETRY_MS.length) - 1] ?? 0;
        table.retryAt = now() + (table.state === "disk_limit" ? (RETRY_MS.at(-1) ?? wait) : wait);
        table.isBuilding = false;
        onChange();
      });
  }

  /** False while writers leave no gap to note their changes. */
  async #makeCopy(table: Table): Promise<boolean> {
    const { pool, schema, log, now, onChange } = this.#context;
    if (this.#isClosed || !(await startCapture(pool, schema, table.name))) return false;
    const began = now();
    table.state = table.copy ? "ready" : "building";
    onChange();
    const made = await inSnapshot(pool, async (client) => {
      const snapshot = await snapshotOf(client);
      const shape = await readShape(client, schema, table.name);
      if (!shape) throw new Error("the table is gone");
      const columns = [...table.wanted.values()].filter((column) => isColumnOf(shape, column));
      const copy = await this.#database.createCopy(columns);
      const records = await this.#fill(copy, { client, table, columns });
      return { copy, records, state: { table: table.name, oid: shape.oid, signature: shape.signature, snapshot } };
    });
    // Between two questions, so that each sees one copy or the other.
    await this.#inTurn(() => this.#database.publish(table.name, made.copy, table.copy ?? undefined));
    const columnNames = new Set(
      made.copy.columns.flatMap(({ name, isFolded }) => (isFolded ? [name, `${name} folded`] : [name])),
    );
    table.copy = Object.assign(made.copy, made.state, { columnNames, changes: 0 });
    table.records = made.records;
    table.state = "ready";
    const facts = { schema, table: table.name, records: made.records, ms: Math.round(now() - began) };
    log("info", { ...facts, unfit: [...made.copy.unfit] }, "a table is mirrored");
    return true;
  }

  async #fill(
    copy: Copy,
    { client, table, columns }: { client: Parameters<typeof streamRecords>[0]; table: Table; columns: MirrorColumn[] },
  ): Promise<number> {
    const { schema, log, now, onChange } = this.#context;
    let records = 0;
    let told = now();
    try {
      await streamRecords(client, { schema, table: table.name, columns }, async (rows) => {
        if (this.#isClosed) throw new Error("the mirror is closed");
        await this.#database.append(copy, rows);
        records += rows.length;
        if (!table.copy) table.records = records;
        if (now() - told < 5_000) return;
        told = now();
        log("info", { schema, table: table.name, records }, "a table is being mirrored");
        onChange();
      });
    } catch (error) {
      await this.#database.drop(copy);
      throw error;
    }
    return records;
  }
}

const isColumnOf = ({ columns }: TableShape, { name, type }: MirrorColumn): boolean =>
  columns.get(name) === SOURCE_TYPES[type];

const hasColumn = (copy: Table["copy"], name: string, isFolded: boolean): boolean =>
  copy !== null && copy.columnNames.has(isFolded ? `${name} folded` : name);
