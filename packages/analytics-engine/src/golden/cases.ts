/** Datasets and cards with the rows they must give, worked out by hand. Each one's SQL is `<name>.sql` beside this file. */
import type { Predicate } from "@accord/contracts/data/predicate";
import { CardConfiguration, type CardConfigurationInput } from "@accord/contracts/insights/cards";
import type { DatasetConfigInput } from "@accord/contracts/insights/dataset-config";
import { cardQuery } from "../card-query.ts";
import type { CatalogueDataset } from "../catalogue.ts";
import { postgres } from "../dialect.ts";
import { planQuery } from "../plan.ts";
import { type PrintOptions, printQuery, type Statement } from "../print.ts";
import { resolveDataset } from "../resolve.ts";
import { byCustomer, C, config, dataset, O, pick, shop } from "./shop.ts";

export interface GoldenCase {
  name: string;
  statement: Statement;
  rows: unknown[][];
}

const PAID = "0000000000000000000000b1";
const TOTALS = "0000000000000000000000b2";

/** Noon on 1 April 2026. */
export const PRINT: PrintOptions = { dialect: postgres, timeZone: "UTC", now: Date.UTC(2026, 3, 1, 12) };

const field = (name: string, operator: string, ...right: (string | number)[]): Predicate =>
  ({
    type: "condition",
    left: { kind: "field", field: name },
    operator,
    right: right.map((value) => ({ kind: "literal", value })),
  }) as Predicate;
const all = (...children: Predicate[]): Predicate => ({ type: "group", combinator: "and", children });
const any = (...children: Predicate[]): Predicate => ({ type: "group", combinator: "or", children });
const variable = (name: string, operator: string, apiName: string): Predicate =>
  ({
    type: "condition",
    left: { kind: "field", field: name },
    operator,
    right: [{ kind: "variable", apiName }],
  }) as Predicate;

function ofDataset(
  name: string,
  input: DatasetConfigInput,
  rows: unknown[][],
  more: { datasets?: CatalogueDataset[]; values?: Record<string, string | number>; timeZone?: string } = {},
): GoldenCase {
  const { datasets = [], values = {}, timeZone = PRINT.timeZone } = more;
  const query = planQuery(resolveDataset(config(input), shop(...datasets), { values, timeZone }));
  return { name, statement: printQuery(query, { ...PRINT, timeZone }), rows };
}

function ofCard(name: string, card: CardConfigurationInput, input: DatasetConfigInput, rows: unknown[][]): GoldenCase {
  const query = resolveDataset(config(input), shop());
  return { name, statement: cardQuery(CardConfiguration.parse(card), query, PRINT), rows };
}

const picked = [pick("accord_id", { as: "id" }), pick("name", { from: "customers" })];
const joined = (type: "INNER" | "LEFT" | "RIGHT" | "FULL"): DatasetConfigInput => ({
  sources: [O, C],
  selectedFields: picked,
  joins: [byCustomer(type)],
  sort: [{ field: "id" }],
});
const plain: DatasetConfigInput = {
  sources: [O],
  selectedFields: [pick("status"), pick("amount"), pick("quantity"), pick("placedAt", { as: "placed" })],
};
const paid: Predicate = field("status", "equals", "paid");
const several = { apiName: "statuses", displayName: "Statuses", multiValueField: true };
const SEVERAL = [several as never];

