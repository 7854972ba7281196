/** The configuration of a data card: what any type of chart may hold, and which of it each type is made of. */
import { z } from "zod";
import { Predicate } from "../data/predicate.ts";
import { id } from "../ids.ts";
import { AxisEntry, CardColor } from "./card-types/entries.ts";
import { cardShapeOf, type CardTypes, OPTION_SETTINGS, type OptionSetting, VIZ_TYPES } from "./card-types/index.ts";
import { VariableValues } from "./variables.ts";

export * from "./card-types/entries.ts";
export * from "./card-types/index.ts";

/** Categories, points or rows that a card may ask for at most. */
export const MAX_TOP = 1_000;

export const VizType = z.enum(VIZ_TYPES, {
  error: ({ input }) =>
    input === undefined || input === "" ? "Viz type cannot be empty." : `must be one of ${VIZ_TYPES.join(", ")}`,
});
export type VizType = z.infer<typeof VizType>;

/**
 * Everything any type may hold, in one object: a card keeps what another type left in it, and cards are stored so.
 * What a type is made of is `ConfigurationOf`; its rules are in the cards package.
 */
export const CardConfiguration = z.strictObject({
  formatVersion: z.literal(1).default(1),
  datasetId: z.union([id("dataset"), z.literal("")]).default(""),
  vizType: VizType,
  vizLabel: z.string().max(200).default(""),
  vizLabelVisible: z.boolean().default(true),
  vizLabelPosition: z.enum(["TOP", "BOTTOM"]).default("TOP"),
  ...OPTION_SETTINGS,
  xaxis: AxisEntry.optional(),
  yaxis: z.array(AxisEntry).max(20).default([]),
  /** At most one is used. */
  series: z.array(AxisEntry).max(20).default([]),
  categoryValues: z
    .array(z.strictObject({ name: z.string().max(200), color: CardColor }))
    .max(50)
    .default([]),
  category: AxisEntry.optional(),
  subCategory: AxisEntry.optional(),
  value: AxisEntry.optional(),
  columns: z.array(AxisEntry).max(50).default([]),
  measure: AxisEntry.optional(),
  dataField: AxisEntry.optional(),
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

/** Settings of every type. */
type SharedSetting =
  | "formatVersion"
  | "datasetId"
  | "vizType"
  | "vizLabel"
  | "vizLabelVisible"
  | "vizLabelPosition"
  | "categoryValues"
  | "colorTheme"
  | "variablesMap"
  | "filter"
  | "top";

type EntrySetting<Shape> = Shape extends { kind: "chart"; category: infer Category; values: infer Values }
  ? Category | Values | (Shape extends { series: infer Series } ? Series : never)
  : Shape extends { kind: "rows" }
    ? "columns" | "rowOrder"
    : "columns";

/** The settings that options hold. Fails to compile while `OPTION_SETTINGS` lacks those of an option. */
export type OptionSettings = Pick<CardConfiguration, OptionSetting>;

type SettingOf<Type extends CardTypes[VizType]> =
  | SharedSetting
  | EntrySetting<Type["shape"]>
  | OptionSetting<Type["options"][number]>;

/** The configuration of one type: the settings that it is made of. */
export type ConfigurationOf<Type extends VizType> = Pick<
  CardConfiguration,
  Extract<SettingOf<CardTypes[Type]>, keyof CardConfiguration>
>;

/** What a card shows, whatever its type calls the settings that hold it. */
export type CardEntries =
  | {
      kind: "chart";
      category: AxisEntry | undefined;
      /** Of charts that can't be split it is none. */
      series: AxisEntry | undefined;
      values: readonly AxisEntry[];
      /** Where category and values are in the configuration. */
      paths: { category: string; values: string };
    }
  | { kind: "number"; value: AxisEntry | undefined }
  | { kind: "rows"; columns: readonly AxisEntry[] };

export function cardEntries(card: Pick<CardConfiguration, "vizType" | EntryPath>): CardEntries {
  const shape = cardShapeOf(card.vizType);
  switch (shape.kind) {
    case "chart": {
      const [series] = shape.series === null ? [] : heldEntries(card, shape.series);
      const { category, values } = shape;
      return {
        ...{ kind: "chart", category: card[category], series, values: heldEntries(card, values) },
        paths: { category, values },
      };
    }
    case "number":
      return { kind: "number", value: card.columns[0] };
    case "rows":
      return { kind: "rows", columns: card.columns };
  }
}

/** Settings that hold columns of the dataset: one, or a list of them. */
export type EntryPath =
  | "xaxis"
  | "yaxis"
  | "series"
  | "category"
  | "subCategory"
  | "value"
  | "columns"
  | "measure"
  | "dataField";

const LISTS: ReadonlySet<EntryPath> = new Set(["yaxis", "series", "columns"]);
export const holdsList = (path: EntryPath): boolean => LISTS.has(path);

/** The entries of a setting, whether it holds one or a list. */
export function heldEntries<Path extends EntryPath>(card: Pick<CardConfiguration, Path>, path: Path): AxisEntry[] {
  const held: AxisEntry | AxisEntry[] | undefined = card[path];
  return Array.isArray(held) ? held : held ? [held] : [];
}

/** Columns of a table or number that are chosen; a place without one counts not. */
export const chosenColumns = ({ columns }: Pick<CardConfiguration, "columns">): AxisEntry[] =>
  columns.filter(({ column }) => column !== "");
