/** The way from an entity to its pipeline. */
import { getCurrentUser } from "@accord/contracts/identity/users";
import { getPipeline, PipelineRow } from "@accord/contracts/sync/pipelines";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { showInRouter } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { PipelineLink } from "./pipeline-link.tsx";

const row = PipelineRow.parse({
  ...{ id: "a".repeat(24), name: "Buyers", apiName: "buyers", pipelineStatus: "PUBLISHED", pipelineStatusTagData: [] },
  ...{ pipelineStateTagData: [], syncStatus: "RUNNING", health: null, warningCount: 0, errorCount: 0, sources: [] },
  ...{ currentActivity: "", lastCompletedSync: null, lastCycleDuration: null, transactionsInLastCycle: 0 },
  ...{ recentCycles: [], destinations: [], fieldsMapped: 0, numberOfVersions: 1, mergeConfig: {}, settings: {} },
  ...{
    lastModifiedOn: null,
    lastModifiedBy: null,
    lastPublishedOn: null,
    resyncDetails: null,
    lagInSeconds: null,
    lastPublishedBy: null,
    pausedBy: null,
  },
});

function show(pipelineStatus: PipelineRow["pipelineStatus"], permissions: string[]): void {
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions });
  queryClient.setQueryData(keyOf(getPipeline, { params: { entityId: row.id } }), { ...row, pipelineStatus });
  showInRouter(() => (
    <>
      <h1>Entity</h1>
      <PipelineLink entityId={row.id} />
    </>
  ));
}

test("an entity leads to its pipeline, and to making one where there is none", async () => {
  show("PUBLISHED", ["READ_STUDIO"]);
  const address = `/sync-studio/entity/${row.id}/pipeline`;
  await expect.element(page.getByRole("link", { name: "Pipeline", exact: true })).toHaveAttribute("href", address);
  show("UNMAPPED", ["READ_STUDIO", "WRITE_STUDIO"]);
  await expect.element(page.getByRole("link", { name: "Make a pipeline" })).toHaveAttribute("href", address);
});

test("whoever can't make a pipeline is led to none that does not exist", async () => {
  show("UNMAPPED", ["READ_STUDIO"]);
  await expect.element(page.getByRole("heading", { name: "Entity" })).toBeVisible();
  expect(page.getByRole("link").elements()).toEqual([]);
});
