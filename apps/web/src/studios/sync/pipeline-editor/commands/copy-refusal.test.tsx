/** Copying is refused where it is offered, with the reason, before anybody tries. */
import { Graph } from "@accord/contracts/sync/graph";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { QueryClientProvider } from "@tanstack/react-query";
import { ReactFlowProvider } from "@xyflow/react";
import { show } from "@accord/ui/test-kit";
import { beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { keyOf, queryClient } from "../../../../app/queries.ts";
import "../../../../app/words.ts";
import { openedDraft } from "../draft/opened-draft.fixtures.ts";
import { EditorProvider } from "../editor-context.tsx";
import { createEditorStore } from "../editor.model.ts";
import { useEditorCommands } from "./use-editor-commands.ts";
import { GraphMenu } from "../canvas/graph-menu.tsx";
import { SelectionBar } from "../canvas/selection-bar.tsx";

const WHY = "A decision or loop can be copied only together with everything it is connected to.";
const fn = (id: string, apiName: string) => ({ id, label: id, nodeType: "FUNCTION", apiName });

beforeEach(() => {
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["WRITE_STUDIO", "READ_STUDIO"] });
});

function Shown({ withMenu }: { withMenu: boolean }) {
  const commands = useEditorCommands();
  const nothing = () => {};
  const actions = { commands, onSaveFragment: nothing, onShowEverything: nothing, onClose: nothing };
  return (
    <>
      <SelectionBar commands={commands} onSaveFragment={nothing} />
      <GraphMenu place={withMenu ? { x: 20, y: 20, about: "nodes" } : null} {...actions} />
    </>
  );
}

function showSelected(selected: string[], withMenu: boolean) {
  const graph = Graph.parse({
    nodes: [fn("before", "trim"), fn("decision", "predicate"), fn("after", "upperCase"), fn("alone", "lowerCase")],
    edges: [
      { id: "1", source: { nodeId: "before" }, destination: { nodeId: "decision" } },
      { id: "2", source: { nodeId: "decision" }, destination: { nodeId: "after" }, edgeType: "true" },
    ],
  });
  const store = createEditorStore(openedDraft(graph));
  store.getState().select(selected);
  show(
    <QueryClientProvider client={queryClient}>
      <EditorProvider value={store}>
        <ReactFlowProvider>
          <Shown withMenu={withMenu} />
        </ReactFlowProvider>
      </EditorProvider>
    </QueryClientProvider>,
  );
}

test("[SYN-083] copying a decision without its neighbours is disabled in the bar, and its tooltip says why", async () => {
  showSelected(["decision", "alone"], false);
  const copy = page.getByRole("button", { name: "Copy" });
  await expect.element(copy).toHaveAttribute("aria-disabled", "true");
  await copy.hover();
  await expect.element(page.getByRole("tooltip")).toHaveTextContent(WHY);
});

test("[SYN-083] in the menu copying and duplicating it are disabled with the reason", async () => {
  showSelected(["decision"], true);
  for (const name of [/^Copy/, /^Duplicate/]) {
    const entry = page.getByRole("menuitem", { name });
    await expect.element(entry).toBeDisabled();
    await expect.element(entry.getByText(WHY)).toBeVisible();
  }
  await userEvent.keyboard("{Escape}");
});

test("[SYN-083] with its neighbours it can be copied", async () => {
  showSelected(["before", "decision", "after"], false);
  await expect.element(page.getByRole("button", { name: "Copy" })).toHaveAttribute("aria-disabled", "false");
});
