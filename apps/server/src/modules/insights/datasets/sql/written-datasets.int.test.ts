/** Datasets written in SQL through the API: what they give, who may write them, and that they see one instance alone. */
import type { Id } from "@accord/contracts";
import { createEntity } from "@accord/contracts/data/core-schema";
import { previewDataCard } from "@accord/contracts/insights/cards";
import { dashboardCardData } from "@accord/contracts/insights/dashboards";
import { DatasetConfig, type DatasetConfigInput } from "@accord/contracts/insights/dataset-config";
import {
  createDatasetExport,
  downloadDatasetExport,
  getDatasetExport,
} from "@accord/contracts/insights/dataset-exports";
import { checkDatasetSql, datasetSqlNames } from "@accord/contracts/insights/dataset-sql";
import { encodeEmail, getSharedCardData, openSharedDashboard } from "@accord/contracts/insights/sharing";
import {
  createDataset,
  datasetDependencies,
  getDataset,
  listDatasets,
  previewDataset,
  updateDataset,
} from "@accord/contracts/insights/datasets";
import { beforeAll, expect, test } from "vitest";
import { makeCaller } from "../../../../../test-kit/caller.ts";
import {
  columnCard,
  makeCard,
  makeDataset,
  makeDeals,
  makePublished,
  makeShare,
} from "../../../../../test-kit/fixtures/insights.ts";
import { testApp, type TestApp } from "../../../../../test-kit/index.ts";
import { instanceSchema } from "../../../../platform/db/db.ts";
import { shareCookieName } from "../../../../platform/http/request/session-cookie.ts";

let t: TestApp;
let deal = "";
let dealId: Id<"entity">;
beforeAll(async () => {
  t = await testApp({ roles: ["web", "worker"] });
  dealId = await makeDeals(t, t);
  deal = await nameOf(dealId);
}, 120_000);
const editor = () => t.as("SYNC_MANAGER");

async function nameOf(entityId: string): Promise<string> {
  const { entities } = await editor().call(listDatasets);
  return entities.find(({ id }) => id === entityId)?.apiName ?? "";
}

const written = (sql: string, more: DatasetConfigInput = {}): DatasetConfig =>
  DatasetConfig.parse({ configMode: "SQL", sql, ...more });

const preview = (sql: string, more: DatasetConfigInput = {}, variablesMap: Record<string, string | number> = {}) =>
  editor().send(previewDataset, { body: { datasetConfig: written(sql, more), variablesMap } });

const rowsOf = async (sql: string, more: DatasetConfigInput = {}, values: Record<string, string | number> = {}) =>
  (await editor().call(previewDataset, { body: { datasetConfig: written(sql, more), variablesMap: values } })).rows;

const check = (sql: string, more: DatasetConfigInput = {}) =>
  editor().call(checkDatasetSql, { body: { datasetConfig: written(sql, more) } });

async function save(sql: string, more: DatasetConfigInput = {}): Promise<Id<"dataset">> {
  const name = `written${t.deps.newId()}`;
  const body = { displayName: "Written", name, datasetConfig: written(sql, more) };
  return (await editor().call(createDataset, { body })).id;
}

const LEAST = { apiName: "least", displayName: "Least", datatype: "integer" as const, updatable: true };
const STATES = { apiName: "states", displayName: "States", multiValueField: true, updatable: true };

test("[INS-073] a new dataset is basic; one saved in SQL opens in SQL again, with its text, tables and columns", async () => {
  const basic = await makeDataset(t, t, {}, dealId);
  expect((await editor().call(getDataset, { params: { id: basic } })).dataset.datasetConfig.configMode).toBe("BASIC");
  const sql = `SELECT status, SUM(amount) AS totalAmount\nFROM ${deal}\nGROUP BY 1`;
  const id = await save(sql);
  const { dataset, columns } = await editor().call(getDataset, { params: { id } });
  expect(dataset.datasetConfig).toMatchObject({
    configMode: "SQL",
    sql,
    sources: [{ datasetId: dealId, datasetType: "ENTITY", datasourceAlias: deal }],
  });
  expect(columns).toEqual([
    { name: "status", displayName: "status", dataType: "string" },
    { name: "totalAmount", displayName: "Total amount", dataType: "decimal" },
  ]);
});

test("[INS-126] saving from the SQL configuration keeps the id and the mode", async () => {
  const id = await save(`SELECT status FROM ${deal}`);
  const sql = `SELECT status, pieces FROM ${deal}`;
  const body = { displayName: "Written", datasetConfig: written(sql), version: 1 };
  const saved = await editor().call(updateDataset, { params: { id }, body });
  expect(saved).toMatchObject({ id, version: 2, datasetConfig: { configMode: "SQL", sql } });
});

