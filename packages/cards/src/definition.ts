/** What a card type is: its settings, when they are complete, and how answers become something to draw. No React here. */
import type {
  AxisEntry,
  CardConfiguration,
  CardConfigurationInput,
  DisplayFormat,
  LegendPosition,
  VizType,
} from "@accord/contracts/insights/cards";
import { CardConfiguration as Configuration } from "@accord/contracts/insights/cards";
import type { DatasetColumn } from "@accord/contracts/insights/dataset-config";
import type { DataType } from "@accord/contracts/data/values";

export const CARD_PROBLEM_CODES = [
  "column_missing",
  "name_missing",
  "format_missing",
  "max_error",
  "range_error",
  "range_name_missing",
  "legend_position",
  "too_many_stages",
] as const;
export type CardProblemCode = (typeof CARD_PROBLEM_CODES)[number];

/** `path` leads into the configuration; facts fill the words. */
export interface CardProblem {
  path: string;
  code: CardProblemCode;
  facts: Record<string, string | number>;
}

export const CARD_TABS = ["setup", "style", "variables", "appearance"] as const;
export type CardTab = (typeof CARD_TABS)[number];

/** One place of the setup form. The form is made from these, so that a new type needs no form of its own. */
export interface CardSlot {
  /** Key of the configuration. */
  path:
    | "xaxis"
    | "yaxis"
    | "series"
    | "category"
    | "subCategory"
    | "value"
    | "columns"
    | "measure"
    | "dataField"
    | "ranges";
  /** `one` axis entry, a `list` of them, or the `ranges` of a metric. */
  holds: "one" | "list" | "ranges";
  /** Offers only numbers and how to fold them. */
  numeric: boolean;
  required: boolean;
  /** Asks for a display format. */
  format: boolean;
  /** Disabled until this other slot is filled. */
  after?: CardSlot["path"];
}

export interface CardDefinition {
  type: VizType;
  tabs: readonly CardTab[];
  slots: readonly CardSlot[];
  legendPositions: readonly LegendPosition[];
  /** Whether its axes may have titles and a reference line across. */
  axes: boolean;
  /** Settings a new card of the type starts with. */
  defaults: Partial<CardConfigurationInput>;
  /** Rules of this type beyond completeness. */
  check?: (card: CardConfiguration) => CardProblem[];
}

export const defineCard = (definition: CardDefinition): CardDefinition => definition;

/** Where the legend is: as set, else where the type has it. */
export const legendPositionOf = (card: Pick<CardConfiguration, "legendPosition">, definition: CardDefinition) =>
  card.legendPosition ?? definition.defaults.legendPosition ?? "BOTTOM";

/** Problems that keep a card from being previewed or saved; empty when it is complete. */
export function cardProblems(definition: CardDefinition, card: CardConfiguration): CardProblem[] {
  const missing = definition.slots
    .filter((slot) => slot.required && slot.holds !== "ranges")
    .flatMap((slot) => slotProblems(slot, card));
  const position = card.legendPosition;
  const legend: CardProblem[] =
    position !== undefined && definition.legendPositions.length > 0 && !definition.legendPositions.includes(position)
      ? [{ path: "legendPosition", code: "legend_position", facts: { allowed: definition.legendPositions.join(", ") } }]
      : [];
  return [...missing, ...legend, ...(definition.check?.(card) ?? [])];
}

function slotProblems(slot: CardSlot, card: CardConfiguration): CardProblem[] {
  const held = card[slot.path] as AxisEntry | AxisEntry[] | undefined;
  const entry = Array.isArray(held) ? held[0] : held;
  const path = slot.holds === "list" ? `${slot.path}.0` : slot.path;
  if (!entry?.column) return [{ path, code: "column_missing", facts: {} }];
  if (!entry.name) return [{ path, code: "name_missing", facts: {} }];
  return slot.format && !entry.displayFormat ? [{ path, code: "format_missing", facts: {} }] : [];
}

const NUMBERS: ReadonlySet<DataType> = new Set(["integer", "double", "decimal"]);

/** Whether a column may stand where a number is wanted. */
export const isNumberColumn = (column: Pick<DatasetColumn, "dataType">): boolean => NUMBERS.has(column.dataType);

const DATES: ReadonlySet<DataType> = new Set(["date", "datetime", "timestamp"]);

export const isDateColumn = (column: Pick<DatasetColumn, "dataType">): boolean => DATES.has(column.dataType);

/** The format a freshly chosen column gets. */
export const formatOf = (column: Pick<DatasetColumn, "dataType">): DisplayFormat =>
  isNumberColumn(column) ? "number" : "text";

/** The settings every type shares and a change of type keeps: its label, and which rows it is about. */
const LABEL_SETTINGS = [
  "vizLabel",
  "vizLabelVisible",
  "vizLabelPosition",
  "colorTheme",
  "variablesMap",
  "filter",
  "top",
] as const;

/** A new card of a type, on a dataset when one is known. */
export function newCard(definition: CardDefinition, datasetId = ""): CardConfiguration {
  return Configuration.parse({ datasetId, vizType: definition.type, ...definition.defaults });
}

/** The card with the label of another. */
export function withLabelOf(before: CardConfiguration, card: CardConfiguration): CardConfiguration {
  for (const key of LABEL_SETTINGS) Object.assign(card, { [key]: before[key] });
  return card;
}

/** The order of a table's rows after a column is taken away: by the same column still, or none by that one. */
export function orderWithout(order: CardConfiguration["rowOrder"], removed: number): CardConfiguration["rowOrder"] {
  if (!order || order.column < removed) return order;
  return order.column === removed ? undefined : { ...order, column: order.column - 1 };
}

/** The dataset changed: everything that named its columns goes, the type and the label stay. */
export function changeDataset(
  card: CardConfiguration,
  definition: CardDefinition,
  datasetId: string,
): CardConfiguration {
  return { ...withLabelOf(card, newCard(definition, datasetId)), variablesMap: {}, filter: undefined };
}
