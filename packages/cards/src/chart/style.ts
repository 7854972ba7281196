/** How axes, legends and tooltips look in every chart. Tooltips are built as text nodes: data can't become markup. */
import type { Palette } from "./palette.ts";

export const FONT = { fontFamily: "Geist Variable, system-ui, sans-serif", fontSize: 12 } as const;

/** Width a text takes, roughly: enough to decide whether labels fit. */
export const textWidth = (text: string): number => text.length * 6.6;

export const shorten = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

export interface TooltipLine {
  color: string;
  name: string;
  value: string;
}

export function tooltipStyle(palette: Palette) {
  return {
    backgroundColor: palette.token("surface"),
    borderColor: palette.token("hairline"),
    borderWidth: 1,
    padding: [8, 10],
    textStyle: { ...FONT, color: palette.token("text") },
    confine: true,
    extraCssText: "border-radius:8px;box-shadow:var(--ac-shadow-pop)",
  };
}

export function tooltipContent(title: string, lines: readonly TooltipLine[]): HTMLElement {
  const root = document.createElement("div");
  const head = root.appendChild(document.createElement("div"));
  head.textContent = title;
  head.className = "ac-chart-tip__title";
  for (const line of lines) {
    const row = root.appendChild(document.createElement("div"));
    row.className = "ac-chart-tip__line";
    const dot = row.appendChild(document.createElement("span"));
    dot.className = "ac-chart-tip__dot";
    dot.style.background = line.color;
    const name = row.appendChild(document.createElement("span"));
    name.textContent = line.name;
    const value = row.appendChild(document.createElement("strong"));
    value.textContent = line.value;
  }
  return root;
}

/** Legends and series are tied together by keys; what is read are the labels. */
export function legendStyle(palette: Palette, position: string, groups: readonly { key: string; label: string }[]) {
  const labels = new Map(groups.map(({ key, label }) => [key, label]));
  const side = position === "LEFT" || position === "RIGHT";
  return {
    show: true,
    type: "scroll",
    data: groups.map(({ key }) => key),
    formatter: (key: string) => labels.get(key) ?? key,
    icon: "circle",
    itemWidth: 8,
    itemHeight: 8,
    itemGap: side ? 10 : 16,
    orient: side ? "vertical" : "horizontal",
    ...(position === "TOP" ? { top: 0 } : position === "BOTTOM" ? { bottom: 0 } : { top: "middle" }),
    ...(position === "LEFT" ? { left: 0 } : position === "RIGHT" ? { right: 0 } : { left: "center" }),
    textStyle: { ...FONT, color: palette.token("text-2"), overflow: "truncate", width: side ? 110 : 150 },
    pageTextStyle: { color: palette.token("text-2") },
    pageIconColor: palette.token("text-2"),
    pageIconInactiveColor: palette.token("hairline"),
  };
}
