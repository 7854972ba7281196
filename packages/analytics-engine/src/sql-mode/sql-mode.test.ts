/** A statement that a person wrote inside the query around it, word for word; the gate stands in for itself here. */
import { expect, test } from "vitest";
import type { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import { CardConfiguration } from "@accord/contracts/insights/cards";
import { cardQuery } from "../card-query.ts";
import { type CatalogueDataset, catalogueOf, type CheckSql } from "../catalogue.ts";
import { PRINT } from "../golden/case-parts.ts";
import { config, customers, O, orders } from "../golden/shop.ts";
import { printQuery, type Statement } from "../print.ts";
import { checkDataset, resolveDataset } from "../resolve.ts";
import { basicAsSql } from "./basic-as-sql.ts";
import { sqlName } from "./reserved-words.ts";

/** As the gate cuts this one text. */
const cut: CheckSql = () => ({
  parts: [
    'SELECT status, sum(amount) AS total\nFROM "orders" WHERE quantity >= ',
    { variable: "least", asRows: false },
    " AND status IN (",
    { variable: "states", asRows: true },
    ") AND status <> 'a\n  b' GROUP BY status, quantity >= ",
    { variable: "least", asRows: false },
  ],
  tables: ["orders"],
  load: { columns: 1, places: 1 },
});
const shop = catalogueOf([orders, customers], [], cut);

const WRITTEN = config({
  configMode: "SQL",
  sql: "SELECT …",
  sources: [O],
  variables: [
    { apiName: "least", displayName: "Least", datatype: "integer" },
    { apiName: "states", displayName: "States", multiValueField: true },
  ],
  sqlColumns: [
    { name: "status", displayName: "Status", dataType: "picklist" },
    { name: "totalAmount", displayName: "Total", dataType: "decimal" },
  ],
});
const VALUES = { least: 2, states: "open;paid" };

const textOf = ({ text, params }: Statement): string =>
  `${params.map((value, at) => `-- $${at + 1} = ${JSON.stringify(value)}\n`).join("")}${text}\n`;

test("[INS-073] its tables stand before it, its values are shared parameters, and its lines stay as they were written", async () => {
  const query = resolveDataset(WRITTEN, shop, { values: VALUES });
  await expect(textOf(printQuery(query, PRINT, 100))).toMatchFileSnapshot("../golden/written.sql");
});

test("[INS-073] a card asks of it as of any other dataset", async () => {
  const query = resolveDataset(WRITTEN, shop, { values: VALUES });
  const card = CardConfiguration.parse({
    vizType: "COLUMN",
    xaxis: { column: "status" },
    yaxis: [{ column: "totalAmount" }],
  });
  await expect(textOf(cardQuery(card, query, PRINT))).toMatchFileSnapshot("../golden/card-written.sql");
});

test("it can't run where no SQL can be read, without a text, or before its columns are known", () => {
  const codes = (more: object, known = shop) =>
    checkDataset(config({ ...WRITTEN, ...more }), known).map(({ path, code }) => [path, code]);
  expect(codes({}, catalogueOf([orders, customers]))).toEqual([["configMode", "sql_unavailable"]]);
  expect(codes({ sql: " " })).toEqual([["sql", "sql_missing"]]);
  expect(codes({ sqlColumns: [] })).toEqual([["sql", "sql_columns_missing"]]);
});

const codesOf = (datasets: readonly CatalogueDataset[], of: DatasetConfig, check: CheckSql = cut) =>
  checkDataset(of, catalogueOf([orders, customers], datasets, check)).map(({ path, code, facts }) => [
    path,
    code,
    facts["name"],
  ]);
/** An id for a name of letters a to f and digits. */
const idOf = (name: string): string => name.padStart(24, "0");
const on = (...names: string[]) =>
  names.map((name) => ({ datasetId: idOf(name), datasetType: "DATASET" as const, datasourceAlias: `d${name}` }));
const written = (sql: string, ...names: string[]): DatasetConfig =>
  config({ ...WRITTEN, variables: [], sql, sources: on(...names) });
const stored = (name: string, sql: string, ...names: string[]): CatalogueDataset => ({
  ...{ id: idOf(name), name, displayName: name, config: written(sql, ...names) },
});
/** Reads all tables that it is given. */
const reading: CheckSql = (sql, { tables }) => ({ parts: [sql], tables, load: { columns: 1, places: 1 } });

test("[INS-066] datasets in SQL below one dataset are counted each time they are read", () => {
  const leaves = Array.from({ length: 9 }, (_, at) => stored(`${at}`, "SELECT 1"));
  const middle = ["a", "b", "c", "d"].map((name) => stored(name, "SELECT 1", ...leaves.map((leaf) => leaf.name)));
  const problems = (...names: string[]) => codesOf([...leaves, ...middle], written("SELECT 1", ...names), reading);
  expect(problems("a", "b", "c")).toEqual([]);
  expect(problems("a", "b", "c", "d")).toEqual([[expect.any(String), "written_too_many", "d"]]);
});

test("[INS-066] their words are counted as well, for each is read with the whole grammar", () => {
  const long = ["a", "b"].map((name) => stored(name, `SELECT ${"a, ".repeat(2_100)}1`));
  expect(codesOf(long, written("SELECT 1", "a"), reading)).toEqual([]);
  expect(codesOf(long, written("SELECT 1", "a", "b"), reading)).toEqual([["sources.1", "written_too_long", "b"]]);
});

test("a dataset of the basic mode as a statement for people, word for word", async () => {
  const basic = config({
    sources: [O],
    selectedFields: [
      { alias: "status", displayName: "Status", apiName: "status", dataType: "picklist", datasourceAlias: "orders" },
      {
        alias: "total",
        displayName: "Total",
        apiName: "amount",
        dataType: "decimal",
        datasourceAlias: "orders",
        aggregate: "sum",
      },
    ],
    filter: {
      type: "condition",
      left: { kind: "field", field: "orders.quantity" },
      operator: "greater",
      right: [{ kind: "variable", apiName: "least" }],
    },
    variables: [{ apiName: "least", displayName: "Least", datatype: "integer" }],
    group: true,
    groupBy: [{ datasetField: "status" }],
    sort: [{ field: "total", ascending: false }],
    limit: 5,
  });
  const { sql, fixedVariables } = basicAsSql(basic, shop, () => "Order", PRINT);
  expect(fixedVariables).toEqual([]);
  await expect(`${sql}\n`).toMatchFileSnapshot("../golden/basic-as-sql.sql");
});

test.each([
  ["placedAt", "placedAt"],
  ["Order", '"Order"'],
  ["two words", '"two words"'],
  ['quo"te', '"quo""te"'],
])("the name %s is written %s", (name, written) => {
  expect(sqlName(name)).toBe(written);
});
