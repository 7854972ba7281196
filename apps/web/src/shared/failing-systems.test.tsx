/** A system that pipelines can't use is called failing wherever its state is shown, since the earliest moment. */
import { getCurrentUser } from "@accord/contracts/identity/users";
import { type HealthFacts, pipelineHealth, UNTROUBLED } from "@accord/sync-engine/lifecycle";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../app/queries.ts";
import "../app/words.ts";
import { ConnectorStatusTag } from "../studios/connections/parts/connector-status.tsx";
import { pipelineRow } from "../studios/sync/pipeline-editor/field-pipeline/pipeline-row.fixtures.ts";
import { failingSystems, pipelineRowsKey } from "./failing-systems.tsx";

const row = (change: Partial<HealthFacts>) => ({ health: pipelineHealth({ ...UNTROUBLED, ...change }) });
const failure = (connectorId: string, since: number) => ({
  nodeId: null,
  connectorId,
  system: "Billing",
  since,
  code: "notFound",
  message: "gone",
});

test("a system that fails is named once, since the earliest moment that any pipeline could not use it", () => {
  const rows = [row({ failures: [failure("c", 2_000)] }), row({ failures: [failure("c", 1_000)] })];
  expect([...failingSystems(rows)].map(([id, { since }]) => [id, since])).toEqual([["c", "1970-01-01T00:00:01.000Z"]]);
  expect(failingSystems([row({ quarantined: [{ nodeId: null, count: 1 }] })]).size).toBe(0);
});

test("a system that a pipeline only waits for does not fail", () => {
  const heldUp = [{ nodeId: null, connectorId: "c", system: "Billing", since: 1_000, isLimited: true }];
  expect(failingSystems([row({ heldUp })]).size).toBe(0);
});

test("the system is asked again when the first of its pipelines does so", () => {
  const at = (nextTryAt: number | undefined) => row({ failures: [{ ...failure("c", 1_000), nextTryAt }] });
  const nextOf = (...times: (number | undefined)[]) => failingSystems(times.map(at)).get("c")?.nextTryAt;
  expect(nextOf(9_000, 5_000, undefined, 7_000)).toBe("1970-01-01T00:00:05.000Z");
  expect(nextOf(undefined)).toBeUndefined();
});

test("its state says so in place of being active, and every other one stays active", async () => {
  const [failing, sound] = ["c".repeat(24), "d".repeat(24)];
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["READ_STUDIO"], orgName: "Org" });
  queryClient.setQueryData(pipelineRowsKey, {
    rows: [row({ failures: [{ ...failure(failing, 1_000), nextTryAt: Date.now() + 60_000 }] })],
  });
  const tag = (id: string) => (
    <ConnectorStatusTag connector={{ id, status: "ACTIVE", schemaRefreshStatus: "SUCCESS" } as never} />
  );
  show(
    <QueryClientProvider client={queryClient}>
      <p data-testid="failing">{tag(failing)}</p>
      <p data-testid="sound">{tag(sound)}</p>
    </QueryClientProvider>,
  );
  await expect.element(page.getByTestId("failing").getByText(/^Failing since/)).toBeVisible();
  await expect.element(page.getByTestId("failing").getByText(/^next try at /)).toBeVisible();
  await expect.element(page.getByTestId("sound").getByText("Active", { exact: true })).toBeVisible();
});

test("a system that only the last of many pipelines can't use is called failing too", async () => {
  const failing = "e".repeat(24);
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["READ_STUDIO"], orgName: "Org" });
  const last = pipelineRow(row({ failures: [failure(failing, 1_000)] }));
  const rows = [...Array.from({ length: 250 }, () => pipelineRow(row({}))), last];
  const states = { draft: 0, resyncing: 0, running: 0, paused: 0, error: 0, warning: 0 };
  const network = globalThis.fetch;
  globalThis.fetch = async (path, init) => {
    const url = new URL(String(path), location.href);
    if (!url.pathname.endsWith("/pipelines")) return network(path, init);
    const [number = 1, size = 25] = ["page", "pageSize"].map((name) => Number(url.searchParams.get(name)));
    const shown = rows.slice((number - 1) * size, number * size);
    const total = rows.length;
    return Response.json({ rows: shown, total, page: number, unmapped: 0, summary: { ...states, total } });
  };
  try {
    show(
      <QueryClientProvider client={queryClient}>
        <ConnectorStatusTag connector={{ id: failing, status: "ACTIVE", schemaRefreshStatus: "SUCCESS" } as never} />
      </QueryClientProvider>,
    );
    await expect.element(page.getByText(/^Failing since/)).toBeVisible();
  } finally {
    globalThis.fetch = network;
  }
});
