/** Writes rows in batches with an outcome each: the whole batch first, and halves of it when something in it is refused. */
import { ConnectorError, type WriteOperation, type WriteOutcome } from "@accord/connector-sdk";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Values } from "@accord/contracts/data/values";
import { databaseErrorOf, type PostgresClient, type TextRow } from "./client.ts";
import type { PostgresConfig } from "./config.ts";
import { sourceOf } from "./read.ts";
import { quoteName } from "./quote-name.ts";
import { rowReader } from "./values.ts";

type Numbered = { at: number; operation: WriteOperation };
/** Operations that one statement can do: same kind, same columns, no id twice. */
type Batch = { kind: WriteOperation["kind"]; columns: string[]; items: Numbered[] };

export async function writeRows(
  client: PostgresClient,
  config: PostgresConfig,
  request: { entity: EntitySchema; operations: WriteOperation[] },
): Promise<WriteOutcome[]> {
  const writer = writerOf(client, config, request.entity);
  const outcomes: WriteOutcome[] = [];
  let lost: ConnectorError | null = null;
  for (const batch of batchesOf(request.operations)) {
    if (lost) for (const { at } of batch.items) outcomes[at] = { status: "retry", message: lost.message };
    else lost = await writeBatch(writer, batch, outcomes);
  }
  return outcomes;
}

type Writer = (batch: Batch) => Promise<WriteOutcome[]>;

/** Fills in the outcomes of one batch; answers the error when the database could not be reached any more. */
async function writeBatch(write: Writer, batch: Batch, outcomes: WriteOutcome[]): Promise<ConnectorError | null> {
  try {
    const done = await write(batch);
    batch.items.forEach(({ at }, index) => (outcomes[at] = done[index] ?? { status: "missing" }));
    return null;
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    const refusal = refusalOf(error);
    if (!refusal) return interrupted(error, batch, outcomes);
    if (batch.items.length === 1) {
      for (const { at } of batch.items) outcomes[at] = refusal;
      return null;
    }
    const middle = batch.items.length >> 1;
    const first = await writeBatch(write, { ...batch, items: batch.items.slice(0, middle) }, outcomes);
    const second = { ...batch, items: batch.items.slice(middle) };
    if (!first) return writeBatch(write, second, outcomes);
    for (const { at } of second.items) outcomes[at] = { status: "retry", message: first.message };
    return first;
  }
}

/**
 * The database refused or could not be reached for a reason that is not in the rows. When surely nothing of the whole
 * request was done, that is thrown; otherwise the rest says so one by one. Updates and deletes can simply be done again.
 */
function interrupted(error: ConnectorError, batch: Batch, outcomes: WriteOutcome[]): ConnectorError {
  const surelyNotDone = error.neverSent || databaseErrorOf(error) !== null;
  if (outcomes.length === 0 && surelyNotDone) throw error;
  const status = batch.kind === "create" && !surelyNotDone ? "unknown" : "retry";
  for (const { at } of batch.items) outcomes[at] = { status, message: error.message };
  return error;
}

function batchesOf(operations: readonly WriteOperation[]): Batch[] {
  const batches: Batch[] = [];
  let ids = new Set<string>();
  let shape = "";
  for (const [at, operation] of operations.entries()) {
    const columns = operation.kind === "delete" ? [] : Object.keys(operation.values).sort();
    const nextShape = JSON.stringify([operation.kind, columns]);
    const id = operation.kind === "create" ? null : operation.id;
    const current = batches.at(-1);
    if (current && nextShape === shape && (id === null || !ids.has(id))) current.items.push({ at, operation });
    else {
      batches.push({ kind: operation.kind, columns, items: [{ at, operation }] });
      shape = nextShape;
      ids = new Set();
    }
    if (id !== null) ids.add(id);
  }
  return batches;
}

