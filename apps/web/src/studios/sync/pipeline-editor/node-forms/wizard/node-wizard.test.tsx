/** The steps of the core node: each asks the server, a failing one says so in place, and both ways of saving store the same. */
import { getCurrentUser } from "@accord/contracts/identity/users";
import { Graph } from "@accord/contracts/sync/graph";
import { NodeStep } from "@accord/contracts/sync/node-steps";
import { getPipelinePalette } from "@accord/contracts/sync/palette";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../../../app/queries.ts";
import { showInRouter } from "../../../../../app/show-in-router.fixtures.tsx";
import "../../../../../app/words.ts";
import { coreEntity, fieldOf } from "../../../new-pipeline/new-pipeline.fixtures.ts";
import { ENTITY, openedDraft } from "../../draft/opened-draft.fixtures.ts";
import { EditorProvider } from "../../editor-context.tsx";
import { createEditorStore, type EditorStore } from "../../editor.model.ts";
import { ConfigurePanel } from "../configure-panel.tsx";

const STEPS = [
  { id: "authority", title: "When systems disagree", buttons: { next: "On to duplicates" } },
  { id: "merge", title: "Which record stays", layout: "horizontal" },
  { id: "review", title: "Review", buttons: { finish: "Apply" }, footer: "It is stored in the draft." },
];
const INPUTS = {
  authority: [
    {
      ...{ name: "authority", label: "Whose value", datatype: "picklist", required: true },
      values: ["NONE", "LATEST"].map((id) => ({ id, label: id })),
    },
    { name: "maxDuplicates", label: "Most", datatype: "integer", required: true },
  ],
  merge: [{ name: "rejectEmptyValues", label: "Keep values", datatype: "boolean" }],
  review: [],
} as const;

const network = globalThis.fetch;
let hasFlag: boolean;
let isFailing: boolean;
let isClosing: boolean;
let release: (() => void)[];
/** Writes: method, path and the configuration that they would store. */
let written: { call: string; configuration: unknown }[];
const opened = openedDraft(
  Graph.parse({
    nodes: [
      { id: "core", label: "Account", nodeType: "CORE_ENTITY", configuration: { authority: "NONE" } },
      { id: "crm", label: "CRM", nodeType: "ENTITY_SOURCE" },
    ],
    edges: [],
  }),
);

async function answer(
  call: string,
  body: { stepId?: keyof typeof INPUTS; configuration?: unknown },
): Promise<Response> {
  if (call.endsWith("/steps")) {
    await new Promise<void>((resolve) => release.push(resolve));
    if (isFailing) return Response.json({ code: "internal", message: "The step is away." }, { status: 500 });
    const steps = STEPS.map((step) => NodeStep.parse({ ...step, closeOnly: isClosing && step.id === "review" }));
    return Response.json({ steps, inputs: INPUTS[body.stepId ?? "authority"] });
  }
  if (call.endsWith("/features/PipelineEditorV2")) return Response.json({ name: "PipelineEditorV2", enabled: hasFlag });
  if (call === `GET /entities/${ENTITY}`) return Response.json(coreEntity([fieldOf("name")], { id: ENTITY }));
  if (call === "GET /connectors") return Response.json({ connectors: [] });
  if (!call.startsWith("PUT")) return Response.json({ code: "not_found", message: "Not found" }, { status: 404 });
  written.push({ call: call.replace(ENTITY, "it"), configuration: body.configuration });
  const nodes = opened.graph.nodes.map((each) =>
    each.id === "core" ? { ...each, configuration: body.configuration } : each,
  );
  return Response.json({ ...opened, graph: { ...opened.graph, nodes }, revision: 2 });
}

beforeEach(async () => {
  await page.viewport(1280, 800);
  queryClient.clear();
  [hasFlag, isFailing, isClosing, release, written] = [false, false, false, [], []];
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["WRITE_STUDIO", "READ_STUDIO"] });
  const palette = keyOf(getPipelinePalette, { params: { entityId: ENTITY }, query: { level: "entity" } });
  queryClient.setQueryData(palette, { functions: [], actions: [] });
  globalThis.fetch = async (path, init) => {
    const [, call] = String(path).split("/api/v1");
    if (call === undefined) return network(path, init);
    return answer(`${init?.method ?? "GET"} ${call.split("?")[0]}`, JSON.parse(String(init?.body ?? "{}")));
  };
});
afterEach(async () => {
  globalThis.fetch = network;
  // As it is for the other files on this page.
  await page.viewport(414, 896);
});

