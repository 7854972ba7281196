/** The bar says why nothing can be changed while a test runs, and takes no undo and redo meanwhile. */
import { Graph } from "@accord/contracts/sync/graph";
import { changeNode } from "@accord/sync-engine/graph";
import { show } from "@accord/ui/test-kit";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import "../../../app/words.ts";
import { showInRouter } from "../../../app/show-in-router.fixtures.tsx";
import { EntityPages } from "../addresses/entity-pages.tsx";
import { EditorProvider } from "./editor-context.tsx";
import { createEditorStore } from "./editor.model.ts";
import type { Draft } from "./draft/use-draft.ts";
import { EditorBar } from "./editor-bar.tsx";
import { ENTITY, openedDraft } from "./draft/opened-draft.fixtures.ts";

const opened = openedDraft(
  Graph.parse({ nodes: [{ id: "first", label: "first", nodeType: "FUNCTION", apiName: "trim" }], edges: [] }),
);
const draft: Draft = {
  busy: "none",
  withoutSaving: (work) => work(),
  conflict: null,
  publishError: null,
  setPublishError: () => {},
  saveState: { state: "saved" },
  save: async () => true,
  keepMine: async () => true,
  takeTheirs: () => "draft",
  validate: async () => true,
  publish: async () => null,
  discard: async () => {},
};

const nothing = () => {};
const bar = (store: ReturnType<typeof createEditorStore>) => (
  <EditorProvider value={store}>
    <EditorBar
      row={undefined}
      name="Account"
      view="graph"
      draft={draft}
      mayWrite
      versionId={undefined}
      onVersions={nothing}
      onTests={nothing}
      onTry={nothing}
      onView={nothing}
      onVersion={nothing}
      onPublish={nothing}
      onDiscard={nothing}
      onDecide={nothing}
    />
  </EditorProvider>
);

test("while a test runs the bar says so, and undo waits for its end", async () => {
  const store = createEditorStore(opened);
  store.getState().edit((graph) => changeNode(graph, "first", { label: "other" }));
  show(bar(store));
  const undo = page.getByRole("button", { name: "Undo" });
  await expect.element(undo).toBeEnabled();
  store.getState().setTesting(true);
  await expect.element(page.getByText("Test running: no changes")).toBeVisible();
  await expect.element(undo).toBeDisabled();
  store.getState().setTesting(false);
  await expect.element(undo).toBeEnabled();
  await expect.element(page.getByText("Test running: no changes")).not.toBeInTheDocument();
});

test("the bar leads to every other page of the pipeline, and each of them back to the graph", async () => {
  const store = createEditorStore(opened);
  showInRouter(() => (
    <>
      {bar(store)}
      <EntityPages entityId={ENTITY} current="metrics" />
    </>
  ));
  await page.getByRole("button", { name: "Pages of this pipeline" }).click();
  await expect.element(page.getByRole("menuitem", { name: "Settings" })).toBeVisible();
  const ways = page
    .getByRole("menuitem")
    .elements()
    .map((item) => [item.textContent, item.getAttribute("href")]);
  const at = (place: string) => `/sync-studio/entity/${ENTITY}/${place}`;
  expect(ways).toEqual([
    ["Versions", at("versions")],
    ["Documentation", at("documentation")],
    ["Log", at("pipeline-logs")],
    ["Metrics", at("metrics")],
    ["Settings", at("settings")],
  ]);
  const back = page.getByRole("navigation", { name: "Pages of this pipeline" }).getByText("Graph");
  await expect.element(back).toHaveAttribute("href", at("pipeline"));
});
