/** Colours of charts: themes over the palette, in the reader's colour scheme. */
import type { CardConfiguration } from "@accord/contracts/insights/cards";
import { CHART_DARK, CHART_LIGHT, DARK, LIGHT, type Token } from "@accord/ui/tokens";

export type Scheme = "light" | "dark";

export interface Palette {
  series: readonly string[];
  /** The colour of the nth series: beyond the palette come paler rounds, so that no two are alike. */
  at(index: number): string;
  /** What was added up is no series like the others. */
  rest: string;
  /** A colour of the configuration as hex; undefined stays undefined. */
  resolve(color: string | undefined): string | undefined;
  token(name: Token): string;
}

/** Places in the palette, by theme. */
const THEMES: Record<CardConfiguration["colorTheme"], readonly number[]> = {
  default: [0, 1, 2, 3, 4, 5, 6, 7],
  ocean: [0, 5, 2, 6, 4, 3, 1, 7],
  sunset: [1, 7, 3, 4, 2, 6, 5, 0],
  mono: [0, 0, 0, 0, 0, 0, 0, 0],
};

/** Shares of the palette's colours in its later rounds. */
const PALER = [0.62, 0.36, 0.8, 0.48, 0.26, 0.7];

export function paletteOf(scheme: Scheme, theme: CardConfiguration["colorTheme"]): Palette {
  const chart: readonly string[] = scheme === "dark" ? CHART_DARK : CHART_LIGHT;
  const tokens = scheme === "dark" ? DARK : LIGHT;
  const named: Record<string, string> = { positive: tokens.ok, warning: tokens.warn, negative: tokens.error };
  const series = THEMES[theme].map((place, at) =>
    theme === "mono" ? blend(chart[0]!, tokens.surface, 1 - at * 0.11) : chart[place]!,
  );
  const at = (index: number): string => {
    const round = Math.floor(index / series.length);
    const color = series[index % series.length] ?? tokens.text;
    return round === 0 ? color : blend(color, tokens.surface, PALER[Math.min(round, PALER.length) - 1] ?? 1);
  };
  return {
    series,
    at,
    rest: blend(tokens["text-3"], tokens.surface, 0.55),
    resolve: (color) => {
      if (color === undefined || color.startsWith("#")) return color;
      return named[color] ?? series[Number(color.slice("chart-".length)) - 1];
    },
    token: (name) => tokens[name],
  };
}

/** The colour of one group: its own, the neutral one of the rest, or the palette's at its place. */
export const groupColor = (
  { color, isRest }: { color: string | undefined; isRest: boolean },
  index: number,
  palette: Palette,
): string => palette.resolve(color) ?? (isRest ? palette.rest : palette.at(index));

/** `share` of the first colour over the second. */
export function blend(over: string, under: string, share: number): string {
  const channel = (hex: string, at: number): number => Number.parseInt(hex.slice(at, at + 2), 16);
  const mixed = [1, 3, 5].map((at) => Math.round(channel(over, at) * share + channel(under, at) * (1 - share)));
  return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
