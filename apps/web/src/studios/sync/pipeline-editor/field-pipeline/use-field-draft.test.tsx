/** The draft of a field pipeline: saved by itself, marked as ready, and not lost where somebody else was quicker. */
import type { OpenedFieldGraph } from "@accord/contracts/sync/field-pipelines";
import { Graph } from "@accord/contracts/sync/graph";
import { changeNode } from "@accord/sync-engine/graph";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useLayoutEffect } from "react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { queryClient } from "../../../../app/queries.ts";
import "../../../../app/words.ts";
import { ENTITY } from "../draft/opened-draft.fixtures.ts";
import { EditorProvider, useEditorStore } from "../editor-context.tsx";
import { createEditorStore, type EditorStore } from "../editor.model.ts";
import { fieldAsOpened } from "./field-as-opened.ts";
import { FIELD, openedFieldDraft } from "./opened-field-draft.fixtures.ts";
import { useFieldDraft } from "./use-field-draft.ts";

const graph = Graph.parse({
  nodes: [{ id: "core", label: "Name", nodeType: "CORE_ATTRIBUTE" }],
  edges: [],
});
const opened = (more: Partial<OpenedFieldGraph> = {}) => openedFieldDraft(graph, more);

interface Sent {
  end: string;
  revision: number;
  graph?: Graph;
  ready?: boolean;
}
/** The network: what was sent, and how each call is answered. */
let sent: Sent[] = [];
type Answer = [status: number, body: unknown];
let answer: (sent: Sent) => Answer | Promise<Answer>;
const network = globalThis.fetch;
beforeEach(() => {
  sent = [];
  globalThis.fetch = async (path, init) => {
    const [, end] = /\/fields\/\w+\/(\w+)$/.exec(String(path)) ?? [];
    if (!end) return network(path, init);
    const call: Sent = { end, ...(typeof init?.body === "string" ? JSON.parse(init.body) : {}) };
    sent.push(call);
    const [status, body] = await answer(call);
    return new Response(JSON.stringify(body), { status });
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

let field: ReturnType<typeof useFieldDraft>;
/** The store that `field` works on. */
let running: EditorStore | undefined;
function Probe() {
  const store = useEditorStore();
  const current = useFieldDraft(ENTITY, FIELD, opened());
  // With what is drawn: a test that sees the text looks at the state it was drawn of.
  useLayoutEffect(() => {
    field = current;
  });
  // After the effects of the hook: it listens to edits from now on.
  useEffect(() => {
    running = store;
  });
  return <p role="status">{`${current.draft.saveState.state}, ${current.isReady ? "ready" : "not ready"}`}</p>;
}
async function open(): Promise<EditorStore> {
  const store = createEditorStore(fieldAsOpened(opened()));
  show(
    <QueryClientProvider client={queryClient}>
      <EditorProvider value={store}>
        <Probe />
      </EditorProvider>
    </QueryClientProvider>,
  );
  await expect.poll(() => running === store).toBe(true);
  return store;
}
const status = () => page.getByRole("status");
const describe = (store: EditorStore, description: string) =>
  store.getState().edit((current) => changeNode(current, "core", { description }));
const saved = (call: Sent) =>
  opened({ graph: call.graph ?? graph, revision: call.revision + 1, ready: call.ready === true });

test("what was edited is saved before it is marked as ready, at the revision that was saved; the next edit takes the mark back", async () => {
  answer = (call) => [200, saved(call)];
  const store = await open();
  await expect.element(status()).toHaveTextContent("saved, not ready");
  describe(store, "one");
  await field.mark(true);
  expect(sent.map(({ end, revision }) => [end, revision])).toEqual([
    ["draft", 7],
    ["ready", 8],
  ]);
  await expect.element(status()).toHaveTextContent("saved, ready");
  const seen = Promise.withResolvers<void>();
  answer = (call) => seen.promise.then((): Answer => [200, saved(call)]);
  describe(store, "two");
  await expect.element(status()).toHaveTextContent("saving, not ready");
  seen.resolve();
  await expect.poll(() => sent.at(-1)).toMatchObject({ end: "draft", revision: 9 });
  await expect.element(status()).toHaveTextContent("saved, not ready");
});

test("errors keep it from being ready, and are listed beside the graph", async () => {
  const problem = { code: "field_core_missing", severity: "error", nodeId: null, targetId: null };
  const problems = [{ ...problem, errorMessage: "The field pipeline has no core field.", errorDetail: "" }];
  answer = () => [422, { code: "pipeline_invalid", message: "It has errors.", details: { problems } }];
  const store = await open();
  await expect.element(status()).toHaveTextContent("saved, not ready");
  await field.mark(true);
  expect(store.getState().panel).toBe("problems");
  expect(store.getState().problems?.map(({ errorMessage }) => errorMessage)).toEqual([
    "The field pipeline has no core field.",
  ]);
  await expect.element(status()).toHaveTextContent("saved, not ready");
});

test("a draft that somebody discarded meanwhile is kept here, and saved as a new one when that is chosen", async () => {
  answer = (call) =>
    call.revision === 0
      ? [200, saved(call)]
      : [409, { code: "stale_version", message: "It was changed.", details: { newest: null } }];
  const store = await open();
  await expect.element(status()).toHaveTextContent("saved, not ready");
  describe(store, "mine");
  await expect.element(status()).toHaveTextContent("conflict, not ready");
  await expect.poll(() => field.draft.conflict?.kind).toBe("discarded");
  await field.draft.keepMine();
  await expect.element(status()).toHaveTextContent("saved, not ready");
  expect(sent.at(-1)).toMatchObject({ revision: 0, graph: { nodes: [{ description: "mine" }] } });
});
