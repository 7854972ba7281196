/** Which mark a key leads to: along the categories, from series to series, to the ends. */
import type { ChartMarks } from "../chart-marks.ts";

export interface Reached {
  series: number;
  index: number;
}

const ALONG: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };
const ACROSS: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };

export const isWalkKey = (key: string): boolean => key in ALONG || key in ACROSS || key === "Home" || key === "End";

/** Null where nothing is shown; at an end the mark stays. Marks that the legend leaves out are passed over. */
export function walk(
  marks: ChartMarks,
  from: Reached | null,
  key: string,
  isShown: (series: number, index: number) => boolean,
): Reached | null {
  const places = (series: number): Reached[] =>
    (marks[series] ?? []).flatMap((_, index) => (isShown(series, index) ? [{ series, index }] : []));
  const shown = marks.map((_, series) => places(series)).filter((row) => row.length > 0);
  const row = shown.find(([first]) => first?.series === from?.series) ?? shown[0];
  if (!row) return null;
  const place = row.findIndex(({ index }) => index === from?.index);
  if (key === "End") return row.at(-1) ?? null;
  if (key === "Home" || !from || place < 0) return row[0] ?? null;
  if (key in ALONG) return row[place + (ALONG[key] ?? 0)] ?? from;
  const category = marks[from.series]?.[from.index]?.category;
  const next = shown[shown.indexOf(row) + (ACROSS[key] ?? 0)];
  return next?.find(({ series, index }) => marks[series]?.[index]?.category === category) ?? from;
}
