/** Problems of a run in the editor: each leads to its node, and a number of refused values to the values. */
import { id } from "@accord/contracts";
import { getEntity } from "@accord/contracts/data/core-schema";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { getPipelineErrors, type RunProblem } from "@accord/contracts/sync/monitoring/runs";
import { Graph } from "@accord/contracts/sync/graph";
import { beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../../app/queries.ts";
import { showInRouter } from "../../../../app/show-in-router.fixtures.tsx";
import "../../../../app/words.ts";
import { coreEntity, fieldOf } from "../../new-pipeline/new-pipeline.fixtures.ts";
import { ENTITY, openedDraft } from "../draft/opened-draft.fixtures.ts";
import { EditorProvider } from "../editor-context.tsx";
import { createEditorStore } from "../editor.model.ts";
import { ErrorsPanel } from "./errors-panel.tsx";

const problem = (more: Partial<RunProblem>): RunProblem => ({
  ...{ nodeId: "source", targetId: null, code: "x", errorMessage: "It failed.", errorDetail: "", count: 1 },
  ...more,
});

const SHOP = "5".repeat(24);
let wentTo: string[];
function open(warnings: RunProblem[], permissions = ["WRITE_STUDIO"]): void {
  wentTo = [];
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions });
  queryClient.setQueryData(
    keyOf(getEntity, { params: { entityId: ENTITY } }),
    coreEntity([fieldOf("phone")], { id: ENTITY }),
  );
  queryClient.setQueryData(keyOf(getPipelineErrors, { params: { entityId: ENTITY }, query: {} }), {
    error: [],
    warnings,
  });
  const source = { id: "source", label: "Buyers", nodeType: "ENTITY_SOURCE", configuration: { connectorId: SHOP } };
  const store = createEditorStore(openedDraft(Graph.parse({ nodes: [source], edges: [] })));
  showInRouter(
    () => (
      <EditorProvider value={store}>
        <ErrorsPanel entityId={ENTITY} onGoTo={(nodeId) => wentTo.push(nodeId)} />
      </EditorProvider>
    ),
    "/",
  );
}

beforeEach(() => queryClient.clear());

test("a number of refused values leads to them, at this node and field, and the row to its node", async () => {
  open([problem({ code: "not_convertible", targetId: "phone", errorMessage: "No number.", count: 3 })]);
  const link = page.getByRole("link", { name: /^3 / });
  await expect.element(link).toBeVisible();
  const address = new URL(link.element().getAttribute("href") ?? "", "http://localhost");
  expect(address.pathname).toBe("/sync-studio/details");
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    ...{ panel: "activity", tab: "refused", node: "source", field: "phone" },
  });
  await page.getByRole("button", { name: /Buyers/ }).click();
  expect(wentTo).toEqual(["source"]);
});

test("a number of records in quarantine leads to them at this node, and one of the last cycle to that cycle", async () => {
  open([
    problem({ code: "unreadable", count: 4, listedIn: "quarantine" }),
    problem({ code: "respelled", count: 5, listedIn: "cycle", cycleId: id("run").parse("00000000000000000000001a") }),
  ]);
  const search = async (name: RegExp) => {
    const link = page.getByRole("link", { name });
    await expect.element(link).toBeVisible();
    const address = new URL(link.element().getAttribute("href") ?? "", "http://localhost");
    return Object.fromEntries(address.searchParams);
  };
  const activity = { panel: "activity", activity: ENTITY };
  expect(await search(/^4 /)).toEqual({ ...activity, tab: "quarantine", node: "source" });
  expect(await search(/^5 /)).toEqual({ ...activity, cycle: "00000000000000000000001a" });
});

test("numbers of what is listed nowhere are no links", async () => {
  open([problem({ count: 2 })]);
  await expect.element(page.getByRole("button", { name: /Buyers.*2 / })).toBeVisible();
  expect(page.getByRole("link").elements()).toEqual([]);
});

test("a table that is gone leads to the connection of its system, and to reading its schema anew", async () => {
  const network = globalThis.fetch;
  const posted: string[] = [];
  globalThis.fetch = async (path, init) => {
    if (init?.method !== "POST") return network(path, init);
    posted.push(new URL(String(path), location.href).pathname);
    return Response.json({ code: "connector_not_active", message: "Shop is not active." }, { status: 409 });
  };
  try {
    const gone = problem({ code: "schemaChanged", errorMessage: "The table mailing is gone." });
    open([gone], ["READ_STUDIO", "READ_CONNECTOR", "WRITE_CONNECTOR"]);
    const link = page.getByRole("link", { name: "Open the system's connection" });
    await expect.element(link).toHaveAttribute("href", `/synapses/connections/${SHOP}`);
    await page.getByRole("button", { name: "Refresh schema" }).click();
    await expect.poll(() => posted).toEqual([`/api/v1/connectors/${SHOP}/schema-refresh`]);
  } finally {
    globalThis.fetch = network;
  }
});

test("a refused password has nothing to do with the schema, and whoever may not see connections gets no way there", async () => {
  open([problem({ code: "authentication" })], ["READ_CONNECTOR", "WRITE_CONNECTOR"]);
  await expect.element(page.getByRole("link", { name: "Open the system's connection" })).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Refresh schema" })).not.toBeInTheDocument();
  open([problem({ code: "schemaChanged" })], ["READ_STUDIO"]);
  await expect.element(page.getByRole("button", { name: /Buyers/ })).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Open the system's connection" })).not.toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: "Refresh schema" })).not.toBeInTheDocument();
  open([problem({ code: "field_missing" })], ["READ_CONNECTOR"]);
  await expect.element(page.getByRole("link", { name: "Open the system's connection" })).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Refresh schema" })).not.toBeInTheDocument();
});
