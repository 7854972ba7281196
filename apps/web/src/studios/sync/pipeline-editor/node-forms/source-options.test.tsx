/** Input that can't be used stays as typed, also when its form is left; what can be used is applied at once. */
import { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { createEditorStore, type EditorStore } from "../editor.model.ts";
import { reopen, showForm } from "./closable-form.fixtures.tsx";
import { SourceOptions } from "./source-options.tsx";
import { openedDraft } from "../draft/opened-draft.fixtures.ts";

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

test("a number that can't be used stays in its input with its message, and the graph keeps the last good one", async () => {
  const store = storeWithSource();
  showForm(store, (props) => <SourceOptions {...props} />);
  const every = () => store.getState().graph.nodes[0]?.configuration["schedule"];
  const input = page.getByRole("textbox", { name: "Every" });
  await input.fill("7");
  await expect.poll(every).toMatchObject({ every: 7 });
  await input.fill("5000");
  await expect.element(page.getByText("must be a whole number from 1 to 1000")).toBeVisible();
  await expect.poll(every).toMatchObject({ every: 7 });
  await reopen();
  await expect.element(input).toHaveValue("5000");
  await input.fill("9");
  await expect.poll(every).toMatchObject({ every: 9 });
  expect(store.getState().invalidInputs).toEqual({});
});
