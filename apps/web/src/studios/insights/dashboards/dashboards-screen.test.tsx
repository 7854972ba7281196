/** The list of dashboards and its menus, the panel beside a draft, and how long each confirmation takes. */
import { Notifications, notifications } from "@mantine/notifications";
import type { Permission } from "@accord/contracts";
import type { AnyRouter } from "@tanstack/react-router";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { showScreens } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { DashboardScreen } from "./dashboard-screen.tsx";
import { actAs, type DashboardServer, ids, startDashboardServer } from "./dashboard-server.fixtures.ts";
import { DashboardsScreen } from "./dashboards-screen.tsx";

const SIDEBAR = "accord.insights.sidebar";
const VIEWER: Permission[] = ["READ_DASHBOARD", "READ_INSIGHTS"];
const BUILDER: Permission[] = [
  ...VIEWER,
  ...(["CREATE_DASHBOARD", "UPDATE_DASHBOARD", "PUBLISH_DASHBOARD", "DELETE_DASHBOARD", "SHARE_DASHBOARD"] as const),
  ...(["READ_SHARED_DASHBOARD_DETAILS", "VIEW_DATACARD", "CREATE_DATACARD", "UPDATE_DATACARD"] as const),
];
let server: DashboardServer;
beforeEach(async () => {
  await page.viewport(1280, 900);
  localStorage.removeItem(SIDEBAR);
  notifications.clean();
  server = startDashboardServer(...BUILDER);
});
afterEach(async () => {
  server.stop();
  notifications.clean();
  localStorage.removeItem(SIDEBAR);
  await page.viewport(414, 896);
});

const named = (name: string) => () => <h1>{name}</h1>;
function open(address: string): AnyRouter {
  const at = "/insights-studio/$dashboardId";
  const screens = {
    ...{ "/insights-studio": DashboardsScreen, [at]: DashboardScreen, [`${at}/$version`]: DashboardScreen },
    [`${at}/published/share-with`]: named("Share with people"),
    [`${at}/published/sharing-details`]: named("Shared with"),
  };
  return showScreens(screens, address, <Notifications />);
}
const button = (name: string) => page.getByRole("button", { name, exact: true });
const entry = (name: string) => page.getByRole("menuitem", { name, exact: true });
const heading = (name: string) => page.getByRole("heading", { name, exact: true });
const tab = (name: string) => page.getByRole("tab", { name, exact: true });

/** Entries of the menu of a dashboard in the list. */
async function menuOf(name: string): Promise<(string | null)[]> {
  open("/insights-studio");
  await button(`Options of ${name}`).click();
  await expect.element(entry("Open")).toBeVisible();
  return page
    .getByRole("menuitem")
    .elements()
    .map(({ textContent }) => textContent);
}

test("[INS-027] the menu of a listed dashboard has what its state and one's permissions allow", async () => {
  const sharing = ["Share with", "Sharing details"];
  expect(await menuOf("Sales")).toEqual(["Open", "Create draft", "Settings", ...sharing, "Delete"]);
  expect(await menuOf("Service")).toEqual(["Open", "Open draft", "Settings", ...sharing, "Delete"]);
  expect(await menuOf("Plans")).toEqual(["Open", "Settings", "Delete"]);
  expect(await menuOf("Example")).toEqual(["Open"]);
  const each: [Permission, string[]][] = [
    ["UPDATE_DASHBOARD", ["Create draft", "Settings"]],
    ["SHARE_DASHBOARD", ["Share with"]],
    ["READ_SHARED_DASHBOARD_DETAILS", ["Sharing details"]],
    ["DELETE_DASHBOARD", ["Delete"]],
  ];
  for (const [permission, entries] of each) {
    actAs(...VIEWER, permission);
    expect(await menuOf("Sales")).toEqual(["Open", ...entries]);
  }
  actAs("READ_DASHBOARD");
  expect(await menuOf("Service")).toEqual(["Open"]);
});

