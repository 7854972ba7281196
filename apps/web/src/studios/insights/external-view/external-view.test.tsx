/** Screens of the external view: each address its own, only while the feature is on, with every state in words. */
import { getInsightsProvider } from "@accord/contracts/insights/external-view";
import axe from "axe-core";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { queryClient } from "../../../app/queries.ts";
import { showScreens } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { ExternalDatasetScreen, ExternalPreviewScreen } from "./dataset-screens.tsx";
import {
  EVERYTHING,
  type ExternalServer,
  PRODUCT_ORIGIN,
  signInWith,
  withExternalServer,
} from "./external-server.fixtures.ts";
import { ExternalViewButton } from "./external-view-button.tsx";
import {
  ExternalDashboardScreen,
  ExternalDataCardScreen,
  ExternalDatasetCopyScreen,
  ExternalPathScreen,
} from "./frame-screens.tsx";
import {
  ExternalDashboardsScreen,
  ExternalDataCardsScreen,
  ExternalDatasetsScreen,
  ExternalSearchScreen,
} from "./list-screens.tsx";

let server: ExternalServer;
withExternalServer((started) => (server = started));

const TS = "/insights-studio/ts";
const open = (path: string) => {
  // As whoever opens the page anew.
  queryClient.removeQueries({ queryKey: [getInsightsProvider.name] });
  return showScreens(
    {
      [`${TS}/dashboards`]: ExternalDashboardsScreen,
      [`${TS}/dashboards/$key`]: ExternalDashboardScreen,
      [`${TS}/dashboard/$key`]: ExternalDashboardScreen,
      [`${TS}/datasets`]: ExternalDatasetsScreen,
      [`${TS}/datasets/$key`]: ExternalDatasetScreen,
      [`${TS}/datasets/$key/copy`]: ExternalDatasetCopyScreen,
      [`${TS}/datasets/$key/preview`]: ExternalPreviewScreen,
      [`${TS}/search`]: ExternalSearchScreen,
      [`${TS}/datacards`]: ExternalDataCardsScreen,
      [`${TS}/datacards/$key`]: ExternalDataCardScreen,
      [`${TS}/$`]: ExternalPathScreen,
      "/start": ExternalViewButton,
      "/insights-studio/external-view": () => <h1>Settings</h1>,
    },
    path,
  );
};
const heading = (name: string) => page.getByRole("heading", { name, level: 1, exact: true });
const button = (name: string) => page.getByRole("button", { name, exact: true });
const link = (name: string) => page.getByRole("link", { name, exact: true });

/** The product's frame inside the page of our own. */
const productFrame = () =>
  document.querySelector<HTMLIFrameElement>(".ac-external__frame")?.contentDocument?.querySelector("iframe");
const framed = (path: string) =>
  expect.poll(() => productFrame()?.getAttribute("src")?.split("?")[0]).toBe(`${PRODUCT_ORIGIN}/embed/${path}`);

test.each([
  ["dashboards", "Dashboards", "Sales in EMEA"],
  ["datasets", "Datasets", "Orders"],
  ["datacards", "Data cards", "Orders this month"],
])(
  "[INS-015] [INS-016] ts/%s lists what the product has, and leads to one by the keyboard",
  async (tab, title, name) => {
    const router = open(`${TS}/${tab}`);
    await expect.element(heading(title)).toBeVisible();
    await expect.element(link(name)).toBeVisible();
    expect((await axe.run(document.body, { rules: { region: { enabled: false } } })).violations).toEqual([]);
    link(name).element().focus();
    await userEvent.keyboard("{Enter}");
    await expect.element(heading(name)).toBeVisible();
    expect(router.state.location.pathname).toMatch(new RegExp(`^${TS}/${tab}/`));
  },
);

test.each([
  ["dashboards/sales%2Femea", "sales/emea", "dashboard/sales/emea"],
  ["dashboard/7", "7", "dashboard/7"],
  ["datacards/kpi-1", "kpi-1", "dataCard/kpi-1"],
  ["datasets/orders/copy", "Copy of orders", "datasetCopy/orders"],
  ["boards/team/weekly", "Whole view", "path/boards/team/weekly"],
  ["", "Whole view", "path/"],
])(
  "[INS-015] [INS-016] [INS-017] ts/%s opens that page of the product with a fetched token",
  async (path, title, at) => {
    open(path === "" ? TS : `${TS}/${path}`);
    await expect.element(heading(title)).toBeVisible();
    await framed(at);
    expect(server.calls.filter((call) => call.startsWith("GET /insights-provider/token"))).toHaveLength(1);
    const frame = productFrame();
    expect(frame?.getAttribute("sandbox")?.split(" ").toSorted()).toEqual(
      ["allow-downloads", "allow-forms", "allow-popups", "allow-same-origin", "allow-scripts"].toSorted(),
    );
    expect(frame?.getAttribute("referrerpolicy")).toBe("no-referrer");
    expect(frame?.title).toContain("by Lighthouse");
    const before = frame?.getAttribute("src");
    await button("Reload the view").click();
    await expect.poll(() => productFrame()?.getAttribute("src") ?? before).not.toBe(before);
  },
);

