/** The activity drawer: a cycle opens to its records, and each of its numbers to those that it counts. */
import { id } from "@accord/contracts";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { Cycle } from "@accord/contracts/sync/monitoring/runs";
import { ListedTransaction } from "@accord/contracts/sync/monitoring/transactions";
import { useState } from "react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../../app/queries.ts";
import { showInRouter } from "../../../../app/show-in-router.fixtures.tsx";
import "../../../../app/words.ts";
import { pipelineRow } from "../../pipeline-editor/field-pipeline/pipeline-row.fixtures.ts";
import type { ActivityNarrowing } from "../activity-tabs.ts";
import { ActivityDrawer } from "./activity-drawer.tsx";

const row = pipelineRow({ name: "Buyers" });
const hex = (digit: string) => digit.repeat(24);
const cycle = (digit: string, more: Partial<Cycle> = {}) =>
  Cycle.parse({
    ...{ id: hex(digit), kind: "cycle", startedAt: "2026-03-10T12:00:00.000Z", finishedAt: "2026-03-10T12:00:02.000Z" },
    ...{
      outcome: "finished",
      versionNumber: 1,
      read: { source: 9 },
      delivered: {},
      created: 0,
      updated: 0,
      deleted: 0,
    },
    ...{ unchanged: 0, filtered: 0, refused: 0, quarantined: 0, errors: [], warnings: [] },
    ...more,
  });
const LISTED = [cycle("3", { created: 2, updated: 1, refused: 4, quarantined: 5 }), cycle("2", { deleted: 1 })];
const change = (digit: string, operation: string, recordName: string | null) =>
  ListedTransaction.parse({
    ...{
      id: hex(digit),
      at: "2026-03-10T12:00:01.000Z",
      entityId: row.id,
      recordId: hex(digit),
      operation,
      recordName,
    },
    ...{ actor: { kind: "system" }, cycleId: hex("3"), versionNumber: 1, changes: [], refused: [] },
  });
const changes = [
  change("a", "create", "Nordwind GmbH"),
  change("b", "create", null),
  change("c", "update", "Harbor Ltd"),
];

