/** Leaving the editor asks while a test that was typed is not saved. */
import { Graph } from "@accord/contracts/sync/graph";
import { moveNodes } from "@accord/sync-engine/graph";
import { show } from "@accord/ui/test-kit";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import "../../../../app/words.ts";
import { EditorProvider } from "../editor-context.tsx";
import { createEditorStore, type EditorStore } from "../editor.model.ts";
import { emptyForm } from "../tests/test-form.model.ts";
import { LeaveGuard } from "./leave-guard.tsx";
import { openedDraft } from "./opened-draft.fixtures.ts";

const opened = openedDraft(Graph.parse({ nodes: [], edges: [] }));

/** The editor, with another page to go to. */
function openEditor(store: EditorStore, save: () => Promise<boolean>) {
  const root = createRootRoute({ component: Outlet });
  const editor = createRoute({
    getParentRoute: () => root,
    path: "/editor",
    component: () => (
      <EditorProvider value={store}>
        <LeaveGuard save={save} onLeave={() => {}} />
        <p>The editor</p>
      </EditorProvider>
    ),
  });
  const other = createRoute({ getParentRoute: () => root, path: "/other", component: () => <p>Elsewhere</p> });
  const history = createMemoryHistory({ initialEntries: ["/editor"] });
  show(<RouterProvider router={createRouter({ routeTree: root.addChildren([editor, other]), history })} />);
  return history;
}

test("[SYN-031] a node was moved and can't be saved: leaving asks; cancelled it stays, confirmed it is left", async () => {
  const store = createEditorStore(
    openedDraft(Graph.parse({ nodes: [{ id: "a", label: "A", nodeType: "FUNCTION", apiName: "trim" }], edges: [] })),
  );
  const history = openEditor(store, async () => false);
  await expect.element(page.getByText("The editor")).toBeVisible();
  store.getState().edit((graph) => moveNodes(graph, new Map([["a", { x: 10, y: 20 }]])));
  history.push("/other");
  const question = page.getByRole("dialog");
  await expect.element(question).toBeVisible();
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect.element(page.getByText("The editor")).toBeVisible();
  expect(store.getState().graph.nodes[0]?.location).toEqual({ x: 10, y: 20 });
  history.push("/other");
  await question.getByRole("button", { name: "Leave without saving" }).click();
  await expect.element(page.getByText("Elsewhere")).toBeVisible();
});

test("a test that was typed and not saved is not lost by leaving the editor: the person is asked", async () => {
  const store = createEditorStore(opened);
  store.getState().keepTestForm({ testId: undefined, revision: null, form: { ...emptyForm("crm"), name: "Totals" } });
  const history = openEditor(store, async () => true);
  await expect.element(page.getByText("The editor")).toBeVisible();
  const leave = () => history.push("/other");
  leave();
  await expect.element(page.getByText(/^A test has changes that are not saved yet/)).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect.element(page.getByText("The editor")).toBeVisible();
  store.getState().keepTestForm(null);
  leave();
  await expect.element(page.getByText("Elsewhere")).toBeVisible();
});
