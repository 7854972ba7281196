/** Counts of health as screens show them: where not all was counted, no smaller number passes for the whole. */
import type { HealthReason, PipelineHealth } from "@accord/contracts/sync/monitoring/health";
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import { show } from "@accord/ui/test-kit";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../app/queries.ts";
import { showInRouter } from "../app/show-in-router.fixtures.tsx";
import "../app/words.ts";
import { ProblemList } from "../studios/sync/pipelines/parts/run-problems.tsx";
import { HealthReasons } from "./health.tsx";

beforeEach(() => {
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["READ_STUDIO"] });
});

const counted = (more: Pick<HealthReason, "count" | "nodeId"> & Partial<HealthReason>): HealthReason => ({
  ...{ state: "REFUSED", message: "refused", facts: {}, connectorId: null, since: null, tab: "refused" },
  ...more,
});

const health = (reasons: HealthReason[]): PipelineHealth => ({
  state: "REFUSED",
  severity: "warning",
  reasons,
  counts: { failing: 0, quarantined: 0, refused: 0, warnings: 0, waiting: 0 },
});

test("a count that is a lower bound says so, alone and in a sum of several nodes", async () => {
  const waiting = { state: "WAITING", message: "waiting", tab: "waiting" } as const;
  const reasons = [
    counted({ nodeId: "a", count: 9_000, isLowerBound: true }),
    counted({ nodeId: "b", count: 5 }),
    counted({ nodeId: "c", count: 0, isLowerBound: true, ...waiting }),
    counted({ nodeId: "d", count: 10_001, state: "QUARANTINED", message: "quarantined" }),
  ];
  show(<HealthReasons entityId="e" health={health(reasons)} max={9} onOpen={() => {}} />);
  for (const words of ["9,005+ values refused", "0+ to send", "10,000+ in quarantine"])
    await expect.element(page.getByRole("button", { name: words, exact: true })).toBeVisible();
});

test("a system that does not answer is named with the time of the next try", async () => {
  const nextTryAt = new Date(Date.now() + 60_000).toISOString();
  const failing = counted({
    ...{ nodeId: "a", count: 1, state: "RETRYING", message: "systemRetrying", facts: { system: "Billing" } },
    ...{ since: new Date().toISOString(), nextTryAt },
  });
  show(<HealthReasons plain entityId="e" health={health([failing])} onOpen={() => {}} />);
  await expect
    .element(page.getByRole("button", { name: /^Billing does not answer since .* next try at / }))
    .toBeVisible();
});

test.each([
  ["/sync-studio/details", true],
  [`/sync-studio/details/${"a".repeat(24)}`, true],
  ["/", false],
])("on %s, a count leads to what it counts, and keeps what the table was narrowed to: %s", async (path, isKept) => {
  const root = createRootRoute();
  const reasons = () => <HealthReasons entityId="e" health={health([counted({ nodeId: "a", count: 3 })])} />;
  const at = (route: string) => createRoute({ getParentRoute: () => root, path: route, component: reasons });
  const router = createRouter({
    routeTree: root.addChildren([at("/"), at("/sync-studio/details"), at("/sync-studio/details/$entityId")]),
    history: createMemoryHistory({ initialEntries: [`${path}?search=Bill&page=2`] }),
  });
  show(<RouterProvider router={router} />);
  await page.getByRole("link", { name: "3 values refused" }).click();
  await expect.poll(() => router.state.location.search).toHaveProperty("tab", "refused");
  const { pathname, search } = router.state.location;
  expect(pathname).toBe(isKept ? path : "/sync-studio/details");
  const kept = isKept ? { search: "Bill", page: 2 } : {};
  expect(search).toEqual({ ...kept, panel: "activity", activity: "e", tab: "refused" });
});

test("the list of problems says where a number of records is a lower bound, and where it is all of them", async () => {
  const problem = { nodeId: null, targetId: null, code: "bad", errorMessage: "Bad.", errorDetail: "" };
  const row = { id: "e" } as PipelineRow;
  const warnings = [
    { ...problem, count: 5_000, isLowerBound: true as const },
    { ...problem, count: 25_000 },
  ];
  showInRouter(() => <ProblemList row={row} errors={[]} warnings={warnings} onLeave={undefined} />);
  await expect.element(page.getByText("5,000+ records", { exact: true })).toBeVisible();
  await expect.element(page.getByText("25,000 records", { exact: true })).toBeVisible();
});

test("the count of one refused field leads to the refused values of that field at its node alone", async () => {
  const problem = { nodeId: "a", targetId: "phone", code: "not_convertible", errorMessage: "Bad.", errorDetail: "" };
  const row = { id: "e" } as PipelineRow;
  const warnings = [{ ...problem, count: 3 }];
  showInRouter(() => <ProblemList row={row} errors={[]} warnings={warnings} onLeave={undefined} />);
  await expect
    .element(page.getByRole("link", { name: "3 records" }))
    .toHaveAttribute("href", "/sync-studio/details?panel=activity&activity=e&tab=refused&node=a&field=phone");
});
