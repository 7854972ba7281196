/** What settings of cards are made of: an entry for a column, colours, formats, ranges. */
import { z } from "zod";
import { Aggregate, DateGrain } from "../dataset-config.ts";

export const DISPLAY_FORMATS = ["text", "number", "currency", "percent"] as const;
export const DisplayFormat = z.enum(DISPLAY_FORMATS);
export type DisplayFormat = z.infer<typeof DisplayFormat>;

/** `#RRGGBB`, or a place in the chart palette: `chart-1` … `chart-8`. */
export const CardColor = z
  .string()
  .regex(/^(#[0-9a-fA-F]{6}|chart-[1-8]|(positive|warning|negative))$/, "must be a colour");

export const AxisEntry = z.strictObject({
  column: z.string().max(200).default(""),
  name: z.string().max(200).default(""),
  displayName: z.string().max(120).default(""),
  displayFormat: DisplayFormat.optional(),
  color: CardColor.optional(),
  /** How values of one bucket are folded; sum when absent on a value axis. */
  aggregate: Aggregate.optional(),
  /** How dates on a category axis are cut. */
  grain: DateGrain.optional(),
});
export type AxisEntry = z.output<typeof AxisEntry>;

export const CardRange = z.strictObject({
  name: z.string().max(60).default(""),
  color: CardColor.default("chart-1"),
  minimumValue: z.number(),
  maximumValue: z.number(),
});
export type CardRange = z.output<typeof CardRange>;

export const LEGEND_POSITIONS = ["TOP", "BOTTOM", "LEFT", "RIGHT"] as const;
export type LegendPosition = (typeof LEGEND_POSITIONS)[number];
