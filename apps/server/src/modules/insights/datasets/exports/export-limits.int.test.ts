/** Limits of one export by bytes and by time: it fails with a sentence that names the limit, and leaves nothing behind. */
import { getDatasetExport } from "@accord/contracts/insights/dataset-exports";
import { beforeAll, expect, test } from "vitest";
import { makeExport } from "../../../../../test-kit/fixtures/exports.ts";
import { testApp, type TestApp } from "../../../../../test-kit/index.ts";
import { postgresEngine } from "../../engine/index.ts";
import { type RunnerParts, runNextExport } from "./export-runner.ts";

const ENGINE = {
  timeoutMs: 30_000,
  parallel: 2,
  parallelPerInstance: 2,
  waiting: 8,
  workMemMb: 8,
  maxBytes: 1_000_000,
  allowsSql: true,
};
const MINUTE_MS = 60_000;

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ roles: ["web"] });
});

/** Runs the export that waits, as one of the rows of a query. */
async function run(text: string, stopping: AbortSignal, more: Pick<RunnerParts, "limits" | "stopMs">): Promise<void> {
  const columns = [{ name: "x", displayName: "X", dataType: "string" as const }];
  await runNextExport(
    {
      ...{ deps: t.deps, engine: postgresEngine(t.deps.dataPool, ENGINE), notify: async () => {}, ...more },
      compile: async () => ({
        columns,
        statement: { text, params: [], cells: [{ name: "x", type: "text" as const }] },
        check: () => {},
      }),
    },
    t.instanceId,
    stopping,
  );
}

/** What an export of the rows of a query comes to, within limits. */
async function exported(text: string, limits: NonNullable<RunnerParts["limits"]>) {
  const exportId = await makeExport(t, t, { status: "QUEUED" });
  await run(text, new AbortController().signal, { limits });
  const { rows: chunks } = await t.deps.appPool.query("SELECT FROM dataset_export_chunk WHERE export_id = $1", [
    exportId,
  ]);
  const { status, bytes, error } = await t.as("SUPER_ADMIN").call(getDatasetExport, { params: { exportId } });
  return { status, bytes, error, chunks: chunks.length };
}

/** Statements with this in them that the database works on. */
async function working(part: string): Promise<number> {
  const { rows } = await t.deps.dataPool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
       AND query LIKE $1 AND pid <> pg_backend_pid()`,
    [`%${part}%`],
  );
  return rows.length;
}

const LETTERS = 1_000;
const texts = (count: number): string => `SELECT repeat('x', ${LETTERS}) AS x FROM generate_series(1, ${count})`;

test("[INS-134] a file that would be larger than the limit is not made", async () => {
  const limits = { bytes: 4_000_000, ms: MINUTE_MS };
  expect(await exported(texts(3_900), limits)).toMatchObject({ status: "COMPLETED", error: null });
  expect(await exported(texts(4_100), limits)).toEqual({
    ...{ status: "FAILED", bytes: 0, chunks: 0 },
    error: "The file would be larger than 4 MB. Filter the dataset, or choose fewer columns.",
  });
});

test("[INS-134] an export that takes longer than the limit ends, its query too", async () => {
  const query = "SELECT pg_sleep(600)::text AS x";
  expect(await exported(query, { bytes: 1_000, ms: 0.05 * MINUTE_MS })).toEqual({
    ...{ status: "FAILED", bytes: 0, chunks: 0 },
    error: "The export took longer than 0.05 minutes. Filter the dataset, or make it simpler.",
  });
  await expect.poll(() => working("pg_sleep(600)")).toBe(0);
});

test("[INS-134] a server that stops puts an export back into the queue, though the database does not leave off", async () => {
  const exportId = await makeExport(t, t, { status: "QUEUED" });
  const stopping = new AbortController();
  // Works for some seconds without looking whether it was cancelled.
  const step = "SELECT strpos(repeat('a', 200000), 'b' || repeat('a', 100000))::text AS x";
  const ended = run(step, stopping.signal, { stopMs: 100 });
  await expect.poll(() => working("strpos")).toBe(1);
  stopping.abort();
  await ended;
  expect(await working("strpos")).toBe(1);
  const { status } = await t.as("SUPER_ADMIN").call(getDatasetExport, { params: { exportId } });
  expect(status).toBe("QUEUED");
  await expect.poll(() => working("strpos"), { timeout: 60_000 }).toBe(0);
}, 90_000);
