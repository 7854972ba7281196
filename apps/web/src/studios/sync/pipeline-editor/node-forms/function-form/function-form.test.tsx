/** The form of a function while its tokens can't be loaded: the text stays usable, and the reason is said. */
import { Graph } from "@accord/contracts/sync/graph";
import { FunctionDescription } from "@accord/contracts/sync/palette";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { createEditorStore } from "../../editor.model.ts";
import { openedDraft } from "../../draft/opened-draft.fixtures.ts";
import { showForm } from "../closable-form.fixtures.tsx";
import { FunctionForm, type FunctionFormProps } from "./function-form.tsx";

const definition = FunctionDescription.parse({
  id: "append",
  name: "append",
  label: "Append",
  family: "text",
  helpSummary: "",
  iconPath: "",
  kind: "FUNCTION",
  levels: ["entity"],
  edgeTypes: null,
  inputs: [{ name: "text", label: "Text", datatype: "string", allowUserToken: true }],
});

test("[SYN-133] where tokens can't be loaded the reason is said, no token is called unknown, and text is kept as it is typed", async () => {
  const store = createEditorStore(
    openedDraft(Graph.parse({ nodes: [{ id: "a", label: "A", nodeType: "FUNCTION", apiName: "append" }], edges: [] })),
  );
  showForm(store, (props) => <FunctionForm {...props} definition={definition} />);
  const refusal = page.getByRole("alert");
  await expect.element(refusal.getByText("Tokens could not be loaded.", { exact: true })).toBeVisible();
  expect(refusal.element().textContent).toMatch(/loaded\.\S/);
  await page.getByRole("textbox", { name: "Text" }).fill("{{Value From B}}");
  await expect.poll(() => store.getState().graph.nodes[0]?.configuration["text"]).toBe("{{Value From B}}");
  expect(page.getByText(/is not available here/).elements()).toHaveLength(0);
});

test("[SYN-046] what is wrong with an input is said at that input, which is marked as invalid", async () => {
  const store = createEditorStore(
    openedDraft(Graph.parse({ nodes: [{ id: "a", label: "A", nodeType: "FUNCTION", apiName: "append" }], edges: [] })),
  );
  showForm(store, (props) => (
    <FunctionForm {...props} definition={definition} problems={{ text: "Text is empty. Fill it in." }} />
  ));
  const input = page.getByRole("textbox", { name: "Text" });
  await expect.element(input).toHaveAccessibleDescription("Text is empty. Fill it in.");
  await expect.element(input).toBeInvalid();
});

const formOf = (configuration: Record<string, unknown>, props: Partial<FunctionFormProps>) => {
  const node = { id: "a", label: "A", nodeType: "FUNCTION", apiName: "append", configuration };
  const store = createEditorStore(openedDraft(Graph.parse({ nodes: [node], edges: [] })));
  showForm(store, (form) => <FunctionForm {...form} definition={definition} {...props} />);
  return store;
};

test("[SYN-150] a node without settings says that there is nothing to set", async () => {
  formOf({}, { definition: { ...definition, inputs: [] } });
  await expect.element(page.getByText("This node has nothing that can be set.")).toBeVisible();
});

test("[SYN-150] settings of another form than their input are named, and can be cleared without the others", async () => {
  const store = formOf({ text: { parts: ["a"] }, kept: "yes" }, {});
  await expect.element(page.getByText("The settings of this node can't be read")).toBeVisible();
  await expect.element(page.getByText(/these inputs take: Text\./)).toBeVisible();
  await page.getByRole("button", { name: "Clear them" }).click();
  await expect.element(page.getByRole("textbox", { name: "Text" })).toBeVisible();
  expect(store.getState().graph.nodes[0]?.configuration).toEqual({ kept: "yes" });
});

test("[SYN-150] a function that is not there any more is named instead of loading for ever", async () => {
  formOf({}, { definition: undefined, isMissing: true });
  await expect.element(page.getByText(/There is no function called append here\./)).toBeVisible();
});
