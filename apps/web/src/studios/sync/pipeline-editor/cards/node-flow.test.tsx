/** Counts on a node lead to what they count: its cycle, or its records in quarantine. */
import { Graph } from "@accord/contracts/sync/graph";
import { QueryClientProvider } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { queryClient } from "../../../../app/queries.ts";
import { showScreens } from "../../../../app/show-in-router.fixtures.tsx";
import "../../../../app/words.ts";
import { ENTITY, openedDraft } from "../draft/opened-draft.fixtures.ts";
import { EditorProvider } from "../editor-context.tsx";
import { createEditorStore } from "../editor.model.ts";
import { FlowProvider } from "../flow/flow-context.tsx";
import { NodeFlow } from "./node-flow.tsx";

const CYCLE = "b".repeat(24);
const network = globalThis.fetch;
beforeEach(() => {
  globalThis.fetch = async (path, init) => {
    if (!String(path).endsWith("/flow")) return network(path, init);
    const at = "2026-01-01T00:00:00.000Z";
    const counts = { read: { crm: 1234 }, changed: 0, written: {}, passed: {}, ended: {}, failed: { crm: 3 } };
    const cycle = { id: CYCLE, kind: "cycle", startedAt: at, finishedAt: at, outcome: "finished", counts };
    return Response.json({ versionNumber: 1, cycle });
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

const graph = Graph.parse({ nodes: [{ id: "crm", label: "CRM", nodeType: "ENTITY_SOURCE" }], edges: [] });

function Screen() {
  return (
    <QueryClientProvider client={queryClient}>
      <EditorProvider value={createEditorStore(openedDraft(graph))}>
        <FlowProvider entityId={openedDraft(graph).entityId} isShown>
          <NodeFlow node={graph.nodes[0]!} />
        </FlowProvider>
      </EditorProvider>
    </QueryClientProvider>
  );
}

const targetOf = (name: string): URL =>
  new URL(page.getByRole("link", { name }).element().getAttribute("href") ?? "", location.href);

test("what was read leads to its cycle, what failed to the node's records in quarantine", async () => {
  showScreens(
    { "/sync-studio/entity/$entityId/pipeline/$graphVersion": Screen, "/sync-studio/details": () => null },
    `/sync-studio/entity/${ENTITY}/pipeline/published`,
  );
  await expect.element(page.getByRole("link", { name: "1,234 read" })).toBeVisible();
  const cycle = targetOf("1,234 read");
  expect([cycle.pathname, cycle.searchParams.get("activity"), cycle.searchParams.get("cycle")]).toEqual([
    "/sync-studio/details",
    ENTITY,
    CYCLE,
  ]);
  const quarantine = targetOf("3 failed").searchParams;
  expect([quarantine.get("tab"), quarantine.get("node"), quarantine.get("cycle")]).toEqual(["quarantine", "crm", null]);
});
