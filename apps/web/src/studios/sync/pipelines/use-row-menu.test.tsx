/** The menu of a pipeline's row: a system that fails can be asked again from there. */
import { getCurrentUser } from "@accord/contracts/identity/users";
import { Graph } from "@accord/contracts/sync/graph";
import { SyncState } from "@accord/contracts/sync/monitoring/runs";
import { pipelineHealth, UNTROUBLED } from "@accord/sync-engine/lifecycle";
import { Notifications, notifications } from "@mantine/notifications";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { showScreens } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { openedDraft } from "../pipeline-editor/draft/opened-draft.fixtures.ts";
import { pipelineRow } from "../pipeline-editor/field-pipeline/pipeline-row.fixtures.ts";
import { useRowMenu } from "./use-row-menu.tsx";

const network = globalThis.fetch;
const CLONE = "c".repeat(24);
let posted: string[] = [];
/** What a clone was asked to be. */
let wished: unknown;
const refused = () =>
  Response.json(
    { code: "invalid_state", message: "This can't be done now.", description: "It is being resynced." },
    { status: 409 },
  );
function accepted(path: string, init: RequestInit): Response {
  if (path.endsWith("/clone")) {
    wished = JSON.parse(typeof init.body === "string" ? init.body : "");
    return Response.json({ entityId: CLONE, name: "Partner 1" });
  }
  return Response.json(
    init.method === "POST" && path.endsWith("/draft") ? openedDraft(Graph.parse({ nodes: [], edges: [] })) : {},
  );
}
let answer: (path: string, init: RequestInit) => Response | Promise<Response>;
beforeEach(() => {
  posted = [];
  answer = refused;
  notifications.clean();
  globalThis.fetch = async (path, init) => {
    if (init?.method !== "POST" && init?.method !== "DELETE") return network(path, init);
    posted.push(new URL(String(path), location.href).pathname);
    return answer(String(path), init);
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

const failures = [
  { nodeId: null, connectorId: "c", system: "Billing", since: 1_000, code: "timeout", message: "No answer." },
];
const failing = pipelineRow({ health: pipelineHealth({ ...UNTROUBLED, failures }), syncStatus: "RETRYING" });

function showMenu(row: typeof failing, permissions: string[]) {
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions });
  function Menu() {
    const menu = useRowMenu();
    return (
      <>
        <ul aria-label="Menu">
          {menu.actionsOf(row).map(({ label, onSelect }) => (
            <li key={label}>
              <button type="button" onClick={onSelect}>
                {label}
              </button>
            </li>
          ))}
        </ul>
        {menu.dialogs}
      </>
    );
  }
  return showScreens(
    { "/": Menu, "/sync-studio/entity/$entityId/pipeline/$graphVersion": () => null },
    "/",
    <Notifications />,
  );
}
const tryNow = () => page.getByRole("button", { name: "Try now" });

test("a system that fails is asked again at once from the row's menu", async () => {
  showMenu(failing, ["READ_STUDIO", "WRITE_STUDIO"]);
  await tryNow().click();
  await expect.poll(() => posted).toEqual([`/api/v1/pipelines/${failing.id}/run`]);
});

test.each([
  ["a pipeline that nothing fails for", pipelineRow(), ["READ_STUDIO", "WRITE_STUDIO"]],
  ["one that is paused", { ...failing, syncStatus: "PAUSED" as const }, ["READ_STUDIO", "WRITE_STUDIO"]],
  ["whoever may only read", failing, ["READ_STUDIO"]],
])("%s is offered no other try", async (_who, row, permissions) => {
  showMenu(row, permissions);
  await expect.element(page.getByRole("button", { name: "Metrics" })).toBeVisible();
  await expect.element(tryNow()).not.toBeInTheDocument();
});

const stateOf = ({ id, syncStatus }: typeof failing) =>
  SyncState.parse({
    ...{ entityId: id, status: syncStatus, health: null, currentActivity: "", errorCount: 0, warningCount: 0 },
    ...{ errorDetails: [], lagTimeInSeconds: null, lastSyncTime: null, lastCycleMs: null, nextAt: null },
    ...{ transactionsInLastCycle: 0, recentCycles: [], pausedBy: null, quarantined: 0, resync: null },
    ...{ sources: [], destinations: [] },
  });
const WRITER = ["READ_STUDIO", "WRITE_STUDIO"];
const running = pipelineRow({ name: "Order", syncStatus: "RUNNING", pipelineStatus: "PUBLISHED" });
const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const toast = (text: string) => page.getByRole("alert").getByText(text, { exact: true });

test.each([
  ["Pause", running, "Paused Order", "Stopping Order failed"],
  ["Resume", { ...running, syncStatus: "PAUSED" as const }, "Started Order", "Starting Order failed"],
])("[SYN-147] %s says what was done to which entity, or what failed and why", async (action, row, done, failed) => {
  answer = () => Response.json(stateOf(row));
  showMenu(row, WRITER);
  await press(action);
  await expect.element(toast(done)).toBeVisible();
  answer = refused;
  await press(action);
  await expect.element(toast(failed)).toBeVisible();
  await expect.element(toast("This can't be done now. It is being resynced.")).toBeVisible();
});

test("[SYN-148] a draft that can't be created says why", async () => {
  showMenu(running, WRITER);
  await press("Create draft");
  await expect.element(toast("This can't be done now.")).toBeVisible();
  await expect.element(toast("It is being resynced.")).toBeVisible();
});

test("[SYN-148] an entity that can't be deleted stays, with the server's reason in the dialog", async () => {
  showMenu(pipelineRow({ name: "Order", pipelineStatus: "UNMAPPED", syncStatus: "UNPUBLISHED" }), WRITER);
  await press("Delete entity");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("Order");
  await dialog.getByRole("button", { name: "Delete entity" }).click();
  await expect.element(dialog.getByText("The entity Order could not be deleted")).toBeVisible();
  await expect.element(dialog.getByText("It is being resynced.")).toBeVisible();
});

test("[SYN-099] [SYN-100] Publish leads to the draft with its publish dialog", async () => {
  const router = showMenu(pipelineRow({ pipelineStatus: "PUBLISHED_WITH_DRAFT" }), ["READ_STUDIO", "WRITE_STUDIO"]);
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect
    .poll(() => [router.state.location.pathname, router.state.location.search])
    .toEqual([`/sync-studio/entity/${failing.id}/pipeline/draft`, { dialog: "publish" }]);
});

const both = pipelineRow({ pipelineStatus: "PUBLISHED_WITH_DRAFT" });

test("[SYN-104] a clone is asked for its name, says what it is called, and opens its draft", async () => {
  answer = accepted;
  const router = showMenu(both, WRITER);
  await page.getByRole("button", { name: "Clone published" }).click();
  const dialog = page.getByRole("dialog", { name: "Clone the published pipeline of Buyers" });
  const name = dialog.getByRole("textbox", { name: "Name" });
  await expect.element(name).toHaveValue("Buyers copy");
  await name.fill(" ");
  await dialog.getByRole("button", { name: "Clone" }).click();
  await expect.element(dialog.getByText("Give the clone a name.")).toBeVisible();
  expect(posted).toEqual([]);
  await name.fill("Partner");
  await dialog.getByRole("button", { name: "Clone" }).click();
  await expect.element(page.getByText("Cloned as Partner 1")).toBeVisible();
  expect([posted, wished]).toEqual([[`/api/v1/pipelines/${both.id}/clone`], { version: "published", name: "Partner" }]);
  await expect.poll(() => router.state.location.pathname).toBe(`/sync-studio/entity/${CLONE}/pipeline/draft`);
});

test("while a clone is made its dialog can't be left, and on another page a toast says that it failed", async () => {
  const pending = Promise.withResolvers<Response>();
  answer = () => pending.promise;
  const router = showMenu(both, WRITER);
  await press("Clone published");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Clone", exact: true }).click();
  await expect.element(dialog.getByRole("button", { name: "Cancel" })).toBeDisabled();
  await userEvent.keyboard("{Escape}");
  await dialog.getByRole("button", { name: "Close" }).click();
  await new Promise((resolve) => setTimeout(resolve, 400));
  await expect.element(dialog).toBeVisible();
  await router.navigate({
    to: "/sync-studio/entity/$entityId/pipeline/$graphVersion",
    params: { entityId: both.id, graphVersion: "draft" },
  });
  await expect.element(dialog).not.toBeInTheDocument();
  pending.resolve(refused());
  await expect.element(toast("Buyers could not be cloned")).toBeVisible();
});

test("creating and deleting a draft, and deleting what is published, say so", async () => {
  answer = accepted;
  showMenu(pipelineRow(), WRITER);
  await page.getByRole("button", { name: "Create draft" }).click();
  await expect.element(page.getByText("Created a draft of Buyers")).toBeVisible();
  for (const [action, done] of [
    ["Delete draft", "Deleted the draft of Buyers"],
    ["Delete published pipeline", "Deleted the published pipeline of Buyers"],
  ] as const) {
    showMenu(both, WRITER);
    await page.getByRole("button", { name: action }).click();
    await page.getByRole("dialog").getByRole("button", { name: action }).click();
    await expect.element(page.getByText(done)).toBeVisible();
  }
});
