/** What is said of a proposal is what its card shows: the card of a settled intent leads back to that intent. */
import type { CardIntent } from "@accord/contracts/insights/card-assistant";
import { type AxisEntry, type CardConfiguration, VIZ_TYPES } from "@accord/contracts/insights/cards";
import { ROW_COUNT } from "@accord/contracts/insights/dataset-config";
import { expect, test } from "vitest";
import { cardOfIntent } from "./card-of-intent.ts";
import { DEMO_SOURCES } from "./demo-sources.fixtures.ts";
import { settledIntent } from "./settle-intent.ts";

const [, flights] = DEMO_SOURCES;
const columns = flights!.columns;

/** Everything at once: whatever a model may answer. */
const FULL: Omit<CardIntent, "vizType"> = {
  source: flights!.source,
  category: { column: "origin", grain: "month" },
  series: { column: "destination" },
  values: [
    { column: "delayMinutes", aggregate: null },
    { column: ROW_COUNT, aggregate: "avg" },
  ],
  columns: ["flightNumber"],
  combinator: "or",
  conditions: [{ column: "origin", operator: "equals", values: ["JFK"] }],
  top: 5,
  order: { column: "distanceMiles", ascending: true },
};
const VARIANTS: readonly Partial<CardIntent>[] = [
  {},
  { values: FULL.values.slice(0, 1) },
  { series: null, category: { column: "departedAt", grain: "week" } },
  { category: null, series: null, values: [], order: { column: "flightNumber", ascending: false } },
  { order: { column: ROW_COUNT, ascending: true }, top: null },
];

/** The parts of a card as they stand in it. */
function partsOf(card: CardConfiguration) {
  const single = [card.value ?? card.measure ?? []].flat();
  const isNumber = card.vizType === "METRIC" || card.vizType === "GAUGE";
  const inTable = isValue(card.vizType) ? [] : card.columns;
  const values = isNumber ? card.columns : [...single, ...card.yaxis, ...inTable.filter(isMeasured)];
  const order = card.rowOrder && card.columns[card.rowOrder.column];
  return {
    category: card.xaxis ?? card.category ?? card.dataField ?? null,
    series: card.series[0] ?? card.subCategory ?? null,
    values: values.map(({ column, aggregate }) => ({ column, aggregate: aggregate ?? null })),
    plain: inTable.filter((entry) => !isMeasured(entry)).map(({ column, grain }) => ({ column, grain: grain ?? null })),
    top: card.top ?? null,
    order: order && card.rowOrder ? { column: order.column, ascending: card.rowOrder.ascending } : null,
  };
}

const isValue = (vizType: CardConfiguration["vizType"]): boolean => vizType !== "TABLE";
const isMeasured = ({ column, aggregate }: AxisEntry): boolean => aggregate !== undefined || column === ROW_COUNT;

test.each(VIZ_TYPES.flatMap((vizType) => VARIANTS.map((variant, at) => [vizType, at, variant] as const)))(
  "%s of variant %i says what its card shows",
  (vizType, _, variant) => {
    const intent = settledIntent({ ...FULL, ...variant, vizType }, columns);
    const card = partsOf(cardOfIntent(intent, { columns, datasetId: "", rowCount: "Rows" }));
    const isTable = vizType === "TABLE";
    const plain = [
      ...intent.columns.map((column) => ({ column, grain: null })),
      ...(isTable && intent.category ? [intent.category] : []),
      ...(isTable && intent.series ? [{ ...intent.series, grain: null }] : []),
    ];
    expect(card.plain).toEqual(plain);
    expect(card.values).toEqual(intent.values);
    expect(card.top).toBe(intent.top);
    expect(card.order).toEqual(intent.order);
    if (isTable) return;
    const { category, series } = card;
    expect(category && { column: category.column, grain: category.grain ?? null }).toEqual(intent.category);
    expect(series && { column: series.column }).toEqual(intent.series);
    expect(intent.combinator).toBe("and");
  },
);
