/** An export of large texts holds a few rows at a time, whatever comes, or fails with the row and the column. Limits are small here. */
import { getDatasetExport } from "@accord/contracts/insights/dataset-exports";
import { beforeAll, expect, test } from "vitest";
import { makeExport } from "../../../../../test-kit/fixtures/exports.ts";
import { testApp, type TestApp } from "../../../../../test-kit/index.ts";
import { postgresEngine } from "../../engine/index.ts";
import { runNextExport } from "./export-runner.ts";

const KILOBYTE = 1_000;
const LIMITS = { valueBytes: 100 * KILOBYTE, rowBytes: 400 * KILOBYTE };
const ENGINE = {
  ...{ timeoutMs: 30_000, parallel: 2, parallelPerInstance: 2, waiting: 8, workMemMb: 8, maxBytes: 1_000_000 },
  ...{ allowsSql: true, exportRow: LIMITS },
};
/** Of rows that wait for their batch (131,072), of a packet more, and of one row of the largest size. */
const MOST_BYTES = 131_072 + 65_536 + LIMITS.rowBytes;
const NAMES = ["a", "b", "c", "d", "e"];

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ roles: ["web"] });
});

const statementOf = (text: string, type: "text" | "json" = "text") => ({
  ...{ text, params: [], cells: NAMES.map((name) => ({ name, type })) },
});

/** What an export of the rows of a query comes to. */
async function exported(text: string, format: "CSV" | "XLSX" = "CSV", type: "text" | "json" = "text") {
  const exportId = await makeExport(t, t, { status: "QUEUED", format });
  const columns = NAMES.map((name) => ({ name, displayName: name.toUpperCase(), dataType: "string" as const }));
  await runNextExport(
    {
      ...{ deps: t.deps, limits: { bytes: 20_000 * KILOBYTE, ms: 60_000 }, notify: async () => {} },
      engine: postgresEngine(t.deps.dataPool, ENGINE),
      compile: async () => ({ columns, statement: statementOf(text, type), check: () => {} }),
    },
    t.instanceId,
    new AbortController().signal,
  );
  const { status, error } = await t.as("SUPER_ADMIN").call(getDatasetExport, { params: { exportId } });
  return { status, error };
}

const texts = (of: string, rows: number): string =>
  `SELECT ${of} AS a, 'x' AS b, 'x' AS c, 'x' AS d, 'x' AS e FROM generate_series(1, ${rows}) AS n`;

/** Divides by zero where the database goes on after the third row, which is too large. */
const LARGE_AT_THREE = `repeat('x', CASE WHEN n > 2 THEN 300000 / (4 - n) ELSE 5 END)`;

test.each(["CSV", "XLSX"] as const)(
  "[INS-134] an export of large texts as %s ends at the first, with its row, its column and what to do",
  async (format) => {
    expect(await exported(texts(LARGE_AT_THREE, 200), format)).toEqual({
      status: "FAILED",
      error:
        "Row 3 has a text of more than 0.1 MB in “A”, the most that an export holds. Shorten it, leave the column out, or filter the row out.",
    });
  },
);

test("[INS-134] the row is counted from the first one of all batches", async () => {
  const of = `repeat('x', CASE WHEN n = 1000 THEN ${200 * KILOBYTE} ELSE ${KILOBYTE} END)`;
  expect((await exported(texts(of, 2_000))).error).toMatch(/^Row 1,000 has a text of more than 0\.1 MB in “A”/);
});

test("[INS-134] texts of a gigabyte, which no text of this process can hold, fail it as well", async () => {
  expect(await exported(texts("repeat('x', 600000000)", 1))).toEqual({
    status: "FAILED",
    error: expect.stringMatching(
      /^(Row 1 has a text of more than 0\.1 MB|This takes more memory or disk space than it may)/,
    ),
  });
});

test("[INS-134] lists and objects count by their texts", async () => {
  const { error } = await exported(
    `SELECT '[]'::jsonb AS a, to_jsonb(repeat('x', 120000)) AS b, NULL::jsonb AS c, NULL::jsonb AS d, NULL::jsonb AS e`,
    "CSV",
    "json",
  );
  expect(error).toContain("Row 1 has a text of more than 0.1 MB in “B”");
});

test("[INS-134] texts that are small alone and too large in one row fail it with the row", async () => {
  const x = "repeat('x', 90000)";
  expect(await exported(`SELECT ${x} AS a, ${x} AS b, ${x} AS c, ${x} AS d, ${x} AS e`)).toEqual({
    status: "FAILED",
    error:
      "Row 1 has more than 0.4 MB of texts, the most that a row of an export holds. Choose fewer columns, or filter the row out.",
  });
});

test("[INS-134] many rows of almost the largest size are exported completely, a few at a time", async () => {
  const text = texts(`repeat('x', ${LIMITS.valueBytes})`, 120);
  expect(await exported(text)).toEqual({ status: "COMPLETED", error: null });
  let most = 0;
  let rows = 0;
  await postgresEngine(t.deps.dataPool, ENGINE).exportRows({
    ...{ instanceId: t.instanceId, statement: statementOf(text), timeoutMs: 30_000 },
    signal: new AbortController().signal,
    onTotal: () => {},
    async onRows(batch) {
      rows += batch.length;
      most = Math.max(
        most,
        batch.flat().reduce((sum, cell) => sum + (cell?.length ?? 0), 0),
      );
      // Slower than the database, which has to wait.
      await new Promise((resolve) => setTimeout(resolve, 2));
    },
  });
  expect(rows).toBe(120);
  expect(most).toBeLessThanOrEqual(MOST_BYTES);
});
