/** What a mapping row says of its field's pipeline. */
import { expect, test } from "vitest";
import { fieldStates } from "./field-state.tsx";

const draft = (ready: boolean, hasChanges = true) => ({
  ready,
  revision: 1,
  hasChanges,
  updatedAt: "2026-01-01T00:00:00.000Z",
});

test("it says whether a field pipeline exists, has changes and is ready, and nothing where there is none", () => {
  expect(fieldStates({ hasPublished: false, draft: null })).toEqual([]);
  expect(fieldStates({ hasPublished: true, draft: null })).toEqual(["published"]);
  expect(fieldStates({ hasPublished: false, draft: draft(false) })).toEqual(["draft", "notReady"]);
  expect(fieldStates({ hasPublished: true, draft: draft(true) })).toEqual(["published", "changed", "ready"]);
  expect(fieldStates({ hasPublished: true, draft: draft(false, false) })).toEqual(["published", "draft", "notReady"]);
});
