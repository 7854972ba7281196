/** Trying a record beside the form of a node: chosen once, run again after each edit, and never shown as current while it is not. */
import { id } from "@accord/contracts";
import { Graph } from "@accord/contracts/sync/graph";
import type { OpenedGraph } from "@accord/contracts/sync/pipelines";
import { changeNode } from "@accord/sync-engine/graph";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { queryClient } from "../../../../app/queries.ts";
import "../../../../app/words.ts";
import { EditorProvider, useEditor } from "../editor-context.tsx";
import { createEditorStore } from "../editor.model.ts";
import { ENTITY, openedDraft } from "../draft/opened-draft.fixtures.ts";
import { type FieldScope, FieldScopeProvider } from "../field-pipeline/field-scope.ts";
import { fieldOf } from "../../new-pipeline/new-pipeline.fixtures.ts";
import { NodeIo } from "./node-io.tsx";
import { TryTag } from "./node-try.tsx";
import { TryPanel } from "./try-panel.tsx";
import { TryProvider } from "./try-context.tsx";
import { triedRecord } from "./tried-record.fixtures.ts";

const RECORD = "c".repeat(24);
const graph = Graph.parse({
  nodes: [
    {
      id: "crm",
      label: "CRM",
      nodeType: "ENTITY_SOURCE",
      configuration: { connectorId: "f".repeat(24), entityDefinition: "company" },
    },
    { id: "mark", label: "Mark", nodeType: "FUNCTION", apiName: "setValue", configuration: { value: "first" } },
  ],
  edges: [],
});

interface Sent {
  graphVersion?: string;
  untilNodeId?: string;
  graph: { nodes: { id: string; configuration: { value?: string } }[] };
  record: { kind: string; values?: Record<string, unknown> };
}

/** Calls of trying, in their order; each waits until a test answers it. */
let calls: { path: string; body: Sent; signal: AbortSignal | null; answer: (reply: Response) => void }[] = [];
const network = globalThis.fetch;

