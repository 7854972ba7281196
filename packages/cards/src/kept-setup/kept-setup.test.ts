/** Changing the type of a card and back: no field and no look is lost, and what was changed meanwhile holds. */
import {
  CardConfiguration,
  type CardConfigurationInput,
  VIZ_TYPES,
  type VizType,
} from "@accord/contracts/insights/cards";
import type { DatasetColumn } from "@accord/contracts/insights/dataset-config";
import { expect, test } from "vitest";
import {
  CARD_DEFINITIONS,
  changeType,
  keepSetup,
  type KeptSetup,
  orderWithout,
  unplacedFields,
} from "../definitions.ts";

const COLUMNS: DatasetColumn[] = [
  { name: "status", displayName: "Status", dataType: "string" },
  { name: "region", displayName: "Region", dataType: "string" },
  { name: "day", displayName: "Day", dataType: "date" },
  { name: "amount", displayName: "Amount", dataType: "decimal" },
  { name: "miles", displayName: "Miles", dataType: "integer" },
];
const text = (column: string) => ({ column, name: column, displayName: column, displayFormat: "text" as const });
const sum = (column: string) => ({ ...text(column), displayFormat: "number" as const, aggregate: "sum" as const });
const rowCount = { ...sum("*"), name: "count", aggregate: undefined };

/** A card in the wizard, whose type is chosen and whose settings are changed. */
class Wizard {
  card: CardConfiguration;
  kept: KeptSetup | undefined;
  constructor(input: CardConfigurationInput) {
    this.card = CardConfiguration.parse(input);
  }
  choose(...types: VizType[]): CardConfiguration {
    for (const type of types) {
      this.kept = keepSetup(this.card, COLUMNS, this.kept);
      this.card = changeType(this.card, CARD_DEFINITIONS[type], COLUMNS, this.kept);
    }
    return this.card;
  }
  set(change: Partial<CardConfiguration>): void {
    this.card = { ...this.card, ...change };
  }
  unplaced(): string[] {
    return this.kept ? unplacedFields(this.kept, this.card.vizType, COLUMNS).map(({ entry }) => entry.column) : [];
  }
}

const column: CardConfigurationInput = { vizType: "COLUMN", xaxis: text("status"), yaxis: [sum("amount")] };

test("[INS-086] a column card through every other type and back has all of its fields", () => {
  const wizard = new Wizard(column);
  const before = wizard.card;
  wizard.choose("BAR", "LINE", "PIE", "FUNNEL", "GAUGE", "METRIC", "TABLE", "COLUMN");
  expect(wizard.card).toEqual(before);
});

test("[INS-086] every type gets the fields it has a slot for, and says which are kept without one", () => {
  const wizard = new Wizard({ ...column, series: [text("region")] });
  expect(wizard.choose("PIE")).toMatchObject({
    category: text("status"),
    value: sum("amount"),
    subCategory: text("region"),
  });
  expect(wizard.choose("FUNNEL")).toMatchObject({ dataField: text("status"), measure: sum("amount") });
  expect(wizard.unplaced()).toEqual(["region"]);
  expect(wizard.choose("GAUGE").columns).toEqual([sum("amount")]);
  expect(wizard.unplaced()).toEqual(["status", "region"]);
  expect(wizard.choose("TABLE").columns).toEqual([text("status"), text("region"), sum("amount")]);
  expect(wizard.unplaced()).toEqual([]);
  expect(wizard.choose("LINE")).toMatchObject({
    xaxis: text("status"),
    yaxis: [sum("amount")],
    series: [text("region")],
  });
});

test("[INS-086] every card comes back from every type as it was", () => {
  const cards: CardConfigurationInput[] = [
    { ...column, yaxis: [sum("amount"), sum("miles"), rowCount] },
    { ...column, xaxis: { ...text("day"), grain: "month" }, series: [text("region")] },
    { vizType: "TABLE", columns: [sum("miles"), text("status"), text("day"), text("region"), rowCount] },
    { vizType: "TABLE", columns: [{ ...text("miles"), displayFormat: "number" }, text("day"), text("status")] },
    { vizType: "METRIC", columns: [sum("amount")], ranges: [{ name: "low", minimumValue: 0, maximumValue: 5 }] },
    { vizType: "FUNNEL", dataField: text("status"), measure: rowCount, stages: ["new", "won"], sortBy: "stage" },
    { vizType: "PIE", category: text("status"), value: sum("amount"), minimumValue: { value: 9 } },
  ];
  for (const input of cards)
    for (const first of VIZ_TYPES)
      for (const second of VIZ_TYPES) {
        const wizard = new Wizard(input);
        const { legendPosition: _, ...before } = wizard.card;
        expect(wizard.choose(first, second, before.vizType)).toMatchObject(before);
      }
});

