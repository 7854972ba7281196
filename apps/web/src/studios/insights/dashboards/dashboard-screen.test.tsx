/** A dashboard offers what the permissions of whoever looks allow, and sends its whole layout when a card is added. */
import { id, type Permission } from "@accord/contracts";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { CardConfiguration, type CardData } from "@accord/contracts/insights/cards";
import { Dashboard } from "@accord/contracts/insights/dashboards";
import { Notifications, notifications } from "@mantine/notifications";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { showScreens } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { CardWizardScreen } from "../card-wizard/card-wizard-screen.tsx";
import { DatasetScreen } from "../dataset-screen/dataset-screen.tsx";
import { DashboardScreen } from "./dashboard-screen.tsx";

const DASHBOARD = id("dashboard").parse("d".repeat(24));
const DATASET = id("dataset").parse("e".repeat(24));
const DEALS = id("dataCard").parse("a".repeat(24));
const BROKEN = id("dataCard").parse("b".repeat(24));
const NEW = id("dataCard").parse("c".repeat(24));
const NOW = "2026-06-01T08:00:00.000Z";
const DRAFT = "/insights-studio/dddddddddddddddddddddddd/draft";
const PUBLISHED = "/insights-studio/dddddddddddddddddddddddd";

const dashboard = (isDraft: boolean): Dashboard =>
  Dashboard.parse({
    ...{ id: DASHBOARD, displayName: "Sales", name: "sales", description: "", tags: [], variables: [], version: 1 },
    ...{ draftStatus: isDraft ? "NEW" : "APPROVED", draft: null, parentId: isDraft ? DASHBOARD : null },
    ...{ seeded: false, isExample: false, createdBy: "Ada", updatedAt: NOW },
    dataCards: [
      { id: DEALS, layout: { i: DEALS, x: 0, y: 0, w: 4, h: 2 } },
      { id: BROKEN, layout: { i: BROKEN, x: 4, y: 0, w: 4, h: 2 } },
    ],
  });
const metric = CardConfiguration.parse({
  vizType: "METRIC",
  datasetId: DATASET,
  columns: [{ column: "amount", name: "amount", displayName: "Amount", displayFormat: "number", aggregate: "sum" }],
});
const data: CardData = {
  columns: [{ name: "c0", displayName: "Amount", dataType: "integer" }],
  rows: [{ c0: 42 }],
  ...{ reduction: null, asOf: NOW, dataAsOf: null, label: "" },
};
const card = (cardId: string, displayName: string) => ({
  ...{ id: cardId, displayName, description: "", configuration: metric, variables: [] },
});
const listed = (cardId: string, displayName: string) => ({
  ...{ id: cardId, displayName, name: displayName.toLowerCase(), description: "", tags: [], vizType: "METRIC" },
  ...{ datasetId: DATASET, datasetName: "Deals", updatedAt: NOW, updatedBy: "Ada", createdBy: "Ada", dashboards: [] },
});

const network = globalThis.fetch;
let stored: Dashboard;
let sent: { path: string; body: Record<string, unknown> }[];
let refusal: Response | undefined;

function answer(path: string, method: string, body: Record<string, unknown>): Response {
  if (path === `/dashboards/${DASHBOARD}` && method === "PUT") {
    sent.push({ path, body });
    if (refusal) return refusal;
    stored = Dashboard.parse({ ...stored, dataCards: body["dataCards"], version: stored.version + 1 });
    return Response.json(stored);
  }
  const cards = [card(DEALS, "All deals"), card(BROKEN, "Gone"), card(NEW, "Open deals")];
  if (path === `/dashboards/${DASHBOARD}`)
    return Response.json({ dashboard: stored, cards, unpublishedChanges: [], reverts: [] });
  if (path === "/datacards")
    return Response.json({ dataCards: [listed(DEALS, "All deals"), listed(NEW, "Open deals")] });
  if (path === "/datasets") {
    const by = { createdBy: "Ada", updatedBy: "Ada", cards: 2, sources: ["Deal"], tags: [], updatedAt: NOW };
    return Response.json({
      datasets: [{ id: DATASET, displayName: "Deals", name: "deals", description: "", ...by }],
      entities: [],
    });
  }
  if (path.endsWith("/data") && !path.includes(BROKEN)) return Response.json({ data, unfiltered: [] });
  return Response.json({ code: "not_found", message: "The dataset of this card is gone." }, { status: 404 });
}
beforeEach(async () => {
  // Wide enough for the panel beside the dashboard.
  await page.viewport(1280, 900);
  notifications.clean();
  sent = [];
  refusal = undefined;
  globalThis.fetch = async (input, init) => {
    const [, call] = String(input).split("/api/v1");
    if (call === undefined) return network(input, init);
    const body: Record<string, unknown> = typeof init?.body === "string" ? JSON.parse(init.body) : {};
    return answer(call.split("?")[0] ?? "", init?.method ?? "GET", body);
  };
});
afterEach(async () => {
  globalThis.fetch = network;
  // As it is for the other files on this page.
  await page.viewport(414, 896);
});

