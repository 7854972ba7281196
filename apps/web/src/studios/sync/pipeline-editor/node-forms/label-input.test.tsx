/** A label that can't be used stays as typed while its panel is closed, and gives way to another name. */
import { Graph } from "@accord/contracts/sync/graph";
import { changeNode } from "@accord/sync-engine/graph";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { createEditorStore } from "../editor.model.ts";
import { reopen, showForm } from "./closable-form.fixtures.tsx";
import { LabelInput } from "./configure-panel.tsx";
import { openedDraft } from "../draft/opened-draft.fixtures.ts";

const opened = openedDraft(
  Graph.parse({
    nodes: ["first", "second"].map((id) => ({ id, label: id, nodeType: "FUNCTION", apiName: "trim" })),
    edges: [],
  }),
);

test("a label that is missing stays as typed when the panel is closed, and a rename in the graph is shown", async () => {
  const store = createEditorStore(opened);
  showForm(store, (_props, node) => (
    <LabelInput
      node={node}
      readOnly={false}
      onLabel={(label) => store.getState().edit((graph) => changeNode(graph, node.id, { label }))}
    />
  ));
  const label = page.getByRole("textbox");
  await label.fill("");
  expect(Object.keys(store.getState().invalidInputs)).toEqual(["first label"]);
  await reopen();
  await expect.element(label).toHaveValue("");
  await label.fill("Tidy ");
  await expect.element(label).toHaveValue("Tidy ");
  expect(store.getState().invalidInputs).toEqual({});
  store.getState().edit((graph) => changeNode(graph, "first", { label: "Renamed" }));
  await expect.element(label).toHaveValue("Renamed");
});
