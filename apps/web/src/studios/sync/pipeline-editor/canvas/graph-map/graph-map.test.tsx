/** The small map beside the graph: dragged it moves the view, the wheel over it zooms. */
import "@xyflow/react/dist/style.css";
import { Graph } from "@accord/contracts/sync/graph";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { ReactFlow, ReactFlowProvider } from "@xyflow/react";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { queryClient } from "../../../../../app/queries.ts";
import "../../../../../app/words.ts";
import { openedDraft } from "../../draft/opened-draft.fixtures.ts";
import { EditorProvider } from "../../editor-context.tsx";
import { createEditorStore } from "../../editor.model.ts";
import { useFlow } from "../../flow/use-flow.ts";
import type { FlowEdge, FlowNode } from "../canvas.model.ts";
import { GraphMap } from "./graph-map.tsx";

const opened = openedDraft(
  Graph.parse({
    nodes: ["a", "b", "c"].map((id, index) => ({
      ...{ id, label: id, nodeType: "FUNCTION", apiName: "trim", location: { x: 1000 * index, y: 0 } },
    })),
    edges: [],
  }),
);

/** How the graph is shown: how far it is moved, and how large it is. */
function shown(): DOMMatrix {
  const view = document.querySelector(".react-flow__viewport");
  return new DOMMatrix(view ? getComputedStyle(view).transform : "");
}
const NODE_TYPES = { pipeline: () => null };
/** Before it the graph can't be moved: what is dragged in the same moment moves nothing. */
const ready = Promise.withResolvers<void>();
function Shown() {
  const drawn = useFlow();
  return (
    <div style={{ width: 400, height: 400 }}>
      <ReactFlow<FlowNode, FlowEdge> {...drawn} nodeTypes={NODE_TYPES} onInit={() => ready.resolve()}>
        <GraphMap nodes={drawn.nodes} />
      </ReactFlow>
    </div>
  );
}

test("the map has all cards; the view follows a drag on it, and the wheel over it zooms", async () => {
  show(
    <QueryClientProvider client={queryClient}>
      <EditorProvider value={createEditorStore(opened)}>
        <ReactFlowProvider>
          <Shown />
        </ReactFlowProvider>
      </EditorProvider>
    </QueryClientProvider>,
  );
  await ready.promise;
  const map = page.getByRole("img", { name: "Map of the graph" });
  const element = (): Element => map.element();
  await expect.poll(() => element().querySelector("path")?.getAttribute("d")?.match(/M/g)?.length).toBe(3);
  const box = element().getBoundingClientRect();
  const at = (type: string, x: number, y: number): void => {
    const init = { bubbles: true, pointerId: 1, isPrimary: true, button: 0, buttons: 1, clientX: x, clientY: y };
    element().dispatchEvent(new PointerEvent(type, { ...init, movementX: type === "pointermove" ? 20 : 0 }));
  };
  element().hasPointerCapture = () => true;
  element().setPointerCapture = () => {};
  const { e: before } = shown();
  at("pointerdown", box.left + 50, box.top + 50);
  at("pointermove", box.left + 70, box.top + 50);
  await expect.poll(() => shown().e).toBeLessThan(before - 50);
  const { a: zoom } = shown();
  element().dispatchEvent(new WheelEvent("wheel", { deltaY: -200, bubbles: true, cancelable: true }));
  await expect.poll(() => shown().a).toBeGreaterThan(zoom);
});
