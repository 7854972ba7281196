/** The mirror of one instance: which tables it has copies of, how far they have seen, and whether it may answer. */
import { startCapture } from "./change-capture.store.ts";
import { copyTable, type MirrorContext, type TableCopy } from "./copy-table.ts";
import {
  type ChangeWriter,
  DiskLimitError,
  type MirrorDatabase,
  type MirrorRead,
  TooManyGroupsError,
} from "./mirror-database.store.ts";
import { readChanges } from "./mirror-source.store.ts";
import type { MirrorAnswer, MirroredTable, MirrorQuestion } from "./protocol.ts";
import { FailedQuestions, isBrokenFile, problemOf, RefusedError, untilAborted } from "./refusals.ts";
import { runRead } from "./run-read.ts";
import { GaveWayError, inSnapshot } from "./snapshot.store.ts";
import { takeChanges } from "./take-changes.ts";
import { describeTable, isIncomplete, type WantedTable, WantedTables } from "./wanted-tables.ts";

/** Changes that a question waits for; more are taken in while PostgreSQL answers. */
const MAX_CHANGES_INLINE = 20_000;
/** More changes than this since the copy was made: it is made anew, for what is taken out leaves holes. */
const MAX_CHANGES_PER_RECORD = 2;
const TAKE_IN_MS = 2 * 60_000;
const RETRY_MS = [1_000, 5_000, 30_000, 120_000];
const LONGEST_RETRY_MS = 120_000;
/** A copy of no use sooner than this was not worth its work: the next one waits. */
const SHORT_LIVED_MS = 60_000;

const retryMs = (failures: number): number =>
  failures === 0 ? 0 : (RETRY_MS[Math.min(failures, RETRY_MS.length) - 1] ?? 0);

export class MirrorOfInstance {
  readonly #context: MirrorContext;
  readonly #database: MirrorDatabase;
  readonly #tables = new WantedTables();
  readonly #failed: FailedQuestions;
  #turn: Promise<unknown> = Promise.resolve();
  #building: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #isBehind = false;
  lastAsked: number;

  constructor(context: MirrorContext, database: MirrorDatabase) {
    this.#context = context;
    this.#database = database;
    this.#failed = new FailedQuestions(context.now);
    this.lastAsked = context.now();
  }

