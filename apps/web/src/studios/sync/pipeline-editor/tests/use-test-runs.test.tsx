/** A test run of the open pipeline locks its draft for as long as the run takes, whoever started it. */
import type { Id } from "@accord/contracts";
import { Graph } from "@accord/contracts/sync/graph";
import type { PipelineTestRun } from "@accord/contracts/sync/tests/pipeline-tests";
import type { OpenedGraph } from "@accord/contracts/sync/pipelines";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test } from "vitest";
import { queryClient } from "../../../../app/queries.ts";
import "../../../../app/words.ts";
import { EditorProvider } from "../editor-context.tsx";
import { createEditorStore } from "../editor.model.ts";
import { useTestRuns } from "./use-test-runs.ts";
import { ENTITY, openedDraft } from "../draft/opened-draft.fixtures.ts";

const opened = openedDraft(
  Graph.parse({ nodes: [{ id: "first", label: "first", nodeType: "FUNCTION", apiName: "trim" }], edges: [] }),
);
const runOf = (status: PipelineTestRun["status"]) => ({
  id: "b".repeat(24),
  kind: "live",
  testIds: [],
  name: "Somebody's run",
  status,
  message: null,
  graphVersion: "draft",
  requestedBy: "c".repeat(24),
  requestedAt: "2026-01-01T00:00:00.000Z",
  startedAt: null,
  endedAt: null,
  recordsProcessed: 0,
  resultDetails: null,
});

const network = globalThis.fetch;
/** What the server answers for live runs; simulated ones there are none. */
let live: PipelineTestRun["status"] | "unreachable" = "completed";

beforeEach(() => {
  queryClient.clear();
  globalThis.fetch = async (path, init) => {
    if (!String(path).includes("/test/entityPipeline/")) return network(path, init);
    if (live === "unreachable") return new Response(null, { status: 403 });
    const isLive = String(path).endsWith("/test");
    return new Response(JSON.stringify({ runs: isLive ? [runOf(live)] : [] }));
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

function Probe({ entityId }: { entityId: Id<"entity"> }) {
  useTestRuns(entityId);
  return null;
}
function openEditor(graph: OpenedGraph = opened) {
  const store = createEditorStore(graph);
  show(
    <QueryClientProvider client={queryClient}>
      <EditorProvider value={store}>
        <Probe entityId={ENTITY} />
      </EditorProvider>
    </QueryClientProvider>,
  );
  return store;
}

test("a run that somebody else started locks the draft until it has ended, without the panel of tests", async () => {
  live = "PROCESSING";
  const store = openEditor();
  await expect.poll(() => store.getState().isTesting).toBe(true);
  live = "completed";
  await expect.poll(() => store.getState().isTesting).toBe(false);
});

test("a draft that was opened while a test ran can be changed once it has ended, without a reload", async () => {
  live = "completed";
  const store = openEditor({ ...opened, readOnly: true, readOnlyReason: "A test of this pipeline is running." });
  expect(store.getState().opened.readOnly).toBe(false);
  await expect.poll(() => store.getState().isTesting).toBe(false);
});

test("where runs can't be read, saving says whether the draft can be changed", async () => {
  live = "unreachable";
  const store = openEditor({ ...opened, readOnly: true, readOnlyReason: "A test of this pipeline is running." });
  await expect.poll(() => store.getState().isTesting).toBe(false);
});