function writerOf(client: PostgresClient, config: PostgresConfig, entity: EntitySchema): Writer {
  const source = sourceOf(
    config,
    entity,
    entity.fields.map((field) => field.apiName),
  );
  const known = new Set(source.fields.map((field) => field.apiName));
  const { key } = source;
  const returning = `RETURNING ${source.columns}`;
  const read = rowReader(source.fields);
  const outcomeOf = (row: TextRow): WriteOutcome => {
    const [record] = read([row]).records;
    // A row whose values can't be read back was written all the same.
    if (!record) return { status: "done", id: row[0] ?? "" };
    return { status: "done", id: record.id, values: record.values, modifiedAt: record.modifiedAt };
  };
  const byId = (rows: TextRow[], items: readonly Numbered[]): WriteOutcome[] => {
    const found = new Map(rows.map((row) => [row[0], row]));
    return items.map(({ operation }) => {
      const row = operation.kind === "create" ? undefined : found.get(operation.id);
      return row ? outcomeOf(row) : { status: "missing" };
    });
  };
  const rowsJson = (items: readonly Numbered[]): string =>
    JSON.stringify(
      items.map(({ operation }): Values => {
        if (operation.kind === "create") return operation.values;
        const id = key.valuesOf(operation.id);
        return operation.kind === "update" ? { ...operation.values, ...id } : id;
      }),
    );
  const from = `jsonb_populate_recordset(NULL::${source.relation}, $1::jsonb) x`;

  return async ({ kind, columns, items }) => {
    const unknown = columns.find((column) => !known.has(column));
    if (unknown !== undefined)
      return items.map(() => ({
        status: "rejected",
        code: "unknown_field",
        message: `There is no field ${unknown} any more.`,
        field: unknown,
      }));
    if (kind === "create") {
      const names = columns.map(quoteName);
      const insert =
        names.length === 0
          ? "DEFAULT VALUES"
          : `(${names.join(", ")}) SELECT ${names.map((n) => `x.${n}`).join(", ")} FROM ${from}`;
      const rows = await client.query(
        `INSERT INTO ${source.relation} AS t ${insert} ${returning}`,
        names.length === 0 ? [] : [rowsJson(items)],
      );
      if (rows.length !== items.length)
        throw new ConnectorError(
          "unexpected",
          `${entity.displayName} took ${rows.length} of ${items.length} new rows.`,
        );
      return rows.map(outcomeOf);
    }
    if (kind === "delete")
      return byId(
        await client.query(`DELETE FROM ${source.relation} t USING ${from} WHERE ${key.equals} ${returning}`, [
          rowsJson(items),
        ]),
        items,
      );
    const settable = columns.filter((column) => !key.columns.includes(column));
    // Nothing to set is still a question: is the row there?
    const set =
      settable.length === 0
        ? key.columns.map((column) => `${quoteName(column)} = t.${quoteName(column)}`).join(", ")
        : settable.map((c) => `${quoteName(c)} = x.${quoteName(c)}`).join(", ");
    return byId(
      await client.query(`UPDATE ${source.relation} t SET ${set} FROM ${from} WHERE ${key.equals} ${returning}`, [
        rowsJson(items),
      ]),
      items,
    );
  };
}

/** What the database says about one row that it will not take; null when the problem is not the row. */
function refusalOf(error: ConnectorError): WriteOutcome | null {
  const cause = databaseErrorOf(error);
  const state = cause?.code ?? "";
  if (!cause || state === "") return null;
  if (state === "40001" || state === "40P01" || state === "55P03" || state === "57014")
    return { status: "retry", message: cause.message };
  if (
    !state.startsWith("22") &&
    !state.startsWith("23") &&
    !state.startsWith("44") &&
    state !== "P0001" &&
    state !== "428C9"
  )
    return null;
  const code = REFUSALS[state] ?? "refused";
  const detail = cause.detail ? ` ${cause.detail}` : "";
  return { status: "rejected", code, message: `${sentence(cause.message)}${detail}`, field: cause.column };
}

const REFUSALS: Record<string, string> = {
  "23505": "duplicate",
  "23502": "required",
  "23503": "reference_missing",
  "23514": "check_failed",
  "22001": "too_long",
  "22003": "out_of_range",
  "22P02": "wrong_type",
  "22007": "wrong_type",
  "22008": "wrong_type",
};

const sentence = (message: string): string => {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
};
