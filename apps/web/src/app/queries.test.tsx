/** When calls are made again: while their data is on screen, when a screen is opened again, and once nobody needs them. */
import { listPipelines } from "@accord/contracts/sync/pipelines";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { keyOf, polling, queryClient, useEndpoint } from "./queries.ts";

const network = globalThis.fetch;
const NONE = { total: 0, draft: 0, resyncing: 0, running: 0, paused: 0, error: 0, warning: 0 };
let calls: number;
beforeEach(() => {
  calls = 0;
  queryClient.clear();
  globalThis.fetch = async (path, init) => {
    if (!String(path).includes("/api/v1/")) return network(path, init);
    calls++;
    return Response.json({ rows: [], total: calls, page: 1, unmapped: 0, summary: NONE });
  };
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
  globalThis.fetch = network;
});

function Table({ polls }: { polls: boolean }) {
  const { data } = useEndpoint(listPipelines, { query: {} }, polls ? polling() : {});
  return <p>Call {data?.total}</p>;
}
const open = (polls = false) =>
  show(
    <QueryClientProvider client={queryClient}>
      <Table polls={polls} />
    </QueryClientProvider>,
  );
/** Leaves the screen. */
const leave = () => show(<p>Elsewhere</p>);
/** What was answered is shown once the timers that hand it on have run. */
const isCall = (count: number) =>
  expect
    .poll(async () => {
      await vi.advanceTimersByTimeAsync(1);
      return page.getByText(`Call ${count}`).elements().length;
    })
    .toBe(1);
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);

test("[SYN-143] while the message stream is down, what changes by itself is read every ten seconds: six times a minute", async () => {
  open(true);
  await isCall(1);
  for (let second = 1; second <= 60; second++) await pass(1);
  await isCall(7);
  expect(calls).toBe(7);
});

test("[SYN-143] who comes back within 15 seconds sees what was read; later it is read again, and after 30 seconds unused it is gone", async () => {
  const key = keyOf(listPipelines, { query: {} });
  open();
  await isCall(1);
  leave();
  await pass(10);
  open();
  await isCall(1);
  expect(calls).toBe(1);
  leave();
  await pass(10);
  open();
  await isCall(2);
  leave();
  await pass(29);
  expect(queryClient.getQueryData(key)).toMatchObject({ total: 2 });
  await pass(2);
  expect(queryClient.getQueryData(key)).toBeUndefined();
  open();
  await isCall(3);
});
