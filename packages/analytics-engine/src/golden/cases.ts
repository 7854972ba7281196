/** Datasets and cards with the rows they must give, worked out by hand. Each one's SQL is `<name>.sql` beside this file. */
import { type GoldenCase, field, all, any, variable, ofDataset, ofCard, plain, paid, SEVERAL } from "./case-parts.ts";
import { DATASET_CASES } from "./dataset-cases.ts";
import { O, pick } from "./shop.ts";

export const CASES: GoldenCase[] = [
  ...DATASET_CASES,
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
