/** What can be done with records in quarantine: tried again and dismissed; of a pipeline that isn't published, dismissed alone. */
import { getCurrentUser } from "@accord/contracts/identity/users";
import { QuarantineEntry } from "@accord/contracts/sync/monitoring/quarantine";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../../../app/queries.ts";
import { showInRouter } from "../../../../../app/show-in-router.fixtures.tsx";
import "../../../../../app/words.ts";
import { pipelineRow } from "../../../pipeline-editor/field-pipeline/pipeline-row.fixtures.ts";
import { QuarantineList } from "./quarantine-list.tsx";

const network = globalThis.fetch;
const published = pipelineRow({ pipelineStatus: "PUBLISHED" });
const entry = QuarantineEntry.parse({
  ...{ id: "7".repeat(24), entityId: published.id, at: "2026-03-10T12:00:00.000Z", direction: "source" },
  ...{ status: "OPEN", connectorId: "c", connectorEntity: "orders", externalId: "17", recordId: null },
  ...{ recordName: "Order 17", nodeId: null, code: "too_long", message: "Too long.", attempts: 3 },
  ...{ dismissedBy: null, dismissedAt: null, payload: null },
});
const causes = [{ code: "too_long", nodeId: null, direction: "source", message: "Too long.", count: 1 }];

beforeEach(() => {
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["READ_STUDIO", "WRITE_STUDIO"] });
  globalThis.fetch = async (path, init) => {
    const [, call] = String(path).split("/api/v1");
    if (call === undefined) return network(path, init);
    if (!call.includes("/quarantine")) return Response.json({ code: "not_found", message: "No." }, { status: 404 });
    return Response.json({ entries: [entry], open: 1, causes, page: { nextCursor: null, previousCursor: null } });
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

const replays = () =>
  page
    .getByRole("button", { name: /again/ })
    .elements()
    .map((button) => button.textContent);

test("records of a published pipeline are tried again", async () => {
  showInRouter(() => <QuarantineList row={published} />);
  await expect.element(page.getByText("Order 17")).toBeVisible();
  expect(replays()).toEqual(["Try all again", "Try these again"]);
});

test("of one that is not published nothing is offered that would be refused, and the list says why", async () => {
  showInRouter(() => <QuarantineList row={{ ...published, pipelineStatus: "DRAFT" }} />);
  await expect.element(page.getByText("Order 17")).toBeVisible();
  await expect.element(page.getByText(/This pipeline is not published/)).toBeVisible();
  expect(replays()).toEqual([]);
  await page
    .getByRole("grid")
    .getByRole("button", { name: /Order 17/ })
    .click();
  await expect.element(page.getByRole("menuitem", { name: "Dismiss" })).toBeVisible();
  expect(page.getByRole("menuitem", { name: "Try again" }).elements()).toEqual([]);
});
