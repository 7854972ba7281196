/** The statements that create, update and delete rows, many at a time; conditional ones compare and set in one step. */
import {
  ConnectorError,
  comparableValues,
  holdsExpected,
  type SourceRecord,
  type WriteOperation,
  type WriteOutcome,
  type WriteRequest,
} from "@accord/connector-sdk";
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Values } from "@accord/contracts/data/values";
import { databaseErrorOf, type PostgresClient, type TextRow } from "../client.ts";
import type { PostgresConfig } from "../config.ts";
import type { Batch, IndexedOperation } from "../../relational/write-batches.ts";
import { quoteName } from "../quote-name.ts";
import { readSourceOf, sourceOf } from "../reading/source.ts";
import { rowReader, writtenValues } from "../values.ts";

export type BatchWriter = (batch: Batch) => Promise<WriteOutcome[]>;

export interface WriteContext {
  client: PostgresClient;
  config: PostgresConfig;
  request: WriteRequest;
  sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** Waits before a row that somebody else has locked is tried again; after the last one it is left for later. */
const LOCKED_ROW_WAITS_MS = [50, 200, 500];

export function batchWriter(context: WriteContext): BatchWriter {
  const statements = new RowStatements(context);
  return (batch) => {
    const unknown = batch.columns.find((column) => !statements.knows(column));
    if (unknown !== undefined) return Promise.resolve(batch.items.map(() => unknownField(unknown)));
    if (batch.kind === "create") return statements.create(batch);
    return batch.isConditional ? writeConditionally(statements, batch, context) : writeAnyway(statements, batch);
  };
}

/** A row that was not changed, but is there, is not missing. Deletions may leave it: tables that only mark rows as deleted do. */
async function writeAnyway(statements: RowStatements, batch: Batch): Promise<WriteOutcome[]> {
  const outcomes = await statements.change(batch);
  const items = batch.items.filter((_, index) => outcomes[index]?.status === "missing");
  if (batch.kind !== "update" || items.length === 0) return outcomes;
  const rows = await statements.readVersions({ ...batch, items });
  return outcomes.map((outcome, index) => {
    const item = batch.items[index];
    return outcome.status === "missing" && item && rows.has(idOf(item)) ? SKIPPED : outcome;
  });
}

const unknownField = (field: string): WriteOutcome => ({
  status: "rejected",
  code: "unknown_field",
  message: `There is no field ${field} any more.`,
  field,
});

/**
 * Compare and set without waiting for anybody: rows are read with the transaction that wrote them, compared, and
 * written in one statement only where they are still that version and nobody holds them locked. What moved meanwhile
 * is compared again.
 */
async function writeConditionally(
  statements: RowStatements,
  batch: Batch,
  { sleep, request }: WriteContext,
): Promise<WriteOutcome[]> {
  const outcomes = new Map<IndexedOperation, WriteOutcome>();
  let open: readonly IndexedOperation[] = batch.items;
  try {
    for (const wait of [0, ...LOCKED_ROW_WAITS_MS]) {
      if (wait > 0) await sleep(wait, request.signal);
      open = await compareAndSet(statements, { ...batch, items: [...open] }, outcomes);
      if (open.length === 0) break;
    }
    if (open.length > 0) {
      const unlocked = await statements.unlockedIds({ ...batch, items: [...open] });
      for (const item of open) if (unlocked.has(idOf(item))) outcomes.set(item, SKIPPED);
    }
  } catch (error) {
    // What earlier rounds wrote must not be done, and compared, once more.
    const hasWritten = [...outcomes.values()].some(({ status }) => status === "done");
    if (!hasWritten || !(error instanceof ConnectorError)) throw error;
    const status = isSurelyNotDone(error) ? "retry" : "unknown";
    for (const item of open) outcomes.set(item, { status, message: error.message });
  }
  return batch.items.map((item) => outcomes.get(item) ?? LOCKED);
}

const LOCKED: WriteOutcome = {
  status: "retry",
  message: "The row is locked by another session.",
  neverSent: true,
};

const SKIPPED: WriteOutcome = {
  status: "rejected",
  code: "refused",
  message: "The row is there and stays as it is: a trigger or rule of its table skips the change.",
  isTransient: true,
};

const idOf = ({ operation }: IndexedOperation): string => (operation.kind === "create" ? "" : operation.id);

/** One round; answers the operations that are still to be done. */
async function compareAndSet(
  statements: RowStatements,
  batch: Batch,
  outcomes: Map<IndexedOperation, WriteOutcome>,
): Promise<IndexedOperation[]> {
  const rows = await statements.readVersions(batch);
  const versions: string[] = [];
  const unchanged = batch.items.filter((item) => {
    const { operation } = item;
    const row = operation.kind === "create" ? undefined : rows.get(operation.id);
    if (!row) outcomes.set(item, { status: "missing" });
    else if (operation.kind !== "create" && !holdsExpected(operation.expected ?? {}, comparableValues(row.record)))
      outcomes.set(item, { status: "conflict", record: row.record });
    else return versions.push(row.version) > 0;
    return false;
  });
  if (unchanged.length === 0) return [];
  const written = await statements.changeVersions({ ...batch, items: unchanged }, versions);
  return unchanged.filter((item, index) => {
    const outcome = written[index];
    if (outcome?.status !== "done") return true;
    outcomes.set(item, outcome);
    return false;
  });
}

/** Statements on one table. */
class RowStatements {
  readonly #context: WriteContext;
  readonly #source;
  readonly #read;
  readonly #known: ReadonlyMap<string, FieldSchema>;

