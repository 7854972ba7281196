/** Disabling in the list, for whoever has the graph read out: the same action and the same words. */
import { getCurrentUser } from "@accord/contracts/identity/users";
import { Graph } from "@accord/contracts/sync/graph";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { ReactFlowProvider } from "@xyflow/react";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../../app/queries.ts";
import "../../../../app/words.ts";
import { ListView } from "../canvas/list-view.tsx";
import { openedDraft } from "../draft/opened-draft.fixtures.ts";
import { EditorProvider } from "../editor-context.tsx";
import { createEditorStore } from "../editor.model.ts";

test("a function is disabled and enabled from its row, which says what it is; a decision can't be", async () => {
  await page.viewport(1280, 800);
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["WRITE_STUDIO", "READ_STUDIO"] });
  const fn = (label: string, apiName: string) => ({ id: apiName, label, nodeType: "FUNCTION", apiName });
  const graph = Graph.parse({ nodes: [fn("Trim it", "trim"), fn("Is it new", "predicate")], edges: [] });
  show(
    <QueryClientProvider client={queryClient}>
      <EditorProvider value={createEditorStore(openedDraft(graph))}>
        <ReactFlowProvider>
          <ListView />
        </ReactFlowProvider>
      </EditorProvider>
    </QueryClientProvider>,
  );
  const row = (name: string) => page.getByRole("row").filter({ hasText: name });
  const openMenu = (name: string) => row(name).getByRole("button").last().click();
  const tag = row("Trim it").getByText("Disabled", { exact: true });
  await openMenu("Trim it");
  await expect.element(tag).not.toBeInTheDocument();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  await expect.element(tag).toBeVisible();
  await openMenu("Trim it");
  await page.getByRole("menuitem", { name: "Enable" }).click();
  await expect.element(tag).not.toBeInTheDocument();
  await openMenu("Is it new");
  await expect.element(page.getByRole("menuitem", { name: "Configure" })).toBeVisible();
  await expect.element(page.getByRole("menuitem", { name: "Disable" })).not.toBeInTheDocument();
  await page.viewport(414, 896);
});