test("[INS-027] the entries of the menu lead where they say, and do what they say", async () => {
  const published = `/insights-studio/${ids.published}`;
  const ways: [string, string, string][] = [
    ["Sales", "Open", published],
    ["Service", "Open draft", `/insights-studio/${ids.withDraft}/draft`],
    ["Sales", "Share with", `${published}/published/share-with`],
    ["Sales", "Sharing details", `${published}/published/sharing-details`],
    ["Sales", "Create draft", `${published}/draft`],
  ];
  for (const [name, item, address] of ways) {
    const router = open("/insights-studio");
    await button(`Options of ${name}`).click();
    await entry(item).click();
    await expect.poll(() => router.state.location.pathname).toBe(address);
  }
  expect(server.stored.get(ids.published)?.draft).toBe(ids.draftOfIt);

  await menuOf("Plans");
  await entry("Settings").click();
  const settings = page.getByRole("dialog", { name: "Dashboard settings" });
  await settings.getByRole("textbox", { name: "Display name" }).fill("Plans of the year");
  await settings.getByRole("button", { name: "Save" }).click();
  await expect.element(page.getByRole("link", { name: /Plans of the year/ })).toBeVisible();
  await button("Options of Plans of the year").click();
  await entry("Delete").click();
  await button("Delete draft").click();
  await expect.element(page.getByRole("link", { name: /Plans of the year/ })).not.toBeInTheDocument();
  expect(server.stored.has(ids.draft)).toBe(false);
  await expect.element(page.getByRole("link", { name: /Sales/ })).toBeVisible();
});

test("[INS-027] what is typed in the settings of a listed dashboard can be saved after somebody else saved first", async () => {
  await menuOf("Plans");
  await entry("Settings").click();
  const settings = page.getByRole("dialog", { name: "Dashboard settings" });
  const save = settings.getByRole("button", { name: "Save" });
  await settings.getByRole("textbox", { name: "Display name" }).fill("Plans of the year");
  const before = server.stored.get(ids.draft);
  if (!before) throw new Error("the draft is gone");
  const dataCards = before.dataCards.slice(0, 1);
  server.stored.set(ids.draft, { ...before, dataCards, version: before.version + 1 });
  await save.click();
  await expect.element(settings.getByText("Somebody else saved this meanwhile.")).toBeVisible();
  await expect.element(settings.getByRole("textbox", { name: "Display name" })).toHaveValue("Plans of the year");
  await save.click();
  await expect.element(page.getByRole("link", { name: /Plans of the year/ })).toBeVisible();
  await expect.element(settings).not.toBeInTheDocument();
  // What the other one saved is kept.
  expect(server.stored.get(ids.draft)?.dataCards).toEqual(dataCards);
});

test("[INS-028] the panel beside a draft has two tabs and two views, and is as it was left when one comes back", async () => {
  const draft = `/insights-studio/${ids.draft}/draft`;
  const panel = page.getByRole("complementary", { name: "Add a card" });
  const view = (name: string) => panel.getByRole("radiogroup", { name: "View" }).getByRole("radio", { name });
  open(draft);
  await expect.element(page.getByRole("region", { name: "All deals" })).toBeVisible();
  await expect.element(panel).not.toBeInTheDocument();
  await button("Add card").click();
  await expect.element(tab("Data cards")).toHaveAttribute("aria-selected", "true");
  await expect.element(view("List")).toBeChecked();
  const rows = () => {
    const [first, second] = panel
      .getByRole("listitem")
      .elements()
      .map((item) => item.getBoundingClientRect());
    return first && second && second.top >= first.bottom;
  };
  await expect.poll(rows).toBe(true);
  await panel.getByRole("radiogroup", { name: "View" }).getByText("Tiles").click();
  await expect.poll(rows).toBe(false);
  await tab("Datasets").click();
  await expect.element(panel.getByText("Deals", { exact: true })).toBeVisible();

  // As after a reload: at the address without the tab.
  open(draft);
  await expect.element(tab("Datasets")).toHaveAttribute("aria-selected", "true");
  await expect.element(view("Tiles")).toBeChecked();
  await panel.getByRole("button", { name: "Close" }).click();
  await expect.element(panel).not.toBeInTheDocument();
  open(draft);
  await expect.element(page.getByRole("region", { name: "All deals" })).toBeVisible();
  await expect.element(panel).not.toBeInTheDocument();

  // As in another browser, and where what the browser keeps is broken.
  for (const kept of ["{}", "{broken"]) {
    localStorage.setItem(SIDEBAR, kept);
    open(`${draft}`);
    await button("Add card").click();
    await expect.element(tab("Data cards")).toHaveAttribute("aria-selected", "true");
    await expect.element(view("List")).toBeChecked();
  }
});

const TOAST = ".mantine-Notification-root";
/** How long the next toast is there, in milliseconds; noted as the page changes, however late the test looks. */
function nextToast(): () => number | undefined {
  let [since, shown]: (number | undefined)[] = [];
  const observer = new MutationObserver(() => {
    const isThere = document.querySelector(TOAST) !== null;
    if (isThere) since ??= performance.now();
    else if (since !== undefined) shown ??= performance.now() - since;
  });
  observer.observe(document.body, { childList: true, subtree: true });
  onTestFinished(() => observer.disconnect());
  return () => shown;
}
async function expectShortToast(words: string, shown: () => number | undefined): Promise<void> {
  await expect.element(page.getByRole("alert").getByText(words, { exact: true })).toBeVisible();
  // Under the pointer it would stay.
  await page.getByRole("heading", { level: 1 }).hover();
  await expect.poll(shown, { interval: 20 }).toBeGreaterThan(1_400);
  // Others are shown for 5 s.
  expect(shown()).toBeLessThan(4_000);
}

