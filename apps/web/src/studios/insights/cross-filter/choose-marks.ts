/** Which filters a dashboard has after a mark is chosen or taken away again. */
import {
  CROSS_FILTER_LIMITS,
  CrossFilters,
  type CrossFilter,
  type FilterMark,
} from "@accord/contracts/insights/cross-filter";
import { covers } from "@accord/cards/views";

const columnsOf = (mark: FilterMark): string =>
  JSON.stringify(mark.map(({ column, field }) => `${column} ${field ?? ""}`).toSorted());

/** The chosen mark that a mark of a card is, or is a part of. */
export const chosenAs = (marks: readonly FilterMark[], groups: FilterMark): FilterMark | undefined =>
  marks.find((one) => covers(one, groups));

/**
 * The filters with a mark of a card chosen: in place of the card's other marks, or with `adds` besides those about the
 * same columns. The newest filter is the last one. Null where they would be too many or too long for an address.
 */
export function withMark(
  filters: CrossFilters,
  cardId: CrossFilter["cardId"],
  mark: FilterMark,
  adds: boolean,
): CrossFilters | null {
  const own = filters.find((one) => one.cardId === cardId)?.marks ?? [];
  const kept = adds ? own.filter((one) => columnsOf(one) === columnsOf(mark)) : [];
  const next = [...withoutCard(filters, cardId), { cardId, marks: [...kept, mark] }];
  return CrossFilters.safeParse(next).success && fitsAddress(next) ? next : null;
}

const fitsAddress = (filters: CrossFilters): boolean =>
  encodeURIComponent(JSON.stringify(filters)).length <= CROSS_FILTER_LIMITS.encoded;

export const withoutCard = (filters: CrossFilters, cardId: string): CrossFilters =>
  filters.filter((one) => one.cardId !== cardId);

/**
 * What a card is asked with. Its own filter restricts only others, and goes along where later ones were chosen: their
 * cards showed their marks under it. The same list as long as it can be: questions are made of it.
 */
export function filtersOn(filters: CrossFilters, cardId: string): CrossFilters {
  const count = filters.findLastIndex((one) => one.cardId !== cardId) + 1;
  if (count === filters.length) return filters;
  return count === 0 ? NONE : filters.slice(0, count);
}

const NONE: CrossFilters = [];

/** Without one mark of a card; the filter ends with its last mark. */
export function withoutMark(filters: CrossFilters, cardId: string, mark: FilterMark): CrossFilters {
  return filters.flatMap((one) => {
    if (one.cardId !== cardId) return [one];
    const marks = one.marks.filter((chosen) => chosen !== mark);
    return marks.length > 0 ? [{ ...one, marks }] : [];
  });
}

/** Longer texts may have been cut where the card shows them. */
const MAX_TEXT = 1_000;

/** By what a mark can filter: by all its columns together, and by each of them alone. */
export function filtersOf(groups: FilterMark): FilterMark[] {
  const usable = groups.every(({ values }) => values.every(isPlain));
  if (!usable || groups.length === 0 || groups.length > CROSS_FILTER_LIMITS.columns) return [];
  return groups.length === 1 ? [groups] : [groups, ...groups.slice(0, 4).map((group) => [group])];
}

const isPlain = (value: unknown): boolean =>
  typeof value === "string" ? value.length <= MAX_TEXT : value === null || typeof value !== "object";
