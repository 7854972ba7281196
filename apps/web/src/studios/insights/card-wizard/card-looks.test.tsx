/** How a card looks is chosen in the wizard, drawn at once, saved, and there again when the card is opened. */
import { paletteOf } from "@accord/cards/views";
import { CardConfiguration, type CardConfigurationInput } from "@accord/contracts/insights/cards";
import { Variable } from "@accord/contracts/insights/variables";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { queryClient } from "../../../app/queries.ts";
import { showScreens } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { CardWizardScreen } from "./card-wizard-screen.tsx";
import { AMOUNTS, ids, number, forEachTest, text, type WizardServer } from "./wizard-server.fixtures.ts";

let server: WizardServer;
forEachTest((started) => (server = started));

function open(card: CardConfigurationInput = server.card): void {
  server.card = CardConfiguration.parse(card);
  queryClient.removeQueries({ queryKey: ["getDataCard"] });
  showScreens({ "/insights-studio/cards/$dataCardId": CardWizardScreen }, `/insights-studio/cards/${ids.card}`);
}
const button = (name: string) => page.getByRole("button", { name, exact: true });
const select = (name: string) => page.getByRole("combobox", { name, exact: true });
const check = (name: string) => page.getByRole("checkbox", { name, exact: true });
const tab = (name: string) => page.getByRole("tab", { name, exact: true });
/** One of the places that a legend or label can stand at. */
const place = (group: string, name: string) =>
  page.getByRole("radiogroup", { name: group }).getByRole("radio", { name, exact: true });
/** The radio itself lies under its word. */
const put = (group: string, name: string) =>
  page.getByRole("radiogroup", { name: group }).getByText(name, { exact: true }).click();
async function choose(name: string, option: string): Promise<void> {
  await select(name).click();
  await page.getByRole("option", { name: option, exact: true }).click();
  await expect.element(select(name)).toHaveValue(option);
}
/** Saves the card and opens it again as it is stored. */
async function saveAndReopen(): Promise<void> {
  const before = server.writes.length;
  await button("Save card").click();
  await expect.poll(() => server.writes.length).toBe(before + 1);
  open();
}

const preview = page.getByRole("region", { name: "Preview" });
const chart = preview.getByRole("application");
const boxOf = (words: string) => preview.getByText(words, { exact: true }).element().getBoundingClientRect();
const middle = () => {
  const { top, bottom, left, right } = chart.element().getBoundingClientRect();
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
};
const shapes = () => [...preview.element().querySelectorAll<SVGPathElement>("svg path")];
const fills = () => shapes().map((shape) => shape.getAttribute("fill"));
const ON_DEALS = { datasetId: ids.dataset };
const split: CardConfigurationInput = { ...AMOUNTS, series: [text("owner", "Owner")] };

test("[INS-055] the legend and the values are shown, placed and hidden as chosen, and stay so", async () => {
  open(split);
  const legend = preview.getByText("Ann", { exact: true });
  await expect.element(legend).toBeVisible();
  expect(boxOf("Ann").top).toBeGreaterThan(middle().y);
  expect(preview.getByText("40", { exact: true }).elements()).toHaveLength(1);
  await tab("Appearance").click();
  await put("Legend position", "Top");
  await expect.poll(() => boxOf("Ann").bottom).toBeLessThan(middle().y);
  await check("Show values").click();
  // One on the axis, and one at its column.
  await expect.poll(() => preview.getByText("40", { exact: true }).elements().length).toBe(2);
  await saveAndReopen();
  await expect.element(legend).toBeVisible();
  expect(boxOf("Ann").bottom).toBeLessThan(middle().y);
  await tab("Appearance").click();
  await expect.element(place("Legend position", "Top")).toBeChecked();
  await expect.element(check("Show values")).toBeChecked();
  await check("Show legend").click();
  await expect.element(legend).not.toBeInTheDocument();
  await saveAndReopen();
  await tab("Appearance").click();
  await expect.element(check("Show legend")).not.toBeChecked();
  await expect.element(chart).toBeVisible();
  await expect.element(legend).not.toBeInTheDocument();
});

