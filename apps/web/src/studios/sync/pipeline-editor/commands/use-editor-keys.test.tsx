/** Keys of the editor act on what has the focus, and nowhere else than in the graph. */
import { Graph } from "@accord/contracts/sync/graph";
import { removeEdge, removeNodes, toggleBypass } from "@accord/sync-engine/graph";
import { show } from "@accord/ui/test-kit";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import "../../../../app/words.ts";
import { EditorProvider } from "../editor-context.tsx";
import { createEditorStore, type EditorStore } from "../editor.model.ts";
import type { EditorCommands } from "./use-editor-commands.ts";
import { useEditorKeys } from "./use-editor-keys.ts";
import { openedDraft } from "../draft/opened-draft.fixtures.ts";

const opened = openedDraft(
  Graph.parse({
    nodes: ["first", "second", "third"].map((id) => ({ id, label: id, nodeType: "FUNCTION", apiName: "trim" })),
    edges: [{ id: "edge-of-nodes", source: { nodeId: "first" }, destination: { nodeId: "second" } }],
  }),
);

const commandsOf = (store: EditorStore): EditorCommands => {
  const nothing = () => {};
  const remove = () => {
    const { selected, selectedEdge, edit } = store.getState();
    edit((graph) => (selectedEdge ? removeEdge(graph, selectedEdge) : removeNodes(graph, new Set(selected))));
  };
  return {
    copyText: () => null,
    copy: nothing,
    cut: nothing,
    pasteFrom: nothing,
    paste: nothing,
    duplicate: nothing,
    duplicateNow: nothing,
    selectAll: nothing,
    group: nothing,
    moveToGroup: nothing,
    remove,
    removeCut: remove,
    bypass: () => store.getState().edit((graph) => toggleBypass(graph, new Set(store.getState().selected))),
    nudge: nothing,
    rename: nothing,
    configure: nothing,
    addNext: nothing,
    addNote: nothing,
    tidy: async () => false,
  };
};

/** Nodes to which a record was run, in their order. */
let runs: string[] = [];
/** How often the last step was asked for. */
let finished = 0;

interface PageProps {
  store: EditorStore;
  view: "graph" | "list";
  onFind: () => void;
}

function Page({ store, view, onFind }: PageProps) {
  const runTo = (nodeId: string) => void runs.push(nodeId);
  const finish = { does: "Publish", run: () => void (finished += 1) };
  const keys = { showEverything: () => {}, find: onFind, commands: commandsOf(store), view, runTo };
  useEditorKeys({ ...keys, finish, save: () => {} });
  return (
    <>
      <div className="ac-canvas">
        {["first", "second", "third"].map((id) => (
          <div key={id} className="react-flow__node react-flow__node-pipeline" data-id={id} tabIndex={0}>
            {id}
          </div>
        ))}
        <div className="react-flow__edge" data-id="edge-of-nodes" tabIndex={0}>
          edge
        </div>
      </div>
      <div className="ac-list-view">
        <div role="row" tabIndex={0}>
          <span data-node-id="third">row of third</span>
        </div>
      </div>
      <section aria-label="Panel">
        <button type="button" onClick={(event) => event.currentTarget.remove()}>
          Done
        </button>
      </section>
    </>
  );
}

const openEditor = (view: "graph" | "list" = "graph", onFind = () => {}): EditorStore => {
  const store = createEditorStore(opened);
  show(
    <EditorProvider value={store}>
      <Page store={store} view={view} onFind={onFind} />
    </EditorProvider>,
  );
  return store;
};
const nodesOf = (store: EditorStore) => store.getState().graph.nodes.map(({ id }) => id);
const focus = async (text: string) => {
  await expect.element(page.getByText(text, { exact: true })).toBeVisible();
  document.querySelectorAll<HTMLElement>("[tabindex='0']").forEach((item) => {
    if (item.textContent === text) item.focus();
  });
};

test("Delete removes the node that Tab came to, not one that it passed", async () => {
  const store = openEditor();
  await focus("first");
  store.getState().select(["first"]);
  await userEvent.keyboard("{Tab}");
  await userEvent.keyboard("{Delete}");
  expect(nodesOf(store)).toEqual(["first", "third"]);
});

test("Delete removes the edge that has the focus while a node is selected", async () => {
  const store = openEditor();
  await focus("edge");
  store.getState().select(["first"]);
  await userEvent.keyboard("{Delete}");
  expect(nodesOf(store)).toEqual(["first", "second", "third"]);
  expect(store.getState().graph.edges).toEqual([]);
});

