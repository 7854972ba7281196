/** What the filters of a dashboard mean for one of its cards: which of them its dataset can be filtered by, and how. */
import {
  type Catalogue,
  crossFilter,
  DatasetError,
  type DatasetFilter,
  type FilterSource,
  layerValues,
  resolveDataset,
} from "@accord/analytics-engine";
import type { CardConfiguration, CardData } from "@accord/contracts/insights/cards";
import type {
  CrossFilter,
  CrossFilters,
  FilterMark,
  MarkGroup,
  Unfiltered,
} from "@accord/contracts/insights/cross-filter";
import type { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import type { Value } from "@accord/contracts/data/values";
import type { VariableValues } from "@accord/contracts/insights/variables";
import { AppError } from "../../../platform/http/app-error.ts";
import { TIME_ZONE } from "../datasets/index.ts";
import { mapDatasetErrors } from "../engine/index.ts";

/** What a card asks of its dataset, before any filter of the dashboard. */
export interface PlacedQuestion {
  configuration: CardConfiguration;
  dataset: DatasetConfig;
  catalogue: Catalogue;
  values: readonly (VariableValues | undefined)[];
}

export interface FilterRequest {
  filters: CrossFilters;
  /** Of the card that is asked for. */
  cardId: string;
  question: PlacedQuestion;
  /** @throws AppError `not_found` for a card that does not stand on the dashboard */
  questionOf: (cardId: string) => Promise<PlacedQuestion>;
  /** The data of a card as the reader sees it; null for readers who may see all data behind the cards. */
  shownTo: ((question: PlacedQuestion) => Promise<CardData>) | null;
}

export interface FoundFilters {
  filters: DatasetFilter[];
  unfiltered: Unfiltered[];
}

/** @throws AppError `not_found` */
export async function findFilters(request: FilterRequest): Promise<FoundFilters> {
  const others = request.filters.filter(({ cardId }) => cardId !== request.cardId);
  // Which cards there are is checked before anything that is said about them.
  const sources = await Promise.all(
    others.map(async (filter) => ({ filter, source: await request.questionOf(filter.cardId) })),
  );
  const found: FoundFilters = { filters: [], unfiltered: [] };
  for (const { filter, source } of sources) {
    const result = await findFilter(filter, source, request);
    if ("reason" in result) found.unfiltered.push({ cardId: filter.cardId, ...result });
    else found.filters.push(result);
  }
  return found;
}

async function findFilter(
  filter: CrossFilter,
  source: PlacedQuestion,
  { question, shownTo }: FilterRequest,
): Promise<DatasetFilter | Pick<Unfiltered, "reason" | "column">> {
  const from = sourceOf(source);
  if (!from) return { reason: "card_broken", column: "" };
  const result = crossFilter(filter, from, {
    datasetId: question.configuration.datasetId,
    query: mapDatasetErrors(() => queryOf(question)),
  });
  if (result.kind === "unfiltered") return { reason: result.reason, column: result.column };
  if (!shownTo) return result.filter;
  const shown = await dataOf(source, shownTo);
  if (!shown) return { reason: "card_broken", column: "" };
  return filter.marks.every((mark) => isShown(mark, shown)) ? result.filter : { reason: "value_not_shown", column: "" };
}

const queryOf = ({ configuration, dataset, catalogue, values }: PlacedQuestion) =>
  resolveDataset(dataset, catalogue, {
    values: layerValues(...values, configuration.variablesMap),
    timeZone: TIME_ZONE,
  });

/** Null when its dataset can't run: that one card says so, and the others stay as they are. */
function sourceOf(source: PlacedQuestion): FilterSource | null {
  const { configuration: card } = source;
  try {
    return { card, datasetId: card.datasetId, query: queryOf(source) };
  } catch (error) {
    if (error instanceof DatasetError) return null;
    throw error;
  }
}

async function dataOf(
  source: PlacedQuestion,
  shownTo: (question: PlacedQuestion) => Promise<CardData>,
): Promise<CardData | null> {
  try {
    return await shownTo(source);
  } catch (error) {
    if (error instanceof AppError && (error.code === "dataset_invalid" || error.code === "validation_failed"))
      return null;
    throw error;
  }
}

const REST_FLAGS: Readonly<Record<string, string>> = { x: "other", series: "otherSeries" };

/** Whether the card shows each value that the mark names, so that nobody learns more than the card shows. */
export const isShown = (mark: FilterMark, { rows }: Pick<CardData, "rows">): boolean =>
  mark.every(({ column, values, isOthers }: MarkGroup) => {
    const flag = REST_FLAGS[column] ?? "";
    const isRest = (row: CardData["rows"][number]): boolean => row[flag] === true;
    const shown = new Set(rows.filter((row) => !isRest(row)).map((row) => textOf(row[column])));
    return values.every((value) => shown.has(textOf(value))) && (!isOthers || rows.some(isRest));
  });

/** Numbers are written as texts where they are exact ones. */
const textOf = (value: Value | undefined): string =>
  JSON.stringify(typeof value === "number" ? String(value) : (value ?? null));
