/** The last step of the wizard: a card begins without a type, and its preview follows what is chosen. */
import { CardConfiguration } from "@accord/contracts/insights/cards";
import { paletteOf } from "@accord/cards/views";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { showScreens } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { CardWizardScreen } from "./card-wizard-screen.tsx";
import { AMOUNTS, ids, number, forEachTest, text, type WizardServer } from "./wizard-server.fixtures.ts";

let server: WizardServer;
forEachTest((started) => (server = started));

const open = (id: string) =>
  showScreens({ "/insights-studio/cards/$dataCardId": CardWizardScreen }, `/insights-studio/cards/${id}`);
const button = (name: string) => page.getByRole("button", { name, exact: true });
const type = (name: string) => page.getByRole("radio", { name, exact: true });
const select = (name: string) => page.getByRole("combobox", { name, exact: true });
const tab = (name: string) => page.getByRole("tab", { name, exact: true });
async function choose(name: string, option: string): Promise<void> {
  await select(name).click();
  await page.getByRole("option", { name: option, exact: true }).click();
  await expect.element(select(name)).toHaveValue(option);
}
/** To the last step of a new card, on the dataset of deals. */
async function newCard(): Promise<void> {
  open("new");
  await page.getByRole("textbox", { name: "Display name" }).fill("Amounts");
  await button("Next").click();
  await choose("Dataset", "Deals (Deal)");
  await button("Next").click();
  await expect.element(page.getByRole("radiogroup", { name: "Chart" })).toBeVisible();
}
const preview = page.getByRole("region", { name: "Preview" });
const chart = preview.getByRole("application");
const isBusy = () => preview.element().querySelector('[aria-busy="true"]') !== null;
const fills = () => [...preview.element().querySelectorAll("svg path")].map((shape) => shape.getAttribute("fill"));
const colour = (name: string) => paletteOf("light", "default").resolve(name);

test("[INS-098] a new card has no type until one is chosen, and is not saved without one", async () => {
  await newCard();
  for (const radio of page.getByRole("radiogroup", { name: "Chart" }).getByRole("radio").elements())
    expect(radio).toHaveAttribute("aria-checked", "false");
  await button("Save card").click();
  await expect.element(page.getByRole("alert").getByText("Viz type cannot be empty.", { exact: true })).toBeVisible();
  expect(server.writes).toEqual([]);
  await type("Column").click();
  await expect.element(page.getByText("Viz type cannot be empty.")).not.toBeInTheDocument();
});

test("[INS-085] nothing is previewed until the setup is complete; then it loads, and the chart is drawn", async () => {
  await newCard();
  await expect.element(preview.getByText("Not complete yet")).toBeVisible();
  await type("Column").click();
  await choose("Category (x-axis): Column", "Status");
  await expect.element(preview.getByText("Not complete yet")).toBeVisible();
  expect(server.previews).toEqual([]);

  const answering = Promise.withResolvers<void>();
  server.held = answering.promise;
  await choose("Values (y-axis): Column", "Amount");
  await expect.poll(isBusy).toBe(true);
  await expect.element(chart).not.toBeInTheDocument();
  answering.resolve();
  await expect.element(chart).toHaveAccessibleDescription(/Open: 65; Paid: 25/);
  expect(isBusy()).toBe(false);
  expect(server.previews).toHaveLength(1);
});

test("[INS-033] the preview follows the axes, the colours and the legend", async () => {
  server.card = CardConfiguration.parse({ ...AMOUNTS, series: [text("owner", "Owner")] });
  open(ids.card);
  await expect.element(chart).toHaveAccessibleDescription(/Open, Ann: 40/);
  await expect.element(preview.getByText("Ann", { exact: true })).toBeVisible();

  await choose("Category (x-axis): Column", "Owner");
  await choose("Series: Column", "Status");
  await expect.element(chart).toHaveAccessibleDescription(/Ann, Open: 40/);
  await choose("Values (y-axis): Column", "Size");
  await expect.element(chart).toHaveAccessibleDescription(/Ann, Open: 4/);

  await tab("Appearance").click();
  await page.getByRole("checkbox", { name: "Show legend" }).click();
  await expect.element(preview.getByText("Open", { exact: true })).not.toBeInTheDocument();
  await page.getByRole("checkbox", { name: "Show legend" }).click();
  await expect.element(preview.getByText("Open", { exact: true })).toBeVisible();
  expect(fills()).not.toContain(colour("chart-6"));
  await button("Colour of Open").click();
  await button("chart-6").click();
  await expect.poll(fills).toContain(colour("chart-6"));
});

test("[INS-034] columns, bars and lines have one form, and each draws the setup of the others", async () => {
  server.card = CardConfiguration.parse({
    ...AMOUNTS,
    stacking: "normal",
    yaxis: [{ ...number("amount", "Amount"), displayFormat: "currency", color: "chart-5" }],
    series: [text("owner", "Owner")],
  });
  open(ids.card);
  const kinds = { Bar: "bar chart", Line: "line chart", Column: "column chart" };
  for (const [name, kind] of Object.entries(kinds)) {
    await type(name).click();
    await expect.element(chart).toHaveAccessibleName(kind);
    await expect.element(chart).toHaveAccessibleDescription(/Open, Ann: \$40/);
    await expect.element(select("Category (x-axis): Column")).toHaveValue("Status");
    await expect.element(select("Category (x-axis): Format")).toHaveValue("Text");
    await expect.element(select("Values (y-axis): Column")).toHaveValue("Amount");
    await expect.element(select("Values (y-axis): Format")).toHaveValue("Currency");
    await expect.element(select("Series: Column")).toHaveValue("Owner");
    await tab("Style").click();
    await expect.element(select("Stacking")).toHaveValue("Stacked");
    await tab("Setup").click();
  }
  await button("Save card").click();
  const before = { vizType: "COLUMN", stacking: "normal", yaxis: [{ color: "chart-5", displayFormat: "currency" }] };
  await expect.poll(() => server.writes).toMatchObject([{ body: { contents: { configuration: before } } }]);
});

test("a table whose column is removed stays in the order of the same column, or has none", async () => {
  const columns = [
    text("status", "Status"),
    text("owner", "Owner"),
    { ...number("size", "Size"), aggregate: undefined },
  ];
  const card = {
    vizType: "TABLE",
    datasetId: ids.dataset,
    columns,
    rowOrder: { column: 1, ascending: false },
  } as const;
  server.card = CardConfiguration.parse(card);
  open(ids.card);
  await expect.element(select("Order")).toHaveValue("Owner, largest first");
  await button("Remove Status").click();
  await expect.element(select("Order")).toHaveValue("Owner, largest first");
  await expect.poll(() => server.previews.at(-1)?.rowOrder).toEqual({ column: 0, ascending: false });
  await button("Remove Owner").click();
  await expect.element(select("Order")).toHaveValue("");
  await expect.poll(() => server.previews.at(-1)?.columns).toHaveLength(1);
  expect(server.previews.at(-1)?.rowOrder).toBeUndefined();
});
