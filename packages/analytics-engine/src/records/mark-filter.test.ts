/** The records behind a mark: random rows and marks against the rows' own groups, and what no filter can say. */
import { compilePredicate, type FieldShape, valuesAccess } from "@accord/expressions";
import type { Predicate } from "@accord/contracts/data/predicate";
import type { DataType, Value, Values } from "@accord/contracts/data/values";
import { CardConfiguration, type CardConfigurationInput } from "@accord/contracts/insights/cards";
import {
  DATE_GRAINS,
  DatasetConfig,
  type DatasetConfigInput,
  type DateGrain,
} from "@accord/contracts/insights/dataset-config";
import type { MarkGroup } from "@accord/contracts/insights/cross-filter";
import type { CardMark } from "@accord/contracts/insights/mark-records";
import fc from "fast-check";
import { expect, test } from "vitest";
import { byCustomer, C, O, pick, shop } from "../golden/shop.ts";
import { catalogueOf, type Catalogue } from "../catalogue.ts";
import { resolveDataset } from "../resolve.ts";
import { exactPredicateOf, type MarkFilter, markFilter, predicateOf } from "./mark-filter.ts";
import { NoRecordsError } from "./origins.ts";

const ENTITY = "0000000000000000000000b1";
const TYPES = {
  name: "string",
  stage: "picklist",
  owner: "reference",
  size: "integer",
  amount: "decimal",
  active: "boolean",
  born: "date",
  seen: "datetime",
} as const satisfies Record<string, DataType>;
type Field = keyof typeof TYPES;
const FIELDS = Object.keys(TYPES) as Field[];

const catalogue = catalogueOf([
  {
    id: ENTITY,
    apiName: "Deal",
    displayName: "Deal",
    relation: { schema: "s", name: "Deal" },
    fields: FIELDS.map((apiName) => ({ apiName, displayName: apiName, dataType: TYPES[apiName] })),
  },
]);

const dataset: DatasetConfigInput = {
  sources: [{ datasetId: ENTITY, datasetType: "ENTITY", datasourceAlias: "d" }],
  selectedFields: FIELDS.map((apiName) => ({
    // Its name in the dataset is not that of the field.
    alias: `${apiName}Column`,
    displayName: apiName,
    apiName,
    dataType: TYPES[apiName],
    datasourceAlias: "d",
  })),
  variables: [
    { apiName: "stages", displayName: "stages", multiValueField: true },
    { apiName: "least", displayName: "least", datatype: "integer" },
  ],
  filter: {
    type: "group",
    combinator: "and",
    children: [
      condition("d.stage", "inList", { kind: "variable", apiName: "stages" }),
      condition("size", "greaterOrEqual", { kind: "variable", apiName: "least" }),
    ],
  },
};

function condition(field: string, operator: "inList" | "greaterOrEqual" | "equals", right: object): Predicate {
  return { type: "condition", left: { kind: "field", field }, operator, right: [right as never] };
}

const entry = (name: string, more: object = {}) => ({ column: name, name, ...more });
const card = (more: Partial<CardConfigurationInput>): CardConfiguration =>
  CardConfiguration.parse({ vizType: "COLUMN", yaxis: [entry("*")], ...more });

const filterOf = (
  shape: CardConfiguration,
  mark: CardMark,
  config: DatasetConfigInput = dataset,
  values: Record<string, Value> = {},
  from: Catalogue = catalogue,
): MarkFilter => markFilter(shape, resolveDataset(DatasetConfig.parse(config), from, { values }), mark);

const rowOf = fc.record({
  name: fc.constantFrom("Acme", "acme", "A.B", "AxB", "(x)", "Ben\nDee", "^$", "b", null),
  stage: fc.constantFrom("open", "won", "lost", null),
  owner: fc.constantFrom("0123456789abcdef01234567", "0123456789abcdef01234568", null),
  size: fc.constantFrom(0, 1, 2, -7, null),
  amount: fc.constantFrom("10.50", "10.5", "0", "-3.2", null),
  active: fc.constantFrom(true, false, null),
  born: fc.constantFrom("2023-12-31", "2024-01-01", "2024-02-29", "2024-03-31", "2025-01-01", null),
  seen: fc.constantFrom(
    "2023-12-31T23:59:59.999Z",
    "2024-01-01T00:00:00.000Z",
    "2024-03-31T23:30:00.000Z",
    "2024-04-01T00:00:00.000Z",
    "2024-02-29T12:00:00.000Z",
    null,
  ),
});

