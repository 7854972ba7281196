/** The logs of the whole instance: each address opens cold and says what it is for, and a failed record is in both lists. */
import { id } from "@accord/contracts";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { showScreens } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { coreEntity, fieldOf } from "../new-pipeline/new-pipeline.fixtures.ts";
import { LogsScreen } from "./logs-screen.tsx";
import { SyncErrorsScreen } from "./sync-errors-screen.tsx";
import { TransactionsScreen } from "./transactions-screen.tsx";

const network = globalThis.fetch;
const ORDER = id("entity").parse("2".repeat(24));
const RECORD = "5".repeat(24);
const AT = "2026-03-10T12:00:00.000Z";
const failed = {
  ...{ id: "7".repeat(24), entityId: ORDER, at: AT, direction: "destination", status: "OPEN", connectorId: "c" },
  ...{ connectorEntity: "orders", externalId: "17", recordId: RECORD, recordName: "Order 17", nodeId: null },
  ...{ code: "rejected", message: "The total is negative.", attempts: 3, dismissedBy: null, dismissedAt: null },
  isPublished: true,
};
const change = {
  ...{ id: "8".repeat(24), at: AT, entityId: ORDER, recordId: RECORD, operation: "create", versionNumber: 1 },
  ...{ actor: { kind: "user", userId: "u", name: "Ana" }, cycleId: null, refused: [], recordName: "Order 17" },
  changes: [{ field: "total", from: null, to: -1 }],
};
let asked: { path: string; query: URLSearchParams }[];
let errors: unknown[];

const allow = (...permissions: string[]) =>
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions, orgName: "Org" });

beforeEach(async () => {
  await page.viewport(1280, 800);
  queryClient.clear();
  [asked, errors] = [[], [failed]];
  allow("READ_STUDIO", "VIEW_TRANSACTIONS");
  globalThis.fetch = async (input, init) => {
    const [, call] = String(input).split("/api/v1");
    if (call === undefined) return network(input, init);
    const [path = "", query] = call.split("?");
    asked.push({ path, query: new URLSearchParams(query) });
    const pages = { nextCursor: "older", previousCursor: null };
    if (path === "/entities")
      return Response.json({
        entities: [coreEntity([fieldOf("name")], { id: ORDER, apiName: "Order", displayName: "Order" })],
      });
    if (path === "/transactions") return Response.json({ transactions: [change], page: pages });
    if (path === "/sync-errors") return Response.json({ entries: errors, page: pages });
    return Response.json({ code: "not_found", message: "Not found" }, { status: 404 });
  };
});
afterEach(async () => {
  globalThis.fetch = network;
  // As it is for the other files on this page.
  await page.viewport(414, 896);
});

