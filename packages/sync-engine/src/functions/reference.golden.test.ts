/** The reference page in docs/ is what the functions say of themselves. */
import { expect, test } from "vitest";
import { functionReference } from "./reference.ts";

test("docs/functions.md is up to date", async () => {
  await expect(functionReference()).toMatchFileSnapshot("../../../../docs/functions.md");
});
