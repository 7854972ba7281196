/** The card wizard keeps what was set up when the type changes, and says which part of the setup is missing. */
import { getCurrentUser } from "@accord/contracts/identity/users";
import { CardConfiguration } from "@accord/contracts/insights/cards";
import { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { showScreens } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { CardWizardScreen } from "./card-wizard-screen.tsx";

const DATASET = "00000000000000000000000d";
const NOW = "2026-06-01T08:00:00.000Z";
const network = globalThis.fetch;
let datasets: unknown[];
let created: { path: string; body: unknown }[];

function answer(path: string, body: unknown): Response {
  const about = { id: DATASET, displayName: "Deals", name: "deals", description: "", tags: [], updatedAt: NOW };
  if (path === "/datasets") return Response.json({ datasets, entities: [] });
  if (path === `/datasets/${DATASET}`)
    return Response.json({
      dataset: { ...about, datasetConfig: DatasetConfig.parse({}), version: 1 },
      columns: [
        { name: "status", displayName: "Status", dataType: "string" },
        { name: "amount", displayName: "Amount", dataType: "decimal" },
      ],
      problems: [],
    });
  const axis = (column: string, displayName: string) => ({ column, name: column, displayName, displayFormat: "text" });
  const configuration = CardConfiguration.parse({
    ...{ vizType: "COLUMN", datasetId: DATASET, xaxis: axis("status", "Status") },
    yaxis: [{ ...axis("amount", "Amount"), displayFormat: "number", aggregate: "sum" }],
  });
  if (path === `/datacards/${DATASET}`)
    return Response.json({
      ...{ ...about, vizType: "COLUMN", configuration: {}, configurationMeta: [], version: 1 },
      contents: { configuration },
    });
  if (path.endsWith("/dependencies")) return Response.json({ dependencies: [], publishedOn: [] });
  if (path === "/datacards") created.push({ path, body });
  return Response.json({ code: "not_found", message: "Not found" }, { status: 404 });
}
beforeEach(() => {
  queryClient.clear();
  created = [];
  const by = { createdBy: "Ada", updatedBy: "Ada", cards: 0, sources: ["Deal"] };
  datasets = [{ id: DATASET, displayName: "Deals", name: "deals", description: "", tags: [], updatedAt: NOW, ...by }];
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["CREATE_DATACARD", "UPDATE_DATACARD"] });
  globalThis.fetch = async (path, init) => {
    const [, call] = String(path).split("/api/v1");
    if (call === undefined) return network(path, init);
    return answer(call.split("?")[0] ?? "", typeof init?.body === "string" ? JSON.parse(init.body) : undefined);
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

const select = (name: string) => page.getByRole("combobox", { name, exact: true });
const type = (name: string) => page.getByRole("radio", { name, exact: true });
const next = () => page.getByRole("button", { name: "Next" }).click();
async function choose(name: string, option: string) {
  await select(name).click();
  await page.getByRole("option", { name: option, exact: true }).click();
  await expect.element(select(name)).toHaveValue(option);
}

/** Opens the wizard without a dashboard. */
function open(id: string) {
  showScreens({ "/insights-studio/cards/$dataCardId": CardWizardScreen }, `/insights-studio/cards/${id}`);
}

async function nameCard() {
  open("new");
  await page.getByRole("textbox", { name: "Display name" }).fill("Amounts");
  await next();
}

async function toSetup() {
  await nameCard();
  await choose("Dataset", "Deals (Deal)");
  await next();
  await type("Column").click();
}

test("[INS-086] category and values are kept while the type changes, and are there again", async () => {
  open(DATASET);
  await expect.element(select("Category (x-axis): Column")).toHaveValue("Status");
  await type("Donut").click();
  await expect.element(select("Category: Column")).toHaveValue("Status");
  await expect.element(select("Value: Column")).toHaveValue("Amount");
  await type("Gauge").click();
  await expect.element(select("Columns: Column")).toHaveValue("Amount");
  await expect.element(page.getByText("Kept for chart types that have a slot for it: Status")).toBeVisible();
  await type("Table").click();
  await expect.element(select("Columns: Column").nth(1)).toHaveValue("Amount");
  await expect.element(select("Columns: Column").first()).toHaveValue("Status");
  await expect.element(page.getByText(/^Kept for chart types/)).not.toBeInTheDocument();
  await type("Column").click();
  await expect.element(select("Category (x-axis): Column")).toHaveValue("Status");
  await expect.element(select("Values (y-axis): Column")).toHaveValue("Amount");
});

test("the arrow keys choose the type, and the group is one stop of the Tab key", async () => {
  open(DATASET);
  await expect.element(type("Column")).toBeChecked();
  (type("Column").element() as HTMLElement).focus();
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(type("Bar")).toBeChecked();
  await expect.element(type("Bar")).toHaveFocus();
  await userEvent.keyboard("{ArrowLeft}");
  await expect.element(type("Column")).toHaveFocus();
  await userEvent.keyboard("{ArrowLeft}");
  await expect.element(type("Funnel")).toBeChecked();
  await userEvent.keyboard("{Tab}");
  await expect.element(page.getByRole("textbox", { name: "Label" })).toHaveFocus();
});

test("a card that can't be saved yet names the part of the setup that is missing", async () => {
  await toSetup();
  await choose("Category (x-axis): Column", "Status");
  await page.getByRole("button", { name: "Save card" }).click();
  await expect.element(page.getByText("Values (y-axis): Choose a column.")).toBeVisible();
  const banner = page.getByRole("alert").element().getBoundingClientRect();
  expect(type("Column").element().getBoundingClientRect().top - banner.bottom).toBeGreaterThanOrEqual(8);
  expect(created).toEqual([]);
});

test("where there are datasets one of them is offered, else a new one", async () => {
  await nameCard();
  await expect.element(page.getByRole("radio", { name: "Use an existing dataset" })).toBeChecked();
  await page.getByRole("radio", { name: "Make a new dataset" }).click();
  await expect.element(page.getByRole("radio", { name: "Make a new dataset" })).toBeChecked();
  datasets = [];
  queryClient.removeQueries();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["CREATE_DATACARD", "UPDATE_DATACARD"] });
  await nameCard();
  await expect.element(page.getByRole("radio", { name: "Make a new dataset" })).toBeChecked();
});

