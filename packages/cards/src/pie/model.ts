/** Slices of a donut, the small ones added up in one, and a ring of sub-categories when asked for. */
import type { CardData, ConfigurationOf, DisplayFormat } from "@accord/contracts/insights/cards";
import { type ChartWords, ENGLISH } from "../chart/words.ts";
import {
  behindAll,
  type CardNote,
  type Cell,
  cellOf,
  colorsOf,
  columnNamed,
  type Group,
  groupReader,
  isAdditive,
  omittedNotes,
  REST_KEY,
  rowNotes,
  sumOf,
} from "../marks.ts";

export interface Slice extends Group {
  cell: Cell;
  parts: SlicePart[];
}

export interface SlicePart extends Group {
  cell: Cell;
}

export interface PieModel {
  kind: "pie";
  categoryTitle: string;
  subCategoryTitle: string | null;
  valueTitle: string;
  slices: Slice[];
  /** Slices or parts below zero, small ones among them: none can be drawn. */
  negative: SlicePart[];
  /** Null for values that don't add up, such as averages. */
  total: Cell | null;
  notes: CardNote[];
}

/** The key of the slice that adds up those below the card's minimum. */
const SMALL_KEY = "small";

export function pieModel(card: ConfigurationOf<"PIE">, data: CardData, words: ChartWords = ENGLISH): PieModel {
  const [column, subColumn] = [columnNamed(data, "x"), columnNamed(data, "series")];
  const format = card.value?.displayFormat ?? "number";
  const all = slicesOf(card, data, words);
  const slices = foldSmall(all, card, words, format);
  const { reduction } = data;
  const small = slices.folded;
  const rest = slices.all.find(({ key }) => key === REST_KEY);
  return {
    kind: "pie",
    categoryTitle: column?.displayName ?? "",
    subCategoryTitle: subColumn?.displayName ?? null,
    valueTitle: card.value?.displayName || columnNamed(data, "y0")?.displayName || "",
    slices: slices.all,
    negative: all.flatMap((slice) => (subColumn ? slice.parts : [slice])).filter(({ cell }) => (cell.value ?? 0) < 0),
    total: isAdditive(card.value)
      ? sumOf(
          slices.all.map(({ cell }) => cell),
          format,
        )
      : null,
    notes: [
      ...rowNotes(data, "largest_points"),
      ...omittedNotes(data, all.length),
      ...(reduction && reduction.otherCategories > 0
        ? [
            {
              code: "other_categories" as const,
              facts: { count: reduction.otherCategories, total: rest?.cell.text ?? null },
            },
          ]
        : []),
      ...(reduction && reduction.otherSeries > 0
        ? [{ code: "other_series" as const, facts: { count: reduction.otherSeries } }]
        : []),
      ...(reduction && reduction.omittedSeries > 0
        ? [{ code: "omitted_series" as const, facts: omittedFacts(slices.all, reduction.omittedSeries) }]
        : []),
      ...(small > 0
        ? [{ code: "small_slices" as const, facts: { count: small, label: smallLabel(card, words) } }]
        : []),
    ],
  };
}

function omittedFacts(slices: readonly Slice[], omitted: number): { shown: number; total: number } {
  const shown = new Set(slices.flatMap(({ parts }) => parts.map(({ key }) => key))).size;
  return { shown, total: shown + omitted };
}

function slicesOf(card: ConfigurationOf<"PIE">, data: CardData, words: ChartWords): Slice[] {
  const subColumn = columnNamed(data, "series");
  const colors = colorsOf(card);
  const { reduction } = data;
  const reader = groupReader({
    column: columnNamed(data, "x"),
    rows: data.rows,
    axis: card.category && { ...card.category, displayFormat: "text" },
    restFlag: "other",
    restCount: reduction?.otherCategories ?? null,
    colors,
    words,
  });
  const subReader = groupReader({
    column: subColumn,
    rows: data.rows,
    axis: card.subCategory && { ...card.subCategory, displayFormat: "text" },
    restFlag: "otherSeries",
    restCount: reduction?.otherSeries ?? null,
    colors,
    words,
  });
  const format = card.value?.displayFormat ?? "number";
  const slices = new Map<string, Slice>();
  data.rows.forEach((row, index) => {
    const cell = cellOf(row["y0"], format);
    const group = reader.groupOf(row);
    const before = slices.get(group.key);
    // Two rows of one category are parts of it only when it has parts; else the answer keeps them apart.
    if (!subColumn) {
      const key = before ? `${group.key} #${index}` : group.key;
      slices.set(key, { ...group, key, cell, parts: [] });
      return;
    }
    const part = { ...subReader.groupOf(row), cell };
    slices.set(group.key, { ...group, cell, parts: [...(before?.parts ?? []), part] });
  });
  const all = [...slices.values()];
  return subColumn
    ? all.map((slice) => ({
        ...slice,
        cell: sumOf(
          slice.parts.map(({ cell }) => cell),
          format,
        ),
      }))
    : all;
}

const smallLabel = (card: ConfigurationOf<"PIE">, words: ChartWords): string => card.minimumValue?.label || words.other;

function foldSmall(
  slices: readonly Slice[],
  card: ConfigurationOf<"PIE">,
  words: ChartWords,
  format: DisplayFormat,
): { all: Slice[]; folded: number } {
  const sorted = slices.toSorted(
    (one, other) => Number(one.isRest) - Number(other.isRest) || (other.cell.value ?? 0) - (one.cell.value ?? 0),
  );
  const least = card.minimumValue;
  if (!least || least.value <= 0 || !isAdditive(card.value)) return { all: sorted, folded: 0 };
  const isSmall = ({ cell }: { cell: Cell }): boolean => (cell.value ?? 0) < least.value;
  const rest = (cells: readonly SlicePart[]): SlicePart => ({
    key: SMALL_KEY,
    label: smallLabel(card, words),
    value: undefined,
    color: undefined,
    isRest: true,
    behind: behindAll(cells),
    cell: sumOf(
      cells.map(({ cell }) => cell),
      format,
    ),
  });
  const small = sorted.filter(isSmall);
  const large = sorted.filter((slice) => !isSmall(slice));
  // With sub-categories it has a part too: both rings must go all the way round.
  const all =
    small.length > 0
      ? [
          ...large,
          {
            ...rest(small),
            parts: small.some(({ parts }) => parts.length > 0) ? [{ ...rest(small), behind: undefined }] : [],
          },
        ]
      : large;
  if (!least.applyToSubCategories) return { all, folded: small.length };
  const withFoldedParts = all.map((slice) => {
    const rare = slice.parts.filter(isSmall);
    const parts = slice.parts.filter((part) => !isSmall(part));
    return { ...slice, parts: rare.length > 0 ? [...parts, rest(rare)] : parts };
  });
  return { all: withFoldedParts, folded: small.length };
}
