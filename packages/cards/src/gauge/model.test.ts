/** The scale of a gauge fits its value until ranges are set, and the card says so. */
import { CardConfiguration, type CardConfigurationInput } from "@accord/contracts/insights/cards";
import { expect, test } from "vitest";
import { paletteOf } from "../chart/palette.ts";
import { CARD_DEFINITIONS, newCard } from "../definitions.ts";
import { gaugeModel } from "./model.ts";
import { gaugeOption } from "./option.ts";

function drawn(value: number | null, input: Partial<CardConfigurationInput> = {}) {
  const columns = [{ column: "a", name: "a", displayFormat: "number" as const }];
  const card = CardConfiguration.parse({ ...newCard(CARD_DEFINITIONS.GAUGE), columns, ...input });
  const model = gaugeModel(card, {
    columns: [{ name: "c0", displayName: "Amount", dataType: "decimal" }],
    rows: [{ c0: value }],
    reduction: null,
    ...{ asOf: "2026-06-01T08:00:00.000Z", dataAsOf: null, label: "" },
  });
  const option = gaugeOption(model, {
    card,
    palette: paletteOf("light", "default"),
    size: { width: 300, height: 200 },
  });
  const [{ min, max } = {}] = option["series"] as { min?: number; max?: number }[];
  return { scale: [min, max], notes: model.notes };
}
const percent = { columns: [{ column: "a", name: "a", displayFormat: "percent" as const }] };

test("[INS-148] a value beyond the scale of a new gauge has one that fits it, and the card says where it comes from", () => {
  expect(drawn(336_123_456)).toEqual({
    scale: [0, 400_000_000],
    notes: [{ code: "scale_fitted", facts: { label: "0", text: "400M" } }],
  });
  expect(drawn(-55).scale).toEqual([-60, 0]);
  expect(drawn(336, { ranges: [] }).scale).toEqual([0, 400]);
});

test("a new gauge goes from 0 to 100, or to 100 %", () => {
  for (const value of [0, 42, 100, null]) expect(drawn(value)).toEqual({ scale: [0, 100], notes: [] });
  expect(drawn(0.45, percent)).toEqual({ scale: [0, 1], notes: [] });
  expect(drawn(1.3, percent).scale).toEqual([0, 1.5]);
});

test("ranges that were set hold, and a value beyond them is said to be", () => {
  const ranges = [{ name: "", minimumValue: 0, maximumValue: 50 }];
  expect(drawn(120, { ranges })).toEqual({ scale: [0, 50], notes: [{ code: "beyond_scale", facts: {} }] });
});