test("Delete removes all selected nodes when one of them has the focus", async () => {
  const store = openEditor();
  await focus("second");
  store.getState().select(["first", "second"]);
  await userEvent.keyboard("{Delete}");
  expect(nodesOf(store)).toEqual(["third"]);
});

test("Delete and Backspace remove nothing from inside a panel, nor after it closed under the typist", async () => {
  const store = openEditor();
  const done = page.getByRole("button", { name: "Done" });
  await expect.element(done).toBeVisible();
  store.getState().select(["first"]);
  document.querySelector<HTMLElement>("section button")?.focus();
  await userEvent.keyboard("{Delete}");
  expect(nodesOf(store)).toEqual(["first", "second", "third"]);
  await done.click();
  await expect.element(done).not.toBeInTheDocument();
  expect(document.activeElement).toBe(document.body);
  await userEvent.keyboard("{Backspace}");
  expect(nodesOf(store)).toEqual(["first", "second", "third"]);
});

test("in the list Delete removes the node of the row that has the focus, and Ctrl+F stays the browser's", async () => {
  let found = 0;
  const store = openEditor("list", () => (found += 1));
  await focus("row of third");
  store.getState().select(["first"]);
  await userEvent.keyboard("{Control>}f{/Control}");
  await userEvent.keyboard("{Delete}");
  expect(nodesOf(store)).toEqual(["first", "second"]);
  expect(found).toBe(0);
});

test("Esc on a node closes the panel first and leaves the selection", async () => {
  const store = openEditor();
  await focus("first");
  store.getState().select(["first"]);
  store.getState().show("configure");
  await userEvent.keyboard("{Escape}");
  expect(store.getState()).toMatchObject({ panel: "none", selected: ["first"] });
  await userEvent.keyboard("{Escape}");
  expect(store.getState().selected).toEqual([]);
});

test("Shift R runs a record to the node that has the focus, in the graph and in the list, else to the selected one", async () => {
  runs = [];
  const store = openEditor();
  await focus("second");
  await userEvent.keyboard("{Shift>}R{/Shift}");
  await focus("row of third");
  await userEvent.keyboard("{Shift>}R{/Shift}");
  store.getState().select(["first"]);
  await page.getByRole("button", { name: "Done" }).click();
  await userEvent.keyboard("{Shift>}R{/Shift}");
  expect(runs).toEqual(["second", "third", "first"]);
});

test("Delete and Backspace that are held remove one node, not the next one too", async () => {
  const store = openEditor();
  await focus("first");
  const hold = (key: string) =>
    document.activeElement?.dispatchEvent(
      new KeyboardEvent("keydown", { key, repeat: true, bubbles: true, cancelable: true }),
    );
  await userEvent.keyboard("{Delete}");
  expect(nodesOf(store)).toEqual(["second", "third"]);
  await focus("second");
  hold("Delete");
  hold("Backspace");
  expect(nodesOf(store)).toEqual(["second", "third"]);
  await userEvent.keyboard("{Backspace}");
  expect(nodesOf(store)).toEqual(["third"]);
});

test("D disables the node that has the focus, once more enables it, and Ctrl D does neither", async () => {
  const store = openEditor();
  const bypassed = () =>
    store
      .getState()
      .graph.nodes.filter((node) => node.bypassed)
      .map(({ id }) => id);
  await focus("second");
  await userEvent.keyboard("d");
  expect(bypassed()).toEqual(["second"]);
  await userEvent.keyboard("{Control>}d{/Control}");
  expect(bypassed()).toEqual(["second"]);
  await userEvent.keyboard("d");
  expect(bypassed()).toEqual([]);
  // Alt D is the browser's, and a held key is one press.
  await userEvent.keyboard("{Alt>}d{/Alt}");
  expect(bypassed()).toEqual([]);
  await userEvent.keyboard("{d>4/}");
  expect(bypassed()).toEqual(["second"]);
});

test("Ctrl Enter takes the last step from the graph and from a form, not from a dialog, and not while a test runs", async () => {
  finished = 0;
  const store = openEditor();
  await focus("first");
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  expect(finished).toBe(1);
  const places = document.createElement("div");
  places.innerHTML = `<input aria-label="Of a form"><div role="dialog"><input aria-label="Of a dialog"></div>`;
  document.body.append(places);
  const [form, dialog] = places.querySelectorAll("input");
  form?.focus();
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  expect(finished).toBe(2);
  dialog?.focus();
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  expect(finished).toBe(2);
  form?.focus();
  store.getState().setTesting(true);
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  expect(finished).toBe(2);
  places.remove();
});
