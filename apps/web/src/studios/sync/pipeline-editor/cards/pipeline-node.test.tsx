/** A card in the graph: what its tooltip says, and when. */
import "@xyflow/react/dist/style.css";
import { Graph } from "@accord/contracts/sync/graph";
import { removeNodes, toggleBypass } from "@accord/sync-engine/graph";
import { ReactFlow, ReactFlowProvider } from "@xyflow/react";
import { afterEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { showInRouter } from "../../../../app/show-in-router.fixtures.tsx";
import "../../../../app/words.ts";
import type { FlowEdge, FlowNode } from "../canvas/canvas.model.ts";
import "../canvas/canvas.css";
import { ENTITY, openedDraft } from "../draft/opened-draft.fixtures.ts";
import { EditorProvider } from "../editor-context.tsx";
import { createEditorStore, type EditorStore } from "../editor.model.ts";
import { useFlow } from "../flow/use-flow.ts";
import { CardWorldProvider } from "./card-world.tsx";
import { PipelineNode } from "./pipeline-node.tsx";

const NODE_TYPES = { pipeline: PipelineNode, area: () => null };
function Shown() {
  return (
    <div style={{ width: 800, height: 400 }}>
      <CardWorldProvider entityId={ENTITY}>
        <ReactFlow<FlowNode, FlowEdge> {...useFlow()} nodeTypes={NODE_TYPES} />
      </CardWorldProvider>
      <p>Elsewhere</p>
    </div>
  );
}

function showCards(nodes: readonly object[], edges: readonly object[] = []): EditorStore {
  const store = createEditorStore(openedDraft(Graph.parse({ nodes, edges })));
  showInRouter(() => (
    <EditorProvider value={store}>
      <ReactFlowProvider>
        <Shown />
      </ReactFlowProvider>
    </EditorProvider>
  ));
  return store;
}
const trim = { id: "trim", label: "Trim the name", nodeType: "FUNCTION", apiName: "trim" };

afterEach(() => void vi.useRealTimers());

test("[SYN-075] a card explains itself once the pointer has rested on it for a second", async () => {
  showCards([{ ...trim, description: "Blanks at its ends.", location: { x: 60, y: 60 } }]);
  const tip = page.getByRole("tooltip");
  const card = page.getByText("Trim the name").first();
  await expect.element(card).toBeVisible();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await card.hover();
  vi.advanceTimersByTime(999);
  await expect.element(tip).not.toBeInTheDocument();
  vi.advanceTimersByTime(1);
  await expect.element(tip).toHaveTextContent("Trim the nameBlanks at its ends.");
  await page.getByText("Elsewhere").hover();
  vi.advanceTimersByTime(1_000);
  await expect.element(tip).not.toBeInTheDocument();
});

test("[SYN-050] a card that another node rules out is greyed and says why, until that node is gone", async () => {
  const message = "Only one node may trim.";
  const store = showCards([
    { ...trim, disabledCriteria: [{ nodeType: "function", key: "apiName", value: "upperCase", message }] },
    { id: "upper", label: "In capitals", nodeType: "FUNCTION", apiName: "upperCase", location: { x: 400, y: 60 } },
  ]);
  const card = () => page.getByText("Trim the name").first().element().closest(".ac-node");
  await expect.element(page.getByText(message)).toBeVisible();
  expect(card()).toHaveAttribute("data-disabled", "true");
  store.getState().edit((graph) => removeNodes(graph, new Set(["upper"])));
  await expect.element(page.getByText(message)).not.toBeInTheDocument();
  expect(card()).not.toHaveAttribute("data-disabled");
  store.getState().undo();
  await expect.element(page.getByText(message)).toBeVisible();
});

test("a disabled card is greyed and says that records pass it", async () => {
  const store = showCards([{ ...trim, description: "Blanks at its ends.", location: { x: 60, y: 60 } }]);
  const words = page.getByText("Disabled: records pass unchanged");
  await expect.element(page.getByText("Trim the name").first()).toBeVisible();
  await expect.element(words).not.toBeInTheDocument();
  store.getState().edit((graph) => toggleBypass(graph, new Set(["trim"])));
  await expect.element(words).toBeVisible();
  expect(document.querySelector(".ac-node[data-disabled]")).not.toBeNull();
  store.getState().undo();
  await expect.element(words).not.toBeInTheDocument();
});

test("a side of a decision that nothing follows on says that records end there, one with neither says nothing", async () => {
  const decision = { id: "if", label: "Is it paid?", nodeType: "FUNCTION", apiName: "predicate" };
  const [paid, next] = [
    { ...decision, location: { x: 60, y: 60 } },
    { ...trim, location: { x: 400, y: 60 } },
  ];
  const edge = { id: "e", source: { nodeId: "if" }, destination: { nodeId: "trim" }, edgeType: "true" };
  const store = showCards([paid, next], [edge]);
  await expect.element(page.getByText("False · ends here")).toBeVisible();
  await expect.element(page.getByText("True", { exact: true })).toBeVisible();
  store.getState().edit((graph) => ({ ...graph, edges: [] }));
  await expect.element(page.getByText("False", { exact: true })).toBeVisible();
});