const SCREENS = {
  "/logs": LogsScreen,
  "/logs/$type": LogsScreen,
  "/logs/transactions": TransactionsScreen,
  "/logs/sync-errors": SyncErrorsScreen,
};
const open = (address: string) => showScreens(SCREENS, address);
const title = (name: string) => page.getByRole("heading", { name, level: 1 });
const lastQuery = (path: string) => asked.findLast((one) => one.path === path)?.query;
async function choose(name: string, option: string) {
  await page.getByRole("combobox", { name, exact: true }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

test("[PLT-018] the list of logs leads to both, and an address of another log says which there are", async () => {
  const router = open("/logs");
  await expect.element(title("Logs")).toBeVisible();
  await expect
    .element(page.getByText("Records that could not be read or written, with the reason of each."))
    .toBeVisible();
  await page.getByRole("link", { name: "Transactions", exact: true }).click();
  await expect.element(title("Transactions")).toBeVisible();
  expect(router.state.location.pathname).toBe("/logs/transactions");
  open("/logs/kittens");
  await expect.element(page.getByText("There is no log called kittens.")).toBeVisible();
  await page.getByRole("link", { name: "Sync errors", exact: true }).click();
  await expect.element(title("Sync errors")).toBeVisible();
});

test("[PLT-018] a record that failed is in both lists: what was done to it, and why it went no further", async () => {
  open("/logs/transactions");
  const row = page.getByRole("row").filter({ hasText: "total" });
  await expect.poll(() => row.element().textContent).toMatch(/Order.*Created.*Ana/);
  open("/logs/sync-errors");
  await expect.element(page.getByText("The total is negative.")).toBeVisible();
  const record = page.getByRole("link", { name: "Order 17" });
  await expect.element(record).toHaveAttribute("href", `/data-studio/entity/${ORDER}/record/${RECORD}`);
  const pipeline = page.getByRole("link", { name: "Open in pipeline" });
  expect(pipeline.element().getAttribute("href")).toMatch(new RegExp(`activity=.*${ORDER}.*tab=quarantine`));
  expect(lastQuery("/sync-errors")?.get("status")).toBe("UNRESOLVED");
});

test("a record of a pipeline that is not published does not wait, and says what can be done with it", async () => {
  errors = [failed, { ...failed, id: "9".repeat(24), isPublished: false }];
  open("/logs/sync-errors");
  await expect.element(page.getByText("Waiting", { exact: true })).toBeVisible();
  expect(page.getByText("Waiting", { exact: true }).elements()).toHaveLength(1);
  await expect.element(page.getByText("Not published", { exact: true })).toBeVisible();
  await expect.element(page.getByText(/Nothing is tried until this pipeline is published/)).toBeVisible();
});

test("transactions are narrowed by entity, change and time, and each in the address", async () => {
  const router = open("/logs/transactions?cursor=older&direction=next");
  await expect.poll(() => lastQuery("/transactions")?.get("cursor")).toBe("older");
  await choose("Change", "Created");
  await expect.poll(() => lastQuery("/transactions")?.get("operation")).toBe("create");
  expect(lastQuery("/transactions")?.has("cursor")).toBe(false);
  await choose("Time", "Last 24 hours");
  await expect.poll(() => lastQuery("/transactions")?.has("from")).toBe(true);
  const from = Date.parse(lastQuery("/transactions")?.get("from") ?? "");
  expect(Math.abs(Date.now() - from - 86_400_000)).toBeLessThan(60_000);
  expect(router.state.location.search).toEqual({ operation: "create", within: "24h" });
  await page.getByRole("button", { name: "Older" }).click();
  await expect.poll(() => lastQuery("/transactions")?.get("cursor")).toBe("older");
  expect(lastQuery("/transactions")?.get("operation")).toBe("create");
});

test("sync errors are narrowed by entity, direction, state and words", async () => {
  open("/logs/sync-errors?entity=Order");
  await expect.poll(() => lastQuery("/sync-errors")?.get("entityId")).toBe(ORDER);
  await choose("Direction", "Writing");
  await expect.poll(() => lastQuery("/sync-errors")?.get("side")).toBe("destination");
  await choose("State", "Any state");
  await expect.poll(() => lastQuery("/sync-errors")?.has("status")).toBe(false);
  await page.getByPlaceholder("Search reasons, ids and values").fill("negative");
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => lastQuery("/sync-errors")?.get("search")).toBe("negative");
  errors = [];
  await page.getByPlaceholder("Search reasons, ids and values").fill("else");
  await expect.element(page.getByText("No record matches these filters")).toBeVisible();
});

test("without errors it says so, and who may not see a log reads that and nothing is asked", async () => {
  errors = [];
  open("/logs/sync-errors");
  await expect.element(page.getByText("No record is in quarantine")).toBeVisible();
  asked = [];
  queryClient.clear();
  allow("VIEW_TRANSACTIONS");
  open("/logs");
  await expect.element(page.getByRole("link", { name: "Transactions", exact: true })).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Sync errors", exact: true })).not.toBeInTheDocument();
  open("/logs/sync-errors");
  await expect.element(title("You don't have access to this")).toBeVisible();
  expect(asked.filter(({ path }) => path === "/sync-errors")).toEqual([]);
});