/** The first day of the bucket, worked out apart from what is tested. */
function bucketOf(value: Value | undefined, grain: DateGrain | undefined): Value {
  if (grain === undefined || typeof value !== "string") return value ?? null;
  const at = new Date(value);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const start = {
    day: [year, month, day],
    week: [year, month, day - ((at.getUTCDay() + 6) % 7)],
    month: [year, month, 1],
    quarter: [year, month - (month % 3), 1],
    year: [year, 0, 1],
  }[grain] as [number, number, number];
  return new Date(Date.UTC(...start)).toISOString().slice(0, 10);
}

/** Numbers written in two ways are one group. */
const keyOf = (field: Field, value: Value): string =>
  JSON.stringify(field === "amount" && value !== null ? Number(value) : value);

const scope = { field: (name: string): FieldShape | undefined => shapeOf(name), timeZone: "UTC" };
const shapeOf = (name: string): FieldShape | undefined =>
  name in TYPES ? { dataType: TYPES[name as Field] } : undefined;

const selected = (predicate: Predicate | null, rows: readonly Values[]): boolean[] =>
  predicate === null ? rows.map(() => true) : compilePredicate(predicate, scope, valuesAccess).run(rows, 0);

interface Axis {
  field: Field;
  grain: DateGrain | undefined;
}
const axisOf = fc
  .record({ field: fc.constantFrom(...FIELDS), grain: fc.constantFrom(undefined, ...DATE_GRAINS) })
  .map(({ field, grain }): Axis => ({ field, grain: field === "born" || field === "seen" ? grain : undefined }));

test("the filter of a mark selects exactly the records that the mark stands for", () => {
  const stages = fc.constantFrom<Value>(null, "open", "open;won", "");
  const least = fc.constantFrom<Value>(null, 0, "1");
  let found = 0;
  fc.assert(
    fc.property(
      fc.array(rowOf, { minLength: 1, maxLength: 30 }),
      axisOf,
      fc.option(axisOf, { nil: undefined }),
      stages,
      least,
      fc.nat(),
      (rows, x, series, stageValue, leastValue, at) => {
        const row = rows[at % rows.length]!;
        const axes: [string, Axis][] = [["x", x], ...(series ? [["series", series] as [string, Axis]] : [])];
        const groups = axes.map(([column, { field, grain }]): MarkGroup => ({
          column,
          values: [bucketOf(row[field], grain)],
          isOthers: false,
        }));
        const shape = card({
          xaxis: entry(`${x.field}Column`, { grain: x.grain }),
          ...(series ? { series: [entry(`${series.field}Column`, { grain: series.grain })] } : {}),
        });
        const filter = filterOf(shape, { groups, value: "y0" }, dataset, { stages: stageValue, least: leastValue });
        const wanted = rows.map((one) => {
          const listed = typeof stageValue === "string" && stageValue !== "" ? stageValue.split(";") : null;
          const inDataset =
            (listed === null || listed.includes(String(one.stage))) &&
            (leastValue === null || (one.size !== null && one.size >= Number(leastValue)));
          const key = ({ field, grain }: Axis, from: typeof one) => keyOf(field, bucketOf(from[field], grain));
          return inDataset && axes.every(([, axis]) => key(axis, one) === key(axis, row));
        });
        const plain = selected(predicateOf(filter), rows);
        expect(selected(exactPredicateOf(filter), rows)).toEqual(wanted);
        if (!axes.some(([, { field }]) => field === "name")) expect(plain).toEqual(wanted);
        found += wanted.filter(Boolean).length;
      },
    ),
    { numRuns: 3_000, seed: 12 },
  );
  expect(found).toBeGreaterThan(2_000);
});

test("“Other” selects the records whose category is none of those shown, those without a category among them", () => {
  const other = (values: Value[]) =>
    predicateOf(
      filterOf(card({ xaxis: entry("stageColumn") }), {
        groups: [{ column: "x", values, isOthers: true }],
        value: "y0",
      }),
    );
  const rows = ["open", "won", "lost", null].map((stage) => ({ stage }));
  expect(selected(other(["open", "won"]), rows)).toEqual([false, false, true, true]);
  expect(selected(other(["open", null]), rows)).toEqual([false, true, true, false]);
});

