/** A dashboard is filtered by marks: by menu, at once, by keys; chips say by what, and the address keeps it. */
import { id, type Permission } from "@accord/contracts";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { CardConfiguration, type CardConfigurationInput } from "@accord/contracts/insights/cards";
import type { CrossFilters } from "@accord/contracts/insights/cross-filter";
import { Dashboard } from "@accord/contracts/insights/dashboards";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import axe from "axe-core";
import type { AnyRouter } from "@tanstack/react-router";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { showScreens } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { DashboardScreen } from "../dashboards/dashboard-screen.tsx";

const BOARD = id("dashboard").parse("d".repeat(24));
const cardId = id("dataCard");
const [COUNTRIES, TOTAL, LOOSE] = [
  cardId.parse("a".repeat(24)),
  cardId.parse("b".repeat(24)),
  cardId.parse("c".repeat(24)),
];
const NOW = "2026-06-01T08:00:00.000Z";
const axis = (column: string) => ({ column, name: column, displayName: column, displayFormat: "number" as const });
const text = (column: string) => ({ ...axis(column), displayFormat: "text" as const });
const COLUMNS: CardConfigurationInput = { vizType: "COLUMN", xaxis: text("Country"), yaxis: [axis("Deals")] };
const METRIC: CardConfigurationInput = { vizType: "METRIC", columns: [axis("Deals")] };
const ROWS = [
  { x: "NO", y0: 9, other: false },
  { x: "SE", y0: 7, other: false },
  { x: null, y0: 4, other: false },
];

const network = globalThis.fetch;
let asked: { card: string; filters: CrossFilters }[];
let router: AnyRouter;

function answer(path: string, body: Record<string, unknown>): Response {
  const filters: CrossFilters = JSON.parse(JSON.stringify(body["filters"] ?? []));
  const common = { reduction: null, asOf: NOW, dataAsOf: null, label: "" };
  const card = /cards\/(\w+)\/data$/.exec(path)?.[1];
  if (card === COUNTRIES) {
    const columns = [
      { name: "x", displayName: "Country", dataType: "string" },
      { name: "y0", displayName: "Deals", dataType: "integer" },
    ];
    return Response.json({ data: { columns, rows: ROWS, ...common }, unfiltered: [] });
  }
  if (card !== undefined) {
    asked.push({ card, filters });
    const chosen = filters.flatMap(({ marks }) => marks.flat().flatMap(({ values }) => values));
    const rows = ROWS.filter(({ x }) => card === LOOSE || chosen.length === 0 || chosen.includes(x));
    const columns = [{ name: "c0", displayName: "Deals", dataType: "integer" }];
    const why = { reason: "column_missing", column: "Country" };
    const unfiltered = card === LOOSE ? filters.map((one) => ({ cardId: one.cardId, ...why })) : [];
    return Response.json({
      data: { columns, rows: [{ c0: rows.reduce((sum, { y0 }) => sum + y0, 0) }], ...common },
      unfiltered,
    });
  }
  if (path.endsWith("/records")) return Response.json({ kind: "none", reason: "computed_field", name: "Half" });
  if (path.endsWith("/visit")) return Response.json({});
  const shown = (which: string, displayName: string, configuration: CardConfigurationInput) => ({
    ...{ id: which, displayName, description: "", variables: [] },
    configuration: CardConfiguration.parse(configuration),
  });
  const cards = [
    shown(COUNTRIES, "By country", COLUMNS),
    shown(TOTAL, "All deals", METRIC),
    shown(LOOSE, "Visits", METRIC),
  ];
  const dashboard = Dashboard.parse({
    ...{ id: BOARD, displayName: "Sales", name: "sales", description: "", tags: [], variables: [], version: 1 },
    ...{ draftStatus: "APPROVED", draft: null, parentId: null, seeded: false, isExample: false },
    ...{ createdBy: "Ada", updatedAt: NOW },
    dataCards: cards.map((one, place) => ({ id: one.id, layout: { i: one.id, x: place * 4, y: 0, w: 4, h: 2 } })),
  });
  return Response.json({ dashboard, cards, unpublishedChanges: [], reverts: [] });
}

beforeEach(async () => {
  asked = [];
  await page.viewport(1280, 900);
  globalThis.fetch = async (input, init) => {
    const [, path] = String(input).split("/api/v1");
    if (path === undefined) return network(input, init);
    return answer(path.split("?")[0] ?? "", typeof init?.body === "string" ? JSON.parse(init.body) : {});
  };
});
afterEach(async () => {
  globalThis.fetch = network;
  await page.viewport(414, 896);
});

async function board(address = `/insights-studio/${BOARD}`, ...permissions: Permission[]): Promise<void> {
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", orgName: "Org", permissions });
  router = showScreens({ "/insights-studio/$dashboardId": DashboardScreen }, address);
  await expect.element(total("20")).toBeVisible();
  await expect.poll(() => document.querySelectorAll(".ac-chart svg path").length).toBeGreaterThan(0);
}

