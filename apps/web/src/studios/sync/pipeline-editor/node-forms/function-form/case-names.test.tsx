/** The name of a case that can't be used stays as typed while its panel is closed, and is unsaved work until it can be. */
import { Graph } from "@accord/contracts/sync/graph";
import { FunctionDescription } from "@accord/contracts/sync/palette";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { z } from "zod";
import { createEditorStore, type EditorStore } from "../../editor.model.ts";
import { hasUnsavedWork } from "../../draft/unsaved-work.ts";
import { reopen, showForm } from "../closable-form.fixtures.tsx";
import { FunctionForm } from "./function-form.tsx";
import { openedDraft } from "../../draft/opened-draft.fixtures.ts";

const CASES = [{ name: "Big" }, { name: "Small" }, { name: "Tiny" }];

const definition = FunctionDescription.parse({
  id: "case",
  name: "case",
  label: "Switch",
  family: "flow",
  helpSummary: "",
  iconPath: "",
  kind: "FUNCTION",
  levels: ["entity"],
  edgeTypes: null,
  inputs: [{ name: "cases", label: "Cases", datatype: "case", repeatable: true }],
});

const storeWithSwitch = (): EditorStore =>
  createEditorStore(
    openedDraft(
      Graph.parse({
        nodes: [
          { id: "sizes", label: "Sizes", nodeType: "FUNCTION", apiName: "case", configuration: { cases: CASES } },
        ],
        edges: [],
      }),
    ),
  );

const names = () => page.getByRole("textbox", { name: "Name", exact: true });
const Cases = z.array(z.object({ name: z.string() }));
const namesStored = (store: EditorStore) =>
  Cases.parse(store.getState().graph.nodes[0]?.configuration["cases"]).map(({ name }) => name);

const showSwitch = (store: EditorStore): void =>
  showForm(store, (props) => <FunctionForm {...props} definition={definition} />);

test("a taken name stays as typed when the panel is closed, counts as unsaved, and goes once it can be used", async () => {
  const store = storeWithSwitch();
  showSwitch(store);
  await names().last().fill("big");
  expect(hasUnsavedWork(store.getState())).toBe(true);
  await reopen();
  await expect.element(names().last()).toHaveValue("big");
  await expect.element(page.getByText(/This name is taken/)).toBeVisible();
  expect(namesStored(store)).toEqual(["Big", "Small", "Tiny"]);
  await names().last().fill("Bigger");
  await expect.poll(() => namesStored(store)).toEqual(["Big", "Small", "Bigger"]);
  expect(store.getState().invalidInputs).toEqual({});
});

test("what was typed stays with its case when one before it is removed, and goes with its own", async () => {
  const store = storeWithSwitch();
  showSwitch(store);
  await names().last().fill("Small");
  await page.getByRole("button", { name: "Remove case: Big" }).click();
  await expect.element(names().last()).toHaveValue("Small");
  await expect.element(names().first()).toHaveValue("Small");
  expect(namesStored(store)).toEqual(["Small", "Tiny"]);
  await reopen();
  await expect.element(names().last()).toHaveValue("Small");
  await page.getByRole("button", { name: "Remove case: Tiny" }).click();
  await expect.poll(() => namesStored(store)).toEqual(["Small"]);
  expect(store.getState().invalidInputs).toEqual({});
});
