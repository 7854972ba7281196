/** The publish dialog: nothing is edited behind it while the draft is being published. */
import { Graph } from "@accord/contracts/sync/graph";
import { show } from "@accord/ui/test-kit";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { ApiError } from "../../../../app/api-error.ts";
import "../../../../app/words.ts";
import { EditorProvider } from "../editor-context.tsx";
import { createEditorStore } from "../editor.model.ts";
import { PublishDialog } from "./publish-dialog.tsx";
import { openedDraft } from "../opened-draft.fixtures.ts";

const store = createEditorStore(openedDraft(Graph.parse({ nodes: [], edges: [] })));

test("the publish dialog can't be closed while publishing, and can before", async () => {
  let closed = 0;
  const dialog = (busy: boolean) => (
    <EditorProvider value={store}>
      <PublishDialog
        name="Account"
        opened
        busy={busy}
        error={null}
        onClose={() => (closed += 1)}
        onPublish={() => undefined}
      />
    </EditorProvider>
  );
  show(dialog(true));
  await expect.element(page.getByRole("button", { name: "Cancel" })).toBeDisabled();
  await expect.element(page.getByRole("button", { name: "Close" })).toBeDisabled();
  await userEvent.keyboard("{Escape}");
  expect(closed).toBe(0);
  show(dialog(false));
  await page.getByRole("button", { name: "Cancel" }).click();
  expect(closed).toBe(1);
});

test("a refused publication names the tests that failed", async () => {
  const description = "These tests did not pass: capital letters.";
  show(
    <EditorProvider value={store}>
      <PublishDialog
        name="Account"
        opened
        busy={false}
        error={new ApiError({ code: "test_failed", status: 422, message: "Test failed", description })}
        onClose={() => undefined}
        onPublish={() => undefined}
      />
    </EditorProvider>,
  );
  await expect.element(page.getByRole("alert")).toHaveTextContent(`Test failed${description}`);
});
