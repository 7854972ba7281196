/** Values of variables on a dashboard: for all its cards at once, or for one card in its settings. */
import { Variable } from "@accord/contracts/insights/variables";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { showScreens } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { DashboardScreen } from "./dashboard-screen.tsx";
import { type DashboardServer, ids, startDashboardServer } from "./dashboard-server.fixtures.ts";

let server: DashboardServer;
beforeEach(async () => {
  await page.viewport(1280, 900);
  localStorage.removeItem("accord.insights.sidebar");
  server = startDashboardServer("READ_DASHBOARD", "READ_INSIGHTS", "UPDATE_DASHBOARD", "VIEW_DATACARD");
});
afterEach(async () => {
  server.stop();
  await page.viewport(414, 896);
});

async function openDraft(): Promise<void> {
  const at = "/insights-studio/$dashboardId/$version";
  showScreens({ [at]: DashboardScreen }, `/insights-studio/${ids.draft}/draft`);
  await expect.element(tile("All deals")).toBeVisible();
}
const button = (name: string) => page.getByRole("button", { name, exact: true });
const tile = (name: string) => page.getByRole("region", { name, exact: true });
const dialog = page.getByRole("dialog");
const apply = dialog.getByRole("button", { name: "Apply" });
const isOpen = Variable.parse({ apiName: "isOpen", displayName: "Only open", datatype: "boolean" });
const least = Variable.parse({ apiName: "least", displayName: "Least", datatype: "integer" });

async function openVariables(): Promise<void> {
  await openDraft();
  await button("More").click();
  await page.getByRole("menuitem", { name: "Configure dashboard variables" }).click();
  await expect.element(dialog.getByRole("group", { name: "All deals" })).toBeVisible();
}
const topOf = (card: string) => dialog.getByRole("group", { name: card }).getByRole("textbox", { name: /^Top/ });

async function openSettings(): Promise<void> {
  await openDraft();
  await button("Menu of All deals").click();
  await page.getByRole("menuitem", { name: "Settings on this dashboard" }).click();
  await expect.element(dialog.getByRole("textbox", { name: /^Top/ })).toHaveValue("5");
}

test("[INS-029] nothing can be applied until a value differs from what is there", async () => {
  await openVariables();
  await expect.element(apply).toBeDisabled();
  await topOf("All deals").fill("3");
  await expect.element(apply).toBeEnabled();
  await topOf("All deals").fill("5");
  await expect.element(apply).toBeDisabled();

  await openSettings();
  await expect.element(apply).toBeDisabled();
  await dialog.getByRole("textbox", { name: /^Top/ }).fill("3");
  await expect.element(apply).toBeEnabled();
  await dialog.getByRole("textbox", { name: /^Top/ }).fill("5");
  await expect.element(apply).toBeDisabled();
  expect(server.writes).toEqual([]);
});

test("[INS-030] the variables of all cards are set in one place, and the cards that use them follow", async () => {
  await openVariables();
  await expect.element(topOf("All deals")).toHaveValue("5");
  await expect.element(topOf("Offers")).toHaveValue("5");
  await topOf("All deals").fill("3");
  await apply.click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(tile("All deals").getByText("30")).toBeVisible();
  await expect.element(tile("Offers").getByText("50")).toBeVisible();
  await openVariables();
  await expect.element(topOf("All deals")).toHaveValue("3");
});

test("[INS-030] a variable is set though another one of the card never had a value", async () => {
  server.variables = [...server.variables, least];
  await openVariables();
  await topOf("Offers").fill("7");
  await apply.click();
  await expect.element(tile("Offers").getByText("70")).toBeVisible();
});

test("an emptied variable is refused where it stands, and nothing else is lost", async () => {
  await openVariables();
  await topOf("All deals").fill("3");
  await topOf("Offers").fill("");
  await apply.click();
  await expect.element(topOf("Offers")).toHaveAccessibleDescription(/must not be empty/);
  await expect.element(topOf("All deals")).not.toHaveAccessibleDescription(/must not be empty/);
  await topOf("Offers").fill("4");
  await apply.click();
  await expect.element(tile("Offers").getByText("40")).toBeVisible();
  await expect.element(tile("All deals").getByText("30")).toBeVisible();
});

test("[INS-111] every item in the settings of a card is required, and the one left empty is named", async () => {
  server.variables = [...server.variables, least];
  await openSettings();
  const item = (name: RegExp) => dialog.getByRole("textbox", { name });
  await item(/^Least/).fill("1");
  await item(/^Top/).fill("");
  await apply.click();
  await expect.element(item(/^Top/)).toHaveAccessibleDescription(/must not be empty/);
  await expect.element(item(/^Least/)).not.toHaveAccessibleDescription(/must not be empty/);
  await expect.element(tile("All deals").getByText("50")).toBeInTheDocument();
  await item(/^Top/).fill("2");
  await item(/^Least/).fill("");
  await apply.click();
  await expect.element(item(/^Least/)).toHaveAccessibleDescription(/must not be empty/);
  await item(/^Least/).fill("1");
  await apply.click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(tile("All deals").getByText("20")).toBeVisible();
});

test("[INS-111] a switch that was never set is sent as it is shown: off", async () => {
  server.variables = [...server.variables, isOpen];
  await openSettings();
  await expect.element(dialog.getByRole("switch", { name: "Only open" })).not.toBeChecked();
  await expect.element(apply).toBeDisabled();
  await dialog.getByRole("textbox", { name: /^Top/ }).fill("3");
  await apply.click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(tile("All deals").getByText("30")).toBeVisible();
  expect(server.writes).toMatchObject([{ body: { configuration: { top: 3, isOpen: false } } }]);
});

test("[INS-111] what the server refuses of a switch stands at the switch", async () => {
  const answered = globalThis.fetch;
  const errors = [{ path: "configuration.isOpen", message: "is no variable of this card" }];
  const refusal = { code: "validation_failed", message: "Some fields are not valid.", errors };
  globalThis.fetch = async (input, init) =>
    String(input).endsWith("/datacard-settings") ? Response.json(refusal, { status: 400 }) : answered(input, init);
  server.variables = [...server.variables, isOpen];
  await openSettings();
  // A refusal stands within its label, and is part of its name.
  const onlyOpen = dialog.getByRole("switch", { name: /^Only open/ });
  await onlyOpen.click();
  await expect.element(onlyOpen).toBeChecked();
  await apply.click();
  await expect.element(onlyOpen).toHaveAccessibleDescription("is no variable of this card");
  await expect.element(dialog.getByText("is no variable of this card")).toBeVisible();
});
