/** Saving a draft: what is repeated, what is not, and what never reaches the server. */
import { Graph } from "@accord/contracts/sync/graph";
import type { OpenedGraph } from "@accord/contracts/sync/pipelines";
import { addNode } from "@accord/sync-engine/graph";
import { show } from "@accord/ui/test-kit";
import { useEffect, useLayoutEffect } from "react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { setCallHooks } from "../../../../app/api.ts";
import "../../../../app/words.ts";
import { EditorProvider, useEditorStore } from "../editor-context.tsx";
import { createEditorStore, type EditorStore } from "../editor.model.ts";
import { useDraft, type Draft } from "./use-draft.ts";
import { ENTITY, openedDraft } from "./opened-draft.fixtures.ts";

const node = (id: string) => ({ id, label: id, nodeType: "FUNCTION", apiName: "trim" });
const graphOf = (...ids: string[]) => Graph.parse({ nodes: ids.map(node), edges: [] });
const opened = (revision: number, graph: Graph, more: Partial<OpenedGraph> = {}) =>
  openedDraft(graph, { revision, ...more });

interface Sent {
  method: string;
  path: string;
  revision: number;
  graph: Graph;
  signal: AbortSignal | null;
}
/** The network: what was sent, and how each call is answered. */
let sent: Sent[] = [];
let answer: (sent: Sent) => Response | Promise<Response> = () => new Response(null, { status: 500 });
const network = globalThis.fetch;

const reply = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
const saved = (call: Sent) => reply(200, opened(call.revision + 1, call.graph));