const wizard = () => page.getByRole("dialog", { name: "Configure Account" });
const button = (name: string) => wizard().getByRole("button", { name, exact: true });
const spinner = () => wizard().getByRole("status", { name: "The step is loading" });
async function loaded(): Promise<void> {
  await expect.poll(() => release.length).toBeGreaterThan(0);
  await expect.element(spinner()).toBeVisible();
  for (const go of release.splice(0)) go();
  await expect.element(spinner()).not.toBeInTheDocument();
}

async function openWizard(): Promise<EditorStore> {
  const store = createEditorStore(opened);
  store.getState().select(["core"]);
  store.getState().show("configure");
  const save = async () => {
    const { graph } = store.getState();
    written.push({ call: "PUT the draft", configuration: graph.nodes[0]?.configuration });
    return true;
  };
  showInRouter(() => (
    <EditorProvider value={store}>
      <ConfigurePanel entityId={ENTITY} save={save} />
    </EditorProvider>
  ));
  await page.getByRole("button", { name: "Set up in steps" }).click();
  return store;
}

test("[SYN-034] [SYN-037] the core node is set up over the full width, step by step, each with its spinner; a step that fails says so in place", async () => {
  await openWizard();
  await expect.element(wizard()).toBeVisible();
  expect(wizard().element().getBoundingClientRect().width).toBe(1280);
  isFailing = true;
  await loaded();
  await expect.element(wizard().getByText("The step is away.")).toBeVisible();
  isFailing = false;
  await wizard().getByRole("button", { name: "Try again" }).click();
  await loaded();
  await expect
    .element(wizard().getByRole("button", { name: /When systems disagree/ }))
    .toHaveAttribute("aria-current", "step");
  await expect.element(button("Cancel")).toBeVisible();
  expect(button("Previous").elements()).toHaveLength(0);

  // What reports an error keeps the step.
  await wizard().getByRole("textbox", { name: "Most" }).fill("");
  await button("On to duplicates").click();
  await expect.element(wizard().getByRole("textbox", { name: "Most" })).toBeInvalid();
  await wizard().getByRole("textbox", { name: "Most" }).fill("7");
  await button("On to duplicates").click();
  await loaded();
  await expect.element(wizard().getByRole("switch", { name: "Keep values" })).toBeChecked();
  await button("Previous").click();
  await loaded();
  await expect.element(wizard().getByRole("textbox", { name: "Most" })).toHaveValue("7");
  await button("Cancel").click();
  await expect.element(wizard()).not.toBeInTheDocument();
  expect(written).toEqual([]);
});

test("[SYN-035] texts of buttons, layout and footer are those of the step, and a step that only shows something is closed", async () => {
  isClosing = true;
  await openWizard();
  await loaded();
  const layout = () => document.querySelector(".ac-node-wizard__inputs")?.getAttribute("data-layout");
  expect(layout()).toBe("vertical");
  await expect.element(button("Next")).not.toBeInTheDocument();
  await button("On to duplicates").click();
  await loaded();
  expect(layout()).toBe("horizontal");
  await button("Next").click();
  await loaded();
  expect(button("Apply").elements()).toHaveLength(0);
  expect([button("Previous").elements(), button("Cancel").elements()]).toEqual([[], []]);
  await button("Close").last().click();
  await expect.element(wizard()).not.toBeInTheDocument();
  expect(written).toEqual([]);
});

test.each([
  [false, ["PUT the draft"]],
  [true, ["PUT the draft", "PUT /pipelines/it/draft/nodes/core/configuration"]],
])("[SYN-049] with PipelineEditorV2 %s the steps store the same configuration, by %j", async (flag, calls) => {
  hasFlag = flag;
  const store = await openWizard();
  await loaded();
  await wizard().getByRole("combobox", { name: "Whose value" }).click();
  await page.getByRole("option", { name: "LATEST" }).click();
  await button("On to duplicates").click();
  await loaded();
  await button("Next").click();
  await loaded();
  await expect.element(wizard().getByText("It is stored in the draft.")).toBeVisible();
  await expect.element(wizard().getByText("Take the most recent change")).toBeVisible();
  await button("Apply").click();
  await expect.element(wizard()).not.toBeInTheDocument();
  expect(written.map(({ call }) => call)).toEqual(calls);
  const stored = { authority: "LATEST", rejectEmptyValues: true, deduplicate: false };
  expect(written.at(-1)?.configuration).toMatchObject(stored);
  expect(store.getState().graph.nodes[0]?.configuration).toEqual(written.at(-1)?.configuration);
  expect(store.getState().saved === store.getState().graph).toBe(flag);
});
