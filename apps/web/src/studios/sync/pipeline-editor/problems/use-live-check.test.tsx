/** What a draft lacks is found as it is edited, by the worker that the editor starts. */
import { listConnectors } from "@accord/contracts/connections/connectors";
import { ActionVariable, type CustomAction, listCustomActions } from "@accord/contracts/sync/actions";
import { getEntity } from "@accord/contracts/data/core-schema";
import { Graph } from "@accord/contracts/sync/graph";
import { changeNode, moveNodes } from "@accord/sync-engine/graph";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { keyOf, queryClient } from "../../../../app/queries.ts";
import { ENTITY, openedDraft } from "../draft/opened-draft.fixtures.ts";
import { EditorProvider } from "../editor-context.tsx";
import { createEditorStore } from "../editor.model.ts";
import { useLiveCheck } from "./use-live-check.ts";

const graph = Graph.parse({
  nodes: [
    { id: "core", label: "Account", nodeType: "CORE_ENTITY" },
    { id: "some", label: "Only some", nodeType: "FUNCTION", apiName: "filter" },
  ],
  edges: [{ id: "edge-one-0000", source: { nodeId: "core" }, destination: { nodeId: "some" } }],
});

function Checked() {
  useLiveCheck(ENTITY);
  return null;
}

test("what a node lacks is found without asking the server, and no longer once it is there; during a drag nothing changes", async () => {
  queryClient.setQueryData(keyOf(getEntity, { params: { entityId: ENTITY } }), {
    apiName: "Account",
    displayName: "Account",
    fields: [],
  });
  queryClient.setQueryData(keyOf(listConnectors, {}), { connectors: [] });
  const store = createEditorStore(openedDraft(graph));
  const found = () =>
    store
      .getState()
      .problems?.filter(({ nodeId }) => nodeId === "some")
      .map(({ code }) => code);
  show(
    <QueryClientProvider client={queryClient}>
      <EditorProvider value={store}>
        <Checked />
      </EditorProvider>
    </QueryClientProvider>,
  );
  await expect.poll(found).toContain("input_missing");
  store.getState().edit((current) => changeNode(current, "some", { configuration: { condition: { type: "group" } } }));
  await expect.poll(found).not.toContain("input_missing");
  const before = store.getState().problems;
  store.getState().edit((current) => changeNode(current, "some", { configuration: {} }));
  store.getState().setDragging(true);
  await new Promise((done) => setTimeout(done, 600));
  expect(store.getState().problems).toBe(before);
  store.getState().edit((current) => moveNodes(current, new Map([["some", { x: 500, y: 0 }]])));
  store.getState().setDragging(false);
  await expect.poll(found).toContain("input_missing");
});

test("a custom action's required variable is asked for as long as it is empty, and a deleted action is named", async () => {
  const actionId = "d".repeat(24);
  const listed = {
    id: actionId,
    displayName: "Notify",
    variables: [ActionVariable.parse({ name: "who", required: true })],
  };
  queryClient.setQueryData(keyOf(listCustomActions, {}), { actions: [listed as unknown as CustomAction] });
  const notify = {
    id: "some",
    label: "Ping",
    nodeType: "ACTION",
    apiName: "customAction",
    configuration: { actionId },
  };
  const performing = Graph.parse({
    nodes: [...graph.nodes.filter(({ id }) => id === "core"), notify],
    edges: graph.edges,
  });
  const store = createEditorStore(openedDraft(performing));
  const found = () => store.getState().problems?.find(({ code }) => code.startsWith("custom_action"))?.errorMessage;
  show(
    <QueryClientProvider client={queryClient}>
      <EditorProvider value={store}>
        <Checked />
      </EditorProvider>
    </QueryClientProvider>,
  );
  await expect.poll(found).toContain("Ping: the variable who of Notify has no value.");
  const variables = { who: "Ann" };
  store.getState().edit((current) => changeNode(current, "some", { configuration: { actionId, variables } }));
  await expect.poll(found).toBeUndefined();
  queryClient.setQueryData(keyOf(listCustomActions, {}), { actions: [] });
  await expect.poll(found).toBe("Ping: its custom action was deleted. Choose another one.");
});
