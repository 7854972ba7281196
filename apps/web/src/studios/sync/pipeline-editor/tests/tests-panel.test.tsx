/** The panel of tests: what is typed into it stays until it is saved or discarded. */
import { id } from "@accord/contracts";
import { getEntity } from "@accord/contracts/data/core-schema";
import { Graph } from "@accord/contracts/sync/graph";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { keyOf, queryClient } from "../../../../app/queries.ts";
import "../../../../app/words.ts";
import { EditorProvider } from "../editor-context.tsx";
import { createEditorStore } from "../editor.model.ts";
import { type FieldScope, FieldScopeProvider } from "../field-pipeline/field-scope.ts";
import { coreEntity, fieldOf } from "../../new-pipeline/new-pipeline.fixtures.ts";
import { TestsPanel } from "./tests-panel.tsx";
import { ENTITY, openedDraft } from "../draft/opened-draft.fixtures.ts";

const TEST = "b".repeat(24);
const opened = openedDraft(Graph.parse({ nodes: [{ id: "crm", label: "CRM", nodeType: "ENTITY_SOURCE" }], edges: [] }));
const saved = (revision: number) => ({
  id: TEST,
  testIds: [TEST],
  name: "Totals",
  records: [{ nodeId: "crm", id: "1", values: {} }],
  expectedResult: [],
  revision,
  updatedAt: "2026-01-01T00:00:00.000Z",
  changedSince: isOutdated,
  testedAt: isEnded ? "2026-01-01T00:00:00.000Z" : null,
  testedVersion: isEnded ? "draft" : null,
  status: isEnded ? "success" : null,
  actualResult: null,
  recordsProcessed: 0,
  resultDetails: null,
});

const RUN = "c".repeat(24);
const runOf = (status: string) => ({
  id: RUN,
  kind: "simulated",
  testIds: [TEST],
  name: "1 test",
  status,
  message: null,
  graphVersion: "draft",
  requestedBy: "d".repeat(24),
  requestedAt: "2026-01-01T00:00:00.000Z",
  startedAt: null,
  endedAt: null,
  recordsProcessed: 0,
  resultDetails: null,
});

/** Whether the run of the test has ended: at the latest when it is asked for. */
let isEnded = false;
/** The test was changed after its run. */
let isOutdated = false;
/** Live runs, the newest first. */
let live: object[] = [];
/** What a run is refused with; null: it begins. */
let refusal: { code: string; message: string; description: string } | null = null;
/** What the server has: revision of its one test; 0: none. */
let revision = 0;
let sent: { path: string; revision: number; name: string }[] = [];
const network = globalThis.fetch;

function answer(path: string, init: RequestInit | undefined): unknown {
  if (path.endsWith("/test")) return answerLive(init?.method ?? "GET");
  if (path.endsWith(`/test/${RUN}`)) return live[0];
  if (init?.method === "POST" && path.endsWith(`/${RUN}/cancel`)) {
    live = [{ ...runOf("aborted"), kind: "live", message: "Ada cancelled the run." }];
    return live[0];
  }
  if (init?.method === "POST" && path.endsWith("/run")) return runOf("NEW");
  if (path.endsWith(`/run/${RUN}`)) {
    isEnded = true;
    return runOf("success");
  }
  if (init?.method === "PUT" || init?.method === "POST") {
    const body = typeof init.body === "string" ? JSON.parse(init.body) : {};
    sent.push({ ...body, path });
    return body.revision === undefined || body.revision === revision ? saved((revision += 1)) : undefined;
  }
  if (path.endsWith(`/testId/${TEST}`)) return saved(revision);
  return path.endsWith("/run") ? { runs: [] } : { tests: revision ? [saved(revision)] : [] };
}

function answerLive(method: string): unknown {
  if (method === "DELETE") {
    const deleted = live.length;
    live = [];
    return { deleted };
  }
  if (method === "POST") live = [{ ...runOf("PROCESSING"), kind: "live", name: "10 records", requestedBy: "Ada" }];
  return method === "POST" ? live[0] : { runs: live };
}