test("[INS-058] series are stacked either way, in the colours and the theme that were chosen, and stay so", async () => {
  server.variables = [Variable.parse({ apiName: "top", displayName: "Top", datatype: "string" })];
  open(split);
  await expect.element(chart).toBeVisible();
  /** The highest number at the value axis. */
  const highest = () =>
    Math.max(
      ...[...preview.element().querySelectorAll("svg text")]
        .map(({ textContent }) => Number.parseFloat(textContent))
        .filter((value) => !Number.isNaN(value)),
    );
  await expect.poll(highest).toBe(40);
  await tab("Style").click();
  await choose("Stacking", "Stacked");
  await expect.poll(highest).toBeGreaterThanOrEqual(65);
  await choose("Stacking", "Stacked to 100%");
  await expect.poll(highest).toBe(100);
  await expect.element(preview.getByText("100%", { exact: true })).toBeVisible();

  const sunset = paletteOf("light", "sunset");
  await tab("Appearance").click();
  await choose("Colour theme", "Sunset");
  await expect.poll(fills).toContain(sunset.at(0));
  await button("Colour of Ann").click();
  await button("chart-4").click();
  await expect.poll(fills).toContain(sunset.resolve("chart-4"));
  await expect.poll(fills).not.toContain(sunset.at(0));
  await tab("Variables").click();
  await page.getByRole("textbox", { name: "Top" }).fill("three");

  await saveAndReopen();
  const chosen = { colorTheme: "sunset", stacking: "percent", categoryValues: [{ name: "Ann", color: "chart-4" }] };
  expect(server.card).toMatchObject({ ...chosen, variablesMap: { top: "three" } });
  await expect.poll(fills).toContain(sunset.resolve("chart-4"));
  await expect.poll(highest).toBe(100);
  await tab("Variables").click();
  await expect.element(page.getByRole("textbox", { name: "Top" })).toHaveValue("three");
});

test.each<[string, CardConfigurationInput, string]>([
  ["a single column", AMOUNTS, "Open"],
  ["a bar", { ...AMOUNTS, vizType: "BAR" }, "Paid"],
  [
    "a slice of a donut",
    { ...ON_DEALS, vizType: "PIE", category: text("owner", "Owner"), value: number("amount", "Amount") },
    "Bob",
  ],
  [
    "a stage of a funnel",
    { ...ON_DEALS, vizType: "FUNNEL", dataField: text("status", "Status"), measure: number("amount", "Amount") },
    "Paid",
  ],
])("[INS-058] %s is recoloured by its name, and gets its own colour back", async (_what, card, name) => {
  open(card);
  await expect.element(chart).toBeVisible();
  const chosen = paletteOf("light", "default").resolve("chart-7");
  expect(fills()).not.toContain(chosen);
  await tab("Appearance").click();
  await button(`Colour of ${name}`).click();
  await button("chart-7").click();
  await expect.poll(fills).toContain(chosen);
  await button(`Colour of ${name}`).click();
  await button("chart-7").click();
  await expect.poll(fills).not.toContain(chosen);
});

test("[INS-059] a funnel has its labels beside or inside its steps, with values, a legend or ratios", async () => {
  open({
    ...{ ...ON_DEALS, vizType: "FUNNEL", sortBy: "value" },
    ...{ measure: number("amount", "Amount"), dataField: text("status", "Status") },
  });
  await expect.element(preview.getByText("Open · 65")).toBeVisible();
  /** Whether the text stands on a step. */
  const isInside = (words: string) => {
    const { left, right, top, bottom } = boxOf(words);
    const at = new DOMPoint((left + right) / 2, (top + bottom) / 2);
    return shapes().some((shape) => {
      const fill = shape.getAttribute("fill");
      const matrix = shape.getScreenCTM()?.inverse();
      return fill !== null && fill !== "none" && matrix && shape.isPointInFill(at.matrixTransform(matrix));
    });
  };
  expect(isInside("Open · 65")).toBe(false);
  await tab("Style").click();
  await put("Labels of the stages", "Inside");
  await expect.poll(() => isInside("Open · 65")).toBe(true);
  await put("Labels of the stages", "Right");
  await expect.poll(() => isInside("Open · 65")).toBe(false);

  await choose("Beside each stage", "Step-to-step ratio");
  await expect.element(preview.getByText(/^Paid · 38(\.\d+)?%$/)).toBeVisible();
  await expect.element(preview.getByText("Open · 65")).not.toBeInTheDocument();
  await choose("Beside each stage", "Legend only");
  await expect.element(preview.getByText("Open", { exact: true })).toBeVisible();
  await expect.element(preview.getByText(/·/)).not.toBeInTheDocument();
  await saveAndReopen();
  expect(server.card).toMatchObject({ displayAdditional: "legends", labelPosition: "RIGHT" });
  await expect.element(preview.getByText("Open", { exact: true })).toBeVisible();
});
