/** Marks that something is filtered by stand out: the others of the chart are dimmed. */
import type { FilterMark } from "@accord/contracts/insights/cross-filter";
import type { CardMark } from "@accord/contracts/insights/mark-records";
import type { ChartMarks } from "../chart-marks.ts";
import type { ChartOption } from "./echarts.ts";

/** Whether the mark is, or is a part of, one of the chosen ones. */
export const isChosen = (mark: CardMark | null | undefined, chosen: readonly FilterMark[]): boolean =>
  mark !== null && mark !== undefined && chosen.some((one) => covers(one, mark.groups));

/** What was added up stays the same mark when the values beside it change. */
export const covers = (chosen: FilterMark, groups: FilterMark): boolean =>
  chosen.every(({ column, values, isOthers }) =>
    groups.some(
      (group) =>
        group.column === column &&
        group.isOthers === isOthers &&
        (isOthers || JSON.stringify(group.values) === JSON.stringify(values)),
    ),
  );

const DIMMED = 0.28;

type Look = Record<string, unknown>;

/** The option with all marks dimmed but the chosen ones; itself where none of its marks is. */
export function emphasized(option: ChartOption, marks: ChartMarks, chosen: readonly FilterMark[]): ChartOption {
  const given = option["series"];
  const stands = marks.map((row) => row.map(({ target }) => isChosen(target?.mark, chosen)));
  if (!Array.isArray(given) || !stands.some((row) => row.includes(true))) return option;
  const series: unknown[] = given;
  return { ...option, series: series.map((one, at) => (isLook(one) ? dimmed(one, stands[at]) : one)) };
}

function dimmed(series: Look, stands: readonly boolean[] | undefined): Look {
  const { data } = series;
  if (!stands || !Array.isArray(data)) return series;
  const items: unknown[] = data;
  const isLine = series["type"] === "line";
  return {
    ...series,
    // A line belongs to all of its points.
    ...(isLine ? { lineStyle: faint(series["lineStyle"], DIMMED) } : {}),
    ...(isLine && series["areaStyle"] ? { areaStyle: faint(series["areaStyle"], 0.05) } : {}),
    data: items.map((item, at) => {
      const look = isLook(item) ? item : { value: item };
      if (stands[at]) return isLine ? { ...look, symbolSize: 10 } : look;
      return { ...look, itemStyle: faint(look["itemStyle"], DIMMED) };
    }),
  };
}

const faint = (style: unknown, opacity: number): Look => ({ ...(isLook(style) ? style : {}), opacity });

const isLook = (value: unknown): value is Look => typeof value === "object" && value !== null && !Array.isArray(value);
