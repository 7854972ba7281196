/** What may be set about how a card looks. Each option has one control in the wizard; a card type names those it obeys. */
import { z } from "zod";
import { CardRange, LEGEND_POSITIONS } from "./entries.ts";

const Title = z.string().max(120).default("");

/** Option → its settings in the configuration. */
export const CARD_OPTIONS = {
  stacking: { stacking: z.enum(["normal", "percent"]).optional() },
  /** Written along the axes; an empty one is not. */
  axisTitles: { axisTitles: z.strictObject({ category: Title, value: Title }).optional() },
  /** A goal or limit across the chart, measured on the first value axis. */
  referenceLine: {
    referenceLine: z.strictObject({ value: z.number(), label: z.string().max(60).default("") }).optional(),
  },
  /** Below which slices are added up. */
  smallSlices: {
    minimumValue: z
      .strictObject({
        value: z.number().default(0),
        label: z.string().max(60).default(""),
        applyToSubCategories: z.boolean().default(false),
      })
      .optional(),
  },
  stages: {
    sortBy: z.enum(["value", "stage"]).optional(),
    ascending: z.boolean().optional(),
    stages: z.array(z.string().max(200)).max(20, "a funnel has at most 20 stages").default([]),
    displayAdditional: z.enum(["labels", "legends", "step_to_step_ratio"]).optional(),
    labelPosition: z.enum(["RIGHT", "INSIDE"]).optional(),
  },
  legend: {
    legendVisible: z.boolean().default(true),
    /** Its card type's own position when absent. */
    legendPosition: z.enum(LEGEND_POSITIONS).optional(),
  },
  /** The numbers in a chart. */
  values: { labelVisible: z.boolean().default(false) },
  ranges: { ranges: z.array(CardRange).max(20).default([]) },
} as const;

export type CardOption = keyof typeof CARD_OPTIONS;

/** The settings of all options, as the configuration of a card holds them. */
export const OPTION_SETTINGS = {
  ...CARD_OPTIONS.legend,
  ...CARD_OPTIONS.values,
  ...CARD_OPTIONS.stacking,
  ...CARD_OPTIONS.axisTitles,
  ...CARD_OPTIONS.referenceLine,
  ...CARD_OPTIONS.smallSlices,
  ...CARD_OPTIONS.ranges,
  ...CARD_OPTIONS.stages,
};

type Settings<Option extends CardOption> = Option extends CardOption ? keyof (typeof CARD_OPTIONS)[Option] : never;
/** Names of settings that options hold. */
export type OptionSetting<Option extends CardOption = CardOption> = Settings<Option>;