test("[INS-016] ts/datasets/{id} shows the columns, and /preview the first rows", async () => {
  const router = open(`${TS}/datasets/orders`);
  await expect.element(page.getByText("One row an order")).toBeVisible();
  await expect.element(page.getByText("Country", { exact: true })).toBeVisible();
  await link("Preview").click();
  expect(router.state.location.pathname).toBe(`${TS}/datasets/orders/preview`);
  await expect.element(page.getByText("Norway")).toBeVisible();
  server.isCut = true;
  open(`${TS}/datasets/orders/preview`);
  expect((await axe.run(document.body, { rules: { region: { enabled: false } } })).violations).toEqual([]);
});

test("[INS-016] ts/search finds dashboards, datasets and data cards by name and description", async () => {
  const router = open(`${TS}/search`);
  await expect.element(page.getByText("Enter a part of a name or description.")).toBeVisible();
  await page.getByPlaceholder("Search dashboards, datasets and data cards").fill("orders");
  await expect.element(link("Sales in EMEA")).toBeVisible();
  await expect.element(page.getByRole("heading", { name: "Datasets" })).toBeVisible();
  await expect.element(link("Orders this month")).toBeVisible();
  await expect.element(link("Support")).not.toBeInTheDocument();
  expect(router.state.location.search).toEqual({ q: "orders" });
  expect((await axe.run(document.body, { rules: { region: { enabled: false } } })).violations).toEqual([]);
  await page.getByPlaceholder("Search dashboards, datasets and data cards").fill("rain");
  await expect.element(page.getByText("Nothing is called “rain”.")).toBeVisible();
});

test.each(["", "dashboards", "dashboards/7", "datasets/orders/preview", "search", "datacards", "x/y"])(
  "[INS-005] with the feature off ts/%s is an unknown address, and the product is not asked",
  async (path) => {
    server.isActive = false;
    open(path === "" ? TS : `${TS}/${path}`);
    await expect.element(page.getByRole("heading", { name: "This page doesn't exist" })).toBeVisible();
    expect(server.calls).toEqual(["GET /insights-provider"]);
  },
);

test("[INS-005] a view that is open when the feature is turned off is gone with the next call", async () => {
  open(`${TS}/dashboards/7`);
  await framed("dashboard/7");
  Object.assign(server, { isActive: false });
  server.refusals["GET /insights-provider/token"] = { status: 403, code: "feature_disabled", message: "Off." };
  await button("Reload the view").click();
  await expect.element(page.getByRole("heading", { name: "This page doesn't exist" })).toBeVisible();
});

test("[INS-142] a refused token is said with the product's reason, and can be tried again", async () => {
  server.refusals["GET /insights-provider/token"] = {
    ...{ status: 422, code: "access_error", message: "Lighthouse gives no access." },
    description: "It answered with status 401: The key is unknown.",
  };
  open(`${TS}/dashboards/7`);
  const alert = page.getByRole("alert");
  await expect.element(alert.getByText("The external view can't be opened")).toBeVisible();
  for (const words of ["Lighthouse gives no access.", "It answered with status 401: The key is unknown."])
    await expect.element(alert.getByText(words)).toBeVisible();
  expect(productFrame()).toBeUndefined();
  expect((await axe.run(document.body, { rules: { region: { enabled: false } } })).violations).toEqual([]);
  server.refusals = {};
  await button("Try again").click();
  await framed("dashboard/7");
});

test("[INS-142] a list that can't be read is said, and can be tried again", async () => {
  server.refusals["GET /insights-provider/dashboards"] = {
    ...{ status: 422, code: "access_error", message: "Lighthouse gives no access.", description: "It is no JSON." },
  };
  open(`${TS}/dashboards`);
  await expect.element(page.getByRole("alert").getByText(/It is no JSON/)).toBeVisible();
  server.refusals = {};
  await button("Try again").click();
  await expect.element(link("Support")).toBeVisible();
});

