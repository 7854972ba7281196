/** The configuration of a data card: everything that any type of chart may hold. */
import { z } from "zod";
import { Predicate } from "../data/predicate.ts";
import { id } from "../ids.ts";
import { Aggregate, DateGrain } from "./dataset-config.ts";
import { VariableValues } from "./variables.ts";

/** Categories, points or rows that a card may ask for at most. */
export const MAX_TOP = 1_000;

export const VIZ_TYPES = ["COLUMN", "BAR", "LINE", "METRIC", "TABLE", "PIE", "GAUGE", "FUNNEL"] as const;
export const VizType = z.enum(VIZ_TYPES, {
  error: ({ input }) =>
    input === undefined || input === "" ? "Viz type cannot be empty." : `must be one of ${VIZ_TYPES.join(", ")}`,
});
export type VizType = z.infer<typeof VizType>;

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

const Title = z.string().max(120).default("");

/** Everything any type may hold; each type's own rules are in the cards package. */
export const CardConfiguration = z.strictObject({
  formatVersion: z.literal(1).default(1),
  datasetId: z.union([id("dataset"), z.literal("")]).default(""),
  vizType: VizType,
  vizLabel: z.string().max(200).default(""),
  vizLabelVisible: z.boolean().default(true),
  vizLabelPosition: z.enum(["TOP", "BOTTOM"]).default("TOP"),
  /** Its card type's own position when absent. */
  legendPosition: z.enum(LEGEND_POSITIONS).optional(),
  labelVisible: z.boolean().default(false),
  legendVisible: z.boolean().default(true),
  xaxis: AxisEntry.optional(),
  yaxis: z.array(AxisEntry).max(20).default([]),
  /** At most one is used. */
  series: z.array(AxisEntry).max(20).default([]),
  stacking: z.enum(["normal", "percent"]).optional(),
  /** Written along the axes of columns, bars and lines; an empty one is not. */
  axisTitles: z.strictObject({ category: Title, value: Title }).optional(),
  /** A goal or limit across columns, bars and lines, measured on the first value axis. */
  referenceLine: z.strictObject({ value: z.number(), label: z.string().max(60).default("") }).optional(),
  categoryValues: z
    .array(z.strictObject({ name: z.string().max(200), color: CardColor }))
    .max(50)
    .default([]),
  category: AxisEntry.optional(),
  subCategory: AxisEntry.optional(),
  value: AxisEntry.optional(),
  minimumValue: z
    .strictObject({
      value: z.number().default(0),
      label: z.string().max(60).default(""),
      applyToSubCategories: z.boolean().default(false),
    })
    .optional(),
  columns: z.array(AxisEntry).max(50).default([]),
  ranges: z.array(CardRange).max(20).default([]),
  measure: AxisEntry.optional(),
  dataField: AxisEntry.optional(),
  sortBy: z.enum(["value", "stage"]).optional(),
  ascending: z.boolean().optional(),
  stages: z.array(z.string().max(200)).max(20, "a funnel has at most 20 stages").default([]),
  displayAdditional: z.enum(["labels", "legends", "step_to_step_ratio"]).optional(),
  labelPosition: z.enum(["RIGHT", "INSIDE"]).optional(),
  colorTheme: z.enum(["default", "ocean", "sunset", "mono"]).default("default"),
  variablesMap: VariableValues.default({}),
  /** Only these rows of the dataset count; names its columns. */
  filter: Predicate.optional(),
  /** The largest categories and the rest added up, the newest points or the first rows: no more than so many. */
  top: z.int().min(1).max(MAX_TOP).optional(),
  /** The order of a table's rows; `column` is a place among its columns. */
  rowOrder: z.strictObject({ column: z.int().min(0).max(49), ascending: z.boolean().default(true) }).optional(),
});
export type CardConfiguration = z.output<typeof CardConfiguration>;
/** What drawing a card takes, for people who may not know what it is made of. */
export const CardPresentation = CardConfiguration.omit({
  ...{ formatVersion: true, datasetId: true, variablesMap: true, filter: true },
});
export type CardPresentation = z.output<typeof CardPresentation>;
export type CardConfigurationInput = z.input<typeof CardConfiguration>;
