/** Where rows and nodes of pipelines lead: versions, transactions of the entity, the schema of a system, and the list of entities. */
import { id } from "@accord/contracts";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { showScreens } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { coreEntity, fieldOf } from "../new-pipeline/new-pipeline.fixtures.ts";
import { pipelineRow } from "../pipeline-editor/field-pipeline/pipeline-row.fixtures.ts";
import { useRowMenu } from "../pipelines/use-row-menu.tsx";
import { TransactionsScreen } from "./transactions-screen.tsx";

const network = globalThis.fetch;
const entities = ["Buyer", "Order"].map((apiName, index) =>
  coreEntity([fieldOf("name")], {
    id: id("entity").parse(String(index + 1).repeat(24)),
    apiName,
    displayName: apiName,
  }),
);
const change = (index: number) => ({
  ...{ id: String(index).repeat(24), at: "2026-03-10T12:00:00.000Z", entityId: entities[index]?.id },
  ...{ recordId: String(index + 5).repeat(24), operation: "update", actor: { kind: "user", userId: "u", name: "Ana" } },
  ...{ cycleId: null, versionNumber: 1, changes: [{ field: "name", from: "a", to: "b" }], refused: [] },
  recordName: index === 0 ? "Nordwind GmbH" : null,
});
let asked: URLSearchParams[];

beforeEach(async () => {
  await page.viewport(1280, 800);
  queryClient.clear();
  asked = [];
  const permissions = ["READ_STUDIO", "WRITE_STUDIO", "VIEW_TRANSACTIONS"];
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions });
  globalThis.fetch = async (path, init) => {
    const [, call] = String(path).split("/api/v1");
    if (call === undefined) return network(path, init);
    if (call.startsWith("/entities")) return Response.json({ entities });
    if (!call.startsWith("/transactions")) return Response.json({ code: "not_found", message: "No." }, { status: 404 });
    const query = new URLSearchParams(call.split("?")[1]);
    asked.push(query);
    const all = [change(0), change(1)];
    const transactions = all.filter(({ entityId }) => !query.has("entityId") || query.get("entityId") === entityId);
    return Response.json({ transactions, page: { nextCursor: "older", previousCursor: null } });
  };
});
afterEach(async () => {
  globalThis.fetch = network;
  // As it is for the other files on this page.
  await page.viewport(414, 896);
});

const open = (address: string) => showScreens({ "/logs/transactions": TransactionsScreen }, address);
const rows = () => page.getByRole("grid").getByRole("row").elements().length - 1;

test("[SYN-009] the log of transactions is filtered by the api name of an entity in its address, and paged", async () => {
  const router = open("/logs/transactions?entity=Order");
  await expect.poll(() => asked.at(-1)?.get("entityId")).toBe(entities[1]?.id);
  await expect.poll(rows).toBe(1);
  await page.getByRole("button", { name: "Older" }).click();
  await expect.poll(() => asked.at(-1)?.get("cursor")).toBe("older");
  expect(router.state.location.search).toMatchObject({ entity: "Order", cursor: "older" });
  await page.getByRole("button", { name: "All entities" }).click();
  await expect.poll(rows).toBe(2);
  expect(asked.at(-1)?.has("cursor")).toBe(false);
});

test("a record is called by its name where that is known, and leads to its page", async () => {
  open("/logs/transactions");
  const address = `/data-studio/entity/${entities[0]?.id}/record/${"5".repeat(24)}`;
  await expect.element(page.getByRole("link", { name: "Nordwind GmbH" })).toHaveAttribute("href", address);
  await expect.element(page.getByRole("link", { name: "Record 666666" })).toBeVisible();
});

test("[SYN-009] a name of no entity lists nothing under it", async () => {
  open("/logs/transactions?entity=Nobody");
  await expect.element(page.getByText("There is no entity with the api name Nobody.")).toBeVisible();
  expect(asked).toEqual([]);
});

test("[SYN-009] a row leads to its versions, to the transactions of its entity, and to the fields of that", async () => {
  const row = pipelineRow({ apiName: "Order", name: "Order" });
  const Menu = () =>
    useRowMenu()
      .actionsOf(row)
      .map(({ label, onSelect }) => (
        <button key={label} type="button" onClick={onSelect}>
          {label}
        </button>
      ));
  const screens = {
    "/menu": Menu,
    "/logs/transactions": TransactionsScreen,
    "/sync-studio/entity/$entityId/versions": () => null,
    "/schema-studio/synapse/$connectorId/entity/$entityApiName/$version": () => null,
  };
  const ends = [
    ["Transactions", "/logs/transactions?entity=Order"],
    ["Versions", `/sync-studio/entity/${row.id}/versions`],
    ["Fields", "/schema-studio/synapse/core/entity/Order/published"],
  ] as const;
  for (const [label, end] of ends) {
    const router = showScreens(screens, "/menu");
    await page.getByRole("button", { name: label, exact: true }).click();
    await expect.poll(() => router.state.location.href).toBe(end);
  }
});
