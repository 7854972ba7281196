/** Counts on the graph: those of a running cycle give way to the stored ones, also where the message of its end was lost. */
import { OpenedGraph } from "@accord/contracts/sync/pipelines";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { afterAll, beforeAll, expect, test } from "vitest";
import { page } from "vitest/browser";
import { queryClient } from "../../../../app/queries.ts";
import { openFakeStream } from "../../../../app/stream.fixtures.ts";
import { FlowProvider, useShownFlow } from "./flow-context.tsx";

const ENTITY = OpenedGraph.shape.entityId.parse("a".repeat(24));
const countsOf = (changed: number) => ({
  read: {},
  changed,
  written: {},
  passed: { e1: changed },
  ended: {},
  failed: {},
});

let stream: ReturnType<typeof openFakeStream> | undefined;
const connection = () => stream?.current();

const network = globalThis.fetch;
/** What is stored of the last cycle. */
let stored = 0;
let reads = 0;

beforeAll(() => {
  globalThis.fetch = async (path, init) => {
    if (!String(path).endsWith("/flow")) return network(path, init);
    reads += 1;
    const at = "2026-01-01T00:00:00.000Z";
    const cycle = {
      id: "b".repeat(24),
      kind: "cycle",
      startedAt: at,
      finishedAt: at,
      outcome: "finished",
      counts: countsOf(stored),
    };
    return new Response(JSON.stringify({ versionNumber: 1, cycle }));
  };
  stream = openFakeStream();
});
afterAll(() => {
  stream?.close();
  globalThis.fetch = network;
});

function Shown() {
  const flow = useShownFlow();
  return <p role="status">{flow ? `${flow.isRunning ? "running" : "stored"} ${flow.counts?.changed}` : "unknown"}</p>;
}
const counted = (changed: number) =>
  connection()?.event("flowCounted", { entityId: ENTITY, versionNumber: 1, counts: countsOf(changed) });
const ended = () =>
  connection()?.event("pipelineStatusChanged", {
    entityId: ENTITY,
    syncStatus: "RUNNING",
    currentActivity: "Waiting",
    read: 0,
    changed: 0,
    delivered: 0,
  });

test("after a lost connection the counts on the graph are the stored ones, until a cycle sends its own", async () => {
  stored = 1;
  show(
    <QueryClientProvider client={queryClient}>
      <FlowProvider entityId={ENTITY} isShown>
        <Shown />
      </FlowProvider>
    </QueryClientProvider>,
  );
  const status = page.getByRole("status");
  await expect.element(status).toHaveTextContent("stored 1");
  await expect.poll(() => connection()?.readyState).toBe(1);
  await expect
    .poll(() => {
      counted(5);
      return status.element().textContent;
    })
    .toBe("running 5");
  // The cycle ends while nobody listens.
  stored = 7;
  const readsBefore = reads;
  connection()?.close();
  await expect.element(status).toHaveTextContent("stored 7");
  expect(reads).toBeGreaterThan(readsBefore);
  await expect
    .poll(() => {
      counted(2);
      return status.element().textContent;
    })
    .toBe("running 2");
  stored = 3;
  ended();
  await expect.element(status).toHaveTextContent("stored 3");
});
