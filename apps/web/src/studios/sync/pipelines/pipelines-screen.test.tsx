/** The pipelines table: its pages, what narrows it, and its drawers, all of them kept in the address. */
import { id } from "@accord/contracts";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { PipelineSort } from "@accord/contracts/sync/pipeline-sort";
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import { orderRows } from "@accord/sync-engine/lifecycle";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { showScreens } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { pipelineRow } from "../pipeline-editor/field-pipeline/pipeline-row.fixtures.ts";
import { hiddenAtFirst } from "./pipeline-columns.tsx";
import { PipelinesScreen } from "./pipelines-screen.tsx";

const COUNT = 30;
const network = globalThis.fetch;
/** Queries of the table, without those that read all of it. */
let asked: URLSearchParams[];

const place = (entityId: string, connectorName: string) => ({
  ...{ connectorId: "c".repeat(24), connectorName, connectorType: "postgres", entityId, entityName: entityId },
});
const rows: PipelineRow[] = Array.from({ length: COUNT }, (_, index) => {
  const number = String(index + 1).padStart(2, "0");
  return pipelineRow({
    ...{ id: id("entity").parse(number.padStart(24, "0")), name: `Pipeline ${number}`, apiName: `p${number}` },
    ...{ currentActivity: `Reading ${number}`, destinations: [place("invoices", "Billing")] },
    // Only the last row, which is not on the first page, has a source of its own.
    sources: index === COUNT - 1 ? [place("entries", "Ledger")] : [place("orders", "Shop")],
  });
});
const [first] = rows;

function answer(path: string, query: URLSearchParams): Response {
  if (path.endsWith("/cycles")) return Response.json({ cycles: [], page: { nextCursor: null, previousCursor: null } });
  const [number, size] = [Number(query.get("page") ?? 1), Number(query.get("pageSize") ?? 25)];
  if (size < 100) asked.push(query);
  const order = PipelineSort.parse(query.get("sort") ?? "name");
  const found = orderRows(rows, order).filter(({ name }) => name.includes(query.get("search") ?? ""));
  const summary = { total: COUNT, draft: 0, running: COUNT, resyncing: 0, paused: 0, error: 0, warning: 0 };
  return Response.json({
    rows: found.slice((number - 1) * size, number * size),
    ...{ total: found.length, page: number, unmapped: 0, summary },
  });
}
beforeEach(async () => {
  await page.viewport(1440, 900);
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["READ_STUDIO", "WRITE_STUDIO"] });
  asked = [];
  globalThis.fetch = async (input, init) => {
    const [, call] = String(input).split("/api/v1");
    if (call === undefined) return network(input, init);
    const [path = "", query] = call.split("?");
    return answer(path, new URLSearchParams(query));
  };
});
afterEach(async () => {
  globalThis.fetch = network;
  // As it is for the other files on this page.
  await page.viewport(414, 896);
});

/** Answers the query of the address that is shown. */
function open(address: string): () => Record<string, unknown> {
  const router = showScreens(
    { "/sync-studio/details": PipelinesScreen, "/sync-studio/details/$entityId": PipelinesScreen },
    address,
  );
  return () => ({ ...router.state.location.search });
}

const button = (name: string) => page.getByRole("button", { name, exact: true });
const filter = page.getByRole("dialog", { name: "Filter" });
const apply = () => filter.getByRole("button", { name: "Apply" });
const choices = (label: string) => filter.getByRole("combobox", { name: label, exact: true });
const names = (): string[] =>
  [...document.querySelectorAll(".ac-table [data-row-index]")].map(
    (row) => /Pipeline \d\d/.exec(row.textContent ?? "")?.[0] ?? "",
  );
const namesOf = (from: number, count: number) => rows.slice(from, from + count).map(({ name }) => name);
async function choose(label: string, ...options: string[]): Promise<void> {
  // Its drawer slides in; the field around the hidden input takes the press.
  await expect.element(choices(label)).toBeInViewport();
  await choices(label).click({ force: true });
  for (const option of options) await page.getByRole("option", { name: option, exact: true }).click();
  await userEvent.keyboard("{Escape}");
}

