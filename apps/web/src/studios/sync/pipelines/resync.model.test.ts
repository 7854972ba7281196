/** Which resyncs may be asked for. */
import { expect, test } from "vitest";
import { resyncFaults, toResyncRequest, type ResyncForm } from "./resync.model.ts";

const NOW = new Date("2026-03-10T12:00:00Z");
const form = (change: Partial<ResyncForm> = {}): ResyncForm => ({
  scope: "all",
  sources: ["crm"],
  from: "",
  to: "",
  ...change,
});

test("[SYN-107] a source is needed, after needs a from date, between needs both", () => {
  expect(resyncFaults(form(), NOW)).toEqual([]);
  expect(resyncFaults(form({ sources: [] }), NOW)).toEqual(["sources_missing"]);
  expect(resyncFaults(form({ scope: "after" }), NOW)).toEqual(["from_missing"]);
  expect(resyncFaults(form({ scope: "between" }), NOW)).toEqual(["from_missing", "to_missing"]);
  expect(resyncFaults(form({ scope: "between", from: "2026-03-01T00:00:00Z" }), NOW)).toEqual(["to_missing"]);
});

test("[SYN-108] no date in the future, and not the to date before the from date", () => {
  expect(resyncFaults(form({ scope: "after", from: "2026-03-11T00:00:00Z" }), NOW)).toEqual(["from_in_future"]);
  const reversed = form({ scope: "between", from: "2026-03-05T00:00:00Z", to: "2026-03-01T00:00:00Z" });
  expect(resyncFaults(reversed, NOW)).toEqual(["to_before_from"]);
  expect(resyncFaults({ ...reversed, to: "2026-03-12T00:00:00Z" }, NOW)).toEqual(["to_in_future"]);
});

test("dates of a scope that doesn't use them are not sent", () => {
  const both = { from: "2026-03-01T00:00:00Z", to: "2026-03-02T00:00:00Z" };
  expect(toResyncRequest(form(both))).toMatchObject({ scope: "all", from: null, to: null });
  expect(toResyncRequest(form({ scope: "after", ...both }))).toMatchObject({
    from: "2026-03-01T00:00:00.000Z",
    to: null,
  });
});
