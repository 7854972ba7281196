/** A dashboard with its cards: what each permission offers, how cards are added and moved, and one that fails. */
import type { Permission } from "@accord/contracts";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { CardConfiguration, type CardData } from "@accord/contracts/insights/cards";
import { type CardLayout, Dashboard, type DashboardCard } from "@accord/contracts/insights/dashboards";
import { show } from "@accord/ui/test-kit";
import { Notifications, notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import "../../../app/words.ts";
import { DashboardScreen } from "./dashboard-screen.tsx";

const ID = "d".repeat(24);
const DATASET = "e".repeat(24);
const cardId = (n: number) => `c${n}`.padEnd(24, "0");
const NOW = "2026-06-01T08:00:00.000Z";
const EDITS: Permission[] = ["READ_INSIGHTS", "READ_DASHBOARD", "UPDATE_DASHBOARD"];
const MAKES: Permission[] = ["CREATE_DATACARD", "UPDATE_DATACARD", "VIEW_DATACARD"];
const WINDOW = { width: window.innerWidth, height: window.innerHeight };
const network = globalThis.fetch;
let stored: Dashboard;
let sent: { dataCards: DashboardCard[] }[];
let refusal: string | null;
let failing: string | null;

const place = (n: number, x: number, y: number, w = 4, h = 2) => ({
  id: cardId(n),
  layout: { i: cardId(n), x, y, w, h },
});
const dashboard = (dataCards: object[], more: object = {}): Dashboard =>
  Dashboard.parse({
    ...{ id: ID, displayName: "Sales", name: "sales", description: "", tags: [], variables: [], version: 1 },
    ...{ draftStatus: "NEW", draft: null, parentId: null, seeded: false, isExample: false, createdBy: "A" },
    ...{ dataCards, updatedAt: NOW, ...more },
  });
const configuration = CardConfiguration.parse({
  ...{ vizType: "METRIC", datasetId: DATASET },
  columns: [{ column: "n", name: "n", displayName: "Orders", displayFormat: "number", aggregate: "sum" }],
});
const data: CardData = {
  columns: [{ name: "c0", displayName: "Orders", dataType: "integer" }],
  rows: [{ c0: 42 }],
  ...{ reduction: null, asOf: NOW, dataAsOf: null, label: "" },
};

function answer(path: string, method: string, body: string): Response {
  const names = [1, 2, 3].map((n) => ({ id: cardId(n), displayName: `Card ${n}`, description: "" }));
  if (path === "/datacards") {
    const more = { name: "n", tags: [], vizType: "METRIC", datasetId: DATASET, datasetName: "Deals", updatedAt: NOW };
    const by = { createdBy: "A", updatedBy: "A", dashboards: [] };
    return Response.json({ dataCards: names.map((one) => ({ ...one, ...more, ...by })) });
  }
  if (path === "/datasets") return Response.json({ datasets: [], entities: [] });
  if (path.endsWith("/data"))
    return failing && path.includes(failing)
      ? Response.json({ code: "not_found", message: "The dataset was deleted." }, { status: 404 })
      : Response.json({ data });
  if (path !== `/dashboards/${ID}`) return Response.json({});
  if (method === "PUT") {
    const change = JSON.parse(body) as { dataCards: DashboardCard[] };
    sent.push(change);
    if (refusal) return Response.json({ code: "validation_failed", message: refusal }, { status: 422 });
    stored = { ...stored, dataCards: change.dataCards, version: stored.version + 1 };
    return Response.json(stored);
  }
  const cards = names
    .filter(({ id }) => stored.dataCards.some((one) => one.id === id))
    .map((one) => ({ ...one, configuration, variables: [] }));
  return Response.json({ dashboard: stored, cards, unpublishedChanges: [], reverts: [] });
}

beforeEach(async () => {
  await page.viewport(1400, 900);
  queryClient.clear();
  sent = [];
  refusal = null;
  failing = null;
  stored = dashboard([place(1, 0, 0)]);
  globalThis.fetch = async (path, init) => {
    const [, call] = String(path).split("/api/v1");
    if (call === undefined) return network(path, init);
    return answer(call.split("?")[0] ?? "", init?.method ?? "GET", String(init?.body ?? ""));
  };
});
afterEach(async () => {
  await page.viewport(WINDOW.width, WINDOW.height);
  globalThis.fetch = network;
  notifications.clean();
});

function open(permissions: readonly Permission[], address = `/insights-studio/${ID}/draft`) {
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions, orgName: "Org" });
  const root = createRootRoute({
    component: () => (
      <>
        <Notifications />
        <Outlet />
      </>
    ),
  });
  const at = (path: string) => createRoute({ getParentRoute: () => root, path, component: DashboardScreen });
  const routeTree = root.addChildren([
    at("/insights-studio/$dashboardId"),
    at("/insights-studio/$dashboardId/$version"),
  ]);
  const history = createMemoryHistory({ initialEntries: [address] });
  show(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createRouter({ routeTree, history })} />
    </QueryClientProvider>,
  );
}
const button = (name: string) => page.getByRole("button", { name, exact: true });
const entries = () =>
  page
    .getByRole("menuitem")
    .elements()
    .map(({ textContent }) => textContent);
