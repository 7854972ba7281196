/** Spellings of graph versions in addresses. */
import { expect, test } from "vitest";
import { graphVersionOf, respelled } from "./graph-version.ts";

test("[SYN-017] draft, new, approved and published lead to the right graph in any case, other words to none", () => {
  const asked = ["draft", "new", "NEW", "published", "approved", "Published", "7", "", "constructor"];
  expect(asked.map(graphVersionOf)).toEqual([
    "draft",
    "draft",
    "draft",
    "published",
    "published",
    "published",
    null,
    null,
    null,
  ]);
});

test("[SYN-017] only what is not in the lower-case form gets another address", () => {
  expect(["draft", "published", "Draft", "approved", "nothing"].map(respelled)).toEqual([
    null,
    null,
    "draft",
    "published",
    null,
  ]);
});
