/** An export of huge texts leaves the process within a bound: it is made row by row, or fails with the row and the column. */
import { setTimeout as sleep } from "node:timers/promises";
import { getDatasetExport } from "@accord/contracts/insights/dataset-exports";
import { beforeAll, expect, test } from "vitest";
import { makeExport } from "../../../../../test-kit/fixtures/exports.ts";
import { testApp, type TestApp } from "../../../../../test-kit/index.ts";
import { postgresEngine } from "../../engine/index.ts";
import { runNextExport } from "./export-runner.ts";

const ENGINE = {
  timeoutMs: 30_000,
  parallel: 2,
  parallelPerInstance: 2,
  waiting: 8,
  workMemMb: 8,
  maxBytes: 1_000_000,
  allowsSql: true,
};
/** Most that the process may grow by, whatever is exported: some rows of the largest size on their way. */
const MOST_BYTES = 400_000_000;
const MEGABYTE = 1_000_000;

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ roles: ["web"] });
});

/** What an export of the rows of a query comes to, and by how much the process grew meanwhile. */
async function exported(text: string, format: "CSV" | "XLSX" = "CSV", type: "text" | "json" = "text") {
  const exportId = await makeExport(t, t, { status: "QUEUED", format });
  const names = ["a", "b", "c", "d", "e"];
  const columns = names.map((name) => ({ name, displayName: name.toUpperCase(), dataType: "string" as const }));
  const before = process.memoryUsage().rss;
  let grown = 0;
  const isDone = new AbortController();
  const watch = (async () => {
    while (!isDone.signal.aborted) {
      grown = Math.max(grown, process.memoryUsage().rss - before);
      await sleep(5);
    }
  })();
  await runNextExport(
    {
      ...{ deps: t.deps, limits: { bytes: 2_000 * MEGABYTE, ms: 60_000 }, notify: async () => {} },
      engine: postgresEngine(t.deps.dataPool, ENGINE),
      compile: async () => ({
        columns,
        statement: { text, params: [], cells: names.map((name) => ({ name, type })) },
        check: () => {},
      }),
    },
    t.instanceId,
    new AbortController().signal,
  );
  isDone.abort();
  await watch;
  const { status, error } = await t.as("SUPER_ADMIN").call(getDatasetExport, { params: { exportId } });
  return { status, error, grown };
}

const texts = (of: string, rows: number): string =>
  `SELECT ${of} AS a, 'x' AS b, 'x' AS c, 'x' AS d, 'x' AS e FROM generate_series(1, ${rows}) AS n`;

test.each(["CSV", "XLSX"] as const)(
  "[INS-134] an export of 200 rows of 20 MB as %s fails at the first, with its row, its column and what to do",
  async (format) => {
    const of = `repeat('x', CASE WHEN n > 2 THEN ${20 * MEGABYTE} ELSE 5 END)`;
    const { status, error, grown } = await exported(texts(of, 200), format);
    expect({ status, error }).toEqual({
      status: "FAILED",
      error:
        "Row 3 has a text of more than 5 MB in “A”, the most that an export holds. Shorten it, leave the column out, or filter the row out.",
    });
    expect(grown).toBeLessThan(MOST_BYTES);
  },
  60_000,
);

test("[INS-134] texts of a gigabyte, which no text of this process can hold, fail it as well", async () => {
  const { status, error, grown } = await exported(texts("repeat('x', 600000000)", 1));
  expect({ status, error }).toEqual({
    status: "FAILED",
    error: expect.stringMatching(
      /^(Row 1 has a text of more than 5 MB|This takes more memory or disk space than it may)/,
    ),
  });
  expect(grown).toBeLessThan(MOST_BYTES);
}, 60_000);

test("[INS-134] lists and objects count by their texts", async () => {
  const { error } = await exported(
    `SELECT '[]'::jsonb AS a, to_jsonb(repeat('x', 6000000)) AS b, NULL::jsonb AS c, NULL::jsonb AS d, NULL::jsonb AS e`,
    "CSV",
    "json",
  );
  expect(error).toContain("Row 1 has a text of more than 5 MB in “B”");
});

test("[INS-134] texts that are small alone and too large in one row fail it with the row", async () => {
  const x = "repeat('x', 4500000)";
  const { status, error } = await exported(`SELECT ${x} AS a, ${x} AS b, ${x} AS c, ${x} AS d, ${x} AS e`);
  expect({ status, error }).toEqual({
    status: "FAILED",
    error:
      "Row 1 has more than 20 MB of texts, the most that a row of an export holds. Choose fewer columns, or filter the row out.",
  });
});

test("[INS-134] 120 rows of almost 5 MB are exported completely, and the process grows by a few of them", async () => {
  const { status, error, grown } = await exported(texts(`repeat('x', ${5 * MEGABYTE})`, 120));
  expect({ status, error }).toEqual({ status: "COMPLETED", error: null });
  expect(grown).toBeLessThan(MOST_BYTES);
}, 120_000);
