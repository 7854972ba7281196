/** One number and the range it lies in: what metrics and gauges draw. */
import type { CardConfiguration, CardData, CardRange } from "@accord/contracts/insights/cards";
import { formatNumber, formatValue, numberOf } from "../format.ts";
import { rangeOf } from "../ranges.ts";

export interface MetricModel {
  value: number | null;
  text: string;
  caption: string;
  range: CardRange | undefined;
  /** The metric's own colour, when no range gives one. */
  color: string | undefined;
}

export function metricModel(card: CardConfiguration, data: CardData): MetricModel {
  const column = data.columns[0];
  const entry = card.columns[0];
  const raw = column ? data.rows[0]?.[column.name] : undefined;
  const value = numberOf(raw);
  const format = entry?.displayFormat ?? "number";
  const text = value === null && column ? formatValue(raw, { ...column, format }) || "–" : formatNumber(value, format);
  const caption = entry?.displayName || column?.displayName || "";
  return { value, text, caption, range: rangeOf(card.ranges, value), color: entry?.color };
}
