/** The reference pages in docs/ are what functions and actions say of themselves. */
import { expect, test } from "vitest";
import { actionReference, functionReference } from "./pages.ts";

test("docs/functions.md is up to date", async () => {
  await expect(functionReference()).toMatchFileSnapshot("../../../../docs/functions.md");
});

test("docs/actions.md is up to date", async () => {
  await expect(actionReference()).toMatchFileSnapshot("../../../../docs/actions.md");
});
