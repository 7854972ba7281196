/** From the basic mode to SQL with the same rows, and back where the statement says nothing that the basic mode can't say. */
import type { Id } from "@accord/contracts";
import type { Predicate } from "@accord/contracts/data/predicate";
import { DatasetConfig, type DatasetConfigInput } from "@accord/contracts/insights/dataset-config";
import { datasetAsSql, datasetFromSql } from "@accord/contracts/insights/dataset-sql";
import { getDataset, listDatasets, previewDataset } from "@accord/contracts/insights/datasets";
import { beforeAll, expect, test } from "vitest";
import { dealsConfig, makeDataset, makeDeals } from "../../../../../test-kit/fixtures/insights.ts";
import { testApp, type TestApp } from "../../../../../test-kit/index.ts";

let t: TestApp;
let dealId: Id<"entity">;
let deal = "";
beforeAll(async () => {
  t = await testApp();
  dealId = await makeDeals(t, t);
  deal = (await editor().call(listDatasets)).entities.find(({ id }) => id === dealId)?.apiName ?? "";
}, 60_000);
const editor = () => t.as("SYNC_MANAGER");

const rowsOf = async (datasetConfig: DatasetConfig, variablesMap: Record<string, string | number> = {}) =>
  (await editor().call(previewDataset, { body: { datasetConfig, variablesMap } })).rows;

const asSql = (datasetConfig: DatasetConfig) => editor().call(datasetAsSql, { body: { datasetConfig } });

const compared = (field: string, operator: string, right: object): Predicate =>
  ({ type: "condition", left: { kind: "field", field: `deals.${field}` }, operator, right: [right] }) as Predicate;
const literal = (value: string | number) => ({ kind: "literal", value });
const variable = (apiName: string) => ({ kind: "variable", apiName });
const pick = (alias: string, aggregate?: "sum" | "avg" | "textList" | "countDistinct") => ({
  ...{ alias, displayName: alias, apiName: alias, dataType: "string" as const, datasourceAlias: "deals" },
  ...(aggregate ? { aggregate } : {}),
});

test.each<[string, DatasetConfigInput]>([
  ["fields", { sort: [{ field: "pieces" }] }],
  [
    "a filter of texts, numbers and dates",
    {
      filter: {
        type: "group",
        combinator: "or",
        children: [
          compared("status", "equals", literal("PAID")),
          compared("amount", "less", literal(11)),
          compared("day", "thisYear", literal("")),
        ].slice(0, 2),
      },
      sort: [{ field: "pieces", ascending: false }],
    },
  ],
  [
    "groups by month",
    {
      group: true,
      groupBy: [{ datasetField: "day", grain: "month" }],
      selectedFields: [pick("day"), pick("amount", "sum"), pick("status", "textList")],
      sort: [{ field: "day" }],
    },
  ],
  ["a limit", { sort: [{ field: "pieces" }], limit: 2 }],
  [
    "calculated fields",
    {
      calculatedFields: [
        { aliasName: "each", displayName: "Each", dataType: "decimal", formula: "round([amount] / [pieces], 2)" },
        {
          aliasName: "label",
          displayName: "Label",
          dataType: "string",
          formula: "concat(upper([status]), ' x')",
        },
      ],
      sort: [{ field: "pieces" }],
    },
  ],
])("[INS-073] the SQL of a dataset with %s gives the same rows", async (_what, more) => {
  const basic = dealsConfig(dealId, more);
  const { sql } = await asSql(basic);
  expect(sql).toContain(`FROM ${deal} AS deals`);
  expect(sql).not.toMatch(/\$\d|i_[0-9a-f]{24}|r_Deal/);
  expect(await rowsOf(DatasetConfig.parse({ configMode: "SQL", sql }))).toEqual(await rowsOf(basic));
});

test("[INS-074] variables of filters and limits stay variables; one that groups becomes its default, which is said", async () => {
  const variables = [
    { apiName: "least", displayName: "Least", datatype: "integer" as const },
    { apiName: "state", displayName: "State" },
    { apiName: "states", displayName: "States", multiValueField: true },
    { apiName: "top", displayName: "Top", datatype: "integer" as const },
  ];
  const children = [
    compared("pieces", "greaterOrEqual", variable("least")),
    compared("status", "equals", variable("states")),
    compared("status", "notEquals", variable("state")),
  ];
  const basic = dealsConfig(dealId, {
    variables,
    filter: { type: "group", combinator: "and", children },
    sort: [{ field: "pieces" }],
    limit: "{{top}}",
  });
  const { sql, notes } = await asSql(basic);
  for (const { apiName } of variables) expect(sql).toContain(`{{${apiName}}}`);
  expect(notes).toEqual([expect.stringContaining("NULL in SQL")]);
  const written = DatasetConfig.parse({ configMode: "SQL", sql, variables });
  const values = { least: 2, state: "LOST", states: "Paid;lost", top: 1 };
  expect(await rowsOf(written, values)).toEqual(await rowsOf(basic, values));
  expect(await rowsOf(written, values)).toHaveLength(1);

  const by = {
    apiName: "by",
    displayName: "By",
    variableDefaultValue: { datatype: "string" as const, defaultValue: "status" },
  };
  const grouped = dealsConfig(dealId, {
    variables: [by],
    group: true,
    groupBy: [{ datasetField: "{{by}}" }],
    selectedFields: [pick("status"), pick("amount", "sum")],
  });
  expect((await asSql(grouped)).notes).toEqual([expect.stringContaining("“By” can't be a variable")]);
});

