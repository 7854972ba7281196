/** Batches whose rows, or what belongs to them, others have locked: what can be written is, the rest is left for later. */
import { ConnectorError, type WriteOutcome } from "@accord/connector-sdk";
import type { Batch } from "../../relational/write-batches.ts";
import { CommitUnknownError } from "../client.ts";
import { serverErrorOf } from "../errors.ts";
import { refusalOf } from "./refusals.ts";
import { LOCKED, RowWriter, type Result, type WriteContext } from "./row-writer.ts";

export interface Contention {
  context: WriteContext;
  /** Transactions that may yet end for locks of others, in one request: each has waited for a second. */
  left: number;
}

export const MAX_CONTENDED = 12;

/** Waits before rows that others have locked, or a transaction that was in a deadlock, are tried again. */
const WAITS_MS = [50, 200, 500];

export interface Written {
  /** By index of the operation. */
  results: Map<number, Result>;
  /** The database could not be reached any more, or refused for a reason that is not in the rows. */
  lost: ConnectorError | null;
}

/**
 * Rows that others have locked wait for a while, the others are written meanwhile. What holds up the transaction as a
 * whole (a deadlock, a lock on another table's row) is looked for in its halves.
 */
export async function writeBatch(contention: Contention, batch: Batch): Promise<Written> {
  const written: Written = { results: new Map(), lost: null };
  await writeInto(written, contention, batch);
  return written;
}

async function writeInto(written: Written, contention: Contention, batch: Batch): Promise<void> {
  const { request, sleep } = contention.context;
  const { results } = written;
  let open = batch.items;
  for (const wait of [0, ...WAITS_MS]) {
    // Ended early, the wait is followed by an attempt that says so.
    if (wait > 0) await sleep(wait, request.signal).catch(() => {});
    const attempt = await attemptBatch(contention, { ...batch, items: open });
    if (attempt instanceof ConnectorError) return lose(written, open, attempt);
    const isUndone = attempt === "waited" || attempt === "undone";
    if (isUndone && open.length > 1) return writeHalves(written, contention, { ...batch, items: open });
    for (const [at, { index }] of open.entries())
      results.set(index, (isUndone ? undefined : attempt[at]) ?? { outcome: LOCKED });
    open = open.filter(({ index }) => results.get(index)?.outcome === LOCKED);
    if (open.length === 0 || attempt === "waited" || contention.left <= 0) return;
  }
}

async function writeHalves(written: Written, contention: Contention, batch: Batch): Promise<void> {
  const middle = batch.items.length >> 1;
  const second = batch.items.slice(middle);
  await writeInto(written, contention, { ...batch, items: batch.items.slice(0, middle) });
  if (!written.lost) await writeInto(written, contention, { ...batch, items: second });
  else for (const { index } of second) written.results.set(index, { outcome: notBegun(written.lost) });
}

export const notBegun = ({ message }: ConnectorError): WriteOutcome => ({ status: "retry", message, neverSent: true });

/** Whatever was sent of a transaction is undone with it, unless its end was under way. */
function lose(written: Written, items: Batch["items"], error: ConnectorError): void {
  const { message } = error;
  const status = error.cause instanceof CommitUnknownError ? "unknown" : "retry";
  const outcome: WriteOutcome = error.neverSent ? notBegun(error) : { status, message };
  written.lost = error;
  for (const { index } of items) written.results.set(index, { outcome });
}

/** A lock that was waited for in vain. */
const LOCK_WAIT = 1205;

/** `waited`, `undone`: a lock, or a deadlock, ended the transaction, and nothing of it was done. */
type Attempt = Result[] | ConnectorError | "waited" | "undone";

async function attemptBatch(contention: Contention, batch: Batch): Promise<Attempt> {
  const { context } = contention;
  if (contention.left <= 0) return batch.items.map(() => ({ outcome: LOCKED }));
  try {
    return await context.client.transaction(
      (session) => new RowWriter(context, session).write(batch),
      context.request.signal,
    );
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    const said = serverErrorOf(error);
    if (said === null || refusalOf(said)?.status !== "retry") return error;
    contention.left -= 1;
    return said.errno === LOCK_WAIT ? "waited" : "undone";
  }
}
