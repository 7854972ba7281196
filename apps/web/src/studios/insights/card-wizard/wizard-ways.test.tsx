/** The ways through the card wizard: its steps in order, forward and back, with a saved dataset or a new one, and out of it. */
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { showScreens } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { DatasetScreen } from "../dataset-screen/dataset-screen.tsx";
import { CardWizardScreen } from "./card-wizard-screen.tsx";
import { ids, forEachTest, type WizardServer } from "./wizard-server.fixtures.ts";

let server: WizardServer;
forEachTest((started) => (server = started));

const AT = "/insights-studio/$dashboardId/$version";
const DRAFT = `/insights-studio/${ids.dashboard}/draft`;
function open(address: string) {
  return showScreens(
    {
      [AT]: () => <h1>The dashboard</h1>,
      [`${AT}/datacard/$dataCardId`]: CardWizardScreen,
      [`${AT}/dataset/$datasetId`]: DatasetScreen,
    },
    address,
  );
}
const button = (name: string) => page.getByRole("button", { name, exact: true });
const box = (name: string) => page.getByRole("textbox", { name, exact: true });
const displayName = page.getByRole("textbox", { name: "Display name" });
const select = (name: string) => page.getByRole("combobox", { name, exact: true });
const type = (name: string) => page.getByRole("radio", { name, exact: true });
const alert = (words: string) => page.getByRole("alert").getByText(words, { exact: true });
async function choose(name: string, option: string): Promise<void> {
  await select(name).click();
  await page.getByRole("option", { name: option, exact: true }).click();
  await expect.element(select(name)).toHaveValue(option);
}
async function addDeals(): Promise<void> {
  await button("Add data").click();
  await page.getByRole("menuitem", { name: "Deal", exact: true }).click();
  await expect.element(page.getByRole("checkbox", { name: "Owner", exact: true })).toBeVisible();
}
/** Names the card, and goes on to its dataset. */
async function nameCard(): Promise<void> {
  open(`${DRAFT}/datacard/new`);
  await displayName.fill("Amounts");
  await button("Next").click();
}

