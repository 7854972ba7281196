/** What a card type is: its settings, when they are complete, and how answers become something to draw. No React here. */
import {
  type CardConfiguration,
  CardConfiguration as Configuration,
  type CardConfigurationInput,
  type CardData,
  type ConfigurationOf,
  type EntryPath,
  heldEntries,
  type LegendPosition,
  type VizType,
} from "@accord/contracts/insights/cards";
import type { CardProblem } from "./card-problems.ts";
import type { ChartWords } from "./chart/words.ts";
import type { CardModel } from "./models.ts";

export const CARD_TABS = ["setup", "style", "variables", "appearance"] as const;
export type CardTab = (typeof CARD_TABS)[number];

/** One place of the setup form. The form is made from these, so that a new type needs no form of its own. */
export interface CardSlot {
  /** Key of the configuration. */
  path: EntryPath;
  /** `one` axis entry, or a `list` of them. */
  cardinality: "one" | "list";
  /** Offers only numbers and how to fold them. */
  numeric: boolean;
  required: boolean;
  /** Asks for a display format. */
  format: boolean;
  /** Disabled until this other slot is filled. */
  after?: EntryPath;
}

interface DefinitionOf<Type extends VizType> {
  type: Type;
  tabs: readonly CardTab[];
  slots: readonly (CardSlot & { path: keyof ConfigurationOf<Type> })[];
  /** Empty for types without a legend. */
  legendPositions: readonly LegendPosition[];
  /** Settings a new card of the type starts with. */
  defaults: Partial<Omit<CardConfigurationInput, "vizType">>;
  /** Words by which a question asks for it: a part of a regular expression. */
  askedAs: string;
  /** What is drawn for an answer; reads no settings but those of the type. */
  model: (card: ConfigurationOf<Type>, data: CardData, words: ChartWords) => CardModel;
  /** What alerts watch, where that is not what is drawn. */
  watched?: (card: ConfigurationOf<Type>, data: CardData, words: ChartWords) => CardModel;
  /** Rules of this type beyond completeness. */
  check?: (card: ConfigurationOf<Type>) => CardProblem[];
  /** A change of type carries looks over from and to this one; only its own come back without. */
  looksLike?: VizType;
  /** Its values are parts of a whole: it is called after its shares. */
  isOfWhole?: boolean;
  /** Its categories are points of one mark, which has one colour. */
  isOneMark?: boolean;
  /** Takes half a screen where others fill it. */
  isNarrow?: boolean;
}

/** A type as those know it that are for every type. */
export interface CardDefinition extends Omit<DefinitionOf<VizType>, "slots" | "model" | "watched" | "check"> {
  slots: readonly CardSlot[];
  model: (card: CardConfiguration, data: CardData, words: ChartWords) => CardModel;
  watched?: (card: CardConfiguration, data: CardData, words: ChartWords) => CardModel;
  check?: (card: CardConfiguration) => CardProblem[];
}

export const defineCard = <Type extends VizType>(
  definition: { type: Type } & NoInfer<DefinitionOf<Type>>,
): CardDefinition => definition;

/** Where the legend is: as set, else where the type has it. */
export const legendPositionOf = (card: Pick<CardConfiguration, "legendPosition">, definition: CardDefinition) =>
  card.legendPosition ?? definition.defaults.legendPosition ?? "BOTTOM";

/** Problems that keep a card from being previewed or saved; empty when it is complete. */
export function cardProblems(definition: CardDefinition, card: CardConfiguration): CardProblem[] {
  const missing = definition.slots.filter(({ required }) => required).flatMap((slot) => slotProblems(slot, card));
  const position = card.legendPosition;
  const legend: CardProblem[] =
    position !== undefined && definition.legendPositions.length > 0 && !definition.legendPositions.includes(position)
      ? [{ path: "legendPosition", code: "legend_position", facts: { allowed: definition.legendPositions.join(", ") } }]
      : [];
  return [...missing, ...legend, ...(definition.check?.(card) ?? [])];
}

function slotProblems(slot: CardSlot, card: CardConfiguration): CardProblem[] {
  const [entry] = heldEntries(card, slot.path);
  const path = slot.cardinality === "list" ? `${slot.path}.0` : slot.path;
  if (!entry?.column) return [{ path, code: "column_missing", facts: {} }];
  if (!entry.name) return [{ path, code: "name_missing", facts: {} }];
  return slot.format && !entry.displayFormat ? [{ path, code: "format_missing", facts: {} }] : [];
}

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