test("small slices that were added up are led to together", () => {
  const filter = filterOf(card({ vizType: "PIE", category: entry("stageColumn"), value: entry("*") }), {
    groups: [{ column: "x", values: ["lost", null], isOthers: false }],
    value: "y0",
  });
  const rows = ["open", "lost", null].map((stage) => ({ stage }));
  expect(selected(predicateOf(filter), rows)).toEqual([false, true, true]);
});

test("the count of a field counts the records that have a value in it", () => {
  const shape = card({ vizType: "METRIC", columns: [entry("sizeColumn", { aggregate: "count" })] });
  const predicate = predicateOf(filterOf(shape, { groups: [], value: "c0" }));
  expect(selected(predicate, [{ size: 0 }, { size: null }])).toEqual([true, false]);
});

test("a number for the whole dataset leads to all records where the dataset has no filter", () => {
  const shape = card({ vizType: "METRIC", columns: [entry("*")] });
  expect(predicateOf(filterOf(shape, { groups: [], value: "c0" }))).toBeNull();
});

test("a dataset that groups by itself is followed down to its records", () => {
  const grouped: DatasetConfigInput = {
    ...dataset,
    selectedFields: [
      { alias: "month", displayName: "month", apiName: "born", dataType: "date", datasourceAlias: "d" },
      { alias: "n", displayName: "n", apiName: "size", dataType: "integer", datasourceAlias: "d", aggregate: "sum" },
    ],
    group: true,
    groupBy: [{ datasetField: "month", grain: "month" }],
  };
  const rows = ["2024-02-01", "2024-02-29", "2024-03-01", null].map((born) => ({ born }));
  const group = { column: "x", values: ["2024-02-01"], isOthers: false };
  const chart = card({ xaxis: entry("month"), yaxis: [entry("n")] });
  expect(selected(predicateOf(filterOf(chart, { groups: [group], value: "y0" }, grouped)), rows)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const table = card({ vizType: "TABLE", columns: [entry("month"), entry("n")] });
  const row = [
    { ...group, column: "c0" },
    { column: "c1", values: [7], isOthers: false },
  ];
  expect(selected(predicateOf(filterOf(table, { groups: row, value: "c1" }, grouped)), rows)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(reasonOf(() => filterOf(table, { groups: row.slice(1), value: "c1" }, grouped))).toEqual(["single_row", ""]);
});

function reasonOf(work: () => unknown): [string, string] | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof NoRecordsError) return [error.reason, error.field];
    throw error;
  }
}

test("what no filter of records can say is refused with its reason", () => {
  const joined: DatasetConfigInput = {
    sources: [O, C],
    joins: [byCustomer("LEFT")],
    selectedFields: [pick("status"), pick("country", { from: "customers" })],
  };
  const of = (column: string, value: Value, config: DatasetConfigInput, more: object = {}) =>
    reasonOf(() =>
      filterOf(
        card({ xaxis: entry(column, more) }),
        { groups: [{ column: "x", values: [value], isOthers: false }], value: "y0" },
        config,
        {},
        shop(),
      ),
    );
  expect(of("status", "open", joined)).toBeNull();
  expect(of("country", "NL", joined)).toEqual(["joined_field", "country"]);
  expect(of("status", "open", { ...joined, joins: [byCustomer("INNER")] })).toEqual(["joined_rows", ""]);
  const filter = condition("customers.country", "equals", { kind: "literal", value: "NL" });
  expect(of("status", "open", { ...joined, filter })).toEqual(["joined_filter", "customers.country"]);
  expect(of("status", "open", { ...joined, limit: 10 })).toEqual(["dataset_limit", ""]);
  const computed: DatasetConfigInput = {
    sources: [O],
    selectedFields: [pick("status"), pick("labels")],
    calculatedFields: [{ aliasName: "half", displayName: "Half", dataType: "double", formula: "[orders.amount] / 2" }],
  };
  expect(of("half", 5, computed)).toEqual(["computed_field", "Half"]);
  expect(of("labels", ["new"], computed)).toEqual(["value_type", "labels"]);
  const rows = card({ vizType: "TABLE", columns: [entry("status")] });
  const mark = { groups: [{ column: "c0", values: ["open"], isOthers: false }], value: "c0" };
  expect(reasonOf(() => filterOf(rows, mark, computed, {}, shop()))).toEqual(["single_row", ""]);
});
