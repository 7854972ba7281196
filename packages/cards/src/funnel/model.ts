/** Stages of a funnel in their order, with the ratio of each to the one before. */
import type { CardConfiguration, CardData } from "@accord/contracts/insights/cards";
import { type ChartWords, ENGLISH } from "../chart/words.ts";
import { formatValue, numberOf } from "../format.ts";
import { MAX_STAGES } from "./definition.ts";

export interface FunnelStage {
  name: string;
  value: number;
  color: string | undefined;
  /** This stage over the one before; null for the first and after an empty one. */
  ratio: number | null;
}

export function funnelModel(card: CardConfiguration, data: CardData, words: ChartWords = ENGLISH): FunnelStage[] {
  const column = data.columns.find(({ name }) => name === "x");
  const colors = new Map(card.categoryValues.map(({ name, color }) => [name, color]));
  const all = data.rows.map((row) => {
    const name =
      row["other"] === true
        ? words.other
        : (column && formatValue(row["x"], { ...column, format: "text" })) || words.blank;
    return { name, value: numberOf(row["y0"]) ?? 0 };
  });
  const chosen = card.stages.length > 0 ? all.filter(({ name }) => card.stages.includes(name)) : all;
  const direction = card.ascending ? 1 : -1;
  const place = (name: string): number => (card.stages.includes(name) ? card.stages.indexOf(name) : card.stages.length);
  const sorted = chosen
    .toSorted((one, other) =>
      card.sortBy === "stage"
        ? (place(one.name) - place(other.name)) * (card.ascending === false && card.stages.length === 0 ? -1 : 1)
        : (one.value - other.value) * direction,
    )
    .slice(0, MAX_STAGES);
  return sorted.map((stage, at) => {
    const before = sorted[at - 1]?.value;
    return { ...stage, color: colors.get(stage.name), ratio: before ? stage.value / before : null };
  });
}