test("[SYN-020] [SYN-021] thirty pipelines come on pages of 25, with their counts, a search and a filter; another size is followed", async () => {
  const shown = open("/sync-studio/details");
  await expect
    .element(page.getByRole("list", { name: "Pipelines by state" }).getByRole("button", { name: "30 Total" }))
    .toBeVisible();
  await expect.element(button("Filter")).toBeVisible();
  await expect.poll(names).toEqual(namesOf(0, 25));
  await button("Next page").click();
  await expect.poll(names).toEqual(namesOf(25, 5));
  expect(shown()).toMatchObject({ page: 2 });
  await page.getByRole("combobox", { name: "Rows per page" }).click();
  await page.getByRole("option", { name: "10", exact: true }).click();
  await expect.poll(names).toEqual(namesOf(0, 10));
  await page.getByRole("button", { name: "3", exact: true }).click();
  await expect.poll(names).toEqual(namesOf(20, 10));
  await page.getByRole("searchbox", { name: "Search pipelines" }).fill("Pipeline 07");
  await expect.poll(names).toEqual(["Pipeline 07"]);
  expect(shown()).toMatchObject({ search: "Pipeline 07", pageSize: 10 });
});

test("[SYN-020] a press of a head orders all pipelines and not only the page, from the first page on, and stands in the address", async () => {
  const head = (name: string) => page.getByRole("columnheader", { name }).getByRole("button").first();
  const shown = open("/sync-studio/details?page=2");
  await expect.poll(names).toEqual(namesOf(25, 5));
  await head("Name").click();
  await expect.poll(names).toEqual(namesOf(5, 25).toReversed());
  expect(shown()).toEqual({ sort: "-name" });
  await button("Next page").click();
  await expect.poll(names).toEqual(namesOf(0, 5).toReversed());
  expect(shown()).toEqual({ sort: "-name", page: 2 });
  await head("Last completed").click();
  await expect.poll(() => asked.at(-1)?.get("sort")).toBe("last");

  open("/sync-studio/details?sort=-name");
  await expect.poll(names).toEqual(namesOf(5, 25).toReversed());
  await expect.element(page.getByRole("columnheader", { name: "Name" })).toHaveAttribute("aria-sort", "descending");
});

test("[SYN-022] what the table is narrowed to stands in the address as lists, and is there again when it is opened fresh", async () => {
  const shown = open("/sync-studio/details");
  await button("Filter").click();
  await choose("State", "Running", "Error");
  await choose("Status", "Draft", "Published");
  await choose("Sources", "Shop · orders", "Ledger · entries");
  await choose("Destinations", "Billing · invoices");
  await apply().click();
  const lists = {
    ...{ pipelineState: "Running,Error", pipelineStatus: "Draft,Published" },
    ...{ sources: "orders,entries", destinations: "invoices" },
  };
  await expect.poll(shown).toEqual(expect.objectContaining(lists));
  await expect.poll(() => Object.fromEntries(asked.at(-1) ?? [])).toMatchObject(lists);

  queryClient.removeQueries({ queryKey: ["listPipelines"] });
  asked = [];
  open(`/sync-studio/details?panel=filter&${new URLSearchParams(lists)}`);
  for (const chosen of ["Running", "Error", "Draft", "Published", "Shop · orders", "Ledger · entries"])
    await expect.element(filter.getByText(chosen, { exact: true })).toBeVisible();
  expect(Object.fromEntries(asked.at(-1) ?? [])).toMatchObject(lists);
});

test("[SYN-022] sources and destinations of pipelines on other pages can be chosen; where they can't be read, that is said", async () => {
  const reading = globalThis.fetch;
  globalThis.fetch = (input, init) =>
    String(input).includes("pageSize=100")
      ? Promise.resolve(Response.json({ code: "forbidden", message: "No." }, { status: 403 }))
      : reading(input, init);
  open("/sync-studio/details?panel=filter");
  await expect.element(filter.getByText(/^Not all pipelines could be read/)).toBeVisible();
  await choices("Sources").click({ force: true });
  await expect.element(page.getByRole("option", { name: "Shop · orders" })).toBeVisible();
  expect(page.getByRole("option", { name: "Ledger · entries" }).query()).toBeNull();
});

test("[SYN-023] the activity of a pipeline opens 1000 px wide by a press and by its address, and the filter applies what was changed", async () => {
  const activity = page.getByRole("dialog", { name: "Activity of Pipeline 01" });
  const shown = open("/sync-studio/details");
  await button("Reading 01").click();
  await expect.element(activity).toBeVisible();
  expect(activity.element().getBoundingClientRect().width).toBe(1000);
  expect(shown()).toMatchObject({ panel: "activity", activity: first?.id });
  await userEvent.keyboard("{Escape}");
  await expect.element(activity).not.toBeInTheDocument();
  expect(shown()).not.toHaveProperty("panel", "activity");

  open(`/sync-studio/details?panel=activity&activity=${first?.id}`);
  await expect.element(activity).toBeVisible();

  open("/sync-studio/details?panel=filter");
  await expect.element(apply()).toBeDisabled();
  await choose("State", "Paused");
  await expect.element(apply()).toBeEnabled();
  await choose("State", "Paused");
  await expect.element(apply()).toBeDisabled();
});

