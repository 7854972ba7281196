/** Makes the file of one export: reads the rows of its dataset, writes them in pieces, says how far it is, stops when asked. */
import { randomUUID } from "node:crypto";
import type { Id } from "@accord/contracts";
import { EXPORT_LIMITS } from "@accord/contracts/insights/dataset-exports";
import { insights } from "@accord/contracts/messages/en/insights";
import { fill } from "@accord/contracts/messages/fill";
import type { Deps } from "../../../../platform/deps.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import type { NotificationInput } from "../../../operations/notifications/index.ts";
import { type AnalyticsEngine, TooLargeRowError } from "../../engine/index.ts";
import type { CompiledExport, CompileExport } from "./compile-export.ts";
import { csvFile } from "./csv-file.ts";
import { type ExportFile, ExportRefusal, kindOfType, readable } from "./export-file.ts";
import { completedNotification, failedNotification } from "./export-notifications.ts";
import * as runs from "./export-runs.store.ts";
import { xlsxFile } from "./xlsx-file.ts";

type InstanceId = Id<"instance">;

type ExportLimits = Readonly<Record<keyof typeof EXPORT_LIMITS, number>>;

export interface RunnerParts {
  deps: Pick<Deps, "appDb" | "clock" | "log">;
  engine: Pick<AnalyticsEngine, "exportRows">;
  compile(...of: Parameters<CompileExport>): Promise<Omit<CompiledExport, "dataset">>;
  /** Says how an export has ended to the person who started it. */
  notify(end: NotificationInput): Promise<void>;
  /** Those of the product unless others are given. */
  limits?: Pick<ExportLimits, "ms" | "bytes">;
  /** Longest that a stopping server waits until the database has left off, which it does not within one step of its work. */
  stopMs?: number;
}

/** How often a run says how far it is, and looks whether it is still wanted. */
const RENEW_MS = 500;
const STOP_MS = 3_000;
const CHUNK_BYTES = 1_000_000;
const FILES = { CSV: csvFile, XLSX: xlsxFile } as const;

/** The export was canceled or deleted, or another server has begun it anew: what this run knows counts no more. */
class ExportEndedError extends Error {}

/** Runs the export of the instance that has waited longest, unless one runs. `stopping` puts it back into the queue. */
export async function runNextExport(parts: RunnerParts, instanceId: InstanceId, stopping: AbortSignal): Promise<void> {
  const { appDb } = parts.deps;
  const claimed = await runs.claimNext(appDb, instanceId, randomUUID());
  if (!claimed) return;
  const progress: runs.Progress = { rows: 0, total: null };
  const ended = new AbortController();
  const heartbeat = setInterval(() => {
    runs.renewLease(appDb, claimed, progress).then(
      (isHeld) => isHeld || ended.abort(new ExportEndedError()),
      (error: unknown) => parts.deps.log.warn({ err: error }, "an export could not say how far it is"),
    );
  }, RENEW_MS);
  try {
    const written = writeFile(parts, claimed, progress, AbortSignal.any([stopping, ended.signal]));
    await unlessStopped(written, stopping, parts.stopMs ?? STOP_MS);
    const isOurs = await runs.completeExport(appDb, claimed, progress.rows, expiryFrom(parts.deps.clock));
    if (isOurs) await parts.notify(completedNotification(claimed, progress.rows));
  } catch (error) {
    if (stopping.aborted) await runs.requeueExport(appDb, claimed);
    else if (!(error instanceof ExportEndedError)) await fail(parts, claimed, failureOf(error, parts));
  } finally {
    clearInterval(heartbeat);
  }
}

