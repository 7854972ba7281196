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
  UnfilteredReason,
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
  /** The filtered data of a card as the reader sees it; null for readers who may see all data behind the cards. */
  shownTo: ShownTo | null;
}

type ShownTo = (question: PlacedQuestion, filters: DatasetFilter[]) => Promise<CardData>;

export interface FoundFilters {
  filters: DatasetFilter[];
  unfiltered: Unfiltered[];
}

/** A filter and the card that it was chosen on. */
interface Chosen {
  filter: CrossFilter;
  question: PlacedQuestion;
  /** Null when its dataset can't run: that one card says so, and the others stay as they are. */
  source: FilterSource | null;
}

/** @throws AppError `not_found` */
export async function findFilters(request: FilterRequest): Promise<FoundFilters> {
  const { question, cardId, shownTo } = request;
  const found: FoundFilters = { filters: [], unfiltered: [] };
  if (request.filters.every((filter) => filter.cardId === cardId)) return found;
  // Which cards there are is checked before anything that is said about them.
  const questions = await Promise.all(request.filters.map((filter) => request.questionOf(filter.cardId)));
  const chosen = request.filters.flatMap((filter, at): Chosen[] => {
    const own = questions[at];
    return own ? [{ filter, question: own, source: sourceOf(own) }] : [];
  });
  const target = { datasetId: question.configuration.datasetId, query: mapDatasetErrors(() => queryOf(question)) };
  const refusalOf = shownTo ? refusals(chosen, shownTo) : null;
  for (const [at, one] of chosen.entries()) {
    if (one.filter.cardId === cardId) continue;
    const fit = fitOf(one, target);
    const reason = "reason" in fit ? null : await refusalOf?.(at);
    const result = reason ? { reason, column: "" } : fit;
    if ("reason" in result) found.unfiltered.push({ cardId: one.filter.cardId, ...result });
    else found.filters.push(result);
  }
  return found;
}

function fitOf(
  { filter, source }: Chosen,
  target: Pick<FilterSource, "datasetId" | "query">,
): DatasetFilter | Pick<Unfiltered, "reason" | "column"> {
  if (!source) return { reason: "card_broken", column: "" };
  const result = crossFilter(filter, source, target);
  return result.kind === "unfiltered" ? { reason: result.reason, column: result.column } : result.filter;
}

/**
 * Why readers who only look can't filter by a filter, by its place; null where its card shows all of its values to them,
 * by itself or under the filters before it: marks of a filtered card were chosen on what those left of it.
 */
function refusals(chosen: readonly Chosen[], shownTo: ShownTo): (at: number) => Promise<UnfilteredReason | null> {
  const asked = new Map<number, Promise<UnfilteredReason | null>>();

  async function refusal(at: number): Promise<UnfilteredReason | null> {
    const one = chosen[at];
    if (!one?.source) return "card_broken";
    const whole = await dataOf(one.question, [], shownTo);
    if (!whole) return "card_broken";
    const hidden = one.filter.marks.filter((mark) => !isShown(mark, whole));
    if (hidden.length === 0) return null;
    const before = await filtersBefore(at, one.source);
    const filtered = before.length > 0 ? await dataOf(one.question, before, shownTo) : null;
    return filtered && hidden.every((mark) => isShown(mark, filtered)) ? null : "value_not_shown";
  }

  async function filtersBefore(at: number, source: FilterSource): Promise<DatasetFilter[]> {
    const before: DatasetFilter[] = [];
    for (const [place, one] of chosen.slice(0, at).entries()) {
      const fit = fitOf(one, source);
      if (!("reason" in fit) && (await refusalOf(place)) === null) before.push(fit);
    }
    return before;
  }

  const refusalOf = (at: number): Promise<UnfilteredReason | null> => {
    const answer = asked.get(at) ?? refusal(at);
    asked.set(at, answer);
    return answer;
  };
  return refusalOf;
}

const queryOf = ({ configuration, dataset, catalogue, values }: PlacedQuestion) =>
  resolveDataset(dataset, catalogue, {
    values: layerValues(...values, configuration.variablesMap),
    timeZone: TIME_ZONE,
  });

function sourceOf(source: PlacedQuestion): FilterSource | null {
  const { configuration: card } = source;
  try {
    return { card, datasetId: card.datasetId, query: queryOf(source) };
  } catch (error) {
    if (error instanceof DatasetError) return null;
    throw error;
  }
}

async function dataOf(question: PlacedQuestion, filters: DatasetFilter[], shownTo: ShownTo): Promise<CardData | null> {
  try {
    return await shownTo(question, filters);
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