/** Whether the controls come one after the other, as a reader and the Tab key meet them. */
async function expectInOrder(...controls: { element: () => Element }[]): Promise<void> {
  const isInOrder = () =>
    controls.every((control, at) => {
      const next = controls[at + 1]?.element();
      return !next || (control.element().compareDocumentPosition(next) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;
    });
  await expect.poll(isInOrder).toBe(true);
}

test.each<[string, string, () => Promise<void>]>([
  ["a dataset that is chosen", "Use an existing dataset", () => choose("Dataset", "Deals (Deal)")],
  [
    "a new dataset, of which none is chosen",
    "Make a new dataset",
    async () => {
      await addDeals();
      for (const name of ["Status", "Amount"]) await page.getByRole("checkbox", { name, exact: true }).click();
    },
  ],
])(
  "[INS-031] on %s the card is set up in order: type, label, its place, setup, preview",
  async (_what, which, make) => {
    await nameCard();
    await type(which).click();
    await make();
    expect(select("Dataset").query() !== null).toBe(which === "Use an existing dataset");
    await button("Next").click();
    await type("Column").click();
    expect(select("Dataset").query()).toBeNull();
    const position = page.getByRole("radiogroup", { name: "Label position" });
    await expectInOrder(
      page.getByRole("radiogroup", { name: "Chart" }),
      box("Label"),
      page.getByRole("checkbox", { name: "Show label" }),
      position,
      select("Category (x-axis): Column"),
      page.getByRole("region", { name: "Preview" }),
    );
    const places = position.getByRole("radio");
    await expect.element(places.first()).toHaveAttribute("value", "TOP");
    await expect.element(places.last()).toHaveAttribute("value", "BOTTOM");
    await choose("Category (x-axis): Column", "Status");
    await choose("Values (y-axis): Column", "Amount");
    await expect
      .element(page.getByRole("application", { name: "column chart" }))
      .toHaveAccessibleDescription(/Open: 65; Paid: 25/);
  },
);

test("[INS-032] forward and back lose nothing, and Close leaves without saving", async () => {
  await nameCard();
  expect(button("Previous").query()).not.toBeNull();
  await choose("Dataset", "Deals (Deal)");
  await button("Next").click();
  await type("Bar").click();
  await box("Label").fill("By status");
  await choose("Category (x-axis): Column", "Status");
  await button("Previous").click();
  await expect.element(select("Dataset")).toHaveValue("Deals (Deal)");
  await button("Previous").click();
  await expect.element(displayName).toHaveValue("Amounts");
  expect(button("Previous").query()).toBeNull();
  await button("Next").click();
  await button("Next").click();
  await expect.element(type("Bar")).toBeChecked();
  await expect.element(box("Label")).toHaveValue("By status");
  await expect.element(select("Category (x-axis): Column")).toHaveValue("Status");
  await choose("Values (y-axis): Column", "Amount");
  await button("Close").click();
  await expect.element(page.getByRole("heading", { name: "The dashboard" })).toBeVisible();
  expect(server.writes).toEqual([]);
});

test("[INS-032] each type has the tabs that it has settings for, and each tab has some", async () => {
  open(`${DRAFT}/datacard/${ids.card}`);
  const all = ["Setup", "Style", "Variables", "Appearance"];
  const tabs = {
    ...{ Column: all, Bar: all, Line: all, Donut: all, Funnel: all },
    ...{ Metric: ["Setup", "Variables", "Appearance"], Gauge: ["Setup", "Variables", "Appearance"] },
    Table: ["Setup", "Variables"],
  };
  for (const [name, wanted] of Object.entries(tabs)) {
    await type(name).click();
    const names = () =>
      page
        .getByRole("tab")
        .elements()
        .map(({ textContent }) => textContent);
    await expect.poll(names).toEqual(wanted);
    for (const tab of wanted) {
      await page.getByRole("tab", { name: tab }).click();
      const panel = page.getByRole("tabpanel", { name: tab });
      await expect.element(panel).toBeVisible();
      const settings = panel
        .getByRole("combobox")
        .or(panel.getByRole("textbox"))
        .or(panel.getByText(/^This dataset has no variables/));
      await expect.element(settings.first()).toBeVisible();
    }
  }
});

test("[INS-043] a dataset alone is saved without a type of chart, a card is saved together with its new dataset", async () => {
  open(`${DRAFT}/dataset/new`);
  await displayName.fill("Deals by owner");
  await addDeals();
  await page.getByRole("checkbox", { name: "Owner", exact: true }).click();
  expect(page.getByRole("radiogroup", { name: "Chart" }).query()).toBeNull();
  await button("Save dataset").click();
  await expect.element(page.getByRole("heading", { name: "The dashboard" })).toBeVisible();
  const selected = { selectedFields: [{ apiName: "owner" }] };
  expect(server.writes).toMatchObject([
    { method: "POST", path: "/datasets", body: { displayName: "Deals by owner", datasetConfig: selected } },
  ]);

  server.writes = [];
  open(`/insights-studio/${ids.dashboard}/published/datacard/new`);
  await displayName.fill("Deals of owners");
  await button("Next").click();
  await type("Make a new dataset").click();
  await addDeals();
  await page.getByRole("checkbox", { name: "Owner", exact: true }).click();
  await button("Next").click();
  await type("Table").click();
  await choose("Columns: Column", "Owner");
  await button("Save card").click();
  await expect.element(page.getByRole("heading", { name: "The dashboard" })).toBeVisible();
  expect(server.writes).toMatchObject([
    { method: "POST", path: "/datasets", body: { datasetConfig: selected } },
    { method: "POST", path: "/datacards", body: { contents: { configuration: { datasetId: ids.dataset } } } },
  ]);
});

test("[INS-044] closing the wizard and the dataset leads back to the dashboard, in the version they were opened from", async () => {
  for (const version of ["draft", "published"])
    for (const what of ["datacard/new", `datacard/${ids.card}`, "dataset/new", `dataset/${ids.dataset}`]) {
      const router = open(`/insights-studio/${ids.dashboard}/${version}/${what}`);
      await button("Close").click();
      await expect.element(page.getByRole("heading", { name: "The dashboard" })).toBeVisible();
      expect(router.state.location.pathname).toBe(`/insights-studio/${ids.dashboard}/${version}`);
    }
});

test("[INS-096] a new dataset needs a field: a selected one, or a calculated one alone", async () => {
  const refusal = "Select fields and calculated fields cannot be empty.";
  await nameCard();
  await type("Make a new dataset").click();
  await addDeals();
  await button("Next").click();
  await expect.element(alert(refusal)).toBeVisible();
  await expect.element(button("Add data")).toBeVisible();
  await button("Add a calculated field").click();
  await expect.element(alert(refusal)).not.toBeInTheDocument();
  await select("Formula").fill("[deal.amount] * 2");
  await button("Next").click();
  await expect.element(page.getByRole("radiogroup", { name: "Chart" })).toBeVisible();
  await type("Metric").click();
  await select("Columns: Column").click();
  await expect.element(page.getByRole("option", { name: "Calculated field 1" })).toBeVisible();
});
