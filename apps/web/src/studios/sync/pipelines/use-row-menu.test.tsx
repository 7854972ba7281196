/** The menu of a pipeline's row: a system that fails can be asked again from there. */
import { getCurrentUser } from "@accord/contracts/identity/users";
import { pipelineHealth, UNTROUBLED } from "@accord/sync-engine/lifecycle";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { showScreens } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { pipelineRow } from "../pipeline-editor/field-pipeline/pipeline-row.fixtures.ts";
import { useRowMenu } from "./use-row-menu.tsx";

const network = globalThis.fetch;
let posted: string[] = [];
beforeEach(() => {
  posted = [];
  globalThis.fetch = async (path, init) => {
    if (init?.method !== "POST") return network(path, init);
    posted.push(new URL(String(path), location.href).pathname);
    return Response.json({ code: "pipeline_not_published", message: "Not published." }, { status: 409 });
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
  const Menu = () => (
    <ul aria-label="Menu">
      {useRowMenu()
        .actionsOf(row)
        .map(({ label, onSelect }) => (
          <li key={label}>
            <button type="button" onClick={onSelect}>
              {label}
            </button>
          </li>
        ))}
    </ul>
  );
  return showScreens({ "/": Menu, "/sync-studio/entity/$entityId/pipeline/$graphVersion": () => null }, "/");
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

test("[SYN-099] [SYN-100] Publish leads to the draft with its publish dialog", async () => {
  const router = showMenu(pipelineRow({ pipelineStatus: "PUBLISHED_WITH_DRAFT" }), ["READ_STUDIO", "WRITE_STUDIO"]);
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect
    .poll(() => [router.state.location.pathname, router.state.location.search])
    .toEqual([`/sync-studio/entity/${failing.id}/pipeline/draft`, { dialog: "publish" }]);
});
