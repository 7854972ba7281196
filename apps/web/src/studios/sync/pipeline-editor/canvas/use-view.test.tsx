/** A node whose form opens beside the canvas stays in view: the view moves by what that takes, and not otherwise. */
import { Graph } from "@accord/contracts/sync/graph";
import { show } from "@accord/ui/test-kit";
import { ReactFlow, ReactFlowProvider } from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { openedDraft } from "../draft/opened-draft.fixtures.ts";
import { EditorProvider, useEditor } from "../editor-context.tsx";
import { createEditorStore } from "../editor.model.ts";
import { useConfiguredInView } from "./use-view.ts";

const GRAPH = Graph.parse({ nodes: ["left", "right"].map((id) => ({ id, nodeType: "FUNCTION" })), edges: [] });
const SIZE = { width: 200, height: 80 };
const NODES = [
  { id: "left", position: { x: 40, y: 40 }, data: { label: "left" }, style: SIZE },
  { id: "right", position: { x: 560, y: 40 }, data: { label: "right" }, style: SIZE },
];
/** How far the view was moved to the right. */
const moved = (): number =>
  new DOMMatrix(getComputedStyle(document.querySelector(".react-flow__viewport") ?? document.body).transform).e;

function View() {
  useConfiguredInView();
  return <ReactFlow nodes={NODES} edges={[]} defaultViewport={{ x: 0, y: 0, zoom: 1 }} />;
}

/** As the editor does: the canvas gets narrower when a form opens. */
function Beside() {
  const isOpen = useEditor(({ panel }) => panel === "configure");
  return (
    <div className="ac-canvas" style={{ width: isOpen ? 440 : 820, height: 400 }}>
      <View />
    </div>
  );
}

test.each([
  ["right", -344],
  ["left", 0],
])("a press on the node at the %s moves the view by %d", async (id, distance) => {
  const store = createEditorStore(openedDraft(GRAPH));
  show(
    <EditorProvider value={store}>
      <ReactFlowProvider>
        <Beside />
      </ReactFlowProvider>
    </EditorProvider>,
  );
  await expect.element(page.getByText(id)).toBeVisible();
  store.getState().select([id]);
  store.getState().show("configure");
  await expect.poll(() => document.querySelector(".ac-canvas")?.clientWidth).toBe(440);
  await expect.poll(() => Math.round(moved())).toBe(distance);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(Math.round(moved())).toBe(distance);
});