/** Throws the reason of `stopping` where the work has not ended so long after it. */
async function unlessStopped(work: Promise<void>, stopping: AbortSignal, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let abort = () => {};
  const late = new Promise<never>((_, reject) => {
    abort = () => (timer = setTimeout(() => reject(stopping.reason), ms));
    if (stopping.aborted) abort();
    else stopping.addEventListener("abort", abort, { once: true });
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener("abort", abort);
  }
}

async function fail({ deps, notify }: RunnerParts, claimed: runs.ClaimedExport, reason: string): Promise<void> {
  if (await runs.failExport(deps.appDb, claimed, reason, expiryFrom(deps.clock)))
    await notify(failedNotification(claimed, reason));
}

/** A file is kept for a day from when its export ended. */
export const expiryFrom = (clock: Deps["clock"]): string =>
  new Date(clock.now().getTime() + EXPORT_LIMITS.keptMs).toISOString();

async function writeFile(
  { deps, engine, compile, limits = EXPORT_LIMITS }: RunnerParts,
  claimed: runs.ClaimedExport,
  progress: runs.Progress,
  signal: AbortSignal,
): Promise<void> {
  const { instanceId, datasetId, format, variablesMap } = claimed;
  const { columns, statement, check } = await compile(instanceId, datasetId, variablesMap);
  const file: ExportFile = FILES[format](columns);
  const chunks = chunkWriter(deps, claimed, limits.bytes);
  await chunks.write(file.header());
  const rows = engine.exportRows({
    instanceId,
    statement,
    signal,
    timeoutMs: limits.ms,
    onTotal(total) {
      if (format === "XLSX" && total !== null && total > EXPORT_LIMITS.xlsxRows)
        throw new ExportRefusal("xlsx_rows", { limit: readable(EXPORT_LIMITS.xlsxRows) });
      // Only of a file that is made: what a failed one has of it would depend on when it was last said.
      progress.total = total;
    },
    async onRows(rows, types) {
      check(rows);
      await chunks.write(file.rows(rows, types.map(kindOfType)));
      progress.rows += rows.length;
    },
  });
  await rows.catch((error: unknown) => {
    throw error instanceof TooLargeRowError ? refusalOf(error, columns) : error;
  });
  await chunks.write(file.end());
  await chunks.end();
}

function refusalOf({ row, column, limit }: TooLargeRowError, columns: CompiledExport["columns"]): ExportRefusal {
  const facts = { row: readable(row), limit: limit / 1_000_000 };
  if (column === undefined) return new ExportRefusal("row_bytes", facts);
  return new ExportRefusal("value_bytes", { ...facts, column: columns[column]?.displayName ?? "" });
}

/** Puts bytes together to pieces of a size that the database takes well. */
function chunkWriter({ appDb }: Pick<Deps, "appDb">, claimed: runs.ClaimedExport, maxBytes: number) {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let bytes = 0;
  let number = 0;
  const flush = async (): Promise<void> => {
    const content = Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
    for (let from = 0; from < content.length; from += CHUNK_BYTES) {
      const piece = content.subarray(from, from + CHUNK_BYTES);
      if (!(await runs.addChunk(appDb, claimed, number, piece))) throw new ExportEndedError();
      number += 1;
    }
  };
  return {
    async write(pieces: readonly Uint8Array[]): Promise<void> {
      for (const piece of pieces) {
        waiting.push(piece);
        waitingBytes += piece.length;
        bytes += piece.length;
      }
      if (bytes > maxBytes) throw new ExportRefusal("bytes", { limit: maxBytes / 1_000_000 });
      if (waitingBytes >= CHUNK_BYTES) await flush();
    },
    end: flush,
  };
}

/** What people read of a failure: a known one in its own words, an unexpected one without its insides. */
function failureOf(error: unknown, { deps, limits = EXPORT_LIMITS }: RunnerParts): string {
  const { failed } = insights.exports;
  if (error instanceof ExportRefusal) return error.message;
  if (error instanceof AppError) {
    if (error.code === "query_timeout") return fill(failed.time, { minutes: limits.ms / 60_000 });
    if (error.code === "not_found") return failed.dataset_gone;
    if (error.code === "dataset_invalid") return String(error.facts["reason"]);
  }
  deps.log.error({ err: error }, "an export failed");
  return failed.unexpected;
}
