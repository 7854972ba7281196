/** Which names in a chart can have a colour: those that the drawing looks up. */
import { CardConfiguration, type CardConfigurationInput, type CardData } from "@accord/contracts/insights/cards";
import { expect, test } from "vitest";
import { cardModel } from "./card-model.ts";
import { colorableNames } from "./colorable-names.ts";

const entry = (column: string) => ({ column, name: column, displayName: column, displayFormat: "number" as const });
const column = (name: string, dataType: "string" | "integer" | "date" = "string") => ({
  ...{ name, displayName: name, dataType },
});

function namesIn(input: CardConfigurationInput, columns: CardData["columns"], rows: CardData["rows"]): string[] {
  const card = CardConfiguration.parse(input);
  const data = { columns, rows, reduction: null, asOf: "2026-06-01T08:00:00.000Z", dataAsOf: null, label: "" };
  return colorableNames(cardModel(card, data), card.vizType);
}

const plain = [column("x"), column("y0", "integer")];
const split = [column("x"), column("series"), column("y0", "integer")];
const rows: CardData["rows"] = [
  { x: "open", series: "Ann", y0: 3 },
  { x: "paid", series: "Bob", y0: 2 },
  { x: null, series: "Bob", y0: 9, other: true },
];
const cartesian = { xaxis: entry("status"), yaxis: [entry("n")] };

test("[INS-058] series have colours where there are some, else categories, slices and stages; what was added up has none", () => {
  expect(namesIn({ vizType: "COLUMN", ...cartesian }, plain, rows)).toEqual(["open", "paid"]);
  expect(namesIn({ vizType: "BAR", ...cartesian, series: [entry("owner")] }, split, rows)).toEqual(["Bob", "Ann"]);
  expect(namesIn({ vizType: "LINE", ...cartesian }, plain, rows)).toEqual([]);
  expect(namesIn({ vizType: "PIE", category: entry("status"), value: entry("n") }, plain, rows)).toEqual([
    "open",
    "paid",
  ]);
  expect(namesIn({ vizType: "FUNNEL", dataField: entry("status"), measure: entry("n") }, plain, rows)).toEqual([
    "open",
    "paid",
  ]);
  expect(namesIn({ vizType: "METRIC", columns: [entry("n")] }, [column("c0", "integer")], [{ c0: 1 }])).toEqual([]);
});

test("a name that no configuration could hold, dates and several values have none", () => {
  const long = [{ x: "x".repeat(201), y0: 1 }];
  expect(namesIn({ vizType: "COLUMN", ...cartesian }, plain, long)).toEqual([]);
  const dates = [column("x", "date"), column("y0", "integer")];
  expect(namesIn({ vizType: "COLUMN", ...cartesian }, dates, [{ x: "2026-01-01", y0: 1 }])).toEqual([]);
  const two = [...plain, column("y1", "integer")];
  expect(namesIn({ vizType: "COLUMN", ...cartesian, yaxis: [entry("n"), entry("m")] }, two, rows)).toEqual([]);
});