  constructor(context: WriteContext) {
    const { config, request } = context;
    const names = request.entity.fields.map((field) => field.apiName);
    this.#context = context;
    this.#source = sourceOf(config, request.entity, names);
    // What is stamped by the write itself is stamped in our own session's zone: UTC.
    this.#read = rowReader(this.#source);
    this.#known = new Map(this.#source.fields.map((field) => [field.apiName, field]));
  }

  knows(column: string): boolean {
    return this.#known.has(column);
  }

  async create({ columns, items }: Batch): Promise<WriteOutcome[]> {
    const { relation } = this.#source;
    const names = columns.map(quoteName);
    const insert =
      names.length === 0
        ? "DEFAULT VALUES"
        : `(${names.join(", ")}) SELECT ${names.map((n) => `x.${n}`).join(", ")} FROM ${this.#rowsOfParameter}`;
    const rows = await this.#change(`INSERT INTO ${relation} AS t ${insert} ${this.#returning}`, [
      ...(names.length === 0 ? [] : [JSON.stringify(items.map(({ operation }) => this.#rowOf(operation)))]),
    ]);
    if (rows.length === items.length) return rows.map((row) => this.#outcomeOf(row));
    const name = this.#context.request.entity.displayName;
    throw new ConnectorError("unexpected", `${name} took ${rows.length} of ${items.length} new rows.`);
  }

  /** Updates or deletes whatever the rows hold. */
  async change(batch: Batch): Promise<WriteOutcome[]> {
    const rows = await this.#change(this.#changeOf(batch, this.#rowsOfParameter), [
      JSON.stringify(batch.items.map(({ operation }) => this.#rowOf(operation))),
    ]);
    return this.#outcomesById(rows, batch.items);
  }

  /** Rows as they are now, each with its version: the transaction that wrote it. */
  async readVersions({ items }: Batch): Promise<Map<string, { version: string; record: SourceRecord }>> {
    const { config, request, client } = this.#context;
    const fields = new Set(request.fields);
    for (const { operation } of items)
      if (operation.kind !== "create") for (const field in operation.expected) fields.add(field);
    const source = await readSourceOf(client, config, request.entity, [...fields]);
    const ids = items.map(({ operation }) => this.#idColumnsOf(operation));
    const rows = await client.query(
      `SELECT t.xmin::text, ${source.columns} FROM ${this.#rowsOfParameter} JOIN ${source.relation} t ON ${source.key.equals}`,
      [JSON.stringify(ids)],
      request.signal,
    );
    const records = rowReader(source)(rows.map((row) => row.slice(1)));
    return new Map(records.map((record, index) => [record.id, { version: rows[index]?.[0] ?? "", record }]));
  }

  /** Ids of the rows that nobody else has locked. */
  async unlockedIds({ kind, items }: Batch): Promise<Set<string>> {
    const { relation, key } = this.#source;
    const rows = await this.#context.client.query(
      `SELECT ${key.text} FROM ${this.#rowsOfParameter} JOIN ${relation} t ON ${key.equals}
       FOR ${lockFor(kind)} OF t SKIP LOCKED`,
      [JSON.stringify(items.map(({ operation }) => this.#idColumnsOf(operation)))],
      this.#context.request.signal,
    );
    return new Set(rows.flatMap(([id]) => id ?? []));
  }

  /** Updates or deletes those rows that still are the given versions and that nobody else has locked. */
  async changeVersions(batch: Batch, versions: readonly string[]): Promise<WriteOutcome[]> {
    const { relation, key } = this.#source;
    // A row that changes between snapshot and lock is checked once more as it is then: its version is another one.
    const free = `
      WITH free AS MATERIALIZED (
        SELECT e.item -> 'row' AS new_row FROM jsonb_array_elements($1::jsonb) AS e(item)
        CROSS JOIN LATERAL jsonb_populate_record(NULL::${relation}, e.item -> 'row') AS x
        JOIN ${relation} t ON ${key.equals} AND t.xmin = (e.item ->> 'version')::xid
        FOR ${lockFor(batch.kind)} OF t SKIP LOCKED)`;
    const items = batch.items.map(({ operation }, index) => ({
      row: this.#rowOf(operation),
      version: versions[index] ?? "",
    }));
    // Each name is qualified: the table may have columns that are called as anything here.
    const rows = `(SELECT p.* FROM free CROSS JOIN LATERAL jsonb_populate_record(NULL::${relation}, free.new_row) AS p) x`;
    const change = this.#changeOf(batch, rows);
    return this.#outcomesById(await this.#change(`${free} ${change}`, [JSON.stringify(items)]), batch.items);
  }

  get #rowsOfParameter(): string {
    return `jsonb_populate_recordset(NULL::${this.#source.relation}, $1::jsonb) x`;
  }

  get #returning(): string {
    return `RETURNING ${this.#source.columns}`;
  }

  /** The statement that changes the rows of `x`. */
  #changeOf({ kind, columns }: Batch, from: string): string {
    const { relation, key } = this.#source;
    if (kind === "delete") return `DELETE FROM ${relation} t USING ${from} WHERE ${key.equals} ${this.#returning}`;
    const settable = columns.filter((column) => !key.columns.includes(column));
    // Nothing to set is still a question: is the row there?
    const set =
      settable.length === 0
        ? key.columns.map((column) => `${quoteName(column)} = t.${quoteName(column)}`)
        : settable.map((column) => `${quoteName(column)} = x.${quoteName(column)}`);
    return `UPDATE ${relation} t SET ${set.join(", ")} FROM ${from} WHERE ${key.equals} ${this.#returning}`;
  }

  async #change(sql: string, parameters: readonly unknown[]): Promise<TextRow[]> {
    const { request, client } = this.#context;
    request.assertMaySend?.();
    return client.query(sql, parameters, request.signal);
  }

  #idColumnsOf(operation: WriteOperation): Values {
    return operation.kind === "create" ? {} : this.#source.key.valuesOf(operation.id);
  }

  #rowOf(operation: WriteOperation): Values {
    if (operation.kind === "create") return writtenValues(this.#known, operation.values);
    const id = this.#source.key.valuesOf(operation.id);
    return operation.kind === "update" ? { ...writtenValues(this.#known, operation.values), ...id } : id;
  }

  #outcomeOf(row: TextRow): WriteOutcome {
    const [record] = this.#read([row]);
    return { status: "done", id: row[0] ?? "", values: record?.values, modifiedAt: record?.modifiedAt };
  }

  #outcomesById(rows: TextRow[], items: readonly IndexedOperation[]): WriteOutcome[] {
    const found = new Map(rows.map((row) => [row[0], row]));
    return items.map(({ operation }) => {
      const row = operation.kind === "create" ? undefined : found.get(operation.id);
      return row ? this.#outcomeOf(row) : { status: "missing" };
    });
  }
}

const lockFor = (kind: Batch["kind"]): string => (kind === "delete" ? "UPDATE" : "NO KEY UPDATE");

/** Whether the statement that failed surely changed nothing. */
export const isSurelyNotDone = (error: ConnectorError): boolean => error.neverSent || databaseErrorOf(error) !== null;