  /** Throws `RefusedError` where PostgreSQL has to answer, also when the signal ends it. */
  async ask(question: MirrorQuestion, signal: AbortSignal): Promise<MirrorAnswer> {
    const { now, limits, onStuck } = this.#context;
    this.lastAsked = now();
    if (this.#isClosed) throw new RefusedError("building");
    if (this.#isBehind) throw new RefusedError("behind");
    if (this.#failed.has(question)) throw new RefusedError("failed");
    const tables = this.#wantTables(question);
    const read = await untilAborted(
      this.#inTurn(() => this.#beginFresh(question, { tables, signal })),
      signal,
    );
    const { text, params, ages } = question;
    try {
      return await runRead(read, { text, params, ages, maxGroups: limits.maxGroups }, { signal, onStuck });
    } catch (error) {
      if (error instanceof TooManyGroupsError) throw new RefusedError("too_many_groups");
      if (!(error instanceof RefusedError) && !isBrokenFile(error)) this.#failed.add(question);
      throw error;
    }
  }

  tables(): MirroredTable[] {
    const { schema, now } = this.#context;
    const at = { now: now(), isBehind: this.#isBehind };
    return this.#tables.all().map((table) => describeTable(schema, table, at));
  }

  /** What its files take of the disk. */
  bytes(): Promise<number> {
    return this.#database.bytes();
  }

  /** Takes in what happened, whether somebody asks or not: the longer it waits, the more there is. */
  async tend(): Promise<void> {
    if (this.#isClosed) return;
    const ready = this.#tables.all().filter(({ copy }) => copy !== null);
    if (ready.length > 0) await this.#inTurn(() => this.#catchUp(ready, null));
    for (const table of this.#tables.all()) if (table.copy === null) this.#build(table);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#turn, this.#building]);
    await this.#database.close();
  }

  /** The tables of a question, all of which have copies with the columns that it reads, or will have. */
  #wantTables(question: MirrorQuestion): WantedTable[] {
    const tables = this.#tables.want(question);
    for (const table of tables) if (isIncomplete(table)) this.#build(table);
    this.#tables.demandCopies(question, tables);
    return tables;
  }

  /** Reads the copies with all that was committed when this was called, of one moment. */
  async #beginFresh(
    question: MirrorQuestion,
    { tables, signal }: { tables: readonly WantedTable[]; signal: AbortSignal },
  ): Promise<MirrorRead> {
    // It waited for its turn until nobody waited for it.
    if (signal.aborted) throw new RefusedError("late");
    if (!(await this.#catchUp(tables, MAX_CHANGES_INLINE))) throw new RefusedError("behind");
    // What was just taken in may hold a value that does not fit, and copies may have been exchanged.
    this.#tables.demandCopies(question, tables);
    const read = await this.#database.beginRead(tables[0]?.name ?? "");
    if (!signal.aborted) return read;
    read.end();
    throw new RefusedError("late");
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
  async #catchUp(tables: readonly WantedTable[], atMost: number | null): Promise<boolean> {
    const { pool, schema, now: clock, onChange } = this.#context;
    const copies = tables.flatMap(({ copy }) => copy ?? []);
    if (copies.length < tables.length) return false;
    const askedAt = clock();
    const { now, tables: changes } = await readChanges(pool, schema, copies);
    let isDone = true;
    let pending = 0;
    for (const [index, table] of tables.entries()) {
      const change = changes.find((one) => one.table === table.name);
      const copy = copies[index];
      if (!change || !copy) return false;
      const isTooMuch =
        change.count === null || copy.changes + change.count > MAX_CHANGES_PER_RECORD * Math.max(copy.records, 10_000);
      if (!change.isSame || isTooMuch) {
        await this.#copyAnew(table);
        isDone = false;
      }
      pending += change.count ?? 0;
    }
    if (!isDone) return false;
    if (pending === 0) {
      for (const copy of copies) copy.snapshot = now;
      for (const table of tables) table.freshAt = askedAt;
      return true;
    }
    if (atMost !== null && pending > atMost) {
      void this.tend().catch((error: unknown) => {
        if (!(error instanceof RefusedError))
          this.#context.log("warn", { reason: String(error) }, "the mirror could not catch up");
      });
      return false;
    }
    // Whoever asks meanwhile does not wait.
    this.#isBehind = pending > MAX_CHANGES_INLINE;
    if (this.#isBehind) onChange();
    await this.#takeIn(tables, copies).finally(() => (this.#isBehind = false));
    for (const table of tables) table.freshAt = askedAt;
    return true;
  }

  /** All tables from one snapshot, seen by questions at once. */
  async #takeIn(tables: readonly WantedTable[], copies: readonly TableCopy[]): Promise<void> {
    const { pool, schema } = this.#context;
    const names = copies.map(({ table }) => table);
    const place = { schema, tables: names, maxMs: TAKE_IN_MS, isOver: () => this.#isClosed };
    try {
      const seen = await inSnapshot(pool, place, async ({ client, snapshot }) => {
        const again = await readChanges(client, schema, copies);
        if (again.tables.some(({ isSame, count }) => !isSame || count === null)) throw new RefusedError("behind");
        const records = new Map<TableCopy, number>();
        await this.#database.applyChanges(async (changes: ChangeWriter) => {
          for (const copy of copies) records.set(copy, await takeChanges(client, schema, { copy, changes }));
        });
        // What is rolled back is not counted.
        for (const [copy, count] of records) copy.records = count;
        for (const { table, count } of again.tables)
          for (const copy of copies) if (copy.table === table) copy.changes += count ?? 0;
        return snapshot;
      });
      for (const copy of copies) copy.snapshot = seen;
    } catch (error) {
      if (error instanceof GaveWayError) throw new RefusedError("behind");
      if (!(error instanceof DiskLimitError)) throw error;
      await this.#exceed(tables);
      throw new RefusedError("disk_limit");
    }
  }

  async #exceed(tables: readonly WantedTable[]): Promise<void> {
    for (const table of tables) {
      await this.#dropCopy(table);
      table.state = "disk_limit";
      table.retryAt = this.#context.now() + LONGEST_RETRY_MS;
    }
  }

  async #dropCopy(table: WantedTable): Promise<void> {
    const { copy } = table;
    table.copy = null;
    table.copied = 0;
    table.state = "building";
    if (copy) await this.#database.drop(copy);
  }

  async #copyAnew(table: WantedTable): Promise<void> {
    const now = this.#context.now();
    table.shortLived = now - table.madeAt < SHORT_LIVED_MS ? table.shortLived + 1 : 0;
    table.retryAt = now + retryMs(table.shortLived);
    await this.#dropCopy(table);
    this.#build(table);
  }

  /** In the background, once at a time; what fails is tried again later. */
  #build(table: WantedTable): void {
    const { log, now, onChange, onBroken } = this.#context;
    if (table.isBuilding || this.#isClosed || now() < table.retryAt) return;
    table.isBuilding = true;
    const facts = { schema: this.#context.schema, table: table.name };
    void this.#oneAtATime(() => this.#makeCopy(table))
      .then((isDone) => {
        table.failures = isDone ? 0 : table.failures + 1;
        table.problem = isDone ? null : "busy";
      })
      .catch((error: unknown) => {
        table.failures += 1;
        // A copy that is there goes on answering: what failed is one with more columns.
        if (error instanceof DiskLimitError) table.state = "disk_limit";
        else if (!table.copy) table.state = "failed";
        table.problem = error instanceof DiskLimitError ? null : problemOf(error);
        log("warn", { ...facts, reason: String(error) }, "a table could not be mirrored: PostgreSQL answers");
        if (isBrokenFile(error)) onBroken(error);
      })
      .finally(() => {
        const wait = table.state === "disk_limit" ? LONGEST_RETRY_MS : retryMs(table.failures);
        table.retryAt = Math.max(table.retryAt, now() + wait);
        table.isBuilding = false;
        onChange();
      });
  }

  /** False while writers leave no gap to note their changes. */
  async #makeCopy(table: WantedTable): Promise<boolean> {
    const { pool, schema, log, now, onChange } = this.#context;
    if (this.#isClosed || !(await startCapture(pool, schema, table.name))) return false;
    const began = now();
    table.state = table.copy ? "ready" : "building";
    table.problem = null;
    table.copied = 0;
    onChange();
    const made = await copyTable(this.#database, this.#context, {
      ...{ table: table.name, wanted: [...table.wanted.values()], isClosed: () => this.#isClosed },
      onRecords: (records) => void (table.copied = records),
    });
    // Between two questions: each sees one copy, and what is known of that one.
    await this.#inTurn(() => this.#publish(table, made));
    table.freshAt = began;
    const facts = { schema, table: table.name, records: made.records, ms: Math.round(now() - began) };
    log("info", { ...facts, unfit: [...made.unfit] }, "a table is mirrored");
    return true;
  }

  async #publish(table: WantedTable, made: TableCopy): Promise<void> {
    const former = table.copy;
    // Whatever fails on the way: from a copy that may not be the one that is read nobody is answered.
    table.copy = null;
    try {
      await this.#database.publish(table.name, made, former ?? undefined);
    } catch (error) {
      for (const copy of [made, former]) if (copy) await this.#database.drop(copy).catch(() => {});
      throw error;
    }
    table.copy = made;
    table.madeAt = this.#context.now();
    table.state = "ready";
  }
}