const network = globalThis.fetch;
let asked: URLSearchParams[];
let cycles: Cycle[];
/** What is found where one cycle is looked for, and from where. */
let single: Cycle[];
let cursors: (string | null)[];
beforeEach(() => {
  asked = [];
  cycles = LISTED;
  single = [];
  cursors = [];
  const pages = { nextCursor: null, previousCursor: null };
  globalThis.fetch = async (path, init) => {
    const [, call] = String(path).split("/api/v1");
    if (call === undefined) return network(path, init);
    if (call.includes("/cycles")) {
      const query = new URLSearchParams(call.split("?")[1]);
      if (!query.has("cursor")) return Response.json({ cycles, page: pages });
      cursors.push(query.get("cursor"));
      return Response.json({ cycles: single, page: pages });
    }
    if (!call.startsWith("/transactions")) return Response.json({ code: "not_found", message: "No." }, { status: 404 });
    const query = new URLSearchParams(call.split("?")[1]);
    asked.push(query);
    const wanted = query.get("operation");
    const transactions = changes.filter(({ operation }) => wanted === null || wanted === operation);
    return Response.json({ transactions, page: pages });
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

function open(narrowing: ActivityNarrowing = {}, permissions = ["READ_STUDIO", "VIEW_TRANSACTIONS"]): void {
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions });
  function Drawer() {
    const [shown, setShown] = useState(narrowing);
    return (
      <ActivityDrawer
        row={row}
        tab="cycles"
        narrowing={shown}
        onNarrow={(next) => setShown({ ...shown, ...next })}
        onTab={() => undefined}
        onClose={() => undefined}
      />
    );
  }
  showInRouter(Drawer);
}
const drawer = page.getByRole("dialog", { name: "Activity of Buyers" });
const listed = () =>
  drawer
    .getByRole("grid", { name: "Records of this cycle" })
    .getByRole("link")
    .elements()
    .map((link) => [link.textContent, link.getAttribute("href")]);
const at = (digit: string) => `/data-studio/entity/${row.id}/record/${hex(digit)}`;
const ALL = [
  ["Nordwind GmbH", at("a")],
  ["Record bbbbbb", at("b")],
  ["Harbor Ltd", at("c")],
];

test("a cycle opens to its records by a press on its row, each called by its name and leading to its page", async () => {
  open();
  await drawer.getByText("Cycle done").first().click();
  await expect.poll(listed).toEqual(ALL);
  expect(asked.at(-1)?.get("cycleId")).toBe(hex("3"));
  await drawer.getByText("Cycle done").first().click();
  await expect.poll(listed).toEqual([]);
});

test("the last cycle is open where the address asks for it", async () => {
  open({ cycle: "latest" });
  await expect.poll(listed).toEqual(ALL);
  expect(asked.at(-1)?.get("cycleId")).toBe(hex("3"));
});

test("the last cycle stays open when another has ended since", async () => {
  open({ cycle: "latest" });
  await expect.poll(listed).toEqual(ALL);
  cycles = [cycle("4"), ...LISTED];
  await queryClient.invalidateQueries();
  await expect.poll(() => drawer.getByText("Cycle done").elements()).toHaveLength(3);
  await expect.poll(listed).toEqual(ALL);
  expect(new Set(asked.map((query) => query.get("cycleId")))).toEqual(new Set([hex("3")]));
});

test("a cycle of the address that the list has no more is looked for, and said to be gone where it is", async () => {
  const old = "0".repeat(22) + "1f";
  single = [cycle("0", { id: id("run").parse(old) })];
  open({ cycle: old });
  await expect.poll(() => asked.at(-1)?.get("cycleId")).toBe(old);
  expect(cursors).toEqual(["32"]);
  single = [cycle("0", { id: id("run").parse("0".repeat(22) + "1e") })];
  open({ cycle: old });
  await expect.element(drawer.getByText("This cycle is no longer kept")).toBeVisible();
  open({ cycle: "no cycle" });
  await expect.element(drawer.getByText("This cycle is no longer kept")).toBeVisible();
});

test("each number of a cycle leads to the records that it counts, and nought nowhere", async () => {
  open();
  await drawer.getByRole("button", { name: "Created: 2" }).click();
  await expect.poll(listed).toEqual(ALL.slice(0, 2));
  expect(Object.fromEntries(asked.at(-1) ?? [])).toMatchObject({ cycleId: hex("3"), operation: "create" });
  await drawer.getByRole("button", { name: "Updated: 1" }).click();
  await expect.poll(listed).toEqual(ALL.slice(2));
  await drawer.getByRole("button", { name: "All changes" }).click();
  await expect.poll(listed).toEqual(ALL);
  await drawer.getByRole("button", { name: "Deleted: 1" }).click();
  await expect.element(drawer.getByText("This cycle did this to no record.")).toBeVisible();
  expect(asked.at(-1)?.get("cycleId")).toBe(hex("2"));
  expect(
    drawer.getByRole("button", { name: /Read|Refused|Quarantined/ }).elements(),
    "which records these were is not known",
  ).toEqual([]);
  expect(drawer.getByRole("button", { name: /: 0$/ }).elements()).toEqual([]);
});

test("whoever may not see changes of records is led to none", async () => {
  open({}, ["READ_STUDIO"]);
  await expect.element(drawer.getByText("Cycle done").first()).toBeVisible();
  expect(drawer.getByRole("button", { name: /Created|Updated|Deleted|Read/ }).elements()).toEqual([]);
  await drawer.getByText("Cycle done").first().click();
  await expect.element(drawer.getByText("No problems")).toBeVisible();
  expect(asked).toEqual([]);
});
