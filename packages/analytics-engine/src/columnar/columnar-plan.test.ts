/** Which cards have a columnar part, and what is left of them to PostgreSQL. */
import type { Predicate } from "@accord/contracts/data/predicate";
import { CardConfiguration, type CardConfigurationInput } from "@accord/contracts/insights/cards";
import { DatasetConfig, type DatasetConfigInput } from "@accord/contracts/insights/dataset-config";
import { expect, test } from "vitest";
import { cardQuery } from "../card-query.ts";
import { catalogueOf, type CatalogueEntity } from "../catalogue.ts";
import { postgres } from "../dialect.ts";
import { resolveDataset } from "../resolve.ts";
import { withScale } from "./given-rows.ts";
import { foldedName, mirrorName } from "./mirror-names.ts";

const FIELDS = {
  status: "string",
  amount: "decimal",
  pieces: "integer",
  weight: "double",
  day: "date",
  placedAt: "datetime",
} as const;
const ORDER: CatalogueEntity = {
  ...{ id: "0000000000000000000000a1", apiName: "Order", displayName: "Order" },
  relation: { schema: "shop", name: "r_Order", deletedColumn: "accord_deleted" },
  fields: Object.entries(FIELDS).map(([apiName, dataType]) => ({ apiName, displayName: apiName, dataType })),
};

/** `mark` is a value of the column `day`. */
function planOf(card: Partial<CardConfigurationInput>, more: DatasetConfigInput = {}, mark?: string, timeZone = "UTC") {
  const dataset = DatasetConfig.parse({
    sources: [{ datasetId: ORDER.id, datasetType: "ENTITY", datasourceAlias: "o" }],
    selectedFields: Object.entries(FIELDS).map(([apiName, dataType]) => ({
      ...{ alias: apiName, displayName: apiName, apiName, dataType, datasourceAlias: "o" },
    })),
    ...more,
  });
  const query = resolveDataset(dataset, catalogueOf([ORDER]));
  const configuration = CardConfiguration.parse({ datasetId: "0000000000000000000000d1", vizType: "COLUMN", ...card });
  const day = query.columns.find(({ name }) => name === "day")?.expr;
  const among =
    mark !== undefined && day
      ? [{ marks: [[{ expr: day, displayName: "day", values: [mark], isOthers: false }]] }]
      : [];
  return cardQuery(configuration, { ...query, among }, { dialect: postgres, timeZone, now: 0 }).columnar;
}

const x = (column: string) => ({ xaxis: { column, name: column, displayFormat: "text" as const } });
const y = (column: string, aggregate?: "sum" | "avg" | "min" | "median" | "stddev" | "countDistinct") => ({
  yaxis: [{ column, name: column, displayFormat: "number" as const, ...(aggregate ? { aggregate } : {}) }],
});

test("groups and sums go to the mirror, order and the rest to PostgreSQL", () => {
  const plan = planOf({ ...x("status"), ...y("amount", "sum") });
  expect(plan?.text).toContain("GROUP BY 1");
  expect(plan?.text).not.toMatch(/ORDER BY|LIMIT/);
  const rest = plan?.finish([
    ["open", null],
    ["2", null],
    ["10.500000", null],
  ]);
  expect(rest?.text).not.toContain("r_Order");
  expect(rest?.text).toMatch(/unnest[\s\S]*ORDER BY "other", "rank"/);
  expect(rest?.params).toContainEqual(["10.50", null]);
});

const LEFT_OUT: readonly [what: string, card: Partial<CardConfigurationInput>, more: DatasetConfigInput][] = [
  ["sums of doubles", { ...x("status"), ...y("weight", "sum") }, {}],
  ["the smallest decimal, which may be written in two ways", { ...x("status"), ...y("amount", "min") }, {}],
  ["decimals as groups", { ...x("amount"), ...y("pieces", "sum") }, {}],
  ["medians", { ...x("status"), ...y("pieces", "median") }, {}],
  ["deviations", { ...x("status"), ...y("pieces", "stddev") }, {}],
  ["a dataset cut to some rows", { ...x("status"), ...y("pieces", "sum") }, { limit: 10 }],
  [
    "rows that are not grouped",
    { vizType: "TABLE", columns: [{ column: "status", name: "status", displayFormat: "text" }] },
    {},
  ],
];
test.each(LEFT_OUT)("%s are PostgreSQL's", (_, card, more) => {
  expect(planOf(card, more)).toBeNull();
});

test.each(["matchesRegex", "lengthGreater"] as const)(
  "a condition by %s is PostgreSQL's, others are not",
  (operator) => {
    const condition = (of: string, value: string): Predicate => ({
      ...{
        type: "condition",
        left: { kind: "field", field: "o.status" },
        operator: operator === of ? operator : "contains",
      },
      right: [{ kind: "literal", value }],
    });
    const card = { ...x("status"), ...y("pieces", "sum") };
    expect(planOf(card, { filter: condition(operator, "3") })).toBeNull();
    expect(planOf(card, { filter: condition("", "A") })).toMatchObject({
      params: ["a"],
      reads: [{ columns: [{ name: "status", isFolded: true }, { name: "pieces" }] }],
    });
  },
);

test.each(["2024-13-45", "2023-02-29", "0000-01-01"])("a mark of %s, which is no day, is PostgreSQL's", (mark) => {
  const card = { ...x("status"), ...y("pieces", "sum") };
  expect(planOf(card, {}, "2024-02-29")?.params).toEqual(["2024-02-29"]);
  expect(planOf(card, {}, mark)).toBeNull();
});

test("moments cut to days of a zone are PostgreSQL's, days and moments of UTC are not", () => {
  const by = (column: string) => ({ xaxis: { ...x(column).xaxis, grain: "month" as const }, ...y("pieces", "sum") });
  expect(planOf(by("placedAt"), {}, undefined, "Europe/Amsterdam")).toBeNull();
  expect(planOf(by("day"), {}, undefined, "Europe/Amsterdam")?.text).toContain("date_trunc('month'");
  expect(planOf(by("placedAt"))?.text).toContain("date_trunc('month'");
});

test("names that differ in case alone stay apart", () => {
  const names = ["placedAt", "placedat", "PlacedAt", "placed_at", "placed^at"].map(mirrorName);
  expect(new Set([...names, foldedName("placedAt")].map((name) => name.toLowerCase())).size).toBe(6);
});

test.each([
  ["10.500000", 2, "10.50"],
  ["-0.000001", 6, "-0.000001"],
  ["7.000000", 0, "7"],
  ["12", 0, "12"],
  [null, 0, null],
])("%s with %s digits is %s", (text, scale, shown) => {
  expect(withScale(text, scale)).toBe(shown);
});