test("what is changed in another type holds, and what it has no slot for stays", () => {
  const wizard = new Wizard({ ...column, yaxis: [sum("amount"), sum("miles")] });
  wizard.choose("PIE");
  wizard.set({ category: text("region"), value: { ...sum("amount"), aggregate: "avg" } });
  expect(wizard.choose("COLUMN")).toMatchObject({
    xaxis: { column: "region" },
    yaxis: [{ column: "amount", aggregate: "avg" }, { column: "miles" }],
  });
  wizard.choose("TABLE");
  wizard.set({ columns: wizard.card.columns.slice(1) });
  wizard.choose("BAR");
  expect(wizard.card.xaxis).toBeUndefined();
  expect(wizard.card.yaxis).toHaveLength(2);
});

test("a field that was removed does not come back", () => {
  const wizard = new Wizard({ ...column, series: [text("region")] });
  wizard.choose("PIE", "COLUMN");
  wizard.set({ series: [], yaxis: [sum("amount"), sum("miles")] });
  wizard.choose("PIE");
  expect(wizard.card.subCategory).toBeUndefined();
  wizard.set({ category: undefined });
  expect(wizard.choose("LINE").xaxis).toBeUndefined();
});

test("a table of rows becomes a chart of its first text by the sum of its first number", () => {
  const rows = {
    vizType: "TABLE",
    columns: [text("day"), text("status"), { ...text("miles"), displayFormat: "number" }],
  };
  const wizard = new Wizard(rows as CardConfigurationInput);
  expect(wizard.choose("COLUMN")).toMatchObject({
    xaxis: { column: "day", grain: "month" },
    yaxis: [{ column: "miles", aggregate: "sum" }],
    series: [],
  });
  expect(wizard.unplaced()).toEqual(["status"]);
  expect(wizard.choose("METRIC").columns).toMatchObject([{ column: "miles", aggregate: "sum" }]);
});

test("each type looks as it was left, and the stages of another field are none", () => {
  const wizard = new Wizard({ ...column, stacking: "percent", labelVisible: true, referenceLine: { value: 5 } });
  expect(wizard.choose("BAR")).toMatchObject({ stacking: "percent", labelVisible: true, referenceLine: { value: 5 } });
  expect(wizard.choose("PIE").referenceLine).toBeUndefined();
  wizard.choose("FUNNEL");
  wizard.set({ stages: ["new", "won"], sortBy: "stage" });
  expect(wizard.choose("COLUMN", "FUNNEL")).toMatchObject({ stages: ["new", "won"], sortBy: "stage" });
  wizard.choose("COLUMN");
  wizard.set({ xaxis: text("region") });
  expect(wizard.card.stacking).toBe("percent");
  expect(wizard.choose("FUNNEL")).toMatchObject({ stages: [], sortBy: "stage" });
});

test("a table comes back in its order, by the same column wherever it stands then", () => {
  const columns = [text("status"), text("region"), sum("amount")];
  const wizard = new Wizard({ vizType: "TABLE", columns, rowOrder: { column: 2, ascending: false } });
  expect(wizard.choose("COLUMN").rowOrder).toBeUndefined();
  expect(wizard.choose("TABLE")).toMatchObject({ columns, rowOrder: { column: 2, ascending: false } });
  wizard.choose("COLUMN");
  wizard.set({ series: [] });
  expect(wizard.choose("TABLE")).toMatchObject({
    columns: [text("status"), sum("amount")],
    rowOrder: { column: 1, ascending: false },
  });
  wizard.choose("COLUMN");
  wizard.set({ yaxis: [sum("miles")] });
  expect(wizard.choose("TABLE").rowOrder).toBeUndefined();
});

test("a table whose column is taken away is ordered by the same one still, or by none", () => {
  const order = { column: 1, ascending: false };
  expect([0, 1, 2].map((removed) => orderWithout(order, removed))).toEqual([{ ...order, column: 0 }, undefined, order]);
  expect(orderWithout(undefined, 0)).toBeUndefined();
});