const Dashboards = () => (
  <>
    <Notifications />
    <DashboardScreen />
  </>
);

/** Of somebody who may look at dashboards and change drafts, and has what is named beside it. */
function open(address: string, ...more: Permission[]): void {
  stored = dashboard(address !== PUBLISHED);
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), {
    id: "1",
    permissions: ["READ_DASHBOARD", "READ_INSIGHTS", "UPDATE_DASHBOARD", ...more],
  });
  const at = "/insights-studio/$dashboardId";
  const screens = {
    ...{ [at]: Dashboards, [`${at}/$version`]: Dashboards },
    [`${at}/$version/datacard/$dataCardId`]: CardWizardScreen,
    [`${at}/$version/datacard/$dataCardId/$copy`]: CardWizardScreen,
    [`${at}/$version/dataset/$datasetId`]: DatasetScreen,
  };
  showScreens(screens, address);
}

const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
const entry = (name: string) => page.getByRole("menuitem", { name, exact: true });
const tab = (name: string) => page.getByRole("tab", { name, exact: true });
async function openMenu(name: string): Promise<void> {
  await button(name).click();
  await expect.element(page.getByRole("menu")).toBeVisible();
}

test.each<[string, Permission[], boolean]>([
  ["offered with both permissions", ["CREATE_DATACARD", "UPDATE_DATACARD", "VIEW_DATACARD"], true],
  ["not offered with that to create alone", ["CREATE_DATACARD", "VIEW_DATACARD"], false],
  ["not offered with that to change alone", ["UPDATE_DATACARD", "VIEW_DATACARD"], false],
])("[INS-118] new cards are %s", async (_which, permissions, isOffered) => {
  open(`${DRAFT}?library=cards`, ...permissions);
  await expect.element(page.getByRole("heading", { name: "Add a card" })).toBeVisible();
  await expect.element(tab("Data cards")).toBeVisible();
  expect(button("Add card").query() !== null).toBe(isOffered);
  expect(button("New card").query() !== null).toBe(isOffered);
});

const EDITING = ["Edit card", "Make a copy", "Alerts…"];
test.each<[string, Permission[], string[], string[]]>([
  ["editing cards leads to the card", ["UPDATE_DATACARD"], ["Edit card", "Alerts…"], ["Make a copy", "Edit dataset"]],
  [
    "editing and creating cards leads to the card and its copy",
    ["UPDATE_DATACARD", "CREATE_DATACARD"],
    EDITING,
    ["Edit dataset"],
  ],
  ["editing datasets leads to the dataset of a card", ["UPDATE_DATASET"], ["Edit dataset"], EDITING],
  ["without either the menu of a card edits nothing", [], [], [...EDITING, "Edit dataset"]],
])("[INS-119] [INS-121] %s", async (_what, permissions, offered, hidden) => {
  open(PUBLISHED, ...permissions);
  await openMenu("Menu of All deals");
  for (const name of offered) await expect.element(entry(name)).toBeVisible();
  for (const name of hidden) expect(entry(name).query()).toBeNull();
});

test.each<[string, string, Permission[]]>([
  ["a card", `${DRAFT}/datacard/${DEALS}`, ["UPDATE_DATACARD"]],
  ["a new card", `${DRAFT}/datacard/new`, ["CREATE_DATACARD", "UPDATE_DATACARD"]],
  ["the copy of a card", `${DRAFT}/datacard/${DEALS}/copy`, ["CREATE_DATACARD", "UPDATE_DATACARD"]],
  ["a dataset", `${DRAFT}/dataset/${DATASET}`, ["UPDATE_DATASET"]],
])(
  "[INS-119] [INS-121] the address of %s opens for those who may save it, and says why for others",
  async (_of, address, needed) => {
    const refused = page.getByText("You don't have access to this");
    const without: Permission[][] = [[], ...needed.map((one) => needed.filter((other) => other !== one))];
    for (const permissions of without) {
      open(address, ...permissions);
      await expect.element(refused).toBeVisible();
    }
    open(address, ...needed);
    await expect.element(refused).not.toBeInTheDocument();
    await expect.element(page.getByRole("heading").first()).toBeVisible();
  },
);

test.each<[string, Permission[], boolean]>([
  ["who may view data cards finds", ["VIEW_DATACARD"], true],
  ["who may not view data cards doesn't find", [], false],
])("[INS-120] %s the cards to add and the variables of the dashboard", async (_who, permissions, isThere) => {
  open(`${DRAFT}?library=cards`, "CREATE_DASHBOARD", ...permissions);
  await expect.element(tab("Datasets")).toBeVisible();
  expect(tab("Data cards").query() !== null).toBe(isThere);
  if (!isThere) await expect.element(page.getByText("Deals", { exact: true })).toBeVisible();
  await openMenu("More");
  expect(entry("Configure dashboard variables").query() !== null).toBe(isThere);
});

