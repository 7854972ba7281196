/** Choosing a source: only what can be read is offered, and what can't be says why. */
import { Connector, type ConnectorEntitySummary } from "@accord/contracts/connections/connectors";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { queryClient } from "../../../../app/queries.ts";
import { showInRouter } from "../../../../app/show-in-router.fixtures.tsx";
import "../../../../app/words.ts";
import { buyers, SHOP, shop } from "../new-pipeline.fixtures.ts";
import { SourcePicker } from "./source-picker.tsx";

const network = globalThis.fetch;
const summary = (apiName: string, more: Partial<ConnectorEntitySummary> = {}): ConnectorEntitySummary => {
  const {
    connectorId: _,
    schema: _s,
    idCandidates: _i,
    watermarkCandidates: _w,
    writeComparison: _c,
    ...rest
  } = buyers();
  return { ...rest, apiName, displayName: apiName, ...more };
};
const ENTITIES = [
  summary("Buyers"),
  summary("Visits", { problem: "It has no id field: choose one." }),
  summary("Letters", { status: "INACTIVE" }),
];

beforeEach(() => {
  queryClient.clear();
  globalThis.fetch = async (path, init) =>
    String(path).includes("/connectors/") ? new Response(JSON.stringify({ entities: ENTITIES })) : network(path, init);
});
afterEach(() => {
  globalThis.fetch = network;
});

function open(status: "ACTIVE" | "ERROR" = "ACTIVE"): unknown[] {
  const chosen: unknown[] = [];
  showInRouter(() => <SourcePicker connectors={[{ ...shop(), status }]} onChoose={(one) => chosen.push(one)} />);
  return chosen;
}

test("entities that can't be read stay in the list, each with its reason", async () => {
  const chosen = open();
  await expect.element(page.getByRole("button", { name: /^Visits It has no id field/ })).toBeDisabled();
  await expect.element(page.getByRole("button", { name: /^Letters It is no longer in the system/ })).toBeDisabled();
  await page.getByRole("button", { name: /^Buyers 7 fields/ }).click();
  await expect.poll(() => chosen).toEqual([{ connectorId: SHOP, entity: "Buyers" }]);
});

test("a system that is not active offers nothing, says in which status it is, and leads to its page", async () => {
  open("ERROR");
  await expect.element(page.getByText(/It can't be read: its status is error/)).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Open the system" })).toBeVisible();
  await expect.element(page.getByRole("button", { name: /^Buyers/ })).toBeDisabled();
});

test("a search finds entities, and a system with all of its own", async () => {
  open();
  await page.getByPlaceholder("Find a system or an entity").fill("visi");
  await expect.element(page.getByRole("button", { name: /^Buyers/ })).not.toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: /^Visits/ })).toBeVisible();
  await page.getByPlaceholder("Find a system or an entity").fill("SHOP");
  await expect.element(page.getByRole("button", { name: /^Buyers/ })).toBeVisible();
});

test("words of the system and of the entity find it together, and Enter takes the first that can be read", async () => {
  const chosen = open();
  await page.getByPlaceholder("Find a system or an entity").fill("shop buy");
  await expect.element(page.getByRole("button", { name: /^Visits/ })).not.toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: /^Buyers/ })).toBeVisible();
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => chosen).toEqual([{ connectorId: SHOP, entity: "Buyers" }]);
});

test("Enter takes the first match that is shown, or nothing: not the next one, nor one before all systems have answered", async () => {
  const [late, other] = ["6".repeat(24), "7".repeat(24)];
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  globalThis.fetch = async (path, init) => {
    if (!String(path).includes("/connectors/")) return network(path, init);
    if (String(path).includes(late)) await answered;
    return new Response(JSON.stringify({ entities: [...ENTITIES, summary("Visitors")] }));
  };
  const chosen: unknown[] = [];
  const connectors = [
    Connector.parse({ ...shop(), id: late, name: "Late" }),
    Connector.parse({ ...shop(), id: other, name: "Other" }),
  ];
  showInRouter(() => <SourcePicker connectors={connectors} onChoose={(one) => chosen.push(one)} />);
  await expect.element(page.getByRole("button", { name: /^Buyers/ })).toBeVisible();
  const search = page.getByPlaceholder("Find a system or an entity");
  await search.fill("buyers");
  await userEvent.keyboard("{Enter}");
  expect(chosen).toEqual([]);
  answer();
  await expect.poll(() => page.getByRole("button", { name: /^Buyers/ }).elements().length).toBe(2);
  // Visits, which can't be read, come before visitors.
  await search.fill("visit");
  await expect.poll(() => page.getByRole("button", { name: /^Buyers/ }).elements().length).toBe(0);
  await userEvent.keyboard("{Enter}");
  expect(chosen).toEqual([]);
  await search.fill("buyers");
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => chosen).toEqual([{ connectorId: late, entity: "Buyers" }]);
});