test.each<[string, () => string, unknown[]]>([
  [
    "groups and sorts",
    () =>
      `SELECT status, sum(amount) AS total, count(*) AS n FROM ${deal} GROUP BY status ORDER BY total DESC NULLS LAST`,
    [
      { status: "paid", total: "25.25", n: 2 },
      { status: "open", total: "10.50", n: 1 },
      { status: "lost", total: null, n: 1 },
    ],
  ],
  [
    "names in any case, quoted or not",
    () => `select STATUS, "Pieces" from "${deal.toUpperCase()}" where PIECES < 2`,
    [{ status: "open", pieces: 1 }],
  ],
  [
    "WITH, a window and a subquery",
    () => `WITH paid AS (SELECT * FROM ${deal} WHERE status = 'paid')
SELECT pieces, sum(pieces) OVER (ORDER BY pieces) AS running, (SELECT count(*) FROM ${deal}) AS all_deals FROM paid ORDER BY 1`,
    [
      { pieces: 2, running: "2", all_deals: 4 },
      { pieces: 3, running: "5", all_deals: 4 },
    ],
  ],
  [
    "every type that a column may have",
    () => `SELECT 1::int2 AS a, 2 AS b, 3.5 AS c, 4.5::float8 AS d, true AS e, date '2026-01-02' AS f, timestamp '2026-01-02 03:04' AS g,
  timestamptz '2026-01-02 03:04+02' AS h, interval '1 day' AS i, 'x'::varchar(3) AS j, '["y"]'::jsonb AS k, NULL AS l`,
    [
      {
        ...{ a: 1, b: 2, c: "3.5", d: 4.5, e: true, f: "2026-01-02", g: "2026-01-02T03:04:00.000Z" },
        ...{ h: "2026-01-02T01:04:00.000Z", i: "1 day", j: "x", k: ["y"], l: null },
      },
    ],
  ],
  ["a literal of several lines as it is", () => "SELECT 'a\n  b\n-- c' AS text", [{ text: "a\n  b\n-- c" }]],
])("[INS-073] a statement %s", async (_what, sql, rows) => {
  expect(await rowsOf(sql())).toEqual(rows);
});

test("[INS-074] variables are values: in conditions, lists, limits and grouping, and never text of the statement", async () => {
  const variables = [LEAST, STATES, { apiName: "name", displayName: "Name", updatable: true }];
  const sql = `SELECT pieces + {{least}} AS n, count(*) AS deals FROM ${deal}
WHERE ({{least}} IS NULL OR pieces >= {{least}}) AND ({{states}} IS NULL OR status IN ({{states}}))
GROUP BY pieces + {{least}} ORDER BY 1 LIMIT {{least}}`;
  expect(await rowsOf(sql, { variables }, { least: 2, states: "paid;lost" })).toEqual([
    { n: 4, deals: 1 },
    { n: 5, deals: 1 },
  ]);
  expect(await rowsOf(sql, { variables })).toHaveLength(1);
  const hostile = "x'; DROP TABLE y; --";
  const text = await rowsOf("SELECT {{name}} || '!' AS said", { variables }, { name: hostile });
  expect(text).toEqual([{ said: `${hostile}!` }]);
  expect((await preview(sql, { variables }, { least: "many" })).body).toMatchObject({ code: "dataset_invalid" });
});

test.each<[string, () => string, string, [number, number]]>([
  ["an unknown column", () => `SELECT foo\nFROM ${deal}`, 'Column "foo" does not exist.', [1, 8]],
  [
    "a wrong type",
    () => `SELECT status\nFROM ${deal}\nWHERE pieces = 'many'`,
    'Invalid input syntax for type bigint: "many".',
    [3, 16],
  ],
  ["a column without a name", () => "SELECT 1 AS a,\n 2", "Column 2 has no name. Give it one: … AS name.", [2, 2]],
  [
    "two columns of one name",
    () => `SELECT status,\n status FROM ${deal}`,
    "Two columns are called “status”. Rename one of them: … AS other_name.",
    [2, 2],
  ],
  [
    "a name with blanks",
    () => `SELECT status AS "my status" FROM ${deal}`,
    "“my status” can't be the name of a column: it has to start with a letter and hold only letters, digits and underscores. Rename it: … AS name.",
    [1, 8],
  ],
  [
    "a whole record",
    () => `SELECT d FROM ${deal} d`,
    "The column “d” holds values of the type record, which can't be shown. Cast it: CAST(… AS text).",
    [1, 8],
  ],
  [
    "a missing GROUP BY",
    () => `SELECT status, count(*)\nFROM ${deal}`,
    `Column "${"DEAL"}.status" must appear in the GROUP BY clause or be used in an aggregate function.`,
    [1, 8],
  ],
  ["a table that is not there", () => "SELECT *\nFROM nothing", "There is no table “nothing”.", [2, 6]],
])("[INS-073] the editor shows %s, with its place and what to do", async (_what, sql, message, [line, column]) => {
  const { problems } = await check(sql());
  expect(problems).toMatchObject([{ message: message.replace("DEAL", deal.toLowerCase()), line, column }]);
  const reply = await preview(sql());
  expect(reply).toMatchObject({ status: 422, body: { code: "dataset_invalid", errors: [{ path: "sql" }] } });
});

