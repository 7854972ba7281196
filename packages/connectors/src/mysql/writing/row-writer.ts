/** One batch within one transaction: locks its rows, compares, writes each by itself and reads back what is stored. */
import {
  comparableValues,
  ConnectorError,
  holdsExpected,
  type SourceRecord,
  type WriteOperation,
  type WriteOutcome,
  type WriteRequest,
} from "@accord/connector-sdk";
import type { Batch } from "../../relational/write-batches.ts";
import type { MysqlClient, MysqlSession, SqlValue } from "../client.ts";
import type { Column } from "../columns.ts";
import type { MysqlConfig } from "../config.ts";
import { serverErrorOf, type ServerError } from "../errors.ts";
import { hasId, hasOneOf } from "../key.ts";
import { quoteName } from "../quote-name.ts";
import { rowsSpelled } from "../reading/other-alphabets.ts";
import { sourceOf, type Source } from "../reading/source.ts";
import { givenText, idOfRow, returnedText, rowReader } from "../values.ts";
import { insertTogether } from "./insert-together.ts";
import { refusalOf, type Rejected } from "./refusals.ts";
import { bytesOf, tooLarge, WrongValueError, writtenValues } from "./written-values.ts";

export interface WriteContext {
  client: MysqlClient;
  config: MysqlConfig;
  request: WriteRequest;
  sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** What became of one operation; `error`: what the server said of a refused one. */
export interface Result {
  outcome: WriteOutcome;
  error?: ServerError;
}

export const LOCKED: WriteOutcome = {
  status: "retry",
  message: "The row is locked by another session.",
  neverSent: true,
};

/** What is known of an operation's row before it is written. */
type Found = { result: Result } | { id: string };

export class RowWriter {
  readonly #context: WriteContext;
  readonly #session: MysqlSession;

  constructor(context: WriteContext, session: MysqlSession) {
    this.#context = context;
    this.#session = session;
  }

  async write(batch: Batch): Promise<Result[]> {
    const { request } = this.#context;
    const names = request.entity.fields.map((field) => field.apiName);
    // What is read back is stamped by our own session.
    const source = await this.#source(names, true);
    const known = new Set(source.fields.map(({ field }) => field.apiName));
    const unknown = batch.columns.find((column) => !known.has(column) || !source.columns.has(column));
    if (unknown !== undefined) return batch.items.map(() => ({ outcome: unknownField(unknown) }));
    const found = batch.kind === "create" ? batch.items.map(() => ({ id: "" })) : await this.#lock(batch, names);
    const results = await this.#writeAll(source, batch, found);
    const hasWritten = results.some(({ outcome }) => outcome.status === "done");
    if (hasWritten) this.#session.beforeCommit(() => request.assertMaySend?.());
    return results;
  }

  /** Writes the rows and reads them back; new ones that are not found by their id are not kept. */
  async #writeAll(source: Source, batch: Batch, found: readonly Found[]): Promise<Result[]> {
    const isAnswered = batch.kind !== "create" || this.#session.facts.isMariaDb;
    if (!isAnswered) await this.#session.run("SAVEPOINT accord_batch");
    const results = await this.#writeEach(source, batch, found);
    const isComplete = await this.#readBack(source, batch.kind, results);
    if (isAnswered || isComplete) return results;
    await this.#session.run("ROLLBACK TO SAVEPOINT accord_batch");
    return this.#createOneByOne(source, batch);
  }

  async #writeEach(source: Source, { kind, items }: Batch, found: readonly Found[]): Promise<Result[]> {
    if (kind === "create" && this.#session.facts.isMariaDb && items.length > 1) {
      const ids = await insertTogether(this.#session, source, items, this.#context.request.assertMaySend);
      if (ids) return ids.map((id) => ({ outcome: { status: "done", id } }));
    }
    const results: Result[] = [];
    for (const [at, { operation }] of items.entries()) {
      const row = found[at] ?? { result: { outcome: { status: "missing" } } };
      results.push("result" in row ? row.result : await this.#writeRow(source, operation, row.id));
    }
    return results;
  }

  /** A server without `RETURNING`: a row that is stored under another id than was given could not be found again. */
  async #createOneByOne(source: Source, { kind, items }: Batch): Promise<Result[]> {
    const results: Result[] = [];
    for (const { operation } of items) {
      await this.#session.run("SAVEPOINT accord_row");
      const result = await this.#writeRow(source, operation, "");
      const isFound = await this.#readBack(source, kind, [result]);
      if (!isFound) await this.#session.run("ROLLBACK TO SAVEPOINT accord_row");
      results.push(isFound ? result : { outcome: OTHER_ID });
    }
    return results;
  }

