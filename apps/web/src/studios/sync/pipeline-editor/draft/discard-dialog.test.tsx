/** Before a draft is discarded or replaced, the drafts of field pipelines that go along are named. */
import { id } from "@accord/contracts";
import { Graph } from "@accord/contracts/sync/graph";
import { listPipelineVersions, VersionRow } from "@accord/contracts/sync/pipeline-versions";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../../app/queries.ts";
import { showInRouter } from "../../../../app/show-in-router.fixtures.tsx";
import "../../../../app/words.ts";
import { EditorProvider } from "../editor-context.tsx";
import { createEditorStore } from "../editor.model.ts";
import { VersionsPanel } from "../publishing/versions-panel.tsx";
import { DiscardDialog } from "./discard-dialog.tsx";
import { ENTITY, openedDraft } from "./opened-draft.fixtures.ts";

const field = (letter: string, displayName: string, hasDraft: boolean) => ({
  id: id("field").parse(letter.repeat(24)),
  apiName: displayName.toLowerCase(),
  displayName,
  hasPublished: !hasDraft,
  draft: hasDraft ? { ready: false, revision: 1, hasChanges: true, updatedAt: "2026-01-01T00:00:00.000Z" } : null,
});
const version = (number: number, current: boolean) =>
  VersionRow.parse({
    id: String(number).repeat(24),
    number,
    name: `Version ${number}`,
    summary: "",
    publishedAt: "2026-01-01T00:00:00.000Z",
    publishedBy: null,
    current,
  });

const network = globalThis.fetch;
let restored: string[];
let fields: ReturnType<typeof field>[];
beforeEach(() => {
  queryClient.clear();
  restored = [];
  fields = [field("a", "Name", true), field("b", "City", false), field("c", "Phone", true)];
  const versions = [version(2, true), version(1, false)];
  queryClient.setQueryData(keyOf(listPipelineVersions, { params: { entityId: ENTITY } }), { versions });
  globalThis.fetch = async (path, init) => {
    if (String(path).endsWith(`/pipelines/${ENTITY}/fields`)) return Response.json({ fields });
    if (!String(path).includes("/restore")) return network(path, init);
    restored.push(String(path));
    return Response.json(openedDraft(Graph.parse({ nodes: [], edges: [] })));
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

test("discarding a draft names the field pipelines whose drafts are deleted with it", async () => {
  show(
    <QueryClientProvider client={queryClient}>
      <DiscardDialog entityId={ENTITY} name="Buyers" opened onClose={() => {}} onDiscard={async () => {}} />
    </QueryClientProvider>,
  );
  await expect
    .element(page.getByRole("dialog").getByText("Drafts of field pipelines are deleted with it: Name, Phone."))
    .toBeVisible();
});

function showVersions(): void {
  const published = { graphVersion: "published", hasDraft: false, hasPublished: true, versionNumber: 2 } as const;
  const store = createEditorStore(openedDraft(Graph.parse({ nodes: [], edges: [] }), published));
  showInRouter(() => (
    <EditorProvider value={store}>
      <VersionsPanel
        entityId={ENTITY}
        row={undefined}
        mayWrite
        versionId={version(1, false).id}
        compareWith={undefined}
        onClose={() => {}}
        onOpen={() => {}}
        onCompare={() => {}}
        onGoTo={() => {}}
      />
    </EditorProvider>
  ));
}

test("restoring a version asks where only field pipelines have drafts, and names them", async () => {
  showVersions();
  await page.getByRole("button", { name: "Restore as draft" }).click();
  const dialog = page.getByRole("dialog", { name: "Restore version 1 as the draft?" });
  await expect.element(dialog.getByText(/^Drafts of field pipelines .* are replaced.*: Name, Phone\.$/)).toBeVisible();
  expect(restored).toEqual([]);
  await dialog.getByRole("button", { name: "Restore as draft" }).click();
  await expect.poll(() => restored.length).toBe(1);
});

test("restoring a version does not ask where there is no draft", async () => {
  fields = [field("b", "City", false)];
  showVersions();
  await page.getByRole("button", { name: "Restore as draft" }).click();
  await expect.poll(() => restored.length).toBe(1);
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
});
