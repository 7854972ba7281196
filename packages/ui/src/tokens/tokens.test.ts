/** The palette is readable in both schemes, and the style sheet holds exactly the table's colours. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CHART_DARK, CHART_LIGHT, DARK, LIGHT, type Token } from "./tokens.ts";

const channel = (hex: string, at: number) => {
  const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
};
const luminance = (hex: string) => 0.2126 * channel(hex, 1) + 0.7152 * channel(hex, 3) + 0.0722 * channel(hex, 5);
function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

const GROUNDS: Token[] = ["canvas", "surface", "raised"];
const TEXT_PAIRS: [Token, Token][] = [
  ...(["text", "text-2", "text-3", "brand"] as const).flatMap((ink) =>
    GROUNDS.map((ground): [Token, Token] => [ink, ground]),
  ),
  ["sidebar-text", "sidebar"],
  ["on-brand", "brand"],
  ["brand", "brand-soft"],
  ["text", "brand-soft"],
  ...(["ember", "ok", "warn", "error", "info", "idle"] as const).flatMap((ink): [Token, Token][] => [
    [ink, `${ink}-soft`],
    [ink, "surface"],
  ]),
];

const SCHEMES = { light: { colours: LIGHT, chart: CHART_LIGHT }, dark: { colours: DARK, chart: CHART_DARK } };
const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");

for (const [name, { colours, chart }] of Object.entries(SCHEMES)) {
  test(`every text colour of the ${name} scheme reaches 4.5 on each ground it stands on`, () => {
    const weak = TEXT_PAIRS.filter(([ink, ground]) => contrast(colours[ink], colours[ground]) < 4.5);
    expect(weak.map(([ink, ground]) => `${ink} on ${ground} ${contrast(colours[ink], colours[ground])}`)).toEqual([]);
  });

  test(`control borders and chart colours of the ${name} scheme reach 3 on the surface`, () => {
    const weak = [colours["control-border"], ...chart].filter((hex) => contrast(hex, colours.surface) < 3);
    expect(weak).toEqual([]);
  });

  test(`tokens.css holds the ${name} table`, () => {
    const block =
      name === "light" ? css.slice(0, css.indexOf('scheme="dark"')) : css.slice(css.indexOf('scheme="dark"'));
    for (const [token, hex] of Object.entries(colours)) expect(block).toContain(`--ac-${token}: ${hex.toLowerCase()};`);
    chart.forEach((hex, index) => expect(block).toContain(`--ac-chart-${index + 1}: ${hex.toLowerCase()};`));
  });
}

test("the words of the sidebar stay readable on its hover and selected grounds", () => {
  for (const scheme of [css.slice(0, css.indexOf('scheme="dark"')), css.slice(css.indexOf('scheme="dark"'))]) {
    const valueOf = (name: string) => /#[0-9a-f]{6}/.exec(scheme.slice(scheme.indexOf(`--ac-${name}:`)))?.[0] ?? "";
    for (const ground of ["sidebar", "sidebar-hover", "sidebar-active"])
      for (const ink of ["sidebar-text", "sidebar-muted"])
        expect(contrast(valueOf(ink), valueOf(ground)), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  }
});
