/** Writes rows in batches with an outcome each: the whole batch first, and halves of it when something in it is refused. */
import { ConnectorError, type WriteOperation, type WriteOutcome } from "@accord/connector-sdk";
import { databaseErrorOf } from "./client.ts";
import { batchWriter, isSurelyNotDone, type Batch, type BatchWriter, type WriteContext } from "./row-writer.ts";

export async function writeRows(context: WriteContext): Promise<WriteOutcome[]> {
  const writer = batchWriter(context);
  const outcomes: WriteOutcome[] = [];
  let lost: ConnectorError | null = null;
  for (const batch of batchesOf(context.request.operations)) {
    if (lost) for (const { index } of batch.items) outcomes[index] = notBegun(lost);
    else lost = await writeBatch(writer, batch, outcomes);
  }
  return outcomes;
}

const notBegun = ({ message }: ConnectorError): WriteOutcome => ({ status: "retry", message, neverSent: true });

/** Fills in the outcomes of one batch; answers the error when the database could not be reached any more. */
async function writeBatch(write: BatchWriter, batch: Batch, outcomes: WriteOutcome[]): Promise<ConnectorError | null> {
  try {
    const done = await write(batch);
    batch.items.forEach(({ index }, position) => (outcomes[index] = done[position] ?? { status: "missing" }));
    return null;
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    const refusal = refusalOf(error);
    if (!refusal) return interrupted(error, batch, outcomes);
    if (batch.items.length === 1) {
      for (const { index } of batch.items) outcomes[index] = refusal;
      return null;
    }
    const middle = batch.items.length >> 1;
    const first = await writeBatch(write, { ...batch, items: batch.items.slice(0, middle) }, outcomes);
    const second = { ...batch, items: batch.items.slice(middle) };
    if (!first) return writeBatch(write, second, outcomes);
    for (const { index } of second.items) outcomes[index] = notBegun(first);
    return first;
  }
}

/**
 * The database refused or could not be reached for a reason that is not in the rows. When surely nothing of the whole
 * request was done, that is thrown; otherwise the rest says so one by one. Updates and deletes can simply be done again.
 */
function interrupted(error: ConnectorError, batch: Batch, outcomes: WriteOutcome[]): ConnectorError {
  const surelyNotDone = isSurelyNotDone(error);
  if (outcomes.length === 0 && surelyNotDone) throw error;
  const { message } = error;
  const status = batch.kind === "create" && !surelyNotDone ? "unknown" : "retry";
  for (const { index } of batch.items) outcomes[index] = error.neverSent ? notBegun(error) : { status, message };
  return error;
}

function batchesOf(operations: readonly WriteOperation[]): Batch[] {
  const batches: Batch[] = [];
  let ids = new Set<string>();
  let shape = "";
  for (const [index, operation] of operations.entries()) {
    const columns = operation.kind === "delete" ? [] : Object.keys(operation.values).sort();
    const isConditional = operation.kind !== "create" && operation.expected !== undefined;
    const nextShape = JSON.stringify([operation.kind, isConditional, columns]);
    const id = operation.kind === "create" ? null : operation.id;
    const current = batches.at(-1);
    if (current && nextShape === shape && (id === null || !ids.has(id))) current.items.push({ index, operation });
    else {
      batches.push({ kind: operation.kind, isConditional, columns, items: [{ index, operation }] });
      shape = nextShape;
      ids = new Set();
    }
    if (id !== null) ids.add(id);
  }
  return batches;
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
  // Of a failed check it is the whole row, with columns that were never sent.
  const detail = cause.detail && NAMES_KEY.has(state) ? ` ${cause.detail}` : "";
  return { status: "rejected", code, message: `${sentence(cause.message)}${detail}`, field: cause.column };
}

/** Refusals whose detail says which key is doubled or missing. */
const NAMES_KEY: ReadonlySet<string> = new Set(["23505", "23503", "23P01"]);

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
