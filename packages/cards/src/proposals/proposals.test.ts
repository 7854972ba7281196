/** What is proposed for which columns of a dataset: each proposal is a complete card that names columns that are there. */
import type { DataType } from "@accord/contracts/data/values";
import type { VizType } from "@accord/contracts/insights/cards";
import { expect, test } from "vitest";
import { problemsOfCard } from "../definitions.ts";
import { differentValues, type Proposal, proposeCards } from "./proposals.ts";

const propose = (columns: Record<string, DataType>, different: Record<string, number> = {}): Proposal[] =>
  proposeCards({
    datasetId: "0".repeat(24),
    columns: Object.entries(columns).map(([name, dataType]) => ({ name, displayName: name, dataType })),
    different: new Map(Object.entries(different)),
    rowCount: "Number of rows",
  });
const types = (proposals: readonly Proposal[]): VizType[] => proposals.map(({ card }) => card.vizType);

test("a date and a number give a line over time, and every proposal is complete", () => {
  const all = propose({ day: "date", amount: "decimal", stage: "picklist" }, { stage: 4 });
  expect(all[0]?.card).toMatchObject({
    vizType: "LINE",
    xaxis: { column: "day", grain: "month" },
    yaxis: [{ column: "amount" }],
  });
  expect(all[0]?.title).toEqual({ key: "overTime", facts: { value: "amount", category: "day", series: "" } });
  expect(types(all)).toEqual(["LINE", "BAR", "METRIC", "TABLE", "LINE", "BAR", "LINE", "PIE"]);
  expect(all.flatMap(({ card }) => problemsOfCard(card))).toEqual([]);
});

test("few categories and a number give bars, the fewest first; texts that nearly all differ give none", () => {
  const all = propose(
    { name: "string", stage: "string", country: "picklist", size: "integer" },
    { name: 900, stage: 9, country: 5 },
  );
  expect(all[0]?.card).toMatchObject({ vizType: "BAR", xaxis: { column: "country" }, yaxis: [{ column: "size" }] });
  expect(all[1]?.card).toMatchObject({ vizType: "BAR", xaxis: { column: "stage" } });
  expect(JSON.stringify(all.filter(({ card }) => card.vizType !== "TABLE"))).not.toContain('"name","name"');
  expect(all.some(({ card }) => card.xaxis?.column === "name")).toBe(false);
});

test("one number gives a metric, two a metric of each; without numbers come the rows, then what counts them", () => {
  expect(types(propose({ amount: "decimal" }))).toEqual(["METRIC", "TABLE", "METRIC"]);
  expect(types(propose({ amount: "decimal", size: "double" })).slice(0, 2)).toEqual(["METRIC", "METRIC"]);
  const words = propose({ name: "string", stage: "picklist" }, { name: 500, stage: 3 });
  expect(types(words)).toEqual(["TABLE", "BAR", "PIE", "METRIC"]);
  expect(words[1]?.card.yaxis[0]?.column).toBe("*");
  expect(propose({})).toEqual([]);
});

test("a column of one value splits nothing, and one whose values are not known is no category", () => {
  expect(types(propose({ stage: "picklist", amount: "integer" }, { stage: 1 }))[0]).toBe("METRIC");
  expect(types(propose({ stage: "picklist", amount: "integer" }))[0]).toBe("METRIC");
});

test("different values are counted with blanks as one of them", () => {
  const columns = [{ name: "a", displayName: "a", dataType: "string" as const }];
  expect(differentValues(columns, [{ a: "x" }, { a: null }, {}, { a: "x" }, { a: "" }]).get("a")).toBe(3);
});