test("what only fails in a row reaches the card as a sentence, without values of records", async () => {
  const id = await save(`SELECT status, pieces / (pieces - 1) AS ratio FROM ${deal}`);
  const configuration = columnCard(id, { yaxis: [{ column: "ratio", name: "ratio", displayFormat: "number" }] });
  const card = { datacard: { contents: { configuration } }, dataset: { id } };
  expect(await editor().send(previewDataCard, { body: card })).toMatchObject({
    status: 422,
    body: { code: "dataset_invalid", description: "The SQL divides by zero in some row. Write x / NULLIF(y, 0)." },
  });
  expect((await preview(`SELECT status::integer AS n FROM ${deal}`)).body).toMatchObject({
    description: expect.stringContaining("casts a text to a number or date"),
  });
});

test("[INS-073] a card, a dashboard's variable, a share and an export work on it like on any other", async () => {
  const id = await save(`SELECT status, amount, pieces FROM ${deal} WHERE pieces >= coalesce({{least}}, 0)`, {
    variables: [LEAST],
  });
  const cardId = await makeCard(t, t, id);
  const board = await makePublished(t, t, [cardId]);
  const ask = async (variablesMap: Record<string, number>) => {
    const params = { id: board, cardId };
    const { data } = await t.as("VIEWER").call(dashboardCardData, { params, body: { variablesMap } });
    return data.rows.map(({ x, y0 }) => [x, y0]);
  };
  expect(await ask({})).toEqual([
    ["paid", "25.25"],
    ["open", "10.50"],
    ["lost", null],
  ]);
  expect(await ask({ least: 3 })).toEqual([
    ["paid", "5.25"],
    ["lost", null],
  ]);
  expect(await guestRows(board, cardId)).toEqual(["paid", "open", "lost"]);
  const started = await editor().call(createDatasetExport, { params: { id }, body: { format: "CSV" } });
  const params = { exportId: started.id };
  await expect
    .poll(async () => (await editor().call(getDatasetExport, { params })).status, { timeout: 60_000 })
    .toBe("COMPLETED");
  const file = await editor().send(downloadDatasetExport, { params });
  expect(String(file.body)).toContain("paid,20.00,2");
});

async function guestRows(dashboardId: Id<"dashboard">, cardId: Id<"dataCard">) {
  const { share, password } = await makeShare(t, t, dashboardId);
  const body = { email: encodeEmail(share.email), dashboardId, secret: password ?? "" };
  const opened = await t.anonymous.send(openSharedDashboard, { body });
  const name = shareCookieName(t.deps.config.baseUrl);
  const cookies = { [name]: opened.cookies.get(name) ?? "" };
  const guest = makeCaller({ http: t.app.http, cookies, token: t.forgery.token(null) });
  const { data } = await guest.call(getSharedCardData, { params: { dashboardId, cardId }, body: {} });
  return data.rows.map(({ x }) => x);
}

test("[INS-066] it is built on datasets, and datasets are built on it; deleting and changing know of both", async () => {
  const basic = await makeDataset(t, t, { limit: 3 }, dealId);
  const { name } = (await editor().call(getDataset, { params: { id: basic } })).dataset;
  const id = await save(`SELECT d.status, e.pieces FROM ${name} d JOIN ${name} e USING (status)`);
  const above = await makeDataset(t, t, {
    sources: [{ datasetId: id, datasetType: "DATASET", datasourceAlias: "deals" }],
    selectedFields: [
      { alias: "status", displayName: "s", apiName: "status", dataType: "string", datasourceAlias: "deals" },
    ],
    filter: {
      type: "condition",
      left: { kind: "field", field: "pieces" },
      operator: "greater",
      right: [{ kind: "literal", value: 2 }],
    },
  });
  const { datasetConfig } = (await editor().call(getDataset, { params: { id: above } })).dataset;
  const { rows } = await editor().call(previewDataset, { body: { datasetConfig } });
  expect(rows).toEqual([{ status: "paid" }, { status: "paid" }]);
  const uses = async (of: Id<"dataset">) =>
    (await editor().call(datasetDependencies, { params: { id: of } })).dependencies.map((one) => one.id);
  expect([await uses(basic), await uses(id)]).toEqual([[id], [above]]);
  const body = { displayName: "Written", datasetConfig: written(`SELECT status FROM ${name}`), version: 1 };
  expect(await editor().send(updateDataset, { params: { id }, body })).toMatchObject({
    status: 409,
    body: { code: "dataset_parts_in_use", details: { parts: [{ kind: "column", name: "pieces" }] } },
  });
  const onItself = written(`SELECT 1 AS n FROM ${(await editor().call(getDataset, { params: { id } })).dataset.name}`);
  const reply = await editor().send(updateDataset, { params: { id }, body: { ...body, datasetConfig: onItself } });
  expect(reply).toMatchObject({ status: 422, body: { errors: [{ message: expect.stringContaining("no table") }] } });
});

