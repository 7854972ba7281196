/** A group on the graph is moved by its area: all of its members go along, in one step. */
import "@xyflow/react/dist/style.css";
import { Graph } from "@accord/contracts/sync/graph";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { ReactFlow, ReactFlowProvider } from "@xyflow/react";
import { expect, test } from "vitest";
import { queryClient } from "../../../../../app/queries.ts";
import "../../../../../app/words.ts";
import { openedDraft } from "../../draft/opened-draft.fixtures.ts";
import { EditorProvider } from "../../editor-context.tsx";
import { createEditorStore } from "../../editor.model.ts";
import { useFlow } from "../../flow/use-flow.ts";
import type { FlowEdge, FlowNode } from "../canvas.model.ts";
import "../canvas.css";
import { GroupArea } from "./group-area.tsx";

const node = (id: string, x: number, y: number, groupId?: string) => ({
  ...{ id, label: id, nodeType: "FUNCTION", apiName: "trim", location: { x, y } },
  ...(groupId ? { groupId } : {}),
});
const opened = openedDraft(
  Graph.parse({
    nodes: [node("first", 100, 100, "g"), node("second", 100, 200, "g"), node("other", 500, 100)],
    edges: [],
    groups: [{ id: "g", name: "Clean" }],
  }),
);

const NODE_TYPES = { area: GroupArea, pipeline: () => null };
function Shown() {
  return (
    <div style={{ width: 800, height: 500 }}>
      <ReactFlow<FlowNode, FlowEdge> {...useFlow()} nodeTypes={NODE_TYPES} snapToGrid snapGrid={[10, 10]} />
    </div>
  );
}

test("a group that is dragged by its frame takes its members along, and one step takes all of it back", async () => {
  const store = createEditorStore(opened);
  show(
    <QueryClientProvider client={queryClient}>
      <EditorProvider value={store}>
        <ReactFlowProvider>
          <Shown />
        </ReactFlowProvider>
      </EditorProvider>
    </QueryClientProvider>,
  );
  const places = () => store.getState().graph.nodes.map(({ location: { x, y } }) => [x, y]);
  const before = places();
  await expect.poll(() => document.querySelector(".ac-group")?.getBoundingClientRect().width).toBeGreaterThan(100);
  const frame = document.querySelector(".ac-group")!.getBoundingClientRect();
  const from = { x: frame.left + 6, y: frame.bottom - 6 };
  const at = (type: string, by: number): void => {
    const init = {
      bubbles: true,
      cancelable: true,
      view: window,
      button: 0,
      clientX: from.x + by,
      clientY: from.y + by,
    };
    const target = type === "mousedown" ? document.elementFromPoint(from.x, from.y) : window;
    target?.dispatchEvent(new MouseEvent(type, init));
  };
  at("mousedown", 0);
  for (const by of [10, 30, 60]) at("mousemove", by);
  at("mouseup", 60);
  await expect.poll(places).not.toEqual(before);
  const [first, second, other] = places();
  expect([second?.[0], second?.[1]]).toEqual([first?.[0], (first?.[1] ?? 0) + 100]);
  expect(first?.[0]).toBeGreaterThanOrEqual(150);
  expect(other).toEqual(before[2]);
  store.getState().undo();
  expect(places()).toEqual(before);
});
