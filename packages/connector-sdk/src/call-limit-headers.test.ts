/** What answers say of how often a system may be called, in all forms in which systems write it. */
import { expect, test } from "vitest";
import { asksToWait, callLimit, remainingCalls, resetMs, retryAfterMs } from "./call-limit-headers.ts";

const NOW = Date.UTC(2026, 0, 1);

test.each<[string, Record<string, string>]>([
  ["x-ratelimit-*", { "x-ratelimit-limit": "9", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "4" }],
  ["ratelimit-*", { "ratelimit-limit": "9", "ratelimit-remaining": "0", "ratelimit-reset": "4" }],
  ["x-rate-limit-*", { "x-rate-limit-limit": "9", "x-rate-limit-remaining": "0", "x-rate-limit-reset": "4" }],
  ["several limits", { "ratelimit-limit": "9, 100;w=60", "ratelimit-remaining": "0", "ratelimit-reset": "4" }],
  ["the structured header", { ratelimit: '"default";q=9;r=0;t=4' }],
  ["its first draft", { ratelimit: "limit=9, remaining=0, reset=4" }],
])("%s are read alike by what waits and by what counts", (_, headers) => {
  expect([callLimit(headers), remainingCalls(headers), resetMs(headers, NOW)]).toEqual([9, 0, 4_000]);
  expect(asksToWait(headers)).toBe(true);
  expect(retryAfterMs(headers, NOW)).toBe(4_000);
});

test.each([
  ["seconds", "5", 5_000],
  ["a date", "Thu, 01 Jan 2026 00:00:05 GMT", 5_000],
  ["seconds since 1970", String(NOW / 1000 + 5), 5_000],
  ["milliseconds since 1970", String(NOW + 5_000), 5_000],
  ["a moment that has passed", String(NOW / 1000 - 5), null],
  ["nothing that is a time", "soon", null],
  ["a number with more behind it", "5 apples", null],
])("a time to wait may be %s", (_, text, wait) => {
  expect(retryAfterMs({ "retry-after": text }, NOW)).toBe(wait);
});

test("a limit that begins anew later than in an hour is counted to its end, but asked again after an hour", () => {
  const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "86400" };
  expect(resetMs(headers, NOW)).toBe(86_400_000);
  expect(retryAfterMs(headers, NOW)).toBe(3_600_000);
});

test("an answer that says nothing says nothing", () => {
  expect([callLimit({}), remainingCalls({}), resetMs({}, NOW), retryAfterMs({}, NOW)]).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(asksToWait({})).toBe(false);
});
