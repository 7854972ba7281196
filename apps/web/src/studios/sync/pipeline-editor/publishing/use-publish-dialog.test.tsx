/** The publish dialog of the address: the draft is checked first, and the address asks only once. */
import { Graph } from "@accord/contracts/sync/graph";
import { beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { showScreens } from "../../../../app/show-in-router.fixtures.tsx";
import "../../../../app/words.ts";
import { openedDraft } from "../draft/opened-draft.fixtures.ts";
import { EditorProvider } from "../editor-context.tsx";
import { createEditorStore } from "../editor.model.ts";
import { usePublishDialog } from "./use-publish-dialog.ts";

let done: string[];
beforeEach(() => {
  done = [];
});

function openAt(address: string, { isPublishable = true, mayWrite = true } = {}) {
  const store = createEditorStore(openedDraft(Graph.parse({ nodes: [], edges: [] })), { mayWrite });
  const note = (step: string, result: boolean) => async () => {
    done.push(step);
    return result;
  };
  const draft = { save: note("save", true), validate: note("validate", isPublishable), setPublishError: () => {} };
  function Screen() {
    const { isOpen, open, close } = usePublishDialog(draft);
    return (
      <>
        <p>{isOpen ? "open" : "closed"}</p>
        <button onClick={() => void open()}>Publish</button>
        <button onClick={close}>Close</button>
      </>
    );
  }
  const path = "/sync-studio/entity/$entityId/pipeline/$graphVersion";
  const Page = () => (
    <EditorProvider value={store}>
      <Screen />
    </EditorProvider>
  );
  return showScreens({ [path]: Page }, address);
}
const DRAFT = "/sync-studio/entity/a/pipeline/draft";
const shows = (text: string) => expect.element(page.getByText(text, { exact: true })).toBeVisible();

test("[SYN-100] the address that Publish leads to opens the dialog of a draft that can be published, once", async () => {
  const router = openAt(`${DRAFT}?dialog=publish&view=list`);
  await shows("open");
  expect(done).toEqual(["save", "validate"]);
  expect(router.state.location.search).toEqual({ view: "list" });
  await page.getByRole("button", { name: "Close" }).click();
  await shows("closed");
});

test("a draft with problems opens no dialog, nor does one that may not be changed, nor an address without the wish", async () => {
  const refused = openAt(`${DRAFT}?dialog=publish`, { isPublishable: false });
  await expect.poll(() => done).toEqual(["save", "validate"]);
  await expect.poll(() => refused.state.location.search).toEqual({});
  await shows("closed");

  done = [];
  const readOnly = openAt(`${DRAFT}?dialog=publish`, { mayWrite: false });
  await expect.poll(() => readOnly.state.location.search).toEqual({});
  expect(done).toEqual([]);

  openAt(DRAFT);
  await shows("closed");
  expect(done).toEqual([]);
  await page.getByRole("button", { name: "Publish" }).click();
  await shows("open");
});
