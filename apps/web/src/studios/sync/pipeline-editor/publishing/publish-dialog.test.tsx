/** The publish dialog: nothing is edited behind it while the draft is being published. */
import { id } from "@accord/contracts";
import { listFieldPipelines } from "@accord/contracts/sync/field-pipelines";
import { Graph } from "@accord/contracts/sync/graph";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { ApiError } from "../../../../app/api-error.ts";
import { keyOf, queryClient } from "../../../../app/queries.ts";
import "../../../../app/words.ts";
import { EditorProvider } from "../editor-context.tsx";
import { createEditorStore } from "../editor.model.ts";
import { type PublishForm, PublishDialog } from "./publish-dialog.tsx";
import { publishDiff } from "./publish-diff.fixtures.ts";
import { openedDraft } from "../draft/opened-draft.fixtures.ts";

const store = createEditorStore(openedDraft(Graph.parse({ nodes: [], edges: [] })));

test("the publish dialog can't be closed while publishing, can before, and never by a click beside it", async () => {
  let closed = 0;
  const dialog = (busy: boolean) => (
    <QueryClientProvider client={queryClient}>
      <EditorProvider value={store}>
        <PublishDialog
          name="Account"
          opened
          busy={busy}
          error={null}
          onClose={() => (closed += 1)}
          onPublish={async () => false}
        />
      </EditorProvider>
    </QueryClientProvider>
  );
  show(dialog(true));
  await expect.element(page.getByRole("button", { name: "Cancel" })).toBeDisabled();
  await expect.element(page.getByRole("button", { name: "Close" })).toBeDisabled();
  await userEvent.keyboard("{Escape}");
  expect(closed).toBe(0);
  show(dialog(false));
  await expect.element(page.getByRole("button", { name: "Cancel" })).toBeEnabled();
  await page.elementLocator(document.documentElement).click({ position: { x: 2, y: 2 } });
  expect(closed).toBe(0);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => closed).toBe(1);
});

test("a publication that is refused for its graph names each problem and what to do", async () => {
  const problem = { severity: "error", nodeId: "notify", targetId: "actionId", errorDetail: "custom_action_unknown" };
  const errorMessage = "Notify: its custom action was deleted. Choose another one.";
  const details = { problems: [{ ...problem, code: "custom_action_unknown", errorMessage }] };
  show(
    <QueryClientProvider client={queryClient}>
      <EditorProvider value={store}>
        <PublishDialog
          name="Account"
          opened
          busy={false}
          error={new ApiError({ code: "pipeline_invalid", status: 422, message: "The pipeline has problems", details })}
          onClose={() => undefined}
          onPublish={async () => false}
        />
      </EditorProvider>
    </QueryClientProvider>,
  );
  await expect.element(page.getByRole("alert").getByRole("listitem")).toHaveTextContent(errorMessage);
});

test("a refused publication names the tests that failed", async () => {
  const description = "These tests did not pass: capital letters.";
  show(
    <QueryClientProvider client={queryClient}>
      <EditorProvider value={store}>
        <PublishDialog
          name="Account"
          opened
          busy={false}
          error={new ApiError({ code: "test_failed", status: 422, message: "Test failed", description })}
          onClose={() => undefined}
          onPublish={async () => false}
        />
      </EditorProvider>
    </QueryClientProvider>,
  );
  await expect.element(page.getByRole("alert")).toHaveTextContent(`Test failed${description}`);
});

const picked = { id: "b".repeat(24), apiName: "phone", displayName: "Phone", hasPublished: false };
const LIST = [
  { ...picked, draft: { ready: false, revision: 1, hasChanges: true, updatedAt: "2026-01-01T00:00:00.000Z" } },
];

/** As the editor shows it: it can be opened again after it was closed. */
function Reopened({ isPublished }: { isPublished: boolean }) {
  const [opened, setOpened] = useState(true);
  return (
    <QueryClientProvider client={queryClient}>
      <EditorProvider value={store}>
        <button type="button" onClick={() => setOpened(true)}>
          Open
        </button>
        <PublishDialog
          name="Account"
          opened={opened}
          busy={false}
          error={null}
          onClose={() => setOpened(false)}
          onPublish={async () => {
            if (isPublished) setOpened(false);
            return isPublished;
          }}
        />
      </EditorProvider>
    </QueryClientProvider>
  );
}
const name = page.getByRole("textbox", { name: "Version name" });
const summary = page.getByRole("textbox", { name: "Summary" });
const bringsIn = page.getByRole("checkbox", { name: "Also bring in what exists already" });
const reopen = async () => {
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Open" }).click();
};

