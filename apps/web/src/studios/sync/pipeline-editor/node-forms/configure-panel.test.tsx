/** The form of a node: what it is for, its edits kept by Save, taken back by Cancel, and open until one of them is pressed. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { Graph } from "@accord/contracts/sync/graph";
import { FunctionDescription, getPipelinePalette } from "@accord/contracts/sync/palette";
import { changeNode } from "@accord/sync-engine/graph";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../../app/queries.ts";
import { showInRouter } from "../../../../app/show-in-router.fixtures.tsx";
import "../../../../app/words.ts";
import { ENTITY, openedDraft } from "../draft/opened-draft.fixtures.ts";
import { EditorProvider } from "../editor-context.tsx";
import { createEditorStore, type EditorStore } from "../editor.model.ts";
import { ConfigurePanel } from "./configure-panel.tsx";

const definition = (inputs: InputDefinition[], more: object = {}) =>
  FunctionDescription.parse({
    ...{ id: "repeat", name: "repeat", label: "Repeat text", family: "text", helpSummary: "Says it more than once." },
    ...{ iconPath: "", kind: "FUNCTION", levels: ["entity"], edgeTypes: null, inputs },
    ...more,
  });
const TIMES: InputDefinition = { name: "times", label: "Times", datatype: "integer", required: true };

beforeEach(async () => {
  queryClient.clear();
  await page.viewport(1440, 900);
});
afterEach(async () => {
  localStorage.removeItem("accord.pipeline.formWidth");
  // As it is for the other files on this page.
  await page.viewport(414, 896);
});

let saved: number;
function openForm(shown = definition([TIMES]), configuration: object = { times: 2 }): EditorStore {
  saved = 0;
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["WRITE_STUDIO", "READ_STUDIO"] });
  queryClient.setQueryData(keyOf(getPipelinePalette, { params: { entityId: ENTITY }, query: { level: "entity" } }), {
    functions: [shown],
    actions: [],
  });
  const nodes = [{ id: "a", label: "Say it twice", nodeType: "FUNCTION", apiName: "repeat", configuration }];
  const store = createEditorStore(openedDraft(Graph.parse({ nodes, edges: [] })));
  store.getState().select(["a"]);
  store.getState().show("configure");
  const save = async () => {
    saved++;
    return true;
  };
  showInRouter(() => (
    <EditorProvider value={store}>
      <div style={{ display: "flex", height: 600, width: 1200 }}>
        <ConfigurePanel entityId={ENTITY} save={save} />
      </div>
    </EditorProvider>
  ));
  return store;
}
const panel = () => page.getByRole("complementary", { name: "Configure Repeat text" });
const times = () => panel().getByRole("textbox", { name: "Times" });
const button = (name: string) => panel().getByRole("button", { name, exact: true });
const node = (store: EditorStore) => store.getState().graph.nodes[0];

test("[SYN-033] a node's form is titled by what it configures, says what that is for, leads to its help and can be as wide as an extra large drawer", async () => {
  openForm(definition([TIMES], { helpLink: "https://example.com/repeat" }));
  await expect.element(panel()).toBeVisible();
  const help = panel().getByRole("note", { name: "About Repeat text" });
  await expect.element(help).toHaveTextContent("Repeat text Says it more than once. Help");
  await expect.element(help.getByRole("link", { name: "Help" })).toHaveAttribute("href", "https://example.com/repeat");
  await button("Wider").click();
  await expect.poll(() => panel().element().getBoundingClientRect().width).toBe(780);
  await button("Narrower").click();
  await expect.poll(() => panel().element().getBoundingClientRect().width).toBe(420);
});

test("[SYN-033] a node without help shows none", async () => {
  openForm(definition([TIMES], { helpSummary: "" }));
  await expect.element(times()).toBeVisible();
  expect(panel().getByRole("note").elements()).toHaveLength(0);
});

test("[SYN-033] Cancel takes back all that was entered since the form was opened, in one step; Save keeps it and sends the draft", async () => {
  const store = openForm();
  await times().fill("7");
  await panel().getByRole("textbox", { name: "Label" }).fill("Say it often");
  await panel().getByRole("textbox", { name: "Description" }).fill("For emphasis.");
  await expect.poll(() => node(store)).toMatchObject({ label: "Say it often", configuration: { times: 7 } });
  // Where it stands is no part of the form.
  store.getState().edit((graph) => ({
    ...graph,
    nodes: graph.nodes.map((each) => ({ ...each, location: { x: 40, y: 80 } })),
  }));
  await button("Cancel").click();
  await expect.poll(() => store.getState().panel).toBe("none");
  expect(node(store)).toMatchObject({ label: "Say it twice", configuration: { times: 2 }, location: { x: 40, y: 80 } });
  expect(node(store)?.description ?? "").toBe("");
  expect(saved).toBe(0);
  store.getState().undo();
  expect(node(store)).toMatchObject({ label: "Say it often", configuration: { times: 7 } });

  store.getState().show("configure");
  await times().fill("9");
  await button("Save").click();
  await expect.poll(() => [store.getState().panel, saved]).toEqual(["none", 1]);
  expect(node(store)).toMatchObject({ configuration: { times: 9 } });
});

test("[SYN-033] Cancel of a form in which nothing was entered is no step", async () => {
  const store = openForm();
  await expect.element(times()).toHaveValue("2");
  await button("Cancel").click();
  expect(store.getState().past).toEqual([]);
});

test("[SYN-044] Save is off while an input reports an error, and a press on it says which", async () => {
  const store = openForm(definition([TIMES, { ...TIMES, name: "least", label: "Least" }]), { times: 2 });
  await expect.element(button("Save")).toBeDisabled();
  expect(panel().getByText("Least is required").elements()).toHaveLength(0);
  await button("Save").click({ force: true });
  await expect.element(panel().getByRole("textbox", { name: "Least" })).toBeInvalid();
  expect([store.getState().panel, saved]).toEqual(["configure", 0]);
  await panel().getByRole("textbox", { name: "Least" }).fill("1");
  await expect.element(button("Save")).toBeEnabled();
  await times().fill("often");
  await expect.element(button("Save")).toBeDisabled();
  // Undone elsewhere, the form stands for what is there now.
  store.getState().edit((graph) => changeNode(graph, "a", { configuration: { times: 3, least: 1 } }));
  await expect.element(button("Save")).toBeEnabled();
});

test("a version that is only looked at has a form that is closed, with nothing to save or to take back", async () => {
  const store = openForm();
  store.getState().setTesting(true);
  await expect.element(button("Save")).not.toBeInTheDocument();
  await panel().getByRole("button", { name: "Close" }).last().click();
  expect(store.getState().panel).toBe("none");
});
