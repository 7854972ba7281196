/** What goes wrong underneath, in words that say what to do. */
import { describe, expect, test } from "vitest";
import { classifyNetworkError, classifyStatus } from "./classify.ts";
import { retryAfterMs } from "./call-limit-headers.ts";

const failed = (code: string) => new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });

describe("failures are classified", () => {
  test.for([
    ["ENOTFOUND", "unreachable", true],
    ["ECONNREFUSED", "unreachable", true],
    ["ECONNRESET", "unreachable", false],
    ["UND_ERR_CONNECT_TIMEOUT", "timeout", true],
    ["UND_ERR_HEADERS_TIMEOUT", "timeout", false],
    ["CERT_HAS_EXPIRED", "certificate", true],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate", true],
    ["SOMETHING_NEW", "unexpected", false],
  ] as const)("%s is %s", ([code, kind, neverSent]) => {
    expect(classifyNetworkError(failed(code), "api.example:443")).toMatchObject({ kind, neverSent });
  });

  test.for([
    [401, "authentication", false],
    [403, "permission", false],
    [404, "notFound", false],
    [409, "invalidRequest", false],
    [429, "rateLimited", true],
    [500, "unavailable", true],
    [504, "timeout", true],
    [302, "configuration", false],
  ] as const)("status %i is %s", ([status, kind, retryable]) => {
    expect(classifyStatus(status, {}, "api.example", "because")).toMatchObject({
      kind,
      retryable,
      message: expect.stringContaining("because"),
    });
  });

  test.for([{ "retry-after": "30" }, { "x-ratelimit-remaining": "0" }, { "ratelimit-remaining": " 0 " }])(
    "403 with %o asks for fewer calls",
    (headers) => {
      expect(classifyStatus(403, headers, "api.example", null)).toMatchObject({ kind: "rateLimited", retryable: true });
    },
  );

  test("the time at which a limit begins anew counts where that limit was reached", () => {
    const now = Date.parse("2026-01-01T00:00:00Z");
    const reset = { "x-ratelimit-reset": "40" };
    expect(retryAfterMs({ ...reset, "x-ratelimit-remaining": "0" }, now)).toBe(40_000);
    expect(retryAfterMs({ ...reset, "x-ratelimit-remaining": "4999" }, now)).toBeNull();
    expect(retryAfterMs({ ...reset, "x-ratelimit-remaining": "4999", "retry-after": "60" }, now)).toBe(60_000);
    expect(classifyStatus(403, { ...reset, "x-ratelimit-remaining": "12" }, "api.example", null).kind).toBe(
      "permission",
    );
  });

  test("waits are read from seconds, dates and reset headers, and are bounded", () => {
    const now = Date.parse("2026-01-01T00:00:00Z");
    expect(retryAfterMs({ "retry-after": "2" }, now)).toBe(2000);
    expect(retryAfterMs({ "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, now)).toBe(30_000);
    expect(retryAfterMs({ "retry-after": "0" }, now)).toBe(0);
    expect(retryAfterMs({ "x-ratelimit-reset": String(now / 1000 + 5) }, now)).toBe(5000);
    expect(retryAfterMs({ "ratelimit-reset": "7" }, now)).toBe(7000);
    expect(retryAfterMs({ "retry-after": "999999" }, now)).toBe(3_600_000);
    expect(retryAfterMs({ "retry-after": "soon" }, now)).toBeNull();
    expect(retryAfterMs({ "retry-after": "1.5" }, now)).toBe(1500);
    expect(retryAfterMs({ "x-ratelimit-reset": String(now + 5000) }, now)).toBe(5000);
    expect(retryAfterMs({ "x-ratelimit-reset": "2026-01-01T00:01Z" }, now)).toBe(60_000);
    expect(retryAfterMs({ "retry-after": "", "ratelimit-reset": "7" }, now)).toBe(7000);
  });

  test("a moment that has passed says nothing, so that another wait counts", () => {
    const now = Date.parse("2026-01-01T00:00:00Z");
    const past = { "retry-after": "Thu, 01 Jan 2015 00:00:30 GMT" };
    expect(retryAfterMs(past, now)).toBeNull();
    expect(retryAfterMs({ "x-rate-limit-reset": String(now / 1000 - 5) }, now)).toBeNull();
    expect(retryAfterMs({ "x-rate-limit-reset": String(now / 1000) }, now)).toBeNull();
    expect(retryAfterMs({ ...past, "ratelimit-reset": "7" }, now)).toBe(7000);
    const { retryAfterMs: wait } = classifyStatus(429, past, "api.example", null, { rateLimitWaitMs: 5000 });
    expect(wait).toBe(5000);
  });

  test("moments are by the clock that the answer shows", () => {
    const ours = Date.parse("2026-01-01T00:00:00Z");
    const date = "Thu, 01 Jan 2026 00:10:00 GMT";
    const theirs = Date.parse(date);
    expect(retryAfterMs({ date, "x-ratelimit-reset": String(theirs / 1000 + 5) }, ours)).toBe(5000);
    expect(retryAfterMs({ date, "retry-after": "Thu, 01 Jan 2026 00:10:30 GMT" }, ours)).toBe(30_000);
    expect(retryAfterMs({ date, "retry-after": "Thu, 01 Jan 2026 00:09:00 GMT" }, ours)).toBeNull();
    expect(retryAfterMs({ date, "retry-after": "2" }, ours)).toBe(2000);
    expect(retryAfterMs({ date: "now", "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, ours)).toBe(30_000);
  });
});
