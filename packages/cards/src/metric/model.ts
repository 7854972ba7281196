/** One number and the range it lies in: what metrics and gauges draw. */
import type { CardData, CardRange, ConfigurationOf } from "@accord/contracts/insights/cards";
import type { CardMark } from "@accord/contracts/insights/mark-records";
import { exactNumber, formatNumber, formatValue, numberOf } from "../format.ts";
import type { CardNote } from "../marks.ts";
import { rangeOf } from "../ranges.ts";

export interface MetricModel {
  kind: "metric";
  value: number | null;
  text: string;
  caption: string;
  range: CardRange | undefined;
  /** The metric's own colour, when no range gives one. */
  color: string | undefined;
  /** Leads to its records; null when the answer has no column. */
  mark: CardMark | null;
  notes: CardNote[];
}

export function metricModel(card: ConfigurationOf<"METRIC">, data: CardData): MetricModel {
  const column = data.columns[0];
  const entry = card.columns[0];
  const raw = column ? data.rows[0]?.[column.name] : undefined;
  const value = numberOf(raw);
  const format = entry?.displayFormat ?? "number";
  const text =
    value === null && column ? formatValue(raw, { ...column, format }) || "–" : formatNumber(exactNumber(raw), format);
  const caption = entry?.displayName || column?.displayName || "";
  return {
    kind: "metric",
    value,
    text,
    caption,
    range: rangeOf(card.ranges, value),
    color: entry?.color,
    mark: column ? { groups: [], value: column.name } : null,
    notes: firstRowNotes(data),
  };
}

/** A metric shows one row: of several, the reader has to know that it is one of them. */
function firstRowNotes({ reduction }: CardData): CardNote[] {
  if (!reduction?.isLimited) return [];
  return reduction.totalRows === null
    ? [{ code: "first_row_of_many", facts: {} }]
    : [{ code: "first_row_of", facts: { total: reduction.totalRows } }];
}
