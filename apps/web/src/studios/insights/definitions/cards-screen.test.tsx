/** The list of cards leads to a card's alerts, by its menu and by an address; deleting a card says what goes with it. */
import { id, type Permission } from "@accord/contracts";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { Notifications, notifications } from "@mantine/notifications";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { showScreens } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { CardsScreen } from "./definitions-screen.tsx";

const CARD = id("dataCard").parse("c".repeat(24));
const NOW = "2026-06-01T08:00:00.000Z";
const AT = "/insights-studio/cards";
const ALL: Permission[] = ["VIEW_DATACARD", "UPDATE_DATACARD", "DELETE_DATACARD"];
const card = {
  ...{ id: CARD, displayName: "Revenue", name: "revenue", description: "", tags: [], vizType: "METRIC" },
  ...{ datasetId: "d".repeat(24), datasetName: "Deals", dashboards: [], updatedAt: NOW },
  ...{ createdBy: "Ada", updatedBy: "Ada" },
};
const network = globalThis.fetch;

function answer(path: string): Response {
  if (path === "/datacards") return Response.json({ dataCards: [card] });
  if (path.endsWith("/dependencies")) return Response.json({ dependencies: [], publishedOn: [], alerts: 2 });
  if (path === `/datacards/${CARD}/alerts`) return Response.json({ alerts: [], people: [] });
  return Response.json({ code: "not_found", message: "Data card not found" }, { status: 404 });
}
beforeEach(async () => {
  await page.viewport(1280, 900);
  notifications.clean();
  globalThis.fetch = async (input, init) => {
    const [, call] = String(input).split("/api/v1");
    return call === undefined ? network(input, init) : answer(call.split("?")[0] ?? "");
  };
});
afterEach(async () => {
  globalThis.fetch = network;
  await page.viewport(414, 896);
});

const Cards = () => (
  <>
    <Notifications />
    <CardsScreen />
  </>
);
function open(address: string, ...permissions: Permission[]) {
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["READ_INSIGHTS", ...permissions] });
  return showScreens({ [AT]: Cards }, address);
}
const dialog = (name: string) => page.getByRole("dialog", { name });
const entry = (name: string) => page.getByRole("menuitem", { name, exact: true });
const openMenu = () =>
  page
    .getByRole("button", { name: /Revenue/ })
    .last()
    .click();

test("the menu of a card opens its alerts at an address of their own; closing leaves it", async () => {
  const router = open(AT, ...ALL);
  await openMenu();
  await entry("Alerts…").click();
  await expect.element(dialog("Alerts on Revenue")).toBeVisible();
  await expect.element(page.getByText("No alerts yet")).toBeVisible();
  expect(router.state.location.search).toEqual({ alerts: CARD });
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog("Alerts on Revenue")).not.toBeInTheDocument();
  expect(router.state.location.search).toEqual({});
});

test("the address of a notification opens the alerts, or says that the card is gone or that one may not", async () => {
  open(`${AT}?alerts=${CARD}`, ...ALL);
  await expect.element(dialog("Alerts on Revenue")).toBeVisible();
  open(`${AT}?alerts=${"e".repeat(24)}`, ...ALL);
  await expect.element(dialog("Alerts of this card")).toBeVisible();
  await expect.element(page.getByText("Data card not found")).toBeVisible();
  open(`${AT}?alerts=${CARD}`, "VIEW_DATACARD");
  await expect.element(page.getByText(/You may not see or change alerts/)).toBeVisible();
});

test("before a card is deleted, the question says how many alerts go with it", async () => {
  open(AT, ...ALL);
  await openMenu();
  await entry("Delete").click();
  await expect.element(page.getByText(/Its 2 alerts are deleted with it\./)).toBeVisible();
});