/** Beside the screen, which is shown alone here. */
const SIDEBAR = 216;
const LOOK = "accord.pipelines.look";
/** Texts of the table that end in dots. */
const cut = (): string[] =>
  [...document.querySelectorAll(".ac-table__body [role=gridcell] *, .ac-table__head [role=columnheader] *")]
    .filter((part) => part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1)
    .filter((part) => getComputedStyle(part).overflow !== "visible" && !part.matches(".ac-hidden"))
    .map((part) => part.textContent ?? "");

test.each([1280, 1440])(
  "at %i pixels no column is cut: names of two systems and what a pipeline does are read whole",
  async (width) => {
    await page.viewport(width - SIDEBAR, 900);
    localStorage.setItem(LOOK, JSON.stringify({ hidden: hiddenAtFirst(width), isDense: false }));
    const systems = [place("company", "Harbor CRM"), place("customers", "Billing")];
    const kept = rows[0];
    rows[0] = pipelineRow({
      ...rows[0],
      ...{ name: "Account", sources: systems, destinations: systems, currentActivity: "Writing to Harbor CRM" },
      ...{ pipelineStateTagData: ["Resyncing", "Warning"], pipelineStatusTagData: ["Published", "Draft"] },
      lastCompletedSync: new Date(Date.now() - 59_000).toISOString(),
    });
    open("/sync-studio/details");
    await expect.element(button("Writing to Harbor CRM")).toBeVisible();
    const found = cut();
    localStorage.removeItem(LOOK);
    if (kept) rows[0] = kept;
    expect(found).toEqual([]);
  },
);

test("[SYN-029] a cell of the table explains itself once the pointer has rested on it for half a second", async () => {
  const tip = page.getByRole("tooltip");
  open("/sync-studio/details");
  await expect.element(button("Reading 01")).toBeVisible();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    for (const cell of [button("Reading 01"), page.getByText("Billing").first()]) {
      await cell.hover();
      vi.advanceTimersByTime(499);
      await expect.element(tip).not.toBeInTheDocument();
      vi.advanceTimersByTime(1);
      await expect.element(tip).toBeInTheDocument();
      await page.getByRole("heading", { name: "Sync studio" }).hover();
      vi.advanceTimersByTime(1_000);
      await expect.element(tip).not.toBeInTheDocument();
    }
  } finally {
    vi.useRealTimers();
  }
});

test("[SYN-024] [SYN-026] lag, who published and who paused a pipeline are columns to choose", async () => {
  const kept = rows[0];
  rows[0] = pipelineRow({
    ...rows[0],
    ...{ lagInSeconds: 185, pausedBy: "Ada Lovelace" },
    lastPublishedBy: { firstName: "Grace", lastName: "Hopper" },
  });
  localStorage.removeItem(LOOK);
  open("/sync-studio/details");
  await expect.element(button("Reading 01")).toBeVisible();
  expect(page.getByRole("columnheader", { name: "Lag" }).elements()).toEqual([]);
  localStorage.setItem(LOOK, JSON.stringify({ hidden: ["recent", "sources", "destinations"], isDense: false }));
  open("/sync-studio/details");
  const row = page.getByRole("row").filter({ hasText: "Pipeline 01" });
  for (const text of ["3 min", "Grace Hopper", "Ada Lovelace"])
    await expect.element(row.getByText(text, { exact: true })).toBeInTheDocument();
  for (const name of ["Lag", "Published by", "Paused by"])
    await expect.element(page.getByRole("columnheader", { name })).toBeInTheDocument();
  localStorage.removeItem(LOOK);
  if (kept) rows[0] = kept;
});

test("the number of transactions in the last cycle leads to that cycle", async () => {
  const kept = rows[0];
  rows[0] = pipelineRow({ ...rows[0], transactionsInLastCycle: 7 });
  localStorage.setItem(LOOK, JSON.stringify({ hidden: [], isDense: false }));
  const shown = open("/sync-studio/details");
  const row = page.getByRole("row").filter({ hasText: "Pipeline 01" });
  await row.getByRole("button", { name: "7", exact: true }).click();
  await expect.poll(shown).toMatchObject({ panel: "activity", activity: first?.id, cycle: "latest" });
  localStorage.removeItem(LOOK);
  if (kept) rows[0] = kept;
});