test("[INS-022] a draft and a published dashboard offer what each can do, and the version to look at", async () => {
  const all: Permission[] = [
    ...(["CREATE_DASHBOARD", "PUBLISH_DASHBOARD", "DELETE_DASHBOARD", "SHARE_DASHBOARD"] as const),
    ...(["READ_SHARED_DASHBOARD_DETAILS", "VIEW_DATACARD", "CREATE_DATACARD", "UPDATE_DATACARD"] as const),
  ];
  const inMenu = async (): Promise<string[]> => {
    await openMenu("More");
    const names = page.getByRole("menuitem").elements();
    return names.map((element) => element.textContent ?? "");
  };
  open(PUBLISHED, ...all);
  await expect.element(page.getByRole("radiogroup", { name: "Version" })).toBeVisible();
  await expect.element(page.getByRole("radio", { name: "Published" })).toBeChecked();
  for (const name of ["Create draft", "Share with"]) await expect.element(button(name)).toBeVisible();
  for (const name of ["Publish", "Add card"]) expect(button(name).query()).toBeNull();
  expect(await inMenu()).toEqual(["New", "Settings", "Configure dashboard variables", "Sharing details", "Delete"]);
  await userEvent.keyboard("{Escape}");
  open(DRAFT, ...all);
  await expect.element(page.getByRole("radio", { name: "Draft" })).toBeChecked();
  for (const name of ["Publish", "Add card"]) await expect.element(button(name)).toBeVisible();
  for (const name of ["Create draft", "Share with"]) expect(button(name).query()).toBeNull();
  expect(await inMenu()).toEqual(["New", "Settings", "Configure dashboard variables", "Delete"]);
});

test("[INS-088] [INS-139] a card is added at the next free place, with the whole layout of the dashboard", async () => {
  open(`${DRAFT}?library=cards`, "VIEW_DATACARD", "CREATE_DATACARD", "UPDATE_DATACARD");
  await button("Add to dashboard: Open deals").click();
  await expect.element(page.getByText("Data card added")).toBeVisible();
  const layouts = stored.dataCards.map(({ layout }) => layout);
  expect(sent).toHaveLength(1);
  expect(layouts.slice(0, 2)).toEqual(dashboard(true).dataCards.map(({ layout }) => layout));
  expect(layouts[2]).toMatchObject({ i: NEW, x: 8, y: 0 });
  await expect.element(button("Add to dashboard: Open deals")).toBeDisabled();
});

test("[INS-139] a card that the server refuses is not on the dashboard, and the reason is shown", async () => {
  open(`${DRAFT}?library=cards`, "VIEW_DATACARD", "CREATE_DATACARD", "UPDATE_DATACARD");
  refusal = Response.json({ code: "invalid", message: "This dashboard has 200 cards." }, { status: 400 });
  await button("Add to dashboard: Open deals").click();
  await expect
    .element(page.getByRole("alert"))
    .toHaveTextContent("The data card was not added:This dashboard has 200 cards.");
  await expect.element(button("Add to dashboard: Open deals")).toBeEnabled();
  expect(page.getByRole("region", { name: "Open deals" }).query()).toBeNull();
});

test("[INS-050] a card moved and resized is stored at its new place, and stands there when opened again", async () => {
  open(DRAFT);
  const grip = page.getByRole("button", { name: /^Move All deals/ });
  await expect.element(grip).toBeVisible();
  const box = () => page.getByRole("region", { name: "All deals" }).element().getBoundingClientRect();
  const before = box();
  const element = grip.element();
  if (element instanceof HTMLElement) element.focus();
  await userEvent.keyboard("{ArrowDown}{ArrowDown}{ArrowRight}{Shift>}{ArrowRight}{ArrowDown}{/Shift}");
  const place = () => stored.dataCards.find((one) => one.id === DEALS)?.layout;
  await expect.poll(place).toMatchObject({ x: 1, w: 5, h: 3 });
  const { dataCards, version } = stored;
  open(DRAFT);
  stored = { ...stored, dataCards, version };
  await expect.poll(() => box().height).toBeGreaterThan(before.height * 1.4);
  expect(box().left).toBeGreaterThan(before.left);
});

test("[INS-041] a card whose dataset is gone says so on its tile, and the others are drawn", async () => {
  open(PUBLISHED);
  const tile = (name: string) => page.getByRole("region", { name, exact: true });
  await expect.element(tile("Gone").getByText("The data could not be read.")).toBeVisible();
  await expect.element(tile("All deals").getByText("42")).toBeVisible();
});
