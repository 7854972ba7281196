/**
 * Writes rows in batches with an outcome each: the whole batch first, and halves of it when something in it is refused.
 * What is refused for what other rows hold is tried again as long as others are written meanwhile.
 */
import { ConnectorError, type WriteOutcome } from "@accord/connector-sdk";
import { databaseErrorOf } from "../client.ts";
import { explainRefusals, refusalOf, type RefusedRow } from "./refusals.ts";
import { explainValues } from "./refused-values.ts";
import { batchesOf, idOf, type Batch, type IndexedOperation } from "../../relational/write-batches.ts";
import { batchWriter, isSurelyNotDone, type BatchWriter, type WriteContext } from "./row-writer.ts";

interface Writing {
  write: BatchWriter;
  outcomes: WriteOutcome[];
  /** Rows that may be taken once others are written, by index. */
  refused: Map<number, RefusedRow>;
  /** Rows that are refused for themselves. */
  refusedForGood: RefusedRow[];
}

/** Times that refused rows are tried again in one request: more come with the next one. */
const MAX_ROUNDS = 20;

export async function writeRows(context: WriteContext): Promise<WriteOutcome[]> {
  const { client, config, request } = context;
  const writing: Writing = { write: batchWriter(context), outcomes: [], refused: new Map(), refusedForGood: [] };
  const { outcomes, refused } = writing;
  const done = (): number => outcomes.filter(({ status }) => status === "done").length;
  const operations = request.operations.map((operation, index) => ({ index, operation }));
  let open = operations;
  for (let round = 0, before = 0; round <= MAX_ROUNDS; round += 1, before = done()) {
    const lost = await writeBatches(writing, open);
    // Values that move down a chain come free in the order of its rows, or against it.
    open = repeatable(operations, refused).toReversed();
    if (round % 2 === 1) open.reverse();
    if (lost || open.length === 0 || done() === before) break;
  }
  const table = { client, config, entity: request.entity };
  await explainRefusals(table, [...refused.values()]);
  await explainValues(table, writing.refusedForGood);
  return outcomes;
}

/** Refused operations, but for those that a later one of the same row has overtaken. */
function repeatable(operations: readonly IndexedOperation[], refused: Writing["refused"]): IndexedOperation[] {
  const last = new Map(operations.map(({ index, operation }) => [idOf(operation), index]));
  return operations.filter(({ index, operation }) => {
    const id = idOf(operation);
    return refused.has(index) && (id === null || last.get(id) === index);
  });
}

/** Answers the error when the database could not be reached any more. */
async function writeBatches(writing: Writing, operations: readonly IndexedOperation[]): Promise<ConnectorError | null> {
  let lost: ConnectorError | null = null;
  for (const batch of batchesOf(operations)) {
    if (lost) for (const { index } of batch.items) writing.outcomes[index] ??= notBegun(lost);
    else lost = await writeBatch(writing, batch);
  }
  return lost;
}

const notBegun = ({ message }: ConnectorError): WriteOutcome => ({ status: "retry", message, neverSent: true });

/** Fills in the outcomes of one batch; answers the error when the database could not be reached any more. */
async function writeBatch(writing: Writing, batch: Batch): Promise<ConnectorError | null> {
  const { write, outcomes, refused, refusedForGood } = writing;
  try {
    const done = await write(batch);
    for (const [position, { index }] of batch.items.entries()) {
      outcomes[index] = done[position] ?? { status: "missing" };
      refused.delete(index);
    }
    return null;
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    const outcome = refusalOf(error);
    if (!outcome) return interrupted(error, batch, writing);
    const [item] = batch.items;
    if (item && batch.items.length === 1) {
      const { index, operation } = item;
      outcomes[index] = outcome;
      const cause = databaseErrorOf(error);
      refused.delete(index);
      if (outcome.status === "rejected" && cause) {
        if (outcome.isTransient) refused.set(index, { operation, outcome, cause });
        else refusedForGood.push({ operation, outcome, cause });
      }
      return null;
    }
    const middle = batch.items.length >> 1;
    const first = await writeBatch(writing, { ...batch, items: batch.items.slice(0, middle) });
    const second = { ...batch, items: batch.items.slice(middle) };
    if (!first) return writeBatch(writing, second);
    for (const { index } of second.items) outcomes[index] ??= notBegun(first);
    return first;
  }
}

/**
 * The database refused or could not be reached for a reason that is not in the rows. When surely nothing of the whole
 * request was done, that is thrown; otherwise the rest says so one by one.
 */
function interrupted(error: ConnectorError, batch: Batch, { outcomes, refused }: Writing): ConnectorError {
  const surelyNotDone = isSurelyNotDone(error);
  if (outcomes.length === 0 && surelyNotDone) throw error;
  const { message } = error;
  const status = surelyNotDone ? "retry" : "unknown";
  for (const { index } of batch.items) {
    outcomes[index] = error.neverSent ? notBegun(error) : { status, message };
    refused.delete(index);
  }
  return error;
}
