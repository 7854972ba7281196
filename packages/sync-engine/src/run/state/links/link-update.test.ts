/** What is stored of an external record once its page is in. */
import { expect, test } from "vitest";
import { inboundRecordOf, storedLink, twoSystems } from "../../protocol/fixtures/stored.ts";
import { computeLinkUpdate } from "./link-update.ts";

const { source } = twoSystems();
const outcome = { recordId: "r1", values: { name: "Ada" }, refused: null };

test("a place that is only read neither differs from the core nor waits for a field, and its link is written when it is new", () => {
  expect(computeLinkUpdate(null, source, inboundRecordOf({ seen: "as read" }), outcome)).toMatchObject({
    differs: false,
    waits: false,
    write: { externalId: "A1", recordId: "r1", seen: "as read", isNew: true },
  });
});

test("a link that says the same already is not written again", () => {
  const link = storedLink({ seen: "as read" });
  const update = (seen: string) => computeLinkUpdate(null, source, inboundRecordOf({ link, seen }), outcome);
  expect(update("as read")).toEqual({ write: null, differs: false, waits: false, unfit: false, arrived: false });
  expect(update("as read later").write).toMatchObject({ seen: "as read later", isNew: false });
});