const total = (number: string) => page.getByRole("region", { name: "All deals" }).getByText(number, { exact: true });
const chart = () => page.getByRole("application");
const chip = (name: string) => page.getByRole("button", { name: `Remove the filter: ${name}`, exact: true });
const inAddress = (): CrossFilters | undefined => router.state.location.search["filters"];
/** Bars that are drawn in full. */
const bars = () =>
  [...document.querySelectorAll<SVGPathElement>('.ac-chart path[fill^="#"]')].filter(
    (one) => one.getBoundingClientRect().width > 20,
  );
/** The shadow behind the bar that keys have reached is fainter. */
const dimmed = () =>
  bars().filter((one) => {
    const opacity = Number(one.getAttribute("fill-opacity") ?? 1);
    return opacity > 0.1 && opacity < 0.5;
  }).length;

async function reach(keys: string): Promise<void> {
  chart().element().focus();
  await userEvent.keyboard(keys);
}

test("Enter on a mark offers the filter beside the records; the other cards follow, and Escape takes it away", async () => {
  await board(undefined, "READ_DATA_STUDIO");
  await reach("{ArrowRight}{Enter}");
  const offer = page.getByRole("button", { name: "Filter the dashboard by Country is NO", exact: true });
  await expect.element(offer).toHaveFocus();
  await expect.element(page.getByText(/“Half” is worked out by a formula/)).toBeVisible();
  await userEvent.keyboard("{Enter}");
  await expect.element(total("9")).toBeVisible();
  await expect.element(chip("Country is NO")).toBeVisible();
  await expect.element(chart()).toHaveFocus();
  await expect.poll(dimmed).toBe(2);
  expect(asked.at(-1)?.filters).toEqual([
    { cardId: COUNTRIES, marks: [[{ column: "x", values: ["NO"], isOthers: false, field: "Country" }]] },
  ]);
  // The first Escape leaves the mark that the keys have reached.
  await userEvent.keyboard("{Escape}");
  await expect.element(chip("Country is NO")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(total("20")).toBeVisible();
  expect(chip("Country is NO").elements()).toEqual([]);
});

test("where nothing else is offered, Enter filters at once; with Control marks add up, and the same mark takes itself away", async () => {
  await board();
  await reach("{ArrowRight}{Enter}");
  await expect.element(total("9")).toBeVisible();
  await reach("{ArrowRight}{Control>}{Enter}{/Control}");
  await expect.element(chip("Country is NO or SE")).toBeVisible();
  await expect.element(total("16")).toBeVisible();
  await expect.poll(dimmed).toBe(1);
  await reach("{Enter}");
  await expect.element(chip("Country is NO")).toBeVisible();
  await reach("{End}{Enter}");
  await expect.element(chip("Country is (blank)")).toBeVisible();
  await expect.element(total("4")).toBeVisible();
});

test("the address keeps the filter: a copied link opens filtered, and Back takes it away", async () => {
  await board();
  await reach("{ArrowRight}{Enter}");
  await expect.element(total("9")).toBeVisible();
  const copied = router.state.location.href;
  router.history.back();
  await expect.element(total("20")).toBeVisible();
  expect(inAddress()).toBeUndefined();
  router.history.push(copied);
  await expect.element(total("9")).toBeVisible();
  await expect.element(chip("Country is NO")).toBeVisible();
  await chip("Country is NO").click();
  await expect.element(total("20")).toBeVisible();
});

test("a mark that was chosen before its card was changed stands out no more, and is chosen anew", async () => {
  const mark = { column: "x", values: ["NO"], isOthers: false, field: "Region" };
  const filters = [{ cardId: COUNTRIES, marks: [[mark]] }];
  queryClient.clear();
  const address = `/insights-studio/${BOARD}?filters=${encodeURIComponent(JSON.stringify(filters))}`;
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", orgName: "Org", permissions: [] });
  router = showScreens({ "/insights-studio/$dashboardId": DashboardScreen }, address);
  await expect.poll(() => bars().length).toBe(3);
  expect(dimmed()).toBe(0);
  await reach("{ArrowRight}{Control>}{Enter}{/Control}");
  await expect.poll(dimmed).toBe(2);
  expect(inAddress()).toEqual([{ cardId: COUNTRIES, marks: [[{ ...mark, field: "Country" }]] }]);
});

test("the chip says which cards it leaves alone, and why; axe finds nothing wrong", async () => {
  await board();
  await reach("{ArrowRight}{Enter}");
  const left = page.getByRole("button", { name: "1 card doesn't have this column", exact: true });
  await expect.element(left).toBeVisible();
  expect((await axe.run(document.querySelector(".ac-dash")!)).violations).toEqual([]);
  await left.click();
  await expect.element(page.getByText("has no column “Country” in its dataset.")).toBeVisible();
  // What is open closes first.
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByText("has no column “Country” in its dataset.")).not.toBeInTheDocument();
  await expect.element(chip("Country is NO")).toBeVisible();
});

test("a filter by a mark of a card that is not on the dashboard any more is left out", async () => {
  const filters = [{ cardId: "f".repeat(24), marks: [[{ column: "x", values: ["NO"], isOthers: false }]] }];
  await board(`/insights-studio/${BOARD}?filters=${encodeURIComponent(JSON.stringify(filters))}`);
  expect(asked.every((one) => one.filters.length === 0)).toBe(true);
  expect(page.getByRole("region", { name: "Filters of the dashboard" }).elements()).toEqual([]);
});
