/** Exports of datasets from start to download, against SQL by hand: every row, every digit, nothing that computes. */
import type { Id } from "@accord/contracts";
import {
  createDatasetExport,
  type DatasetExport,
  deleteDatasetExport,
  downloadDatasetExport,
  type ExportFormat,
  getDatasetExport,
  listDatasetExports,
} from "@accord/contracts/insights/dataset-exports";
import { deleteDataset } from "@accord/contracts/insights/datasets";
import { listAuditEntries } from "@accord/contracts/operations/audit";
import { strFromU8, unzipSync } from "fflate";
import { beforeAll, expect, test } from "vitest";
import { squaredDeals } from "../../../../../test-kit/fixtures/exports.ts";
import { dealsConfig, makeDataset, makeDeals } from "../../../../../test-kit/fixtures/insights.ts";
import { testApp, type TestApp } from "../../../../../test-kit/index.ts";
import { instanceSchema } from "../../../../platform/db/db.ts";

const DEALS = [
  ["=1+1", "0.0000001", 1, "2026-01-05"],
  ['say "hi", then, go', "-12345678901234567890.123456789", 2, "2026-02-28"],
  ["line\r\nbreak\tand tab", "-0.5", -3, "0001-01-01"],
  [null, null, null, null],
  ["", "10.50", 4, "9999-12-31"],
  ["-5", "7", 5, null],
  ["@cmd", "8", 6, null],
  ["\tstart", "9", 7, null],
  ["<b>&_x0041_\u0001é😀", "123456789012345", 8, null],
] as const;

let t: TestApp;
let entityId: Id<"entity">;
let datasetId: Id<"dataset">;
beforeAll(async () => {
  t = await testApp({ roles: ["web", "worker"] });
  entityId = await makeDeals(t, t, DEALS);
  datasetId = await makeDataset(t, t, withTimes(entityId), entityId);
}, 120_000);
const editor = () => t.as("SYNC_MANAGER");

function withTimes(source: string) {
  const { selectedFields } = dealsConfig(source);
  const changed = { ...selectedFields[0]!, alias: "changed", apiName: "accord_updated_at", displayName: "Changed" };
  return { selectedFields: [...selectedFields, changed], sort: [{ field: "pieces" }] };
}

const start = (format: ExportFormat, id = datasetId) =>
  editor().call(createDatasetExport, { params: { id }, body: { format } });

async function ended(one: DatasetExport): Promise<DatasetExport> {
  await expect
    .poll(async () => (await editor().call(getDatasetExport, { params: { exportId: one.id } })).status, {
      timeout: 60_000,
    })
    .not.toMatch(/QUEUED|RUNNING/);
  return editor().call(getDatasetExport, { params: { exportId: one.id } });
}

const download = (one: DatasetExport) => editor().send(downloadDatasetExport, { params: { exportId: one.id } });

/** The rows as PostgreSQL itself writes them. */
async function byHand(): Promise<(string | null)[][]> {
  const { rows: entities } = await t.deps.appPool.query(`SELECT api_name FROM core_entity WHERE id = $1`, [entityId]);
  const table = `"${instanceSchema(t.instanceId)}"."r_${entities[0].api_name}"`;
  const { rows } = await t.deps.dataPool.query(
    `SELECT ARRAY[status, amount::text, pieces::text, to_char(day, 'YYYY-MM-DD'),
       to_char(accord_updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')] AS cells
     FROM ${table} ORDER BY pieces NULLS FIRST`,
  );
  return rows.map(({ cells }) => cells as (string | null)[]);
}

/** By RFC 4180; a cell without quotes and without text is none. */
function parseCsv(text: string): (string | null)[][] {
  const rows: (string | null)[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)!.push(quoted === undefined ? plain || null : quoted.replaceAll('""', '"'));
    if (end !== ",") rows.push([]);
  }
  rows.pop();
  return rows;
}

/** Six digits of a second, as by hand. */
const sixDigits = (moment: string): string =>
  moment.replace(/^(.{19})(?:\.(\d+))?Z$/, (_, second: string, digits = "") => `${second}.${digits.padEnd(6, "0")}`);