test("[INS-150] a new dashboard is opened half a second after it was created", async () => {
  const router = open("/insights-studio");
  await button("New dashboard").click();
  await page.getByRole("textbox", { name: "Display name" }).fill("Next year");
  await button("Create").click();
  await expect
    .poll(() => router.state.location.pathname, { interval: 20 })
    .toBe(`/insights-studio/${"f".repeat(24)}/draft`);
  const delay = performance.now() - (server.writes.find(({ call }) => call === "POST /dashboards")?.at ?? 0);
  expect(delay).toBeGreaterThanOrEqual(500);
  expect(delay).toBeLessThan(2_000);
});

test("[INS-150] what was created or published is said for a second and a half", async () => {
  open(`/insights-studio/${ids.published}`);
  const created = nextToast();
  await button("Create draft").click();
  await expectShortToast("Draft created", created);
  await button("Publish").click();
  const published = nextToast();
  await button("Publish dashboard").click();
  await expectShortToast("Published", published);
});

async function discard(): Promise<void> {
  await button("More").click();
  await entry("Delete").click();
  await button("Delete draft").click();
  await expect.element(button("Delete draft")).toHaveAttribute("data-loading", "true");
}
const discarded = () => server.writes.filter(({ call }) => call.startsWith("DELETE"));
const passed = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("[INS-150] a draft is discarded after a second of waiting, in which Escape takes it back", async () => {
  const router = open(`/insights-studio/${ids.withDraft}/draft`);
  await discard();
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await passed(1_200);
  expect(discarded()).toEqual([]);

  const from = performance.now();
  await discard();
  // A timer as slow as the page itself.
  const soon = passed(1_500).then(() => discarded().length);
  await expect.poll(() => router.state.location.pathname, { interval: 20 }).toBe(`/insights-studio/${ids.withDraft}`);
  expect((discarded()[0]?.at ?? 0) - from).toBeGreaterThanOrEqual(1_000);
  expect(await soon, "not long after the second").toBe(1);
  expect(discarded()).toMatchObject([{ call: `DELETE /dashboards/${ids.draftOfIt}/draft` }]);
  await expect.element(heading("Service")).toBeVisible();
});

test("[INS-150] what Escape took back neither deletes nor closes a dialog that is opened within the second", async () => {
  open(`/insights-studio/${ids.withDraft}/draft`);
  // A click waits for what moves, and the second would be over.
  const press = (target: Locator) => target.element().dispatchEvent(new MouseEvent("click", { bubbles: true }));
  await discard();
  await userEvent.keyboard("{Escape}");
  press(button("More"));
  await expect.element(entry("Delete")).toBeInTheDocument();
  press(entry("Delete"));
  await expect.element(button("Delete draft")).toBeVisible();
  await expect.element(button("Delete draft")).not.toHaveAttribute("data-loading");
  await passed(1_200);
  expect(discarded()).toEqual([]);
  await expect.element(button("Delete draft")).toBeVisible();
});

test("[INS-150] whoever goes back within the second keeps the draft, and stays where they went", async () => {
  const router = open("/insights-studio");
  await expect.element(button("Options of Service")).toBeVisible();
  router.history.push(`/insights-studio/${ids.withDraft}/draft`);
  await discard();
  router.history.back();
  await expect.element(button("Options of Service")).toBeVisible();
  await passed(1_200);
  expect(discarded()).toEqual([]);
  expect(router.state.location.pathname).toBe("/insights-studio");
});

test("[INS-150] whoever goes back while the draft is deleted stays where they went", async () => {
  const answered = globalThis.fetch;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  let isAsked = false;
  globalThis.fetch = async (input, init) => {
    if (init?.method === "DELETE") {
      isAsked = true;
      await held;
    }
    return answered(input, init);
  };
  const router = open("/insights-studio");
  await expect.element(button("Options of Service")).toBeVisible();
  router.history.push(`/insights-studio/${ids.withDraft}/draft`);
  await discard();
  await expect.poll(() => isAsked).toBe(true);
  router.history.back();
  await expect.element(button("Options of Service")).toBeVisible();
  release();
  await expect.element(page.getByRole("alert").getByText("Deleted", { exact: true })).toBeVisible();
  await passed(300);
  expect(discarded()).toHaveLength(1);
  expect(router.state.location.pathname).toBe("/insights-studio");
});