test("name, summary and choices stay when publishing is refused, and when the dialog is closed before it is published", async () => {
  queryClient.setQueryData(keyOf(listFieldPipelines, { params: { entityId: store.getState().opened.entityId } }), {
    fields: LIST.map((row) => ({ ...row, id: id("field").parse(row.id) })),
  });
  show(<Reopened isPublished={false} />);
  await name.fill("Second");
  await summary.fill("Phones");
  await bringsIn.click();
  await page.getByRole("radio", { name: "Only these" }).click();
  await page.getByRole("checkbox", { name: "Phone" }).click();
  await page.getByRole("button", { name: "Publish version 1" }).click();
  await expect.element(name).toHaveValue("Second");
  await userEvent.keyboard("{Escape}");
  await reopen();
  await expect.element(name).toHaveValue("Second");
  await expect.element(summary).toHaveValue("Phones");
  await expect.element(bringsIn).not.toBeChecked();
  await expect.element(page.getByRole("checkbox", { name: "Phone" })).toBeChecked();
});

test("after publishing, the next version is named anew", async () => {
  show(<Reopened isPublished />);
  await name.fill("Second");
  await page.getByRole("button", { name: "Publish version 1" }).click();
  await reopen();
  await expect.element(name).toHaveValue("");
});

describe("field drafts that change while the dialog is open", () => {
  const network = globalThis.fetch;
  const LIST_KEY = keyOf(listFieldPipelines, { params: { entityId: store.getState().opened.entityId } });
  /** The draft as the server has it. */
  let revision: number;
  /** Comparisons that were begun. */
  let compared: number;
  beforeEach(() => {
    queryClient.clear();
    revision = 4;
    compared = 0;
    globalThis.fetch = async (path, init) => {
      const address = String(path);
      if (address.endsWith("/fields")) {
        const draft = { ready: true, revision, hasChanges: true, updatedAt: "2026-01-01T00:00:00.000Z" };
        return new Response(JSON.stringify({ fields: [{ ...picked, draft }] }));
      }
      if (!address.endsWith("/diff")) return network(path, init);
      compared += 1;
      return new Response(JSON.stringify(publishDiff()));
    };
  });
  afterEach(() => {
    globalThis.fetch = network;
  });

  const sent: PublishForm[] = [];
  /** Refuses what is not the server's draft, as the server does, while this window is not notified. */
  function Publishing() {
    const [error, setError] = useState<Error | null>(null);
    return (
      <QueryClientProvider client={queryClient}>
        <EditorProvider value={store}>
          <PublishDialog
            name="Account"
            opened
            busy={false}
            error={error}
            onClose={() => undefined}
            onPublish={async (form) => {
              sent.push(form);
              if (form.fieldDrafts[0]?.revision === revision) return true;
              const details = { fieldPipelines: [{ fieldId: picked.id, label: "Phone", change: "changed" }] };
              setError(new ApiError({ code: "stale_version", status: 409, message: "Changed", details }));
              return false;
            }}
          />
        </EditorProvider>
      </QueryClientProvider>
    );
  }
  const changed = page.getByText("Phone was changed.");
  const publish = page.getByRole("button", { name: "Publish version 1" });
  const lookAgain = page.getByRole("button", { name: "Show the current drafts" });

  test("a draft that is saved meanwhile is named at once, and only what was looked at is published", async () => {
    show(<Publishing />);
    await name.fill("Second");
    await expect.element(publish).toBeEnabled();
    await expect.poll(() => compared).toBe(1);
    revision = 5;
    await queryClient.refetchQueries({ queryKey: LIST_KEY });
    await expect.element(changed).toBeVisible();
    await expect.element(publish).toBeDisabled();
    await lookAgain.click();
    await expect.element(changed).not.toBeInTheDocument();
    await expect.poll(() => compared).toBe(2);
    sent.length = 0;
    await publish.click();
    await expect
      .poll(() => sent.map(({ fieldDrafts }) => fieldDrafts))
      .toEqual([[{ fieldId: picked.id, revision: 5 }]]);
  });

  test("where only the server knows of it, its refusal names the draft and leads to the same choice", async () => {
    show(<Publishing />);
    await name.fill("Second");
    await expect.element(publish).toBeEnabled();
    revision = 5;
    sent.length = 0;
    await publish.click();
    await expect.element(changed).toBeVisible();
    await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
    await lookAgain.click();
    await expect.element(changed).not.toBeInTheDocument();
    await publish.click();
    await expect.poll(() => sent.map(({ fieldDrafts }) => fieldDrafts[0]?.revision)).toEqual([4, 5]);
  });
});