const safeText = (text: string | null) => (text !== null && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

test("[INS-134] [INS-077] an export as CSV is created, completes, and gives every value of every row when it is downloaded", async () => {
  const made = await start("CSV");
  // A worker may have begun it by now.
  expect(made.status).toMatch(/QUEUED|RUNNING/);
  expect(made).toMatchObject({ error: null, format: "CSV", variablesMap: {} });
  const done = await ended(made);
  expect(done).toMatchObject({ status: "COMPLETED", rows: DEALS.length, totalRows: DEALS.length });
  const answer = await download(done);
  expect(answer.headers).toMatchObject({ "content-type": "text/csv; charset=utf-8" });
  expect(decodeURIComponent(String(answer.headers["content-disposition"]))).toMatch(
    /^attachment; filename\*=UTF-8''Deals \d{4}-\d\d-\d\d \d{4} UTC\.csv$/,
  );
  expect(answer.bytes.length).toBe(done.bytes);
  const text = answer.bytes.toString("utf8");
  expect(text.startsWith("\ufeffstatus,amount,pieces,day,Changed (UTC)\r\n")).toBe(true);
  const [, ...rows] = parseCsv(text.slice(1));
  const read = rows.map((row) => [...row.slice(0, 4), sixDigits(row[4] ?? "")]);
  const stored = await byHand();
  expect(read).toEqual(stored.map(([status, ...rest]) => [safeText(status ?? null), ...rest]));
  expect(text).toContain("0.0000001");
  expect(text).toContain('\r\n"",10.50,4,9999-12-31,');
});

test("[INS-134] an export as an Excel workbook holds the same values: exact numbers, dates as dates, and no formula", async () => {
  const done = await ended(await start("XLSX"));
  expect(done).toMatchObject({ status: "COMPLETED", rows: DEALS.length, error: null });
  const answer = await download(done);
  expect(String(answer.headers["content-disposition"])).toMatch(/\.xlsx$/);
  const parts = unzipSync(answer.bytes);
  expect(Object.keys(parts)).toContain("xl/workbook.xml");
  const sheet = strFromU8(parts["xl/worksheets/sheet1.xml"]!);
  expect(sheet).not.toContain("<f");
  const cells = new Map(
    [...sheet.matchAll(/<c r="(\w+)"[^>]*>(.*?)<\/c>/gs)].map(([, place, inner]) => [place, inner]),
  );
  const text = (value: string) => `<is><t xml:space="preserve">${value}</t></is>`;
  const stored = await byHand();
  const rowOf = (pieces: string) => stored.findIndex((row) => row[2] === pieces) + 2;
  expect(cells.get("E1")).toBe(text("Changed (UTC)"));
  expect(cells.get(`A${rowOf("1")}`)).toBe(text("=1+1"));
  expect(cells.get(`B${rowOf("1")}`)).toBe("<v>0.0000001</v>");
  expect(cells.get(`D${rowOf("1")}`)).toBe("<v>46027</v>");
  expect(cells.get(`B${rowOf("2")}`)).toBe(text("-12345678901234567890.123456789"));
  expect(cells.get(`A${rowOf("-3")}`)).toBe(text("line_x000D_\nbreak\tand tab"));
  expect(cells.get(`D${rowOf("-3")}`)).toBe(text("0001-01-01"));
  expect(cells.get(`A${rowOf("8")}`)).toBe(text("&lt;b&gt;&amp;_x005F_x0041__x0001_é😀"));
  expect(cells.get(`B${rowOf("8")}`)).toBe("<v>123456789012345</v>");
  const blank = stored.findIndex((row) => row[2] === null) + 2;
  expect(cells.has(`A${blank}`)).toBe(false);
});

test("more rows than an Excel sheet holds fail with a sentence that names the limit and CSV", async () => {
  const squared = await squaredDeals(t, t, 1_030);
  const failed = await ended(await start("XLSX", squared));
  expect(failed).toMatchObject({ status: "FAILED", bytes: 0, totalRows: null });
  expect(failed.error).toMatch(/1,048,575 rows .* CSV/);
  expect((await download(failed)).status).toBe(409);
  const all = await ended(await start("CSV", squared));
  expect(all).toMatchObject({ status: "COMPLETED", rows: 1_030 ** 2 });
  const lines = (await download(all)).bytes.toString("utf8").split("\r\n");
  expect(lines.length).toBe(1_030 ** 2 + 2);
}, 180_000);

test("a text that a formula cuts fails the export instead of being exported cut", async () => {
  const source = await makeDeals(t, t, [["x", "1", 1, null]]);
  const formula = `replace('${"a".repeat(400)}', 'a', '${"b".repeat(400)}')`;
  const calculatedFields = [{ aliasName: "long", displayName: "Long", dataType: "string" as const, formula }];
  const failed = await ended(await start("CSV", await makeDataset(t, t, { calculatedFields }, source)));
  expect(failed).toMatchObject({ status: "FAILED" });
  expect(failed.error).toMatch(/formula of “Long” .* 32,768 characters/);
});

test("values of the dataset's variables count, and ones that do not fit are refused when the export is started", async () => {
  const variables = [{ apiName: "most", displayName: "Most", datatype: "integer" as const }];
  const id = await makeDataset(t, t, { variables, limit: "{{most}}", sort: [{ field: "pieces" }] });
  const startWith = (most: string | number) =>
    editor().send(createDatasetExport, { params: { id }, body: { format: "CSV", variablesMap: { most } } });
  expect(await startWith("none")).toMatchObject({ status: 422, body: { code: "dataset_invalid" } });
  const done = await ended((await startWith(2)).body as DatasetExport);
  expect(done).toMatchObject({ rows: 2, totalRows: 2, variablesMap: { most: 2 } });
  expect((await download(done)).bytes.toString("utf8")).toMatch(/\r\nopen,10\.50,.*\r\npaid,20\.00,.*\r\n$/);
});

test("creating and downloading exports stand in the audit log", async () => {
  const { entries } = await t.as("INSTANCE_ADMIN").call(listAuditEntries, { query: { count: 50 } });
  const actions = entries.filter(({ target }) => target.id === datasetId).map(({ action }) => action);
  expect(new Set(actions)).toEqual(new Set(["createDatasetExport", "downloadDatasetExport"]));
});

test("[INS-134] a deleted export is gone with its file, and so are the exports of a deleted dataset", async () => {
  const id = await makeDataset(t, t);
  const [one, other] = [await ended(await start("CSV", id)), await ended(await start("CSV", id))];
  await editor().call(deleteDatasetExport, { params: { exportId: one.id } });
  const { exports } = await editor().call(listDatasetExports, { params: { id } });
  expect(exports.map((left) => left.id)).toEqual([other.id]);
  expect((await download(one)).status).toBe(404);
  await editor().call(deleteDataset, { params: { id } });
  expect((await download(other)).status).toBe(404);
  const { rows } = await t.deps.appPool.query("SELECT FROM dataset_export_chunk WHERE export_id = ANY($1)", [
    [one.id, other.id],
  ]);
  expect(rows).toEqual([]);
});
