/** Counts on the graph: those of a running cycle give way to the stored ones, also where the message of its end was lost. */
import { OpenedGraph } from "@accord/contracts/sync/pipelines";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { afterAll, beforeAll, expect, test } from "vitest";
import { page } from "vitest/browser";
import { STREAM_PATH } from "@accord/contracts";
import { queryClient } from "../../../../app/queries.ts";
import { closeStream, openStream } from "../../../../app/realtime.ts";
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

/** The server's side of the stream: opens at once, and sends what a test wants sent. */
let connection: StreamConnection | undefined;
class StreamConnection {
  binaryType = "blob";
  readyState = 1;
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: (event: object) => void;
  constructor() {
    setTimeout(() => {
      this.onopen?.();
      this.receive('0{"sid":"one","upgrades":[],"pingInterval":60000,"pingTimeout":60000,"maxPayload":1000000}');
    });
  }
  send(packet: string) {
    if (packet === "40") setTimeout(() => this.receive('40{"sid":"two"}'));
  }
  close() {
    this.readyState = 3;
    this.onclose?.({});
  }
  receive(data: string) {
    this.onmessage?.({ data });
  }
  event(name: string, payload: object) {
    this.receive(`42${JSON.stringify([name, payload])}`);
  }
}

const network = { fetch: globalThis.fetch, WebSocket: globalThis.WebSocket };
/** What is stored of the last cycle. */
let stored = 0;
let reads = 0;

beforeAll(() => {
  globalThis.fetch = async (path, init) => {
    if (!String(path).endsWith("/flow")) return network.fetch(path, init);
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
  globalThis.WebSocket = new Proxy(network.WebSocket, {
    construct: (target, args: [string]) =>
      args[0].includes(STREAM_PATH) ? (connection = new StreamConnection()) : Reflect.construct(target, args),
  });
  openStream();
});
afterAll(() => {
  closeStream();
  Object.assign(globalThis, network);
});

function Shown() {
  const flow = useShownFlow();
  return <p role="status">{flow ? `${flow.isRunning ? "running" : "stored"} ${flow.counts?.changed}` : "unknown"}</p>;
}
const counted = (changed: number) =>
  connection?.event("flowCounted", { entityId: ENTITY, versionNumber: 1, counts: countsOf(changed) });
const ended = () =>
  connection?.event("pipelineStatusChanged", {
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
  await expect.poll(() => connection?.readyState).toBe(1);
  await expect
    .poll(() => {
      counted(5);
      return status.element().textContent;
    })
    .toBe("running 5");
  // The cycle ends while nobody listens.
  stored = 7;
  const readsBefore = reads;
  connection?.close();
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