beforeEach(() => {
  queryClient.clear();
  sent = [];
  revision = 0;
  isEnded = false;
  isOutdated = false;
  live = [];
  refusal = null;
  globalThis.fetch = async (path, init) => {
    if (!String(path).startsWith("/api/")) return network(path, init);
    if (!/\/test\/(entity|field)Pipeline\//.test(String(path))) return new Response("{}", { status: 404 });
    if (refusal && String(path).endsWith("/run") && init?.method === "POST")
      return new Response(JSON.stringify(refusal), { status: 422 });
    const body = answer(String(path), init);
    if (body) return new Response(JSON.stringify(body));
    const stale = { code: "stale_version", message: "Somebody else changed this in the meantime." };
    return new Response(JSON.stringify(stale), { status: 409 });
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

const nothing = () => {};
function Panel() {
  const [isOpen, setOpen] = useState(true);
  if (!isOpen) return <button onClick={() => setOpen(true)}>Open the panel</button>;
  return (
    <TestsPanel entityId={ENTITY} mayWrite save={async () => true} onGoTo={nothing} onClose={() => setOpen(false)} />
  );
}
function openPanel(scope: FieldScope | null = null) {
  const store = createEditorStore(opened);
  show(
    <QueryClientProvider client={queryClient}>
      <FieldScopeProvider value={scope}>
        <EditorProvider value={store}>
          <Panel />
        </EditorProvider>
      </FieldScopeProvider>
    </QueryClientProvider>,
  );
  return store;
}
const button = (name: string) => page.getByRole("button", { name, exact: true });
const name = () => page.getByRole("textbox", { name: "Name" });
const expectedValue = () => page.getByRole("textbox", { name: "Expected value", exact: true });

test("Esc closes the form of a test, and what was typed is there when it is opened again", async () => {
  openPanel();
  await button("New test").click();
  await name().fill("Half typed");
  await expectedValue().fill("Acme");
  await userEvent.keyboard("{Escape}");
  await button("Open the panel").click();
  await expect.element(name()).toHaveValue("Half typed");
  await expect.element(expectedValue()).toHaveValue("Acme");
});

test("cancelling a form that something was typed into asks first", async () => {
  openPanel();
  await button("New test").click();
  await name().fill("Half typed");
  await button("Cancel").click();
  await expect.element(page.getByText("Discard what was typed?")).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByText("Discard what was typed?")).not.toBeInTheDocument();
  await expect.element(name()).toHaveValue("Half typed");
  await button("Cancel").click();
  await button("Discard changes").click();
  await button("New test").click();
  await expect.element(name()).toHaveValue("");
});

test("a form that was begun before somebody else's change does not replace it unseen", async () => {
  revision = 1;
  const store = openPanel();
  await button("Totals Not run yet").click();
  await button("Edit").click();
  await name().fill("Totals of mine");
  revision = 2;
  await queryClient.invalidateQueries();
  await button("Save test").click();
  await expect.element(page.getByText("Somebody else changed this in the meantime.")).toBeVisible();
  await expect.element(name()).toHaveValue("Totals of mine");
  await button("Save test").click();
  await expect.poll(() => store.getState().testForm).toBeNull();
  expect(sent.map((each) => each.revision)).toEqual([1, 2]);
});

test("the result of a run that ended at once is shown without a message of its end", async () => {
  revision = 1;
  openPanel();
  await button("Run all").click();
  await expect.element(button("Totals Passed")).toBeVisible();
  await expect.element(button("Run all")).toBeEnabled();
});

test("an expected value whose record was removed stays, and asks for another record before it is saved", async () => {
  openPanel();
  await button("New test").click();
  await name().fill("Two records");
  await button("Add a record").click();
  await expectedValue().fill("Acme");
  await button("Remove record 1").click();
  await expect.element(page.getByText("Its record was removed. Choose another one.")).toBeVisible();
  await page.getByRole("combobox", { name: "Of record" }).click();
  await page.getByRole("option", { name: "2" }).click();
  await expect.element(page.getByText("Its record was removed. Choose another one.")).not.toBeInTheDocument();
  await expect.element(expectedValue()).toHaveValue("Acme");
});

test("a number of records that was cleared stays cleared and says what it may be", async () => {
  openPanel();
  await page.getByText("Live", { exact: true }).click();
  const count = page.getByRole("textbox", { name: "Records of each source" });
  await count.clear();
  await expect.element(page.getByText("Enter a number from 1 to 100.")).toBeVisible();
  await expect.element(count).toHaveValue("");
  await expect.element(button("Run with real records")).toBeDisabled();
  await count.fill("25");
  await expect.element(button("Run with real records")).toBeEnabled();
});

test("a result says on which version it came about, and that the test was changed after it", async () => {
  revision = 1;
  isEnded = true;
  isOutdated = true;
  openPanel();
  await button("Totals Changed since Passed").click();
  await expect.element(page.getByText(/^Ran on the draft/)).toBeVisible();
  await expect.element(page.getByText(/The test or the pipeline was changed after this run/)).toBeVisible();
});

test("a run that is under way names who started it, and can be cancelled", async () => {
  openPanel();
  await page.getByText("Live", { exact: true }).click();
  await button("Run with real records").click();
  await expect.element(page.getByText(/“10 records”, started by Ada, is under way/)).toBeVisible();
  await button("Cancel run").click();
  await expect.element(page.getByText("Ada cancelled the run.")).toBeVisible();
  await expect.element(button("Cancel run")).not.toBeInTheDocument();
});

test("[SYN-118] [SYN-115] a run that is refused shows the server's words, which a further run takes away", async () => {
  revision = 1;
  refusal = { code: "test_failed", message: "Test failed", description: "The pipeline has no source to read from." };
  openPanel();
  await button("Run all").click();
  await expect.element(page.getByText("Test failed")).toBeVisible();
  await expect.element(page.getByText("The pipeline has no source to read from.")).toBeVisible();
  refusal = null;
  await button("Run all").click();
  await expect.element(button("Totals Passed")).toBeVisible();
  await expect.element(page.getByText("The pipeline has no source to read from.")).not.toBeInTheDocument();
});

test("[SYN-115] clearing live runs asks first, then leaves an empty list and no result", async () => {
  live = [{ ...runOf("completed"), kind: "live", name: "25 records", resultDetails: [] }];
  openPanel();
  await page.getByText("Live", { exact: true }).click();
  await expect.element(page.getByRole("heading", { name: "25 records" })).toBeVisible();
  await button("Delete runs").click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete runs" }).click();
  await expect.element(page.getByText("No live run yet")).toBeVisible();
  await expect.element(page.getByRole("heading", { name: "25 records" })).not.toBeInTheDocument();
});

test("tests of a field pipeline are its own: records of the entity's sources, its field expected, and no live runs", async () => {
  const city = fieldOf("city");
  queryClient.setQueryData(keyOf(getEntity, { params: { entityId: ENTITY } }), coreEntity([city, fieldOf("name")]));
  const fieldId = id("field").parse("9".repeat(24));
  openPanel({ fieldId, field: city, entityGraph: opened.graph, entityVersion: "draft" });
  await expect.element(page.getByText("Live", { exact: true })).not.toBeInTheDocument();
  await button("New test").click();
  await name().fill("Totals");
  await expect.element(page.getByRole("combobox", { name: "Source" })).toHaveValue("CRM");
  await expectedValue().fill("Rome");
  await button("Save test").click();
  await button("Run").click();
  await expect.element(page.getByText(/^Ran on the draft/)).toBeVisible();
  expect(sent).toMatchObject([{ path: expect.stringContaining(`/test/fieldPipeline/${fieldId}`), name: "Totals" }]);
  expect(sent).toMatchObject([{ expectedResult: [{ apiName: "city", value: "Rome" }], records: [{ nodeId: "crm" }] }]);
});