test("a dataset below is named, not written out", async () => {
  const below = await makeDataset(t, t, { limit: 3 }, dealId);
  const { name } = (await editor().call(getDataset, { params: { id: below } })).dataset;
  const sources = [{ datasetId: below, datasetType: "DATASET" as const, datasourceAlias: "deals" }];
  const basic = dealsConfig(dealId, { sources });
  const { sql } = await asSql(basic);
  expect(sql).toContain(`FROM ${name} AS deals`);
  expect(await rowsOf(DatasetConfig.parse({ configMode: "SQL", sql }))).toHaveLength(3);
});

const back = (sql: string, more: DatasetConfigInput = {}) => {
  const datasetConfig = DatasetConfig.parse({ configMode: "SQL", sql, ...more });
  return editor().call(datasetFromSql, { body: { datasetConfig } });
};

test.each<[string, () => string, DatasetConfigInput]>([
  ["columns and an order", () => `SELECT status, d.pieces AS n FROM ${deal} d ORDER BY n DESC LIMIT 2`, {}],
  ["all columns", () => `SELECT * FROM ${deal} ORDER BY pieces`, {}],
  [
    "groups",
    () =>
      `SELECT status, sum(amount) AS total, count(DISTINCT day) AS days FROM ${deal} GROUP BY status ORDER BY total DESC NULLS LAST`,
    {},
  ],
  [
    "a joined table",
    () =>
      `SELECT a.status, b.pieces FROM ${deal} a LEFT JOIN ${deal} b ON a.accord_id = b.accord_id AND a.pieces = b.pieces ORDER BY 2`,
    {},
  ],
  [
    "conditions of numbers and dates",
    () =>
      `SELECT pieces FROM ${deal} WHERE (pieces >= {{least}} OR amount < 10.5) AND day > date '2026-01-06' ORDER BY 1`,
    {
      variables: [
        {
          apiName: "least",
          displayName: "Least",
          datatype: "integer",
          variableDefaultValue: { datatype: "integer", defaultValue: 3 },
        },
      ],
    },
  ],
])("a statement with %s goes back to the basic mode with the same rows", async (_what, sql, more) => {
  const { datasetConfig, problems } = await back(sql(), more);
  expect(problems).toEqual([]);
  expect(datasetConfig).toMatchObject({ configMode: "BASIC", sql: sql() });
  const written = DatasetConfig.parse({ configMode: "SQL", sql: sql(), ...more });
  expect(datasetConfig && (await rowsOf(datasetConfig))).toEqual(await rowsOf(written));
});

test.each<[string, () => string, string]>([
  ["WITH", () => `WITH x AS (SELECT * FROM ${deal}) SELECT * FROM x`, "WITH can't be said in the basic mode."],
  [
    "UNION",
    () => `SELECT status FROM ${deal} UNION SELECT status FROM ${deal}`,
    "UNION, INTERSECT or EXCEPT can't be said in the basic mode.",
  ],
  ["DISTINCT", () => `SELECT DISTINCT status FROM ${deal}`, "DISTINCT can't be said in the basic mode."],
  [
    "HAVING",
    () => `SELECT status FROM ${deal} GROUP BY 1 HAVING count(*) > 1`,
    "HAVING can't be said in the basic mode.",
  ],
  [
    "a window",
    () => `SELECT rank() OVER (ORDER BY pieces) AS r FROM ${deal}`,
    "A window (OVER) can't be said in the basic mode.",
  ],
  ["a subquery", () => `SELECT * FROM (SELECT status FROM ${deal}) x`, "A subquery can't be said in the basic mode."],
  [
    "a computed column",
    () => `SELECT amount * 2 AS x FROM ${deal}`,
    "A computed column can't be said in the basic mode.",
  ],
  [
    "a comparison of texts",
    () => `SELECT status FROM ${deal} WHERE status = 'paid'`,
    "This condition can't be said in the basic mode.",
  ],
  ["no table", () => "SELECT 1 AS n", "A statement without a table can't be said in the basic mode."],
  ["OFFSET", () => `SELECT status FROM ${deal} OFFSET 1`, "OFFSET can't be said in the basic mode."],
])("[INS-073] the way back names the clause that it can't take: %s", async (_what, sql, message) => {
  const { datasetConfig, problems } = await back(sql());
  expect(datasetConfig).toBeUndefined();
  expect(problems).toMatchObject([{ message }]);
});
