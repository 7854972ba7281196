/** What the publish dialog says of the difference between the draft and what is published, while it is computed and after. */
import { id } from "@accord/contracts";
import { Graph } from "@accord/contracts/sync/graph";
import type { PublishDiff } from "@accord/contracts/sync/tests/publish-diff";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { queryClient } from "../../../../app/queries.ts";
import { showInRouter } from "../../../../app/show-in-router.fixtures.tsx";
import "../../../../app/words.ts";
import { EditorProvider } from "../editor-context.tsx";
import { createEditorStore } from "../editor.model.ts";
import { openedDraft } from "../draft/opened-draft.fixtures.ts";
import { publishDiff } from "./publish-diff.fixtures.ts";
import { type PublishForm, PublishDialog } from "./publish-dialog.tsx";

/** Calls of comparing, in their order; each waits until a test answers it. */
let calls: {
  body: { records: number; cursor?: string };
  signal: AbortSignal | null;
  answer: (reply: PublishDiff) => void;
  refuse: (status: number, error: object) => void;
}[] = [];
const network = globalThis.fetch;

beforeEach(() => {
  queryClient.clear();
  calls = [];
  globalThis.fetch = async (path, init) => {
    if (!String(path).startsWith("/api/")) return network(path, init);
    if (!String(path).endsWith("/diff"))
      return Response.json({ code: "not_found", message: "Not found" }, { status: 404 });
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
    calls.push({
      body: JSON.parse(String(init?.body)),
      signal: init?.signal ?? null,
      answer: (reply) => resolve(Response.json(reply)),
      refuse: (status, error) => resolve(Response.json(error, { status })),
    });
    return promise;
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

function openDialog(): PublishForm[] {
  const published: PublishForm[] = [];
  const store = createEditorStore(openedDraft(Graph.parse({ nodes: [], edges: [] })));
  showInRouter(() => (
    <EditorProvider value={store}>
      <PublishDialog
        name="Account"
        opened
        busy={false}
        error={null}
        onClose={() => {}}
        onPublish={async (form) => published.push(form) === 0}
      />
    </EditorProvider>
  ));
  return published;
}

const called = async (count: number) => {
  await expect.poll(() => calls.length).toBe(count);
  return calls[count - 1]!;
};
const section = () => page.getByRole("region", { name: "What changes" });

test("counts grow page by page, and no difference is said only once all was compared", async () => {
  openDialog();
  const first = await called(1);
  expect(first.body).toEqual({ order: "latest", fieldPipelines: "ready", records: 50 });
  await expect.element(section().getByText("Comparing: 0 of 100 records")).toBeVisible();
  first.answer(publishDiff({}, { compared: 50, cursor: "after 50" }));
  const second = await called(2);
  expect(second.body).toEqual({ order: "latest", fieldPipelines: "ready", records: 50, cursor: "after 50" });
  await expect.element(section().getByText("Comparing: 50 of 100 records")).toBeVisible();
  await expect.element(section().getByText("0 of 50 records differ so far")).toBeVisible();
  expect(
    section()
      .getByText(/^No difference/)
      .elements(),
  ).toEqual([]);
  second.answer(publishDiff({}, { compared: 50, cursor: "after 100" }));
  await expect.element(section().getByText("No difference over 100 records")).toBeVisible();
  expect(
    section()
      .getByText(/These are all/)
      .elements(),
  ).toEqual([]);
  expect(calls).toHaveLength(2);
});

test("each destination has its counts, and the records are listed on demand with a link and what would be written", async () => {
  openDialog();
  (await called(1)).answer(publishDiff({ updated: 2, names: ["Acme", "Bolt"] }));
  await expect.element(section().getByText("2 of 10 records differ")).toBeVisible();
  await expect.element(section().getByText("These are all records.")).toBeVisible();
  await expect.element(section().getByText("2 updated")).toBeVisible();
  expect(section().getByRole("list").elements()).toEqual([]);
  await section().getByRole("button", { name: "Show 2 records" }).click();
  const list = section().getByRole("list", { name: "Records that differ" });
  await expect.element(list.getByText("Rome → Oslo of Acme")).toBeVisible();
  const link = list.getByRole("link", { name: "Bolt" });
  await expect.element(link).toHaveAttribute("target", "_blank");
  await expect.element(link).toHaveAttribute("href", expect.stringContaining(`record/${"1".padStart(24, "0")}`));
});

test("what is written only once its records change is said, with the counts and with each record", async () => {
  openDialog();
  (await called(1)).answer(publishDiff({ updated: 2, notDue: 2, names: ["Acme", "Bolt"] }));
  await expect.element(section().getByText(/^Of these 2 are written only once the records change/)).toBeVisible();
  await section().getByRole("button", { name: "Show 2 records" }).click();
  await expect.poll(() => section().getByText("Written only once the record changes.").elements().length).toBe(2);
  expect(
    section()
      .getByText(/^What exists already is not brought in/)
      .elements(),
  ).toEqual([]);
  await page.getByRole("checkbox", { name: "Also bring in what exists already" }).click();
  await expect.element(section().getByText(/^What exists already is not brought in/)).toBeVisible();
});

test("publishing is possible while it is compared, and the dialog says that it does not wait", async () => {
  const published = openDialog();
  await called(1);
  await expect.element(page.getByText("Publishing does not wait for the comparison.")).toBeVisible();
  await page.getByRole("textbox", { name: "Version name" }).fill("Second");
  await page.getByRole("button", { name: "Publish version 1" }).click();
  expect(published).toMatchObject([{ versionName: "Second" }]);
});

test("stopping ends the call and says how many were compared; another number begins anew", async () => {
  openDialog();
  (await called(1)).answer(publishDiff({ updated: 1, names: ["Acme"] }, { compared: 40, cursor: "after 40" }));
  const second = await called(2);
  await section().getByRole("button", { name: "Stop comparing" }).click();
  await expect.element(section().getByText("Stopped after 40 of 100 records.")).toBeVisible();
  await expect.element(section().getByText("1 of 40 records differ")).toBeVisible();
  expect(second.signal?.aborted).toBe(true);
  await section().getByText("1,000").click();
  expect((await called(3)).body).toEqual({ order: "latest", fieldPipelines: "ready", records: 50 });
  await expect.element(section().getByText("Comparing: 0 of 1,000 records")).toBeVisible();
  await section().getByText("Spread over all").click();
  expect((await called(4)).body).toEqual({ order: "spread", fieldPipelines: "ready", records: 50 });
});

test("an error, a draft that changed meanwhile, and what could not be compared are said", async () => {
  openDialog();
  (await called(1)).answer(publishDiff({}, { compared: 30, cursor: "after 30" }));
  (await called(2)).refuse(422, { code: "test_failed", message: "Test failed", description: "It had no result." });
  await expect.element(section().getByText("The comparison ended after 30 of 100 records")).toBeVisible();
  await expect.element(section().getByText("It had no result.")).toBeVisible();
  await section().getByRole("button", { name: "Compare again" }).click();
  (await called(3)).answer(publishDiff({}, { compared: 50, cursor: "after 50" }));
  (await called(4)).answer(publishDiff({}, { versions: "2" }));
  await expect.element(section().getByText(/changed meanwhile\. Compare again/)).toBeVisible();
  await section().getByRole("button", { name: "Compare again" }).click();
  const failed = [{ recordId: "0".repeat(24), message: "It took too long." }];
  const unknown = [{ source: "CRM", field: "nick", isAssumed: false, records: 2 }];
  (await called(5)).answer(publishDiff({}, { unasked: 1, failed, unknown } as Partial<PublishDiff>));
  await expect.element(section().getByText("1 record could not be compared: It took too long.")).toBeVisible();
  await expect.element(section().getByText("Not stored here, so not compared: CRM nick (2 records).")).toBeVisible();
  await expect.element(section().getByText(/^For 1 record another system would be asked/)).toBeVisible();
});

test.each<[string, Partial<PublishDiff>]>([
  ["values that are not stored", { unknown: [{ source: "CRM", field: "nick", isAssumed: false, records: 2 }] }],
  ["values that are assumed", { unknown: [{ source: "CRM", field: "nick", isAssumed: true, records: 2 }] }],
  ["records for which other systems would be asked", { unasked: 3 }],
  ["a record that failed", { failed: [{ recordId: id("record").parse("0".repeat(24)), message: "Too long." }] }],
  ["a source of one version alone", { sources: [{ label: "CRM", version: "draft" }] }],
])("no difference is claimed only of what could be compared, with %s", async (_what, more) => {
  openDialog();
  (await called(1)).answer(publishDiff({}, more));
  await expect.element(section().getByText("No difference in what could be compared of 10 records")).toBeVisible();
  expect(
    section()
      .getByText(/No difference over/)
      .elements(),
  ).toEqual([]);
});

test("sources that only one version has are named", async () => {
  openDialog();
  const sources: PublishDiff["sources"] = [
    { label: "CRM", version: "draft" },
    { label: "Shop", version: "published" },
  ];
  (await called(1)).answer(publishDiff({}, { sources }));
  await expect
    .element(section().getByText("Sources of one version alone: CRM (new source), Shop (removed source)."))
    .toBeVisible();
});

test("without a published version, or without records, no difference is claimed", async () => {
  openDialog();
  (await called(1)).answer(publishDiff({}, { published: null, compared: 0, destinations: [] }));
  await expect.element(section().getByText(/^Nothing is published yet/)).toBeVisible();
  await section().getByRole("button", { name: "Compare again" }).click();
  (await called(2)).answer(publishDiff({}, { compared: 0 }));
  await expect.element(section().getByText(/^No record is stored yet/)).toBeVisible();
  expect(
    section()
      .getByText(/No difference over/)
      .elements(),
  ).toEqual([]);
});

test("field pipelines that go along are named with what becomes of them", async () => {
  openDialog();
  const fieldPipelines: PublishDiff["fieldPipelines"] = [
    { field: "phone", label: "Phone", change: "changed" },
    { field: "score", label: "Score", change: "added" },
  ];
  (await called(1)).answer(publishDiff({}, { fieldPipelines }));
  await expect
    .element(section().getByText("Field pipelines that go along: Phone (changed), Score (new)"))
    .toBeVisible();
});