beforeEach(() => {
  sent = [];
  globalThis.fetch = async (path, init) => {
    if (!String(path).includes("/pipelines/")) return network(path, init);
    const body = typeof init?.body === "string" ? JSON.parse(init.body) : {};
    const call = { ...body, method: init?.method ?? "GET", path: String(path), signal: init?.signal ?? null };
    sent.push(call);
    return answer(call);
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

let draft: Draft;
/** The store whose saves are running: edits before that are not seen. */
let running: EditorStore | undefined;
function Probe() {
  const store = useEditorStore();
  const current = useDraft(ENTITY);
  // With what is drawn: a test that sees the text looks at the state it was drawn of.
  useLayoutEffect(() => {
    draft = current;
  });
  // After the effects of the hook: it listens to edits from now on.
  useEffect(() => {
    running = store;
  });
  const { saveState } = current;
  return <p role="status">{"reason" in saveState ? `failed: ${saveState.reason}` : saveState.state}</p>;
}
const status = () => page.getByRole("status");
async function open(
  initial = opened(1, graphOf("first")),
  change: (store: EditorStore) => void = () => {},
): Promise<EditorStore> {
  const store = createEditorStore(initial);
  change(store);
  show(
    <EditorProvider value={store}>
      <Probe />
    </EditorProvider>,
  );
  await expect.poll(() => running === store).toBe(true);
  return store;
}
const add = (store: EditorStore, id: string) =>
  store.getState().edit((graph) => graphOf(id).nodes.reduce(addNode, graph));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("work that was brought back while the page was still opening is saved by itself", async () => {
  answer = saved;
  await open(undefined, (store) => add(store, "second"));
  await expect.poll(() => sent.length).toBe(1);
  await expect.element(status()).toHaveTextContent("saved");
});

test("a save refused for want of permission is shown and not repeated", async () => {
  answer = () => reply(403, { code: "forbidden", message: "You may not write here." });
  add(await open(), "second");
  await expect.element(status()).toHaveTextContent("failed: You may not write here.");
  await pause(1_500);
  expect(sent).toHaveLength(1);
});

test("a save that a running test refuses is repeated, and sent at once when the test has ended", async () => {
  let isTested = true;
  answer = (call) =>
    isTested ? reply(409, { code: "test_running", message: "A test of this pipeline is running." }) : saved(call);
  const store = await open();
  add(store, "second");
  store.getState().setTesting(true);
  await expect.element(status()).toHaveTextContent("failed: A test of this pipeline is running.");
  // By itself, also where nobody says that the test has ended.
  await expect.poll(() => sent.length).toBeGreaterThan(2);
  isTested = false;
  const before = sent.length;
  store.getState().setTesting(false);
  await expect.element(status()).toHaveTextContent("saved");
  expect(sent).toHaveLength(before + 1);
  expect(store.getState().graph.nodes).toHaveLength(2);
});

test("a save that meets an overloaded server is repeated, and a gateway timeout leaves the page where it is", async () => {
  let errorPages = 0;
  setCallHooks({ unauthorised: () => {}, gatewayTimeout: () => (errorPages += 1) });
  answer = (call) => (sent.length === 1 ? reply(504, "") : saved(call));
  add(await open(), "second");
  await expect.poll(() => sent.length).toBe(2);
  await expect.element(status()).toHaveTextContent("saved");
  expect(errorPages).toBe(0);
});

test("a version that is only looked at is never saved", async () => {
  answer = saved;
  const store = await open(opened(1, graphOf("first"), { graphVersion: "published", readOnly: true }));
  store.setState({ graph: graphOf("other") });
  expect(await draft.save()).toBe(false);
  expect(sent).toHaveLength(0);
});

test("nothing is saved once the page was left, though a call was on its way", async () => {
  let fail = () => {};
  answer = () =>
    new Promise((resolve) => {
      fail = () => resolve(reply(503, ""));
    });
  add(await open(), "second");
  await expect.poll(() => sent.length).toBe(1);
  show(<p>left</p>);
  await expect.element(page.getByText("left")).toBeVisible();
  fail();
  await pause(1_500);
  expect(sent).toHaveLength(1);
});

test("a save whose answer breaks off counts as unreachable, is repeated, and carries a time limit", async () => {
  const broken = () => new ReadableStream({ start: (controller) => controller.error(new TypeError("reset")) });
  answer = (call) => (sent.length === 1 ? new Response(broken(), { status: 200 }) : saved(call));
  add(await open(), "second");
  await expect.poll(() => sent.length).toBe(2);
  expect(sent[0]?.signal).toBeInstanceOf(AbortSignal);
  await expect.element(status()).toHaveTextContent("saved");
});

test("a draft that could not be discarded keeps its unsaved edits", async () => {
  answer = (call) =>
    call.method === "DELETE" ? reply(503, { code: "server_busy", message: "Busy" }) : new Promise(() => {});
  const store = await open();
  add(store, "second");
  await expect(draft.discard()).rejects.toThrow("Busy");
  expect(store.getState().graph.nodes).toHaveLength(2);
});

test("nothing is saved after a discard, though a save was on its way and more was edited", async () => {
  let arrive = () => {};
  answer = (call) =>
    call.method === "DELETE"
      ? reply(200, {})
      : call.method === "PUT"
        ? new Promise((resolve) => {
            arrive = () => resolve(saved(call));
          })
        : reply(404, "");
  const store = await open();
  add(store, "second");
  await expect.poll(() => sent.length).toBe(1);
  add(store, "third");
  const discarded = draft.discard();
  arrive();
  await discarded;
  await pause(1_000);
  expect(sent.map(({ method }) => method)).toEqual(["PUT", "DELETE"]);
});

const stale = (newest: OpenedGraph | null) =>
  reply(409, { code: "stale_version", message: "stale", details: { newest } });
const publishedBy = (revision: number) =>
  opened(revision, graphOf("theirs"), {
    graphVersion: "published",
    status: "APPROVED",
    versionNumber: 1,
    readOnly: true,
  });

test("somebody else published the draft: keeping mine saves it in a new draft", async () => {
  answer = (call) =>
    call.method === "POST"
      ? reply(200, opened(8, graphOf("theirs")))
      : call.revision === 8
        ? saved(call)
        : stale(publishedBy(7));
  const store = await open();
  add(store, "second");
  await expect.poll(() => draft.conflict?.kind).toBe("published");
  expect(await draft.keepMine()).toBe(true);
  expect(sent.map(({ method }) => method)).toEqual(["PUT", "POST", "PUT"]);
  expect(sent[2]?.graph.nodes.map(({ id }) => id)).toEqual(["first", "second"]);
  await expect.poll(() => draft.conflict).toBeNull();
});

test("a draft that somebody began meanwhile is shown before it is replaced", async () => {
  answer = (call) =>
    call.method === "POST" ? reply(200, opened(9, graphOf("theirs", "more"))) : stale(publishedBy(7));
  const store = await open();
  add(store, "second");
  await expect.poll(() => draft.conflict?.kind).toBe("published");
  expect(await draft.keepMine()).toBe(false);
  await expect.poll(() => draft.conflict?.kind).toBe("saved");
  expect(sent.filter(({ method }) => method === "PUT")).toHaveLength(1);
  expect(store.getState().graph.nodes).toHaveLength(2);
});

test("somebody else discarded the draft and nothing is left: it is said, and theirs leads to the published view", async () => {
  answer = () => stale(null);
  const store = await open();
  add(store, "second");
  await expect.poll(() => draft.conflict?.kind).toBe("discarded");
  expect(draft.takeTheirs()).toBe("published");
  await expect.element(status()).toHaveTextContent("saved");
});

test("keeping mine is tried again with the same decision when the network fails", async () => {
  answer = (call) =>
    sent.length === 1 ? stale(opened(5, graphOf("theirs"))) : sent.length === 2 ? reply(503, "") : saved(call);
  add(await open(), "second");
  await expect.poll(() => draft.conflict?.kind).toBe("saved");
  void draft.keepMine();
  await expect.poll(() => sent.length).toBe(3);
  expect(sent.map(({ revision }) => revision)).toEqual([1, 5, 5]);
  await expect.element(status()).toHaveTextContent("saved");
});

test("what was edited while publishing goes on in a new draft", async () => {
  let publish = () => {};
  answer = (call) =>
    call.path.endsWith("/publish")
      ? new Promise((resolve) => {
          publish = () => resolve(reply(200, publishedBy(2)));
        })
      : call.method === "POST"
        ? reply(200, opened(3, graphOf("first")))
        : saved(call);
  const store = await open();
  const done = draft.publish({
    versionName: "One",
    summary: "",
    bringInExisting: true,
    fieldPipelines: "ready",
    fieldDrafts: [],
  });
  await expect.poll(() => sent.length).toBe(1);
  add(store, "second");
  publish();
  await done;
  await expect.poll(() => sent.at(-1)?.graph?.nodes.length).toBe(2);
  expect(sent.at(-1)).toMatchObject({ method: "PUT", revision: 3 });
});

test("a save whose answer was lost is no conflict with oneself, however many attempts ago it was", async () => {
  answer = (call) => {
    if (sent.length <= 3) return reply(503, "");
    // The first attempt arrived after all.
    return call.revision === 2 ? saved(call) : stale(opened(2, sent[0]?.graph ?? call.graph));
  };
  const store = await open();
  for (const [index, id] of ["second", "third", "fourth", "fifth"].entries()) {
    add(store, id);
    await expect.poll(() => sent.length).toBeGreaterThan(index);
  }
  await expect.element(status()).toHaveTextContent("saved");
  await expect.poll(() => draft.conflict).toBeNull();
  expect(sent.at(-1)?.graph.nodes).toHaveLength(5);
});

test("a conflict ends with the edit that caused it", async () => {
  answer = () => stale(opened(5, graphOf("theirs")));
  const store = await open();
  add(store, "second");
  await expect.poll(() => draft.conflict).not.toBeNull();
  store.getState().undo();
  await expect.poll(() => draft.conflict).toBeNull();
});
