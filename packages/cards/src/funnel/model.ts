/** Stages of a funnel in their order, with the ratio of each to the one before. */
import type { CardData, ConfigurationOf } from "@accord/contracts/insights/cards";
import { type ChartWords, ENGLISH } from "../chart/words.ts";
import { formatNumber } from "../format.ts";
import {
  type CardNote,
  type Cell,
  cellOf,
  colorsOf,
  columnNamed,
  type Group,
  groupReader,
  isAdditive,
  rowNotes,
  sumOf,
} from "../marks.ts";

export const MAX_STAGES = 20;

export interface FunnelStage extends Group {
  cell: Cell;
  /** This stage over the one before; null for the first and after an empty one. */
  ratio: number | null;
}

export interface FunnelModel {
  kind: "funnel";
  stageTitle: string;
  valueTitle: string;
  stages: FunnelStage[];
  notes: CardNote[];
}

type Stage = Omit<FunnelStage, "ratio">;

export function funnelModel(card: ConfigurationOf<"FUNNEL">, data: CardData, words: ChartWords = ENGLISH): FunnelModel {
  const column = columnNamed(data, "x");
  const restCount = data.reduction?.otherCategories ?? null;
  const reader = groupReader({
    column,
    rows: data.rows,
    axis: card.dataField && { ...card.dataField, displayFormat: "text" },
    restFlag: "other",
    restCount,
    colors: colorsOf(card),
    words,
  });
  const format = card.measure?.displayFormat ?? "number";
  const all: Stage[] = data.rows.map((row) => ({ ...reader.groupOf(row), cell: cellOf(row["y0"], format) }));
  const chosen = card.stages.length > 0 ? all.filter(({ label }) => card.stages.includes(label)) : all;
  const shown = new Set(sortedStages(chosen, card).slice(0, MAX_STAGES));
  const omitted = all.filter((stage) => !shown.has(stage));
  const stages = [...shown].map((stage, index, list) => ({ ...stage, ratio: ratioTo(list[index - 1], stage) }));
  const rest = stages.find(({ isRest }) => isRest);
  return {
    kind: "funnel",
    stageTitle: card.dataField?.displayName || column?.displayName || "",
    valueTitle: card.measure?.displayName || columnNamed(data, "y0")?.displayName || "",
    stages,
    notes: [
      ...rowNotes(data, "largest_points"),
      ...omittedNotes(
        omitted,
        restCount,
        isAdditive(card.measure)
          ? sumOf(
              omitted.map(({ cell }) => cell),
              format,
            )
          : null,
      ),
      ...(restCount !== null && restCount > 0 && rest
        ? [{ code: "other_categories" as const, facts: { count: restCount, total: rest.cell.text } }]
        : []),
    ],
  };
}

/** By value or in the order that was set; what was added up is no stage of its own and comes last. */
function sortedStages(stages: readonly Stage[], card: ConfigurationOf<"FUNNEL">): Stage[] {
  const place = ({ label }: Stage): number =>
    card.stages.includes(label) ? card.stages.indexOf(label) : card.stages.length;
  const reversed = card.ascending === false && card.stages.length === 0 ? -1 : 1;
  const direction = card.ascending ? 1 : -1;
  return stages.toSorted((one, other) => {
    if (one.isRest !== other.isRest) return Number(one.isRest) - Number(other.isRest);
    if (card.sortBy === "stage") return (place(one) - place(other)) * reversed;
    return ((one.cell.value ?? 0) - (other.cell.value ?? 0)) * direction;
  });
}

const ratioTo = (before: Stage | undefined, stage: Stage): number | null =>
  before?.cell.value && stage.cell.value !== null ? stage.cell.value / before.cell.value : null;

function omittedNotes(omitted: readonly Stage[], restCount: number | null, total: Cell | null): CardNote[] {
  if (omitted.length === 0) return [];
  const count = omitted.reduce((sum, { isRest }) => sum + (isRest ? (restCount ?? 1) : 1), 0);
  return [{ code: "omitted_stages", facts: { count, total: total?.text ?? formatNumber(null) } }];
}
