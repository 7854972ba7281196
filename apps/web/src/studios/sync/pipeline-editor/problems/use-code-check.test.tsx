/** What is wrong with code is asked of the server once typing pauses, and stands at its node until the node changes. */
import { Graph } from "@accord/contracts/sync/graph";
import { changeNode } from "@accord/sync-engine/graph";
import { show } from "@accord/ui/test-kit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ENTITY, openedDraft } from "../draft/opened-draft.fixtures.ts";
import { EditorProvider } from "../editor-context.tsx";
import { createEditorStore } from "../editor.model.ts";
import { useCodeCheck } from "./use-code-check.ts";

const network = globalThis.fetch;
let asked: string[];
beforeEach(() => {
  asked = [];
  globalThis.fetch = async (path, init) => {
    if (!String(path).includes("/api/v1/")) return network(path, init);
    asked.push(String(init?.body));
    const problem = {
      ...{ code: "code_invalid", severity: "error", nodeId: "code", targetId: "script" },
      ...{ errorMessage: "Code: Line 1", errorDetail: "code_invalid" },
    };
    return Response.json({ problems: [problem], publishable: false });
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

const graphWith = (apiName: string) =>
  Graph.parse({
    nodes: [
      { id: "core", label: "Account", nodeType: "CORE_ENTITY" },
      { id: "code", label: "Code", nodeType: "FUNCTION", apiName, configuration: { script: "function run( {" } },
    ],
    edges: [{ id: "edge-one-0000", source: { nodeId: "core" }, destination: { nodeId: "code" } }],
  });

function Checked() {
  useCodeCheck(ENTITY);
  return null;
}

function opened(apiName: string) {
  const store = createEditorStore(openedDraft(graphWith(apiName)));
  show(
    <EditorProvider value={store}>
      <Checked />
    </EditorProvider>,
  );
  return store;
}

test("a problem of code is shown at its node, and no longer once the code is another one", async () => {
  const store = opened("customCode");
  const codes = () => (store.getState().problems ?? []).map(({ code }) => code);
  await expect.poll(codes).toEqual(["code_invalid"]);
  expect(asked).toHaveLength(1);
  store.getState().edit((graph) => changeNode(graph, "code", { configuration: { script: "function run() {}" } }));
  expect(codes()).toEqual([]);
  await expect.poll(() => asked.length).toBe(2);
  expect(asked[1]).toContain("function run() {}");
});

test("a graph without code is not sent", async () => {
  opened("trim");
  await new Promise((done) => setTimeout(done, 1_000));
  expect(asked).toEqual([]);
});