test("lists that are empty, cut or not there differ", async () => {
  server.isEmpty = true;
  open(`${TS}/dashboards`);
  await expect.element(page.getByText("Lighthouse has no dashboards for you")).toBeVisible();
  Object.assign(server, { isEmpty: false, isCut: true });
  open(`${TS}/datasets`);
  await expect.element(page.getByText("Only the first 1 are shown.")).toBeVisible();
  server.hasLists = false;
  open(`${TS}/datacards`);
  await expect.element(page.getByText("Lighthouse has no list for Accord")).toBeVisible();
  await expect.element(link("Open the whole view")).toHaveAttribute("href", TS);
});

test("without lists a dataset is the product's own page", async () => {
  server.hasLists = false;
  open(`${TS}/datasets/orders`);
  await framed("dataset/orders");
  await expect.element(link("Preview")).not.toBeInTheDocument();
});

test("a list is narrowed in its address, and while it loads outlines are shown", async () => {
  server.slow = "GET /insights-provider/dashboards";
  open(`${TS}/dashboards`);
  await expect.element(page.getByRole("status", { name: "Loading" })).toBeInTheDocument();
  server.slow = "-";
  const router = open(`${TS}/datasets?q=rain`);
  await expect.element(page.getByText("Nothing fits. Change the search.")).toBeVisible();
  await page.getByPlaceholder("Search external datasets").fill("");
  await expect.element(link("Orders")).toBeVisible();
  expect(router.state.location.search).toEqual({});
});

test("before it is configured people read who can do that, and those who may are led there", async () => {
  server.isConfigured = false;
  open(TS);
  await expect.element(page.getByText("The external view is not configured")).toBeVisible();
  await link("Configure").click();
  await expect.element(heading("Settings")).toBeVisible();
  server.mayConfigure = false;
  open(`${TS}/dashboards`);
  await expect.element(page.getByText(/Somebody who may enter credentials of services/)).toBeVisible();
  await expect.element(link("Configure")).not.toBeInTheDocument();
});

test("tabs and screens go by the permissions of their kind", async () => {
  signInWith(["READ_DASHBOARD"]);
  open(`${TS}/dashboards`);
  await expect.element(page.getByRole("tab", { name: "Search" })).toBeVisible();
  await expect.element(page.getByRole("tab", { name: "Datasets" })).not.toBeInTheDocument();
  for (const path of ["datasets", "datasets/orders/copy", "datacards/kpi-1"]) {
    open(`${TS}/${path}`);
    await expect.element(page.getByRole("heading", { name: /have access/ })).toBeVisible();
  }
  signInWith(EVERYTHING.filter((permission) => permission !== "READ_DASHBOARD"));
  open(`${TS}/dashboards`);
  await expect.element(page.getByRole("heading", { name: /have access/ })).toBeVisible();
});

test("tabs are reached by arrows, which keep the focus, and opened by Enter", async () => {
  const router = open(`${TS}/dashboards`);
  const tab = (name: string) => page.getByRole("tab", { name, exact: true });
  await expect.element(tab("Dashboards")).toBeVisible();
  tab("Dashboards").element().focus();
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(tab("Datasets")).toHaveFocus();
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(tab("Data cards")).toHaveFocus();
  expect(router.state.location.pathname).toBe(`${TS}/dashboards`);
  await userEvent.keyboard("{Enter}");
  await expect.element(heading("Data cards")).toBeVisible();
  expect(router.state.location.pathname).toBe(`${TS}/datacards`);
});

test("a page that is loaded again inside its frame gets another token", async () => {
  open(`${TS}/dashboards/7`);
  await framed("dashboard/7");
  const before = productFrame()?.getAttribute("src");
  document.querySelector<HTMLIFrameElement>(".ac-external__frame")?.contentWindow?.location.reload();
  await expect.poll(() => productFrame()?.getAttribute("src") ?? before).not.toBe(before);
  expect(server.calls.filter((call) => call.startsWith("GET /insights-provider/token"))).toHaveLength(2);
  await framed("dashboard/7");
});

test("the studio's home leads there only once it is on and configured", async () => {
  const router = open("/start");
  await link("External view").click();
  expect(router.state.location.pathname).toBe(`${TS}/dashboards`);
  server.isConfigured = false;
  open("/start");
  await expect.poll(() => server.calls.filter((call) => call === "GET /insights-provider").length).toBeGreaterThan(1);
  await expect.element(link("External view")).not.toBeInTheDocument();
});