async function menu(name: string) {
  await button(name).click();
  await expect.element(page.getByRole("menu")).toBeVisible();
}
const layouts = (): CardLayout[] => stored.dataCards.map(({ layout }) => layout);

test("[INS-118] cards are added by people with both permissions of cards, also at the address of the panel", async () => {
  for (const only of ["CREATE_DATACARD", "UPDATE_DATACARD"] as const) {
    open([...EDITS, "VIEW_DATACARD", only], `/insights-studio/${ID}/draft?library=cards`);
    await expect.element(page.getByRole("tab", { name: "Data cards" })).toBeVisible();
    await expect.element(button("Add card")).not.toBeInTheDocument();
    await expect.element(button("New card")).not.toBeInTheDocument();
  }
  open([...EDITS, ...MAKES]);
  await button("Add card").click();
  await expect.element(button("New card")).toBeVisible();
});

test("[INS-119][INS-121] a card's menu leads to the card, a copy and the dataset only with their permissions", async () => {
  open(EDITS);
  await menu("Menu of Card 1");
  expect(entries()).toEqual(["Full size", "Show as table", "Settings on this dashboard", "Remove from dashboard"]);
  open([...EDITS, "UPDATE_DATACARD"]);
  await menu("Menu of Card 1");
  expect(entries()).toEqual(expect.arrayContaining(["Edit card", "Make a copy"]));
  expect(entries()).not.toContain("Edit dataset");
  open([...EDITS, "UPDATE_DATASET"]);
  await menu("Menu of Card 1");
  expect(entries()).toContain("Edit dataset");
  expect(entries()).not.toContain("Edit card");
});

test("[INS-120] without VIEW_DATACARD there are neither the data cards nor the dashboard's variables", async () => {
  const address = `/insights-studio/${ID}/draft?library=cards`;
  open([...EDITS, "CREATE_DATACARD", "UPDATE_DATACARD"], address);
  await expect.element(page.getByText("No datasets yet")).toBeVisible();
  await expect.element(page.getByRole("tab", { name: "Data cards" })).not.toBeInTheDocument();
  await menu("More");
  expect(entries()).not.toContain("Configure dashboard variables");
  open([...EDITS, ...MAKES], address);
  await expect.element(page.getByRole("tab", { name: "Data cards" })).toBeVisible();
  await expect.element(page.getByText("Card 3")).toBeVisible();
  await menu("More");
  expect(entries()).toContain("Configure dashboard variables");
});

test("[INS-088][INS-139] an added card stands after the others, sent with all of them; a refusal says why", async () => {
  open([...EDITS, ...MAKES], `/insights-studio/${ID}/draft?library=cards`);
  await button("Add to dashboard: Card 2").click();
  await expect.element(page.getByText("Data card added")).toBeVisible();
  expect(sent).toMatchObject([{ displayName: "Sales", dataCards: [place(1, 0, 0), place(2, 4, 0)] }]);
  refusal = "A dashboard holds at most 2 cards.";
  await button("Add to dashboard: Card 3").click();
  await expect.element(page.getByText("The data card was not added:")).toBeVisible();
  await expect.element(page.getByText(refusal)).toBeVisible();
  queryClient.clear();
  open([...EDITS, ...MAKES]);
  await expect.element(page.getByRole("region", { name: "Card 2" })).toBeVisible();
  await expect.element(page.getByRole("region", { name: "Card 3" })).not.toBeInTheDocument();
});

test("[INS-050] a card moved and resized is stored at its new place, and stands there when opened again", async () => {
  open(EDITS);
  const grip = page.getByRole("button", { name: /^Move Card 1/ });
  await expect.element(grip).toBeVisible();
  const before = page.getByRole("region", { name: "Card 1" }).element().getBoundingClientRect();
  (grip.element() as HTMLElement).focus();
  await userEvent.keyboard("{ArrowRight}{ArrowRight}{Shift>}{ArrowRight}{ArrowDown}{/Shift}");
  await expect.poll(layouts).toEqual([{ i: cardId(1), x: 2, y: 0, w: 5, h: 3 }]);
  queryClient.clear();
  open(EDITS);
  await expect.element(grip).toBeVisible();
  const box = () => page.getByRole("region", { name: "Card 1" }).element().getBoundingClientRect();
  await expect.poll(() => box().height).toBeGreaterThan(before.height * 1.4);
  await expect.poll(() => box().left).toBeGreaterThan(before.left);
});

test("[INS-041] a card whose dataset is gone says so on its tile; the others are drawn", async () => {
  stored = dashboard([place(1, 0, 0), place(2, 4, 0), place(3, 8, 0)]);
  failing = cardId(2);
  open(EDITS);
  const tile = (n: number) => page.getByRole("region", { name: `Card ${n}` });
  await expect.element(tile(2).getByText("The data could not be read.")).toBeVisible();
  await expect.element(tile(1).getByText("42")).toBeVisible();
  await expect.element(tile(3).getByText("42")).toBeVisible();
});
