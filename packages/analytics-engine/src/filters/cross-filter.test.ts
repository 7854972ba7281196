/** One dataset may cut its dates otherwise on each card, by a variable: marks are compared by the periods they mean. */
import { id } from "@accord/contracts";
import { CardConfiguration } from "@accord/contracts/insights/cards";
import type { DateGrain } from "@accord/contracts/insights/dataset-config";
import type { Value } from "@accord/contracts/data/values";
import { expect, test } from "vitest";
import { config, O, ORDERS, pick, shop } from "../golden/shop.ts";
import { resolveDataset } from "../resolve.ts";
import { crossFilter } from "./cross-filter.ts";

const PERIODS = config({
  sources: [O],
  selectedFields: [pick("placedAt", { as: "period" }), pick("amount", { aggregate: "sum" })],
  group: true,
  groupBy: [{ datasetField: "period", grain: "{{cut}}" }],
  variables: [{ apiName: "cut", displayName: "Cut" }],
});
const CARD = id("dataCard").parse("1".repeat(24));
const queryOf = (cut: DateGrain) => resolveDataset(PERIODS, shop(), { values: { cut } });

function filtered(source: DateGrain, target: DateGrain, value: Value, cardCut?: DateGrain) {
  const card = CardConfiguration.parse({
    ...{ datasetId: ORDERS, vizType: "COLUMN", yaxis: [{ column: "amount" }] },
    xaxis: { column: "period", ...(cardCut ? { grain: cardCut } : {}) },
  });
  const filter = { cardId: CARD, marks: [[{ column: "x", values: [value], isOthers: false }]] };
  const from = { card, datasetId: ORDERS, query: queryOf(source) };
  const result = crossFilter(filter, from, { datasetId: ORDERS, query: queryOf(target) });
  return result.kind === "unfiltered" ? result.reason : result.filter.marks;
}

const period = (value: Value, grain: DateGrain | null) => [
  [{ column: "period", grain, values: [value], isOthers: false }],
];

test("a year of one card leaves the months of it on another card of the same dataset", () => {
  expect(filtered("year", "month", "2026-01-01")).toEqual(period("2026-01-01", "year"));
  expect(filtered("quarter", "month", "2026-04-01", "year")).toEqual(period("2026-04-01", "year"));
});

test("a month leaves years as they are: none of them is within it", () => {
  expect(filtered("month", "year", "2026-02-01")).toBe("dates_coarser");
  expect(filtered("month", "week", "2026-02-01")).toBe("dates_coarser");
});

test("periods that both cards cut alike are compared as they are, or by the cut of the card", () => {
  expect(filtered("month", "month", "2026-02-01")).toEqual(period("2026-02-01", null));
  expect(filtered("month", "month", "2026-01-01", "quarter")).toEqual(period("2026-01-01", "quarter"));
});
