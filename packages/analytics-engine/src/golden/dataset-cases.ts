/** Golden cases of joins, filters, groups, and datasets on datasets. */
import { type GoldenCase, PAID, TOTALS, field, all, any, ofDataset, joined, paid } from "./case-parts.ts";
import { byCustomer, C, dataset, O, pick } from "./shop.ts";

export const DATASET_CASES: GoldenCase[] = [
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
];