  #source(fields: readonly string[], isStampedByUs: boolean): Promise<Source> {
    const { config, request } = this.#context;
    const asking = {
      query: async (sql: string, values?: readonly SqlValue[]) => (await this.#session.run(sql, values)).rows,
    };
    return sourceOf(asking, config, { entity: request.entity, fields, isStampedByUs });
  }

  /** Locks the rows that are to be changed and compares them: what is answered with an id still holds what is expected. */
  async #lock({ items, isConditional }: Batch, names: readonly string[]): Promise<Found[]> {
    const { request } = this.#context;
    const operations = items.flatMap(({ operation }) => (operation.kind === "create" ? [] : operation));
    const fields = new Set(isConditional ? (request.fields ?? names) : []);
    for (const { expected } of operations) for (const field in expected) fields.add(field);
    const source = await this.#source([...fields], false);
    const lock = this.#session.facts.canSkipLocked ? "FOR UPDATE SKIP LOCKED" : "FOR UPDATE";
    const ids = operations.map(({ id }) => id);
    const locked = await this.#records(source, ids, lock);
    const found: Found[] = [];
    for (const operation of operations) {
      const record = locked.get(operation.id) ?? (await this.#equalRecord(source, operation.id, lock));
      if (!record) found.push({ result: await this.#unlockable(source, operation.id) });
      else if (source.isLoose && (await this.#isShared(source, operation.id)))
        found.push({ result: { outcome: NOT_UNIQUE } });
      else if (!holdsExpected(operation.expected ?? {}, comparableValues(record)))
        found.push({ result: { outcome: { status: "conflict", record } } });
      else found.push({ id: record.id });
    }
    return found;
  }

  async #records(source: Source, ids: readonly string[], lock: string): Promise<Map<string, SourceRecord>> {
    const rows = await rowsSpelled(ids, async (some) => {
      const { sql, values } = hasOneOf(source.key, some);
      const select = `SELECT ${source.selected} FROM ${source.table} t WHERE ${sql} ${lock}`;
      return (await this.#session.run(select, values)).rows;
    });
    return new Map(rowReader(source)(rows).map((record) => [record.id, record]));
  }

  /** The row whose id the server holds equal to this one, though it is spelled otherwise. */
  async #equalRecord(source: Source, id: string, lock: string): Promise<SourceRecord | undefined> {
    return (await this.#records(source, [id], lock)).values().next().value;
  }

  /** Several rows have this id, as the server compares, whoever has locked them. */
  async #isShared(source: Source, id: string): Promise<boolean> {
    const { sql, values } = hasId(source.key, id);
    const { rows } = await this.#session.run(`SELECT 1 FROM ${source.table} t WHERE ${sql} LIMIT 2`, values);
    return rows.length > 1;
  }

  /** A row that could not be locked: somebody else has locked it, or there is none. */
  async #unlockable(source: Source, id: string): Promise<Result> {
    if (!this.#session.facts.canSkipLocked) return { outcome: { status: "missing" } };
    const isThere = (await this.#records(source, [id], "")).size > 0;
    return { outcome: isThere ? LOCKED : { status: "missing" } };
  }

  /** Writes one row; the transaction goes on when the server refuses it. */
  async #writeRow(source: Source, operation: WriteOperation, id: string): Promise<Result> {
    let values: Map<Column, SqlValue>;
    try {
      values = writtenValues(source, operation.kind === "delete" ? {} : operation.values);
    } catch (error) {
      if (!(error instanceof WrongValueError)) throw error;
      const { message, field } = error;
      return { outcome: { status: "rejected", code: "wrong_type", message, field } };
    }
    const bytes = bytesOf(values);
    const { maxPacket } = this.#session.facts;
    if (bytes > maxPacket) return { outcome: tooLarge(bytes, maxPacket) };
    try {
      return { outcome: { status: "done", id: await this.#send(source, operation.kind, values, id) } };
    } catch (error) {
      if (error instanceof RefusedRowError) return { outcome: error.outcome };
      const said = error instanceof ConnectorError ? serverErrorOf(error) : null;
      const refusal = said && refusalOf(said, new Set(source.columns.keys()));
      // After a deadlock nothing is left of the transaction.
      if (!said || refusal?.status !== "rejected") throw error;
      return { outcome: refusal, error: said };
    }
  }

  /** Answers the id of the row. */
  async #send(
    source: Source,
    kind: WriteOperation["kind"],
    values: Map<Column, SqlValue>,
    id: string,
  ): Promise<string> {
    const { request } = this.#context;
    if (kind === "create") return this.#insert(source, values);
    const { sql, values: key } = hasId(source.key, id);
    const settable = [...values].filter(([column]) => !source.key.includes(column));
    request.assertMaySend?.();
    if (kind === "delete") await this.#change(source, `DELETE t FROM ${source.table} t WHERE ${sql}`, key);
    else if (settable.length > 0) {
      const set = settable.map(([{ name }]) => `t.${quoteName(name)} = ?`).join(", ");
      const bound = [...settable.map(([, value]) => value), ...key];
      await this.#change(source, `UPDATE ${source.table} t SET ${set} WHERE ${sql}`, bound);
    }
    return id;
  }

  /** Changes one row: where nothing makes ids unique, another one may have come by the same id just now. */
  async #change({ isLoose }: Source, sql: string, values: readonly SqlValue[]): Promise<void> {
    if (isLoose) await this.#session.run("SAVEPOINT accord_row");
    const { affectedRows } = await this.#session.run(sql, values);
    if (!isLoose || affectedRows <= 1) return;
    await this.#session.run("ROLLBACK TO SAVEPOINT accord_row");
    throw new RefusedRowError(NOT_UNIQUE);
  }

  async #insert(source: Source, values: Map<Column, SqlValue>): Promise<string> {
    const { request } = this.#context;
    const { key, table } = source;
    const names = [...values.keys()].map(({ name }) => quoteName(name)).join(", ");
    const places = [...values].map(() => "?").join(", ");
    const insert = `INSERT INTO ${table} (${names}) VALUES (${places})`;
    const given = key.map((column) => values.get(column) ?? null);
    request.assertMaySend?.();
    // Whatever was given: the server may round it, pad it, or a trigger may set another.
    if (this.#session.facts.isMariaDb) {
      const returning = key.map(returnedText).join(", ");
      const { rows } = await this.#session.run(`${insert} RETURNING ${returning}`, [...values.values()]);
      return idOfRow(key, rows[0] ?? []);
    }
    const [open, ...more] = key.filter((_, at) => given[at] === null);
    if (open && (!open.isAutoIncrement || more.length > 0)) throw new RefusedRowError(noId(open.name));
    const { insertId } = await this.#session.run(insert, [...values.values()]);
    const texts = key.map((column, at) => (given[at] === null ? insertId : givenText(column, given[at] ?? null)));
    return texts.length === 1 ? (texts[0] ?? "") : JSON.stringify(texts);
  }

  /** Rows as they are stored: with defaults, computed columns, rounded digits, and what triggers make of them. */
  async #readBack(source: Source, kind: Batch["kind"], results: readonly Result[]): Promise<boolean> {
    const written = results.flatMap(({ outcome }) => (outcome.status === "done" ? outcome : []));
    if (kind === "delete" || written.length === 0) return true;
    const ids = written.map(({ id }) => id);
    const rows = await this.#records(source, ids, "");
    let isComplete = true;
    for (const outcome of written) {
      const record = rows.get(outcome.id) ?? (await this.#equalRecord(source, outcome.id, ""));
      if (!record) {
        isComplete = false;
        continue;
      }
      outcome.id = record.id;
      outcome.values = record.values;
      if (record.modifiedAt !== undefined) outcome.modifiedAt = record.modifiedAt;
    }
    return isComplete;
  }
}

/** Nothing was written of the row. */
class RefusedRowError extends Error {
  readonly outcome: Rejected;
  constructor(outcome: Rejected) {
    super(outcome.message);
    this.outcome = outcome;
  }
}

const NOT_UNIQUE: Rejected = {
  status: "rejected",
  code: "not_unique",
  message: "Several rows have this id: choose a field as id that is unique.",
};

const OTHER_ID: Rejected = {
  status: "rejected",
  code: "id_changed",
  message:
    "The database stores this row under another id than it was given, without telling which: a trigger sets it, or the column rounds or pads it. The row was not kept; write the id as the column stores it.",
};

const noId = (field: string): Rejected => ({
  status: "rejected",
  code: "required",
  message: `The database makes the id of new rows without telling it: map a value to ${field}, or make it AUTO_INCREMENT.`,
  field,
});

const unknownField = (field: string): WriteOutcome => ({
  status: "rejected",
  code: "unknown_field",
  message: `There is no field ${field} any more.`,
  field,
});
