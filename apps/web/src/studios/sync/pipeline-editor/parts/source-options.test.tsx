/** Input that can't be used stays as typed, also when its form is left; what can be used is applied at once. */
import { Graph } from "@accord/contracts/sync/graph";
import { changeNode } from "@accord/sync-engine/graph";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { queryClient } from "../../../../app/queries.ts";
import "../../../../app/words.ts";
import { EditorProvider, useEditor, useEditorStore } from "../editor-context.tsx";
import { createEditorStore, type EditorStore } from "../editor.model.ts";
import { SourceOptions } from "./source-options.tsx";
import { ENTITY, openedDraft } from "../opened-draft.fixtures.ts";

const storeWithSource = (): EditorStore =>
  createEditorStore(
    openedDraft(
      Graph.parse({
        nodes: [
          {
            id: "crm",
            label: "CRM",
            nodeType: "ENTITY_SOURCE",
            configuration: { schedule: { kind: "interval", every: 5, unit: "minutes" } },
          },
        ],
        edges: [],
      }),
    ),
  );

function Options() {
  const store = useEditorStore();
  const node = useEditor((state) => state.graph.nodes[0]);
  const [isOpen, setOpen] = useState(true);
  if (!node) return null;
  return (
    <>
      <button type="button" onClick={() => setOpen(!isOpen)}>
        Open or close
      </button>
      {isOpen ? (
        <SourceOptions
          entityId={ENTITY}
          node={node}
          configuration={node.configuration}
          readOnly={false}
          onChange={(configuration, about) =>
            store.getState().edit((graph) => changeNode(graph, node.id, { configuration }), about?.field)
          }
        />
      ) : null}
    </>
  );
}

test("a number that can't be used stays in its input with its message, and the graph keeps the last good one", async () => {
  const store = storeWithSource();
  show(
    <QueryClientProvider client={queryClient}>
      <EditorProvider value={store}>
        <Options />
      </EditorProvider>
    </QueryClientProvider>,
  );
  const every = () => store.getState().graph.nodes[0]?.configuration["schedule"];
  const input = page.getByRole("textbox", { name: "Every" });
  await input.fill("7");
  await expect.poll(every).toMatchObject({ every: 7 });
  await input.fill("5000");
  await expect.element(page.getByText("must be a whole number from 1 to 1000")).toBeVisible();
  await expect.poll(every).toMatchObject({ every: 7 });
  await page.getByRole("button", { name: "Open or close" }).click();
  await page.getByRole("button", { name: "Open or close" }).click();
  await expect.element(input).toHaveValue("5000");
  await input.fill("9");
  await expect.poll(every).toMatchObject({ every: 9 });
  expect(store.getState().invalidInputs).toEqual({});
});
