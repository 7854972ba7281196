/** The panel of tests: what is typed into it stays until it is saved or discarded. */
import { Graph } from "@accord/contracts/sync/graph";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { queryClient } from "../../../../app/queries.ts";
import "../../../../app/words.ts";
import { EditorProvider } from "../editor-context.tsx";
import { createEditorStore } from "../editor.model.ts";
import { TestsPanel } from "./tests-panel.tsx";
import { ENTITY, openedDraft } from "../opened-draft.fixtures.ts";

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
  ...{ changedSince: false, testedAt: null, testedVersion: null },
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
/** What the server has: revision of its one test; 0: none. */
let revision = 0;
let sent: { path: string; revision: number; name: string }[] = [];
const network = globalThis.fetch;

function answer(path: string, init: RequestInit | undefined): unknown {
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
  return path.endsWith("/run") || path.endsWith("/test") ? { runs: [] } : { tests: revision ? [saved(revision)] : [] };
}

beforeEach(() => {
  queryClient.clear();
  sent = [];
  revision = 0;
  isEnded = false;
  globalThis.fetch = async (path, init) => {
    if (!String(path).startsWith("/api/")) return network(path, init);
    if (!String(path).includes("/test/entityPipeline/")) return new Response("{}", { status: 404 });
    const body = answer(String(path), init);
    if (body) return new Response(JSON.stringify(body));
    const refusal = { code: "stale_version", message: "Somebody else changed this in the meantime." };
    return new Response(JSON.stringify(refusal), { status: 409 });
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
function openPanel() {
  const store = createEditorStore(opened);
  show(
    <QueryClientProvider client={queryClient}>
      <EditorProvider value={store}>
        <Panel />
      </EditorProvider>
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