test("[T16] another instance's tables can't be named, whatever sources and columns are sent along", async () => {
  const sibling = await t.build.instance();
  const theirs = { organisationId: t.organisationId, instanceId: sibling };
  const theirEntity = await makeDeals(t, theirs);
  const { entities } = await t.as("SUPER_ADMIN", theirs).call(listDatasets);
  const theirName = entities.find(({ id }) => id === theirEntity)?.apiName ?? "";
  const forged = {
    sources: [{ datasetId: theirEntity, datasetType: "ENTITY" as const, datasourceAlias: theirName }],
    sqlColumns: [{ name: "amount", displayName: "a", dataType: "decimal" as const }],
  };
  for (const table of [theirName, `"${instanceSchema(sibling)}"."r_${theirName}"`, `r_${theirName}`]) {
    const sql = `SELECT amount FROM ${table}`;
    expect(await preview(sql, forged)).toMatchObject({ status: 422, body: { errors: [{ path: "sql" }] } });
    const body = { displayName: "x", name: `x${t.deps.newId()}`, datasetConfig: written(sql, forged) };
    expect(await editor().send(createDataset, { body })).toMatchObject({ status: 422 });
    const configuration = columnCard("0".repeat(24));
    const card = { datacard: { contents: { configuration: { ...configuration, datasetId: undefined } } } };
    const asked = { ...card, dataset: { datasetConfig: written(sql, forged) } };
    expect(await editor().send(previewDataCard, { body: asked as never })).toMatchObject({ status: 422 });
  }
  const { tables } = await editor().call(datasetSqlNames, { query: {} });
  expect(tables.map(({ name }) => name)).not.toContain(theirName);
});

test("[T16] password fields are in no table, neither by name nor by star", async () => {
  const apiName = `Vault${t.deps.newId().slice(-8)}`;
  const field = (name: string, dataType: "string" | "password") => ({ apiName: name, displayName: name, dataType });
  const fields = [field("label", "string"), field("pin", "password")];
  await t.as("SUPER_ADMIN").call(createEntity, { body: { apiName, displayName: "Vault", fields, publish: true } });
  expect((await check(`SELECT pin FROM ${apiName}`)).problems[0]?.message).toBe('Column "pin" does not exist.');
  const { columns } = await check(`SELECT * FROM ${apiName}`);
  expect(columns.map(({ name }) => name)).toEqual([
    ...["label", "accord_id", "accord_created_at", "accord_updated_at", "accord_score"],
  ]);
});

test("people who may not make or preview datasets may not write SQL either", async () => {
  const datasetConfig = written(`SELECT status FROM ${deal}`);
  const viewer = t.as("VIEWER");
  const body = { displayName: "x", name: `x${t.deps.newId()}`, datasetConfig };
  expect(await viewer.send(createDataset, { body })).toMatchObject({ status: 403 });
  expect(await viewer.send(previewDataset, { body: { datasetConfig } })).toMatchObject({ status: 403 });
  expect(await viewer.send(checkDatasetSql, { body: { datasetConfig } })).toMatchObject({ status: 403 });
});

test("deleted records are in no table", async () => {
  const apiName = await nameOf(await makeDeals(t, t));
  const table = `"${instanceSchema(t.instanceId)}"."r_${apiName}"`;
  await t.deps.dataPool.query(`UPDATE ${table} SET accord_deleted = true WHERE status = 'paid'`);
  expect(await rowsOf(`SELECT status FROM ${apiName} ORDER BY 1`)).toEqual([{ status: "lost" }, { status: "open" }]);
});

test("a text that is too long for an answer is cut and says so by an ellipsis, and more rows are announced", async () => {
  const [row] = await rowsOf("SELECT repeat('x', 40000) AS long");
  expect(String(row?.["long"])).toMatch(/^x{32767}…$/);
  const body = { datasetConfig: written("SELECT n FROM generate_series(1, 500) AS g (n)"), rows: 100 };
  expect(await editor().call(previewDataset, { body })).toMatchObject({ truncated: true });
  expect((await preview("SELECT repeat('x', 2000000) AS long")).status).toBe(422);
});