export const CASES: GoldenCase[] = [
  ofDataset(
    "filter-tree",
    {
      sources: [O],
      selectedFields: [pick("accord_id", { as: "id" })],
      filter: all(field("quantity", "greater", 1), any(paid, field("amount", "greaterOrEqual", 100))),
      sort: [{ field: "id" }],
    },
    [["o2"], ["o3"], ["o4"], ["o5"]],
  ),
  ofDataset("join-inner", joined("INNER"), [
    ["o1", "Ada"],
    ["o2", "Ada"],
    ["o3", "Ben"],
    ["o4", "Ben"],
    ["o5", "Cas"],
  ]),
  ofDataset("join-left", joined("LEFT"), [
    ["o1", "Ada"],
    ["o2", "Ada"],
    ["o3", "Ben"],
    ["o4", "Ben"],
    ["o5", "Cas"],
    ["o6", null],
  ]),
  ofDataset("join-right", joined("RIGHT"), [
    [null, "Dee"],
    ["o1", "Ada"],
    ["o2", "Ada"],
    ["o3", "Ben"],
    ["o4", "Ben"],
    ["o5", "Cas"],
  ]),
  ofDataset("join-full", joined("FULL"), [
    [null, "Dee"],
    ["o1", "Ada"],
    ["o2", "Ada"],
    ["o3", "Ben"],
    ["o4", "Ben"],
    ["o5", "Cas"],
    ["o6", null],
  ]),
  ofDataset(
    "unused-join",
    {
      sources: [O, C],
      joins: [byCustomer("LEFT")],
      selectedFields: [pick("accord_id", { as: "id" })],
      sort: [{ field: "id" }],
      limit: 2,
    },
    [["o1"], ["o2"]],
  ),
  ofDataset(
    "group-sort-limit",
    {
      sources: [O],
      selectedFields: [
        pick("status"),
        pick("amount", { as: "total", aggregate: "sum" }),
        pick("accord_id", { as: "orders", aggregate: "count" }),
      ],
      group: true,
      groupBy: [{ datasetField: "status" }],
      sort: [{ field: "total", ascending: false }],
      limit: 2,
    },
    [
      ["open", "110.50", 2],
      ["paid", "25.25", 3],
    ],
  ),
  ofDataset(
    "having",
    {
      sources: [O],
      selectedFields: [pick("status"), pick("quantity", { as: "pieces", aggregate: "sum" })],
      group: true,
      groupBy: [{ datasetField: "status" }],
      having: field("pieces", "greater", 5),
      sort: [{ field: "status" }],
    },
    [
      ["lost", "6"],
      ["paid", "10"],
    ],
  ),
  ofDataset(
    "months",
    {
      sources: [O],
      selectedFields: [pick("placedAt", { as: "month" }), pick("amount", { as: "average", aggregate: "avg" })],
      group: true,
      groupBy: [{ datasetField: "month", grain: "month" }],
      sort: [{ field: "month" }],
    },
    [
      ["2026-01-01", 15.25],
      ["2026-02-01", 52.625],
      ["2026-03-01", 7],
    ],
  ),
  ofDataset(
    "aggregates-over-join",
    {
      sources: [O, C],
      joins: [byCustomer("LEFT")],
      selectedFields: [
        pick("country", { from: "customers" }),
        pick("amount", { as: "total", aggregate: "sum" }),
        pick("amount", { as: "mean", aggregate: "avg" }),
        pick("accord_id", { as: "orders", aggregate: "count" }),
        pick("quantity", { as: "most", aggregate: "max" }),
      ],
      filter: field("quantity", "less", 6),
      group: true,
      groupBy: [{ datasetField: "country" }],
      sort: [{ field: "country" }],
    },
    [
      ["DE", "105.25", 52.625, 2, 4],
      ["NL", "30.50", 15.25, 3, 5],
    ],
  ),
  ofDataset(
    "filter-on-joined",
    {
      sources: [O, C],
      joins: [byCustomer("INNER")],
      selectedFields: [pick("country", { from: "customers" }), pick("quantity", { as: "pieces", aggregate: "sum" })],
      filter: field("customers.status", "equals", "active"),
      group: true,
      groupBy: [{ datasetField: "country" }],
      sort: [{ field: "country" }],
    },
    [
      ["DE", "7"],
      ["NL", "3"],
    ],
  ),
  ofDataset(
    "dataset-on-dataset",
    {
      sources: [{ datasetId: PAID, datasetType: "DATASET", datasourceAlias: "paidOrders" }],
      selectedFields: [pick("pieces", { from: "paidOrders", aggregate: "max" })],
      filter: field("pieces", "less", 5),
      group: true,
    },
    [[3]],
    {
      datasets: [dataset(PAID, { sources: [O], selectedFields: [pick("quantity", { as: "pieces" })], filter: paid })],
    },
  ),
  ofDataset(
    "dataset-on-grouped",
    {
      sources: [{ datasetId: TOTALS, datasetType: "DATASET", datasourceAlias: "t" }, C],
      joins: [
        {
          joinType: "INNER",
          field1: { datasetId: TOTALS, datasourceAlias: "t", apiName: "customer" },
          field2: { datasetId: C.datasetId, datasourceAlias: "customers", apiName: "accord_id" },
        },
      ],
      selectedFields: [pick("name", { from: "customers" }), pick("pieces", { from: "t" })],
      sort: [{ field: "name" }],
    },
    [
      ["Ada", "3"],
      ["Ben", "7"],
      ["Cas", "5"],
    ],
    {
      datasets: [
        dataset(TOTALS, {
          sources: [O],
          selectedFields: [pick("customer"), pick("quantity", { as: "pieces", aggregate: "sum" })],
          group: true,
          groupBy: [{ datasetField: "customer" }],
        }),
      ],
    },
  ),
  ofDataset(
    "variable-list",
    {
      sources: [O],
      selectedFields: [pick("accord_id", { as: "id" })],
      filter: variable("status", "equals", "statuses"),
      variables: SEVERAL,
      sort: [{ field: "id" }],
    },
    [["o1"], ["o4"], ["o6"]],
    { values: { statuses: "open; lost" } },
  ),
  ofDataset(
    "variable-blank",
    {
      sources: [O],
      selectedFields: [pick("accord_id", { as: "id" })],
      filter: all(variable("status", "equals", "statuses"), field("quantity", "less", 3)),
      variables: SEVERAL,
      sort: [{ field: "id" }],
    },
    [["o1"], ["o2"]],
  ),
  ofDataset(
    "variable-blank-in-not-and-or",
    {
      sources: [O],
      selectedFields: [pick("accord_id", { as: "id" })],
      filter: all(
        variable("status", "notEquals", "statuses"),
        any(variable("status", "equals", "statuses"), field("quantity", "less", 3)),
      ),
      variables: SEVERAL,
      sort: [{ field: "id" }],
    },
    [["o1"], ["o2"]],
  ),
  ofDataset(
    "variable-group-and-limit",
    {
      sources: [O],
      selectedFields: [pick("status"), pick("customer"), pick("quantity", { as: "pieces", aggregate: "sum" })],
      group: true,
      groupBy: [{ datasetField: "{{by}}" }],
      sort: [{ field: "pieces", ascending: false }],
      limit: "{{top}}",
      variables: [
        { apiName: "by", displayName: "By" },
        { apiName: "top", displayName: "Top", datatype: "integer" },
      ],
    },
    [["paid", "10"]],
    { values: { by: "status", top: 1 } },
  ),
  ofDataset(
    "calculated",
    {
      sources: [O],
      selectedFields: [pick("accord_id", { as: "id" })],
      calculatedFields: [
        { aliasName: "each", displayName: "Each", dataType: "decimal", formula: "[amount] / [orders.quantity]" },
        {
          aliasName: "size",
          displayName: "Size",
          dataType: "string",
          formula: "case when [quantity] > {{large}} then 'large' else 'small' end",
        },
      ],
      variables: [{ apiName: "large", displayName: "Large", datatype: "integer" }],
      filter: field("quantity", "less", 3),
      sort: [{ field: "id" }],
    },
    [
      ["o1", "10.5000000000000000", "small"],
      ["o2", "10.0000000000000000", "large"],
    ],
    { values: { large: 1 } },
  ),
  ofDataset(
    "calculated-aggregate",
    {
      sources: [O],
      selectedFields: [pick("status")],
      calculatedFields: [
        {
          aliasName: "mean",
          displayName: "Mean",
          dataType: "decimal",
          formula: "sum([quantity]) / count([accord_id])",
        },
      ],
      group: true,
      groupBy: [{ datasetField: "status" }],
      sort: [{ field: "status" }],
    },
    [
      ["lost", "6.0000000000000000"],
      ["open", "2.5000000000000000"],
      ["paid", "3.3333333333333333"],
    ],
  ),
  ofDataset(
    "calculated-group-condition",
    {
      sources: [O],
      selectedFields: [pick("amount", { as: "total", aggregate: "sum" })],
      calculatedFields: [
        { aliasName: "size", displayName: "Size", dataType: "string", formula: "if([quantity] > 3, 'large', 'small')" },
      ],
      group: true,
      groupBy: [{ datasetField: "size" }],
      having: field("size", "equals", "large"),
    },
    [["107.00", "large"]],
  ),
  ofDataset(
    "bucket-in-time-zone",
    {
      sources: [O],
      selectedFields: [pick("placedAt", { as: "month" }), pick("accord_id", { as: "orders", aggregate: "count" })],
      group: true,
      groupBy: [{ datasetField: "month", grain: "month" }],
      having: field("month", "greaterOrEqual", "2026-03-01"),
      sort: [{ field: "month" }],
    },
    [
      ["2026-03-01", 2],
      ["2026-04-01", 1],
    ],
    { timeZone: "Europe/Amsterdam" },
  ),
  ofCard("card-column", { vizType: "COLUMN", xaxis: { column: "status" }, yaxis: [{ column: "amount" }] }, plain, [
    ["open", "110.50", false, 3, 1],
    ["paid", "25.25", false, 3, 2],
    ["lost", "7.00", false, 3, 3],
  ]),
  ofCard(
    "card-line-series",
    {
      vizType: "LINE",
      xaxis: { column: "placed", grain: "month" },
      yaxis: [{ column: "quantity" }],
      series: [{ column: "status" }],
    },
    { ...plain, filter: paid },
    [
      ["2026-03-01", "paid", "5", false, 1],
      ["2026-02-01", "paid", "3", false, 1],
      ["2026-01-01", "paid", "2", false, 1],
    ],
  ),
  ofCard(
    "card-line-average-series",
    {
      vizType: "LINE",
      xaxis: { column: "placed", grain: "month" },
      yaxis: [{ column: "quantity", aggregate: "avg" }],
      series: [{ column: "status" }],
    },
    { ...plain, filter: paid },
    [
      ["2026-03-01", "paid", 5, 1],
      ["2026-02-01", "paid", 3, 1],
      ["2026-01-01", "paid", 2, 1],
    ],
  ),
  ofCard(
    "card-column-series",
    {
      vizType: "COLUMN",
      xaxis: { column: "status" },
      yaxis: [{ column: "*", name: "count" }],
      series: [{ column: "quantity" }],
    },
    { ...plain, filter: field("quantity", "less", 4) },
    [
      ["paid", 2, "1", false, false, 2, 1, 3],
      ["paid", 3, "1", false, false, 2, 1, 3],
      ["open", 1, "1", false, false, 2, 2, 3],
    ],
  ),
  ofCard("card-metric", { vizType: "METRIC", columns: [{ column: "amount", aggregate: "sum" }] }, plain, [["142.75"]]),
  ofCard(
    "card-table",
    { vizType: "TABLE", columns: [{ column: "status" }, { column: "quantity" }] },
    { ...plain, sort: [{ field: "quantity", ascending: false }], limit: 2 },
    [
      ["lost", 6],
      ["paid", 5],
    ],
  ),
];
