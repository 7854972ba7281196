/** The way from a mapping row to the pipeline of its field. */
import { id } from "@accord/contracts";
import { listFieldPipelines } from "@accord/contracts/sync/field-pipelines";
import { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../../app/queries.ts";
import { showInRouter } from "../../../../app/show-in-router.fixtures.tsx";
import "../../../../app/words.ts";
import { ENTITY, openedDraft } from "../draft/opened-draft.fixtures.ts";
import { EditorProvider } from "../editor-context.tsx";
import { createEditorStore } from "../editor.model.ts";
import { MappingRowPipeline } from "./field-link.tsx";

const FIELD = id("field").parse("b".repeat(24));
const ADDRESS = `/sync-studio/entity/${ENTITY}/field/${FIELD}/pipeline`;
type Draft = { ready: boolean; revision: number; hasChanges: boolean; updatedAt: string } | null;
const draft: Draft = { ready: true, revision: 1, hasChanges: true, updatedAt: "2026-01-01T00:00:00.000Z" };

function showRow(hasPublished: boolean, own: Draft, graphVersion: "draft" | "published" = "draft"): void {
  const fields = [{ id: FIELD, apiName: "name", displayName: "Name", hasPublished, draft: own }];
  queryClient.setQueryData(keyOf(listFieldPipelines, { params: { entityId: ENTITY } }), { fields });
  const store = createEditorStore(openedDraft(Graph.parse({ nodes: [], edges: [] }), { graphVersion }));
  showInRouter(() => (
    <EditorProvider value={store}>
      <MappingRowPipeline entityId={ENTITY} coreField="name" fromNode="crm" />
    </EditorProvider>
  ));
}
const link = (name: string) => page.getByRole("link", { name });

test("a row leads to its field's pipeline and says whether it exists, has changes and is ready", async () => {
  showRow(false, null);
  await expect
    .element(link("Field pipeline of Name: none yet"))
    .toHaveAttribute("href", `${ADDRESS}/draft?fromNode=crm`);
  await expect.element(page.getByText("Field pipeline:")).not.toBeInTheDocument();
  showRow(true, draft);
  await expect
    .element(link("Open the field pipeline of Name"))
    .toHaveAttribute("href", `${ADDRESS}/draft?fromNode=crm`);
  for (const word of ["Published", "Changed", "Ready"]) await expect.element(page.getByText(word)).toBeVisible();
});

test("from what runs a row leads to the field pipeline that runs", async () => {
  showRow(true, draft, "published");
  await expect
    .element(link("Open the field pipeline of Name"))
    .toHaveAttribute("href", `${ADDRESS}/published?fromNode=crm`);
});
