/** Changes of a draft's layout while it is being saved: what is shown never falls back to an older state. */
import { id } from "@accord/contracts";
import { Dashboard, getDashboard } from "@accord/contracts/insights/dashboards";
import { show } from "@accord/ui/test-kit";
import { notifyManager, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import "../../../app/words.ts";
import { useDashboard } from "../parts/queries.ts";
import { useLayoutSaves } from "./use-layout-saves.ts";

const CARD = id("dataCard").parse("c".repeat(24));
const ID = id("dashboard").parse("d".repeat(24));
const dashboard = (h: number, version: number): Dashboard =>
  Dashboard.parse({
    ...{ id: ID, displayName: "Sales", name: "sales", description: "", tags: [], variables: [], version },
    ...{ draftStatus: "NEW", draft: null, parentId: null, seeded: false, isExample: false, createdBy: "A" },
    dataCards: [{ id: CARD, layout: { i: CARD, x: 0, y: 0, w: 4, h } }],
    updatedAt: "2026-01-01T00:00:00.000Z",
  });
const opened = (one: Dashboard) => ({ dashboard: one, cards: [], unpublishedChanges: [], reverts: [] });

const network = globalThis.fetch;
let stored: Dashboard;
let conflicts: number;
let heights: number[];

beforeEach(() => {
  stored = dashboard(1, 1);
  conflicts = 0;
  heights = [];
  // As on a busy page: what is in the cache is drawn a moment later.
  notifyManager.setScheduler((notify) => setTimeout(notify, 15));
  queryClient.clear();
  queryClient.setQueryData(keyOf(getDashboard, { params: { id: ID } }), opened(stored));
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (!request.url.includes(ID)) return network(input, init);
    if (request.method !== "PUT") return new Response(JSON.stringify(opened(stored)));
    const { dataCards, version } = (await request.json()) as Pick<Dashboard, "dataCards" | "version">;
    await new Promise((done) => setTimeout(done, 20));
    if (version !== stored.version) {
      conflicts += 1;
      return new Response(JSON.stringify({ code: "stale_version", message: "Changed." }), { status: 409 });
    }
    stored = { ...stored, dataCards, version: version + 1 };
    return new Response(JSON.stringify(stored));
  };
});
afterEach(() => {
  globalThis.fetch = network;
  notifyManager.setScheduler((notify) => setTimeout(notify, 0));
});

/** Makes the card taller by one as long as it is not tall enough, at once after each drawing, as quick keys do. */
function Grows({ open, to }: { open: Dashboard; to: number }) {
  const { cards, change } = useLayoutSaves(open);
  const height = cards[0]?.layout.h ?? 0;
  heights.push(height);
  const grow = () => change(cards.map((card) => ({ ...card, layout: { ...card.layout, h: height + 1 } })));
  return (
    <button type="button" onClick={grow} disabled={height >= to}>
      Height {height}
    </button>
  );
}

function Draft({ to }: { to: number }) {
  const { data } = useDashboard(ID);
  return data ? <Grows open={data.dashboard} to={to} /> : null;
}

test("what is shown never falls back while changes are saved, and all of them are stored without a conflict", async () => {
  show(
    <QueryClientProvider client={queryClient}>
      <Draft to={30} />
    </QueryClientProvider>,
  );
  await expect.element(page.getByRole("button", { name: "Height 1" })).toBeVisible();
  const button = document.querySelector("button");
  // At intervals around the time of a save, so that changes come before, during and right after one.
  for (let press = 1; press < 30; press++) {
    button?.click();
    await new Promise((done) => setTimeout(done, (press * 7) % 31));
  }
  await expect.poll(() => stored.dataCards[0]?.layout.h).toBe(30);
  expect(heights).toEqual(heights.toSorted((one, other) => one - other));
  expect(conflicts).toBe(0);
});
