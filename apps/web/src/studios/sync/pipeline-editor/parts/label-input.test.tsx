/** A label that can't be used stays as typed while its panel is closed, and gives way to another name. */
import { Graph } from "@accord/contracts/sync/graph";
import { changeNode } from "@accord/sync-engine/graph";
import { show } from "@accord/ui/test-kit";
import { useState } from "react";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import "../../../../app/words.ts";
import { EditorProvider, useEditor, useEditorStore } from "../editor-context.tsx";
import { createEditorStore } from "../editor.model.ts";
import { LabelInput } from "./configure-panel.tsx";
import { openedDraft } from "../opened-draft.fixtures.ts";

const opened = openedDraft(
  Graph.parse({
    nodes: ["first", "second"].map((id) => ({ id, label: id, nodeType: "FUNCTION", apiName: "trim" })),
    edges: [],
  }),
);

function Panel() {
  const store = useEditorStore();
  const node = useEditor((state) => state.graph.nodes[0]);
  const [isOpen, setOpen] = useState(true);
  if (!node) return null;
  return (
    <>
      <button type="button" onClick={() => setOpen(!isOpen)}>
        Open or close
      </button>
      {isOpen ? (
        <LabelInput
          node={node}
          readOnly={false}
          onLabel={(label) => store.getState().edit((graph) => changeNode(graph, node.id, { label }))}
        />
      ) : null}
    </>
  );
}

test("a label that is missing stays as typed when the panel is closed, and a rename in the graph is shown", async () => {
  const store = createEditorStore(opened);
  show(
    <EditorProvider value={store}>
      <Panel />
    </EditorProvider>,
  );
  const label = page.getByRole("textbox");
  const openOrClose = page.getByRole("button", { name: "Open or close" });
  await label.fill("");
  expect(Object.keys(store.getState().invalidInputs)).toEqual(["first label"]);
  await openOrClose.click();
  await openOrClose.click();
  await expect.element(label).toHaveValue("");
  await label.fill("Tidy ");
  await expect.element(label).toHaveValue("Tidy ");
  expect(store.getState().invalidInputs).toEqual({});
  store.getState().edit((graph) => changeNode(graph, "first", { label: "Renamed" }));
  await expect.element(label).toHaveValue("Renamed");
});