test("[INS-118] who may change cards but not create them is kept from making one at its address", async () => {
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["UPDATE_DATACARD"], orgName: "Org" });
  open("new");
  await expect.element(page.getByRole("heading", { name: "You don't have access to this" })).toBeVisible();
  await expect.element(page.getByRole("textbox", { name: "Display name" })).not.toBeInTheDocument();
});

test.each([
  [["CREATE_DATACARD", "UPDATE_DATACARD", "UPDATE_DASHBOARD"], "Add to dashboard"],
  [["CREATE_DATACARD", "UPDATE_DATACARD"], "Save card"],
])("[INS-118] opened from a draft, with %j, it offers to: %s", async (permissions, offered) => {
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions, orgName: "Org" });
  const at = "/insights-studio/$dashboardId/$version/datacard/$dataCardId/$copy";
  showScreens({ [at]: CardWizardScreen }, `/insights-studio/${DATASET}/draft/datacard/${DATASET}/copy-add`);
  await expect.element(page.getByRole("button", { name: offered, exact: true })).toBeVisible();
  const buttons = page.getByRole("button", { name: /^(Add to dashboard|Save card)$/ });
  expect(buttons.elements()).toHaveLength(1);
});

test("[INS-143] a card on a dataset without variables says in its Variables tab how there come to be some", async () => {
  open(DATASET);
  await page.getByRole("tab", { name: "Variables" }).click();
  await expect
    .element(page.getByText(/Add variables in its filters, groups and limits to make it configurable\./))
    .toBeVisible();
});
