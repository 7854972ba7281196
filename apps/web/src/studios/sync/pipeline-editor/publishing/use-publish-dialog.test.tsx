/** The publish dialog of the address: the draft is checked first, and the address asks only once. */
import { Graph } from "@accord/contracts/sync/graph";
import { Notifications, notifications } from "@mantine/notifications";
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
  notifications.clean();
  done = [];
});

function openAt(address: string, { isPublishable = true, mayWrite = true, opened = {} } = {}) {
  const first = openedDraft(Graph.parse({ nodes: [], edges: [] }));
  const store = createEditorStore({ ...first, ...opened }, { mayWrite });
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
  return showScreens({ [path]: Page }, address, <Notifications />);
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

test("a draft with problems opens no dialog, nor does an address without the wish", async () => {
  const refused = openAt(`${DRAFT}?dialog=publish`, { isPublishable: false });
  await expect.poll(() => done).toEqual(["save", "validate"]);
  await expect.poll(() => refused.state.location.search).toEqual({});
  await shows("closed");

  done = [];
  openAt(DRAFT);
  await shows("closed");
  expect(done).toEqual([]);
  await page.getByRole("button", { name: "Publish" }).click();
  await shows("open");
});

test.each([
  ["whoever may not change the draft", { mayWrite: false }, "Publishing needs the permission to write in the studio."],
  [
    "a version that is published already",
    { opened: { graphVersion: "published" as const, readOnly: true } },
    "This version is no draft. Open the draft, or create one, to publish it.",
  ],
])("%s reads why the dialog doesn't open", async (_who, options, reason) => {
  const router = openAt(`${DRAFT}?dialog=publish`, options);
  await expect.element(page.getByRole("alert").getByText("This can't be published")).toBeVisible();
  await expect.element(page.getByRole("alert").getByText(reason)).toBeVisible();
  expect(router.state.location.search).toEqual({});
  expect(done).toEqual([]);
  await shows("closed");
});