beforeEach(() => {
  queryClient.clear();
  sessionStorage.clear();
  calls = [];
  globalThis.fetch = async (path, init) => {
    if (!String(path).startsWith("/api/")) return network(path, init);
    if (String(path).includes("/records?"))
      return Response.json({ records: [{ recordId: RECORD, externalId: "17", name: "Acme" }] });
    if (!String(path).endsWith("/try")) return Response.json({ connectors: [] });
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
    calls.push({
      path: String(path),
      body: JSON.parse(String(init?.body)),
      signal: init?.signal ?? null,
      answer: resolve,
    });
    return promise;
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

function Editor({ mayWrite }: { mayWrite: boolean }) {
  const panel = useEditor((state) => state.panel);
  const mark = useEditor((state) => state.graph.nodes.find(({ id }) => id === "mark"));
  return (
    <>
      <div data-testid="card">
        <TryTag nodeId="mark" />
      </div>
      <input aria-label="Value of the form" />
      {panel === "try" ? (
        <TryPanel entityId={ENTITY} mayWrite={mayWrite} onClose={() => {}} onGoTo={() => {}} />
      ) : mark ? (
        <NodeIo node={mark} />
      ) : null}
    </>
  );
}

interface Opening {
  mayWrite?: boolean;
  of?: Graph;
  scope?: FieldScope | null;
  version?: Partial<OpenedGraph>;
}

function openEditor({ mayWrite = true, of = graph, scope = null, version = {} }: Opening = {}) {
  const store = createEditorStore(openedDraft(of, version), { panel: "try", mayWrite });
  show(
    <QueryClientProvider client={queryClient}>
      <FieldScopeProvider value={scope}>
        <EditorProvider value={store}>
          <TryProvider key={scope?.fieldId} entityId={ENTITY} userId="ada" isOffered={mayWrite}>
            <Editor mayWrite={mayWrite} />
          </TryProvider>
        </EditorProvider>
      </FieldScopeProvider>
    </QueryClientProvider>,
  );
  return store;
}

const button = (name: string | RegExp) => page.getByRole("button", { name });
const markAs = (value: string) =>
  triedRecord({
    nodes: [
      {
        nodeId: "mark",
        label: "Mark",
        nodeType: "FUNCTION",
        status: "success",
        testData: [
          {
            recordId: "17",
            input: { city: "Oslo" },
            output: { city: value },
            route: "default",
            message: null,
            warnings: [],
            skipped: [],
          },
        ],
        isTruncated: false,
      },
    ],
  });
const tookWay = <Data extends object>(passes: readonly Data[], route: string) =>
  passes.map((pass) => ({ ...pass, route }));
const answered = async (index: number, reply: Response): Promise<void> => {
  await expect.poll(() => calls.length).toBe(index + 1);
  calls[index]?.answer(reply);
};
const setMark = (store: ReturnType<typeof openEditor>, value: string) =>
  store.getState().edit((current) => changeNode(current, "mark", { configuration: { value } }));

test("a record that was found is tried, its values stand beside the form, and changed ones are marked", async () => {
  const store = openEditor();
  await button("Acme 17").click();
  await answered(0, Response.json(markAs("first")));
  expect(calls[0]?.body).toMatchObject({ nodeId: "crm", record: { kind: "stored", recordId: RECORD } });
  store.getState().show("configure");
  await expect.element(page.getByRole("row", { name: "city changed Oslo first" })).toBeVisible();
  await expect.element(page.getByTestId("card")).toHaveTextContent("Passed");
});

test("each edit runs it again: the older answer is cancelled, and what is shown says that it is older until the new one is there", async () => {
  const store = openEditor();
  await button("Acme 17").click();
  await answered(0, Response.json(markAs("first")));
  store.getState().show("configure");
  await expect.element(page.getByRole("row", { name: "city changed Oslo first" })).toBeVisible();
  const input = page.getByRole("textbox", { name: "Value of the form" });
  await input.click();
  setMark(store, "second");
  await expect.element(page.getByText("Result of the graph before your last change")).toBeVisible();
  await expect.poll(() => calls.length).toBe(2);
  setMark(store, "third");
  await expect.poll(() => calls.length).toBe(3);
  expect(calls[1]?.signal?.aborted, "nobody waits for the older one").toBe(true);
  expect(calls[2]?.body.graph.nodes[1]?.configuration.value).toBe("third");
  calls[1]?.answer(Response.json(markAs("second")));
  await answered(2, Response.json(markAs("third")));
  await expect.element(page.getByRole("row", { name: "city changed Oslo third" })).toBeVisible();
  await expect.element(page.getByText("Result of the graph before your last change")).not.toBeInTheDocument();
  await expect.element(input).toHaveFocus();
});

test("moving nodes runs nothing", async () => {
  const store = openEditor();
  await button("Acme 17").click();
  await answered(0, Response.json(markAs("first")));
  await expect.element(page.getByTestId("card")).toHaveTextContent("Passed");
  store.getState().edit((current) => ({
    ...current,
    nodes: current.nodes.map((node) => ({ ...node, location: { x: 1, y: 1 } })),
  }));
  await expect.element(page.getByText("Result of the graph before your last change")).not.toBeInTheDocument();
  setMark(store, "second");
  await answered(1, Response.json(markAs("second")));
  expect(calls.length, "one run for the one change of what a node does").toBe(2);
});

test("a graph that can't run says why, beside the older result", async () => {
  const store = openEditor();
  await button("Acme 17").click();
  await answered(0, Response.json(markAs("first")));
  store.getState().show("configure");
  await expect.element(page.getByRole("row", { name: "city changed Oslo first" })).toBeVisible();
  setMark(store, "");
  const problem = {
    code: "missing",
    severity: "error",
    nodeId: "mark",
    targetId: null,
    errorMessage: "Mark: choose a field.",
    errorDetail: "",
  };
  const refusal = { code: "pipeline_invalid", message: "It has problems.", details: { problems: [problem] } };
  await answered(1, Response.json(refusal, { status: 422 }));
  await expect.element(page.getByText("Mark: choose a field.")).toBeVisible();
  await expect.element(page.getByText("Result of the graph before your last change")).toBeVisible();
  await expect.element(page.getByRole("row", { name: "city changed Oslo first" })).toBeVisible();
});

test("a record that is pasted says what is wrong with it before it is tried, and a refused field after", async () => {
  openEditor();
  await page.getByText("Paste", { exact: true }).click();
  const values = page.getByRole("textbox", { name: "Values as JSON" });
  await values.fill("{ name: }");
  await button("Try these values").click();
  await expect.element(page.getByText("This is not JSON", { exact: false })).toBeVisible();
  await values.fill('{ "nickname": "A" }');
  await button("Try these values").click();
  const refusal = {
    code: "validation_failed",
    message: "Check the input.",
    errors: [{ path: "record.values.nickname", message: "nickname is no field of company in CRM." }],
  };
  await answered(0, Response.json(refusal, { status: 400 }));
  expect(calls[0]?.body.record).toMatchObject({ kind: "values", values: { nickname: "A" } });
  await expect.element(page.getByText("nickname is no field of company in CRM.")).toBeVisible();
  await button("Edit its values").click();
  await expect.element(values).toHaveValue('{\n  "nickname": "A"\n}');
});

test("the choice is kept for the tab, and only for it to be run again", async () => {
  openEditor();
  await button("Acme 17").click();
  await answered(0, Response.json(markAs("first")));
  await expect.element(page.getByText("Acme ( 17)")).toBeVisible();
  openEditor();
  await answered(1, Response.json(markAs("first")));
  await expect.element(page.getByText("Acme ( 17)")).toBeVisible();
  await button("Stop trying").click();
  await expect.element(page.getByTestId("card")).toHaveTextContent("");
  await expect.poll(() => sessionStorage.length).toBe(0);
});

test("what was tried on the draft is not shown as if the published version had done it", async () => {
  openEditor();
  await button("Acme 17").click();
  await answered(0, Response.json(markAs("first")));
  await expect.element(page.getByTestId("card")).toHaveTextContent("Passed");
  openEditor({ version: { graphVersion: "published", hasPublished: true, readOnly: true } });
  await expect.element(button("Acme 17")).toBeVisible();
  await expect.element(page.getByTestId("card")).toHaveTextContent("");
  expect(calls).toHaveLength(1);
});

test("a run that ends at a node leaves the rest out, says so, and goes on to the end when that is wanted", async () => {
  const store = openEditor();
  await button("Acme 17").click();
  await answered(0, Response.json(markAs("first")));
  expect(calls[0]?.body.untilNodeId).toBeUndefined();
  await page.getByRole("combobox", { name: "Run up to" }).click();
  await page.getByRole("option", { name: "CRM" }).click();
  await answered(1, Response.json({ ...markAs("first"), notRun: ["mark"] }));
  expect(calls[1]?.body.untilNodeId).toBe("crm");
  await expect.element(page.getByText("The run ended at CRM. What comes after it was not run.")).toBeVisible();
  await expect.element(page.getByTestId("card")).toHaveTextContent("Not run");
  store.getState().show("configure");
  await expect.element(page.getByRole("row", { name: "city changed Oslo first" })).not.toBeInTheDocument();
  await button("Run to this node").click();
  await answered(2, Response.json(markAs("first")));
  expect(calls[2]?.body.untilNodeId).toBe("mark");
  await button("Run the whole graph").click();
  await answered(3, Response.json(markAs("first")));
  expect(calls[3]?.body.untilNodeId).toBeUndefined();
});

test("the list of nodes names the case that the record took", async () => {
  const sizes = { id: "sizes", label: "Sizes", nodeType: "FUNCTION", apiName: "case" };
  openEditor({ of: Graph.parse({ ...graph, nodes: [...graph.nodes, sizes] }) });
  await button("Acme 17").click();
  const marked = markAs("first");
  const [mark] = marked.nodes;
  const nodes = mark ? [mark, { ...mark, nodeId: "sizes", testData: tookWay(mark.testData, "Large") }] : [];
  await answered(0, Response.json({ ...marked, nodes }));
  await expect.element(button(/^Sizes Leaves by Large/)).toBeVisible();
  await expect.element(button(/^Mark Passed/)).toBeVisible();
});

test("a field pipeline is tried with the records that its entity pipeline reads, as a choice of its own", async () => {
  const field = fieldOf("city");
  const scope = {
    fieldId: id("field").parse("9".repeat(24)),
    field,
    entityGraph: graph,
    entityVersion: "published" as const,
  };
  const own = Graph.parse({
    nodes: [{ id: "mark", label: "Mark", nodeType: "FUNCTION", apiName: "trim" }],
    edges: [],
  });
  const open = () => openEditor({ of: own, scope });
  open();
  await button("Acme 17").click();
  await answered(0, Response.json(markAs("first")));
  expect(calls[0]?.path).toContain(`/test/fieldPipeline/${scope.fieldId}/try`);
  expect(calls[0]?.body).toMatchObject({ nodeId: "crm", graphVersion: "published" });
  expect(calls[0]?.body.graph.nodes.map(({ id }) => id)).toEqual(["mark"]);
  openEditor();
  await expect.element(button("Acme 17")).toBeVisible();
  expect(calls, "the entity pipeline tries nothing by that").toHaveLength(1);
});

test("without the permission to change pipelines nothing is offered, without a source the panel says what is missing", async () => {
  openEditor({ mayWrite: false });
  await expect.element(page.getByText("Trying a record needs the permission to change pipelines")).toBeVisible();
  openEditor({ of: Graph.parse({ nodes: [], edges: [] }) });
  await expect.element(page.getByText("No source yet")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  expect(calls).toEqual([]);
});
