/** What is done to several nodes at once is asked first: cancelled it changes nothing, confirmed it is one step. */
import { Graph } from "@accord/contracts/sync/graph";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { ReactFlowProvider } from "@xyflow/react";
import { beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { keyOf, queryClient } from "../../../../app/queries.ts";
import "../../../../app/words.ts";
import { openedDraft } from "../draft/opened-draft.fixtures.ts";
import { EditorProvider } from "../editor-context.tsx";
import { createEditorStore, type EditorStore } from "../editor.model.ts";
import { GraphDialogs } from "./graph-dialogs.tsx";
import { useEditorCommands } from "./use-editor-commands.ts";

const node = (id: string, y: number) => ({
  ...{ id, label: id, nodeType: "FUNCTION", apiName: "trim", location: { x: 100, y } },
});
const opened = openedDraft(
  Graph.parse({ nodes: [node("first", 0), node("second", 200), node("third", 400), node("other", 600)], edges: [] }),
);

beforeEach(() => {
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["WRITE_STUDIO", "READ_STUDIO"] });
});

function Dialogs() {
  const commands = useEditorCommands();
  return (
    <>
      <button onClick={commands.remove}>Remove</button>
      <button onClick={commands.duplicate}>Duplicate them</button>
      <button onClick={commands.group}>Group them</button>
      <GraphDialogs commands={commands} />
    </>
  );
}

/** The editor with three of four nodes selected. */
function openEditor(): EditorStore {
  const store = createEditorStore(opened);
  store.getState().select(["first", "second", "third"]);
  show(
    <QueryClientProvider client={queryClient}>
      <EditorProvider value={store}>
        <ReactFlowProvider>
          <Dialogs />
        </ReactFlowProvider>
      </EditorProvider>
    </QueryClientProvider>,
  );
  return store;
}
const dialog = (name: string) => page.getByRole("dialog", { name });
const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const labels = (store: EditorStore) => store.getState().graph.nodes.map(({ label }) => label);
/** Asked, cancelled, asked again and confirmed. */
async function decide(ask: () => unknown, title: string, confirm: string, unchanged: () => void): Promise<void> {
  await ask();
  await dialog(title).getByRole("button", { name: "Cancel" }).click();
  await expect.element(dialog(title)).not.toBeInTheDocument();
  unchanged();
  await ask();
  await dialog(title).getByRole("button", { name: confirm }).click();
  await expect.element(dialog(title)).not.toBeInTheDocument();
}

test("[SYN-031] three nodes are removed after a question, and not before it is confirmed", async () => {
  const store = openEditor();
  await decide(
    () => press("Remove"),
    "Remove 3 nodes?",
    "Remove 3 nodes",
    () => expect(labels(store)).toHaveLength(4),
  );
  expect(labels(store)).toEqual(["other"]);
  store.getState().undo();
  expect(labels(store)).toHaveLength(4);
});

test("[SYN-031] three nodes are duplicated after a question; a single one at once", async () => {
  const store = openEditor();
  await decide(
    () => press("Duplicate them"),
    "Duplicate 3 nodes?",
    "Duplicate",
    () => expect(labels(store)).toHaveLength(4),
  );
  expect(labels(store)).toHaveLength(7);
  store.getState().select(["other"]);
  await press("Duplicate them");
  expect(labels(store)).toHaveLength(8);
});

test("[SYN-031] a group of three is named and described before it is made, and dissolved after a question", async () => {
  const store = openEditor();
  const groups = () => store.getState().graph.groups;
  await press("Group them");
  await dialog("Create group").getByRole("button", { name: "Cancel" }).click();
  expect(groups()).toEqual([]);
  await press("Group them");
  await dialog("Create group").getByRole("textbox", { name: "Name of the group" }).fill("Clean up");
  await dialog("Create group").getByRole("textbox", { name: "Description" }).fill("Makes values comparable.");
  await dialog("Create group").getByRole("button", { name: "Create group" }).click();
  await expect.poll(groups).toMatchObject([{ name: "Clean up", description: "Makes values comparable." }]);
  const members = () => store.getState().graph.nodes.filter(({ groupId }) => groupId).length;
  expect(members()).toBe(3);

  const groupId = groups()[0]?.id ?? "";
  await decide(
    () => store.getState().ask({ kind: "ungroup", groupId }),
    "Ungroup Clean up?",
    "Ungroup",
    () => expect(members()).toBe(3),
  );
  expect([groups(), members(), labels(store).length]).toEqual([[], 0, 4]);
});

test("nothing is asked about a graph that can't be changed", async () => {
  const store = openEditor();
  store.getState().setTesting(true);
  await press("Remove");
  expect(store.getState().question).toBeNull();
});

test("the proposed name of a group is replaced by what is typed; a name that was typed is only gone on with", async () => {
  openEditor();
  await press("Group them");
  const name = dialog("Create group").getByRole("textbox", { name: "Name of the group" });
  await expect.element(name).toHaveFocus();
  await userEvent.keyboard("Clean{Tab}");
  await expect.element(name).toHaveValue("Clean");
  // Tab itself selects what an input holds; a press sets the caret.
  await name.click();
  await userEvent.keyboard("{End} up");
  await expect.element(name).toHaveValue("Clean up");
  const input = name.element();
  if (!(input instanceof HTMLInputElement)) throw new Error("the name is an input");
  input.blur();
  input.setSelectionRange(0, 0);
  input.focus();
  expect([input.selectionStart, input.selectionEnd]).toEqual([0, 0]);
  await dialog("Create group").getByRole("button", { name: "Cancel" }).click();
});
