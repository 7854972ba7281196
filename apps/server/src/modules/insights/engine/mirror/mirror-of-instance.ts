/** The mirror of one instance: which tables it has copies of, how far they have seen, and whether it may answer. */
import type { MirrorColumn } from "@accord/analytics-engine";
import { OWN_COLUMNS } from "./cells.ts";
import { startCapture } from "./change-capture.store.ts";
import { copyTable, type MirrorContext, type TableCopy } from "./copy-table.ts";
import {
  type ChangeWriter,
  DiskLimitError,
  type MirrorDatabase,
  type MirrorRead,
  TooManyGroupsError,
} from "./mirror-database.store.ts";
import { inSnapshot, readChanges, snapshotOf, streamChangedIds, streamRecords } from "./mirror-source.store.ts";
import type { MirrorAnswer, MirroredTable, MirrorQuestion, Refusal } from "./protocol.ts";

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
  copy: TableCopy | null;
  state: MirroredTable["state"];
  records: number;
  isBuilding: boolean;
  failures: number;
  retryAt: number;
}

export class MirrorOfInstance {
  readonly #context: MirrorContext;
  readonly #database: MirrorDatabase;
  readonly #tables = new Map<string, Table>();
  #turn: Promise<unknown> = Promise.resolve();
  #building: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #isBehind = false;
  lastAsked: number;

  constructor(context: MirrorContext, database: MirrorDatabase) {
    this.#context = context;
    this.#database = database;
    this.lastAsked = context.now();
  }

  /** Throws `RefusedError` where PostgreSQL has to answer. */
  async ask(question: MirrorQuestion): Promise<MirrorAnswer> {
    this.lastAsked = this.#context.now();
    if (this.#isBehind) throw new RefusedError("behind");
    const tables = this.#wantTables(question);
    const read = await this.#inTurn(() => this.#beginFresh(question, tables));
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

  /** The tables of a question, all of which have copies with the columns that it reads, or will have. */
  #wantTables(question: MirrorQuestion): Table[] {
    const { reads, ages } = question;
    const names = [...new Set([...reads.map(({ table }) => table), ...ages])];
    const tables = names.map((name) => this.#want(name, reads.find(({ table }) => table === name)?.columns ?? []));
    for (const table of tables) {
      const missing = [...table.wanted.values()].some(({ name, isFolded }) => !hasColumn(table.copy, name, isFolded));
      if (!table.copy || missing) this.#build(table);
    }
    this.#demandCopies(question, tables);
    return tables;
  }

  #demandCopies({ reads }: MirrorQuestion, tables: readonly Table[]): void {
    if (tables.some(({ state }) => state === "disk_limit")) throw new RefusedError("disk_limit");
    if (tables.some(({ copy }) => copy === null)) throw new RefusedError("building");
    for (const { table, columns } of reads) {
      const copy = this.#tables.get(table)?.copy;
      if (!copy || columns.some(({ name, isFolded }) => !hasColumn(copy, name, isFolded)))
        throw new RefusedError("building");
      if (columns.some(({ name }) => copy.unfit.has(name))) throw new RefusedError("column_unfit");
    }
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
  async #beginFresh(question: MirrorQuestion, tables: readonly Table[]): Promise<MirrorRead> {
    if (!(await this.#catchUp(tables, MAX_CHANGES_INLINE))) throw new RefusedError("behind");
    // What was just taken in may hold a value that does not fit, and copies may have been exchanged.
    this.#demandCopies(question, tables);
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
    // Whoever asks meanwhile does not wait.
    this.#isBehind = pending > MAX_CHANGES_INLINE;
    await this.#takeIn(tables, copies).finally(() => (this.#isBehind = false));
    return true;
  }

  /** All tables from one snapshot, seen by questions at once. */
  async #takeIn(tables: readonly Table[], copies: readonly TableCopy[]): Promise<void> {
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
    const made = await copyTable(this.#database, this.#context, {
      ...{ table: table.name, wanted: [...table.wanted.values()], isClosed: () => this.#isClosed },
      onRecords: (records) => void (table.copy ?? (table.records = records)),
    });
    // Between two questions: each sees one copy, and what is known of that one.
    await this.#inTurn(async () => {
      await this.#database.publish(table.name, made, table.copy ?? undefined);
      table.copy = made;
      table.records = made.records;
      table.state = "ready";
    });
    const facts = { schema, table: table.name, records: made.records, ms: Math.round(now() - began) };
    log("info", { ...facts, unfit: [...made.unfit] }, "a table is mirrored");
    return true;
  }
}

const hasColumn = (copy: TableCopy | null, name: string, isFolded: boolean): boolean =>
  copy !== null && (copy.unfit.has(name) || copy.columnNames.has(isFolded ? `${name} folded` : name));
