/** The list behind "to send": each record that waits, where, what for, and a way to it; narrowed to one destination. */
import { listConnectors } from "@accord/contracts/connections/connectors";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { listWaitingDeliveries, type WaitingDelivery } from "@accord/contracts/sync/monitoring/waiting-deliveries";
import { useState } from "react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../../../app/queries.ts";
import { showInRouter } from "../../../../../app/show-in-router.fixtures.tsx";
import "../../../../../app/words.ts";
import { pipelineRow } from "../../../pipeline-editor/field-pipeline/pipeline-row.fixtures.ts";
import { WaitingList } from "./waiting-list.tsx";

const row = pipelineRow();
const destination = { name: "Books", connectorId: "b".repeat(24), connectorEntity: "customer" };
const delivery = (number: number, more: Partial<WaitingDelivery> = {}): WaitingDelivery => ({
  recordId: `${number}`.padStart(24, "0") as WaitingDelivery["recordId"],
  recordName: `Record ${number}`,
  externalId: null,
  nodeId: "books",
  connectorId: destination.connectorId,
  connectorEntity: destination.connectorEntity,
  since: new Date(Date.now() - 60_000).toISOString(),
  attempts: 0,
  nextTryAt: null,
  waitsFor: "cycle",
  lacksReference: false,
  lastError: null,
  ...more,
});
const DESTINATIONS = [
  { ...destination, nodeId: "books", count: 2 },
  { ...destination, nodeId: "shop", name: "Shop", count: 9_000, isLowerBound: true },
];

const network = globalThis.fetch;
let asked: URL[] = [];
let answer: (asked: URL) => Response;
beforeEach(() => {
  asked = [];
  globalThis.fetch = async (path, init) => {
    const url = new URL(String(path), location.href);
    if (!url.pathname.endsWith("/waiting-deliveries")) return network(path, init);
    asked.push(url);
    return answer(url);
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

const NO_MORE = { nextCursor: null, previousCursor: null };
const listed = (deliveries: WaitingDelivery[], destinations: object[] = DESTINATIONS, pages: object = NO_MORE) =>
  Response.json(listWaitingDeliveries.reply.parse({ deliveries, destinations, page: pages }));

function showList(nodeId?: string) {
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["READ_STUDIO"] });
  queryClient.setQueryData(keyOf(listConnectors, {}), { connectors: [] });
  function List() {
    const [node, setNode] = useState(nodeId);
    return <WaitingList key={node} row={row} nodeId={node} onNode={setNode} />;
  }
  showInRouter(List);
}

test("each record that waits says where, what for, what went wrong last and when it is tried next", async () => {
  const nextTryAt = new Date(Date.now() + 60_000).toISOString();
  answer = () =>
    listed([
      delivery(1, { waitsFor: "system", attempts: 3, nextTryAt, lastError: "The table is gone.", externalId: "7" }),
      delivery(2, { waitsFor: "quarantine", lacksReference: true }),
      delivery(3, { since: null, recordName: null }),
    ]);
  showList();
  const cells = (index: number) => page.getByRole("row").nth(index);
  for (const words of ["Record 1", "7", "Books", "3", /customer does not take it\s+The table is gone\./])
    await expect.element(cells(1).getByText(words).first()).toBeVisible();
  await expect
    .element(cells(1).getByRole("link", { name: "Record 1" }))
    .toHaveAttribute("href", `/data-studio/entity/${row.id}/record/${"1".padStart(24, "0")}`);
  for (const words of ["not there yet", /Its record in customer is in quarantine\s+It is sent without references/])
    await expect.element(cells(2).getByText(words).first()).toBeVisible();
  const link = cells(2).getByRole("link", { name: "Show the quarantine" });
  await expect
    .element(link)
    .toHaveAttribute("href", `/sync-studio/details?panel=activity&activity=${row.id}&tab=quarantine`);
  for (const words of ["Record 000003", "not known", "due now", "The cycle under way, or the next"])
    await expect.element(cells(3).getByText(words).first()).toBeVisible();
});

test("the list is narrowed to one destination, each named with its number", async () => {
  answer = (url) => listed(url.searchParams.get("nodeId") === "shop" ? [] : [delivery(1)]);
  showList();
  await page.getByRole("combobox", { name: "Destination" }).click();
  await expect.element(page.getByRole("option", { name: "Books (2)" })).toBeVisible();
  await page.getByRole("option", { name: "Shop (9,000+)" }).click();
  await expect.element(page.getByText("Nothing waits for this destination")).toBeVisible();
  expect(asked.at(-1)?.searchParams.get("nodeId")).toBe("shop");
});

test("what is due later is on the next page", async () => {
  answer = (url) =>
    url.searchParams.has("cursor")
      ? listed([delivery(2)], DESTINATIONS, { nextCursor: null, previousCursor: "first" })
      : listed([delivery(1)], DESTINATIONS, { nextCursor: "second", previousCursor: null });
  showList();
  await page.getByRole("button", { name: "Due later" }).click();
  await expect.element(page.getByRole("link", { name: "Record 2" })).toBeVisible();
  expect(asked.at(-1)?.searchParams.get("cursor")).toBe("second");
});

test("where nothing waits the list says so", async () => {
  answer = () => listed([], []);
  showList();
  await expect.element(page.getByText("Nothing waits to be sent")).toBeVisible();
});

test.each([
  [403, "no_permission", "You don't have access to this"],
  [500, "unexpected", "Try again"],
])("an answer of %s is said in place of the list", async (status, code, words) => {
  answer = () => Response.json({ code, message: "That went wrong." }, { status });
  showList();
  await expect.element(page.getByText(words, { exact: false }).first()).toBeVisible();
  expect(page.getByRole("table").elements()).toHaveLength(0);
});
