/** Filters of a dashboard by marks of its cards: what was chosen on one card restricts the rows of the others. */
import { z } from "zod";
import { Value } from "../data/values.ts";
import { id } from "../ids.ts";

export const CROSS_FILTER_LIMITS = {
  /** Filters of a dashboard at a time; one for each card. */
  filters: 10,
  /** Marks of one card that add up. */
  marks: 50,
  /** Columns that one mark is about. */
  columns: 10,
  /** Characters of all filters as JSON. */
  size: 12_000,
  /** The same as a part of an address, where a letter may take six: servers read an address twice within 16 KiB. */
  encoded: 6_000,
} as const;

/** The rows of a mark have one of these values in a column of the card's answer; with `isOthers`, any value but these. */
export const MarkGroup = z.strictObject({
  column: z.string().max(60),
  values: z.array(Value).max(1_000),
  isOthers: z.boolean().default(false),
});
export type MarkGroup = z.output<typeof MarkGroup>;

/** What a column of a card's answer is made of, as one text to compare by. */
export const fieldOf = ({ column, grain }: { column: string; grain?: string | undefined }): string =>
  grain ? `${column}:${grain}` : column;

/** The groups of a mark all hold; `field` is what the column was when it was chosen, should the card be changed. */
export const FilterMark = z
  .array(MarkGroup.extend({ field: z.string().max(220).optional() }))
  .min(1)
  .max(CROSS_FILTER_LIMITS.columns);
export type FilterMark = z.output<typeof FilterMark>;

const columnsOf = (mark: FilterMark): string => JSON.stringify(mark.map(({ column }) => column).toSorted());

export const CrossFilter = z.strictObject({
  /** The card whose marks were chosen; its own rows stay as they are. */
  cardId: id("dataCard"),
  /** Rows of any of them are left in. */
  marks: z
    .array(FilterMark)
    .min(1)
    .max(CROSS_FILTER_LIMITS.marks)
    .refine((marks) => new Set(marks.map(columnsOf)).size === 1, "must all be about the same columns")
    .refine(
      (marks) => marks.every((mark) => new Set(mark.map(({ column }) => column)).size === mark.length),
      "must name each column once",
    ),
});
export type CrossFilter = z.output<typeof CrossFilter>;

export const CrossFilters = z
  .array(CrossFilter)
  .max(CROSS_FILTER_LIMITS.filters)
  .refine(
    (filters) => new Set(filters.map(({ cardId }) => cardId)).size === filters.length,
    "must name each card once: a card has one filter, of one mark or several",
  )
  .refine(
    (filters) => JSON.stringify(filters).length <= CROSS_FILTER_LIMITS.size,
    `must not be longer than ${CROSS_FILTER_LIMITS.size} characters together: choose fewer marks`,
  );
export type CrossFilters = z.output<typeof CrossFilters>;

/** Why a filter does not restrict a card. */
export const UNFILTERED_REASONS = [
  /** No column of its dataset holds the same field. */
  "column_missing",
  /** Several do, and none belongs to the dataset's first source. */
  "column_ambiguous",
  /** Its dataset cuts dates more coarsely than the chosen period. */
  "dates_coarser",
  /** The value is not on the card that it was chosen on, as this reader sees that card. */
  "value_not_shown",
  /** The card that it was chosen on was changed since, and has no such column or value. */
  "card_changed",
  /** The card that it was chosen on can't be worked out. */
  "card_broken",
] as const;
export type UnfilteredReason = (typeof UNFILTERED_REASONS)[number];

/** A filter that the data of a card leaves out. */
export const Unfiltered = z.strictObject({
  /** Of the filter. */
  cardId: z.string(),
  reason: z.enum(UNFILTERED_REASONS),
  /** What the column is called that it is about; empty when it is about none. */
  column: z.string(),
});
export type Unfiltered = z.output<typeof Unfiltered>;
