/** Fragments in the palette and the dialog that saves one, against a server that answers as the real one does. */
import { listMyInstances } from "@accord/contracts/identity/instances";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { Graph } from "@accord/contracts/sync/graph";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { ReactFlowProvider } from "@xyflow/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../../app/queries.ts";
import "../../../../app/words.ts";
import { openedDraft } from "../draft/opened-draft.fixtures.ts";
import { EditorProvider } from "../editor-context.tsx";
import { createEditorStore } from "../editor.model.ts";
import { FragmentSection } from "./fragment-section.tsx";
import { SaveFragmentDialog, useNewFragment } from "./save-fragment-dialog.tsx";

const HERE = "1".repeat(24);
const THERE = "2".repeat(24);
const node = (id: string, nodeType = "FUNCTION") => ({ id, label: id, nodeType, apiName: "upperCase" });
const graph = Graph.parse({
  nodes: [node("crm", "ENTITY_SOURCE"), node("upper"), node("trim")],
  edges: [{ id: "edge-upper-trim", source: { nodeId: "upper" }, destination: { nodeId: "trim" } }],
});

type Stored = { id: string; name: string; hidden: boolean; shareCount: number } & Record<string, unknown>;
let stored: Stored[] = [];
let shares: string[] = [];
const network = globalThis.fetch;

function answer(path: string, method: string, body: Record<string, unknown>): unknown {
  const [, id = "", what = ""] = /pipeline-fragments\/([0-9a-f]+)\/?(\w*)/.exec(path) ?? [];
  if (method === "POST" && id === "") {
    if (stored.some(({ name }) => name === body["name"]))
      return new Response(JSON.stringify({ code: "name_taken", message: `${String(body["name"])} is taken.` }), {
        status: 409,
      });
    const fragment = { ...body, id: "f".repeat(24), hidden: false, sharedBy: null, shareCount: 0 };
    const saved = {
      ...fragment,
      createdBy: { firstName: "Ada", lastName: "L" },
      createdAt: "2026-01-01T00:00:00.000Z",
    };
    stored = [...stored, saved as unknown as Stored];
    return saved;
  }
  if (method === "DELETE") stored = stored.filter((fragment) => fragment.id !== id);
  if (what === "hide" || what === "show")
    stored = stored.map((fragment) => (fragment.id === id ? { ...fragment, hidden: what === "hide" } : fragment));
  if (what === "shares") {
    if (method === "PUT") shares = body["instanceIds"] as string[];
    stored = stored.map((fragment) => ({ ...fragment, shareCount: shares.length }));
    return { instanceIds: shares };
  }
  return method === "GET" ? { fragments: stored } : {};
}

beforeEach(() => {
  stored = [];
  shares = [];
  queryClient.clear();
  const session = { permissions: ["READ_STUDIO", "WRITE_STUDIO"], currentInstanceAccordId: HERE };
  queryClient.setQueryData(keyOf(getCurrentUser, {}), session as never);
  const instances = [
    { accordId: HERE, displayName: "Production", orgName: "Acme" },
    { accordId: THERE, displayName: "Staging", orgName: "Acme" },
  ];
  queryClient.setQueryDefaults(keyOf(listMyInstances, { query: {} }), { staleTime: Number.POSITIVE_INFINITY });
  queryClient.setQueryData(keyOf(listMyInstances, { query: {} }), { instances } as never);
  queryClient.setQueryDefaults(keyOf(getCurrentUser, {}), { staleTime: Number.POSITIVE_INFINITY });
  globalThis.fetch = async (path, init) => {
    if (!String(path).includes("/pipeline-fragments")) return network(path, init);
    const reply = answer(String(path), init?.method ?? "GET", JSON.parse(String(init?.body ?? "{}")));
    return reply instanceof Response ? reply : new Response(JSON.stringify(reply));
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

function Screen() {
  const { fragment, begin, close } = useNewFragment();
  return (
    <>
      <button onClick={begin}>Begin</button>
      <FragmentSection />
      <SaveFragmentDialog fragment={fragment} onClose={close} />
    </>
  );
}
function open() {
  const store = createEditorStore(openedDraft(graph));
  store.getState().select(["crm", "upper", "trim"]);
  show(
    <QueryClientProvider client={queryClient}>
      <EditorProvider value={store}>
        <ReactFlowProvider>
          <Screen />
        </ReactFlowProvider>
      </EditorProvider>
    </QueryClientProvider>,
  );
  return store;
}
const dialog = page.getByRole("dialog");
async function saveAs(name: string): Promise<void> {
  await page.getByRole("button", { name: "Begin" }).click();
  await dialog.getByLabelText("Name").fill(name);
  await dialog.getByRole("button", { name: "Save fragment" }).click();
}
async function choose(entry: string): Promise<void> {
  await page.getByRole("button", { name: "More about Clean" }).click();
  await page.getByRole("menuitem", { name: entry }).click();
}

test("[SYN-138] a selection is saved under a name, says what is left out, and is inserted with a press", async () => {
  const store = open();
  const before = store.getState().graph;
  await expect.element(page.getByText(/Select nodes and save them as a fragment/)).toBeVisible();
  await page.getByRole("button", { name: "Begin" }).click();
  await expect.element(dialog.getByText(/^2 nodes and 1 edge/)).toBeVisible();
  await expect.element(dialog.getByText(/^1 selected node is left out/)).toBeVisible();
  await dialog.getByRole("button", { name: "Save fragment" }).click();
  await expect.element(dialog.getByText("Enter a name.")).toBeVisible();
  await dialog.getByLabelText("Name").fill("Clean");
  await dialog.getByRole("button", { name: "Save fragment" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Insert Clean" }).click();
  await expect.poll(() => store.getState().graph.nodes.map(({ label }) => label)).toContain("upper 1");
  expect(store.getState().selected).toHaveLength(2);
  store.getState().undo();
  expect(store.getState().graph).toBe(before);
});

test("a name that is taken keeps the dialog open and says so", async () => {
  open();
  await saveAs("Clean");
  await expect.element(page.getByRole("button", { name: "Insert Clean" })).toBeVisible();
  await saveAs("Clean");
  await expect.element(dialog.getByRole("alert")).toHaveTextContent("Clean is taken.");
  await expect.element(dialog.getByLabelText("Name")).toHaveValue("Clean");
});

test("[SYN-138] a fragment is hidden and shown, shared and deleted from its menu", async () => {
  open();
  await saveAs("Clean");
  const insert = page.getByRole("button", { name: "Insert Clean" });
  await expect.element(insert).toBeVisible();
  await choose("Hide in this instance");
  await expect.element(insert).not.toBeInTheDocument();
  await page.getByRole("button", { name: "1 hidden" }).click();
  await page.getByRole("button", { name: "Show Clean" }).click();
  await expect.element(insert).toBeVisible();
  await choose("Share…");
  await dialog.getByLabelText("Staging").click();
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(() => shares).toEqual([THERE]);
  await expect.element(dialog).not.toBeInTheDocument();
  await choose("Delete…");
  await dialog.getByRole("button", { name: "Delete fragment" }).click();
  await expect.element(insert).not.toBeInTheDocument();
  expect(stored).toEqual([]);
});
