/**
 * Writes rows in batches with an outcome each, every batch in a transaction of its own: rows are locked, compared with what
 * is expected of them, written one by one, and read back as they are stored. A row that is refused costs only itself.
 */
import { ConnectorError, type WriteOutcome } from "@accord/connector-sdk";
import { batchesOf, type Batch } from "../../relational/write-batches.ts";
import { explainRefusals, type RefusedRow } from "./refusals.ts";
import { MAX_CONTENDED, notBegun, writeBatch, type Contention } from "./contention.ts";
import type { WriteContext } from "./row-writer.ts";

/** Times that refused rows are tried again in one request: more come with the next one. */
const MAX_ROUNDS = 20;

export async function writeRows(context: WriteContext): Promise<WriteOutcome[]> {
  const operations = context.request.operations.map((operation, index) => ({ index, operation }));
  const outcomes: WriteOutcome[] = [];
  const refused = new Map<number, RefusedRow>();
  const contention: Contention = { context, left: MAX_CONTENDED };
  const done = (): number => outcomes.filter(({ status }) => status === "done").length;
  let open = operations;
  for (let round = 0, before = 0; round <= MAX_ROUNDS; round += 1, before = done()) {
    const lost = await writeBatches(contention, batchesOf(open), { outcomes, refused });
    // Values that move down a chain come free in the order of its rows, or against it.
    open = repeatable(operations, refused).toReversed();
    if (round % 2 === 1) open.reverse();
    if (lost || open.length === 0 || done() === before) break;
  }
  await explainRefusals(context, [...refused.values()]);
  return outcomes;
}

interface Written {
  outcomes: WriteOutcome[];
  /** Rows that may be taken once others are written, by index. */
  refused: Map<number, RefusedRow>;
}

/** Refused operations, but for those that a later one of the same row has overtaken. */
function repeatable(operations: readonly Batch["items"][number][], refused: Written["refused"]): Batch["items"] {
  const idOf = ({ operation }: Batch["items"][number]) => (operation.kind === "create" ? null : operation.id);
  const last = new Map(operations.map((item) => [idOf(item), item.index]));
  return operations.filter((item) => {
    const id = idOf(item);
    return refused.has(item.index) && (id === null || last.get(id) === item.index);
  });
}

/** Answers the error when the database could not be reached any more. */
async function writeBatches(
  contention: Contention,
  batches: readonly Batch[],
  written: Written,
): Promise<ConnectorError | null> {
  let lost: ConnectorError | null = null;
  for (const batch of batches) {
    if (lost) for (const { index } of batch.items) written.outcomes[index] ??= notBegun(lost);
    else lost = await writeOne(contention, batch, written);
  }
  return lost;
}

/** Whatever was sent was undone: it may be done again without looking. */
function undone(lost: ConnectorError): ConnectorError {
  const { kind, message, hint, retryAfterMs, isFieldGone } = lost;
  const options = { ...(hint !== undefined && { hint }), ...(retryAfterMs !== undefined && { retryAfterMs }) };
  return new ConnectorError(kind, message, { ...options, isFieldGone, cause: lost.cause, neverSent: true });
}

async function writeOne(contention: Contention, batch: Batch, written: Written): Promise<ConnectorError | null> {
  const { outcomes, refused } = written;
  const { results, lost } = await writeBatch(contention, batch);
  const isUntouched = [...results.values()].every(({ outcome }) => outcome.status === "retry");
  // Surely nothing of the whole request was done, and not for what is in the rows.
  if (lost && isUntouched && outcomes.length === 0) throw undone(lost);
  for (const { index, operation } of batch.items) {
    const { outcome, error } = results.get(index) ?? { outcome: { status: "missing" } };
    outcomes[index] = outcome;
    if (outcome.status === "rejected" && outcome.isTransient && error)
      refused.set(index, { operation, outcome, error });
    else refused.delete(index);
  }
  return lost;
}
