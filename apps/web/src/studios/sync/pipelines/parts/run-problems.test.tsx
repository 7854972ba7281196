/** Problems of a run in the activity drawer: each leads to its node, and to where its cause is fixed. */
import { getCurrentUser } from "@accord/contracts/identity/users";
import { Graph } from "@accord/contracts/sync/graph";
import type { RunProblem } from "@accord/contracts/sync/monitoring/runs";
import { getPipelineGraph } from "@accord/contracts/sync/pipelines";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../../app/queries.ts";
import { showInRouter } from "../../../../app/show-in-router.fixtures.tsx";
import "../../../../app/words.ts";
import { openedDraft } from "../../pipeline-editor/draft/opened-draft.fixtures.ts";
import { pipelineRow } from "../../pipeline-editor/field-pipeline/pipeline-row.fixtures.ts";
import { ProblemList } from "./run-problems.tsx";

const SHOP = "5".repeat(24);
const row = pipelineRow();
const problem = (more: Partial<RunProblem>): RunProblem => ({
  ...{ nodeId: "source", targetId: null, code: "x", errorMessage: "It failed.", errorDetail: "", count: 1 },
  ...more,
});

function show(errors: RunProblem[], warnings: RunProblem[] = []): void {
  queryClient.clear();
  const permissions = ["READ_STUDIO", "READ_CONNECTOR", "WRITE_CONNECTOR"];
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions });
  const source = { id: "source", label: "Buyers", nodeType: "ENTITY_SOURCE", configuration: { connectorId: SHOP } };
  queryClient.setQueryData(
    keyOf(getPipelineGraph, { params: { entityId: row.id, graphVersion: "published" } }),
    openedDraft(Graph.parse({ nodes: [source], edges: [] }), { graphVersion: "published", hasPublished: true }),
  );
  showInRouter(() => <ProblemList row={row} errors={errors} warnings={warnings} onLeave={undefined} />);
}

test("a table that is gone leads to its node, to the connection and to reading the schema anew", async () => {
  show([problem({ code: "schemaChanged", errorMessage: "The table mailing is gone." })]);
  const item = page.getByRole("listitem").filter({ hasText: "The table mailing is gone." });
  await expect.element(item.getByRole("link", { name: "Show the node" })).toBeVisible();
  await expect
    .element(item.getByRole("link", { name: "Open the system's connection" }))
    .toHaveAttribute("href", `/synapses/connections/${SHOP}`);
  await expect.element(item.getByRole("button", { name: "Refresh schema" })).toBeEnabled();
});
