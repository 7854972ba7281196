/** What systems say about how often they want to be called, and what follows from it. */
import { describe, expect, test } from "vitest";
import {
  onCallFinished,
  onCallStarted,
  mergeRemoteRemaining,
  mergeRemoteBackoff,
  isRateRefusal,
  newRateBudget,
  type RateAnswer,
  type RateBudget,
  waitBefore,
} from "./rate-budget.ts";

const NOW = Date.UTC(2026, 0, 1);
const after = (answer: RateAnswer | null, budget = newRateBudget(), now = NOW): RateBudget =>
  onCallFinished(onCallStarted(budget, now), answer, now, 0.5);
const ok = (headers: RateAnswer["headers"]): RateAnswer => ({ status: 200, headers });

describe("a rate budget", () => {
  test.each<[string, RateAnswer, number]>([
    ["seconds", { status: 429, headers: { "retry-after": "7" } }, 7_000],
    ["a date", { status: 429, headers: { "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" } }, 30_000],
    ["a reset", { status: 429, headers: { "x-ratelimit-reset": String(NOW / 1000 + 5) } }, 5_000],
    ["nothing", { status: 429, headers: {} }, 1_000],
    ["an overloaded system's time", { status: 503, headers: { "retry-after": "2" } }, 2_000],
    ["a ban for a time", { status: 403, headers: { "retry-after": "4" } }, 4_000],
    ["an empty budget as a ban", { status: 403, headers: { "x-ratelimit-remaining": "0", "retry-after": "3" } }, 3_000],
  ])("waits as long as it is told by a refusal with %s", (_, answer, wait) => {
    expect(isRateRefusal(answer)).toBe(true);
    expect(waitBefore(after(answer), "live", NOW)).toBe(wait);
  });

  test.each<[string, RateAnswer["headers"]]>([
    ["x-ratelimit-*", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "4" }],
    ["ratelimit-*", { "ratelimit-remaining": "0", "ratelimit-reset": "4" }],
    ["x-rate-limit-*", { "x-rate-limit-remaining": "0", "x-rate-limit-reset": "4" }],
    ["epoch seconds", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(NOW / 1000 + 4) }],
    ["epoch milliseconds", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(NOW + 4_000) }],
    ["the structured header", { ratelimit: '"default";r=0;t=4' }],
    ["its first draft", { ratelimit: "limit=100, remaining=0, reset=4" }],
  ])("is used up when %s says so, and new after the reset", (_, headers) => {
    const budget = after(ok(headers));
    expect(waitBefore(budget, "live", NOW)).toBe(4_000);
    expect(waitBefore(budget, "live", NOW + 4_000)).toBe(0);
  });

  test("is notified of another process's refusal once: what is known already sets no call back", () => {
    const probing = { ...newRateBudget(), openAt: NOW + 5, probe: "underWay" as const };
    expect(mergeRemoteBackoff(probing, NOW + 5)).toBe(probing);
    expect(mergeRemoteBackoff(probing, NOW + 4)).toBe(probing);
    expect(mergeRemoteBackoff(probing, NOW + 6)).toEqual({ ...probing, openAt: NOW + 6, probe: "wanted" });
  });

  test("waits for the longest that it was asked for: a second, shorter time ends no longer one", () => {
    const refusal = (seconds: number): RateAnswer => ({ status: 429, headers: { "retry-after": String(seconds) } });
    expect(waitBefore(after(refusal(2), after(refusal(60))), "live", NOW)).toBe(60_000);
    expect(waitBefore(after(refusal(60), after(refusal(2))), "live", NOW)).toBe(60_000);
    const later = NOW + 59_000;
    expect(waitBefore(after(refusal(2), after(refusal(60)), later), "live", later), "it ends later").toBe(2_000);
    expect(waitBefore(after({ status: 429, headers: {} }, after(refusal(60))), "live", NOW), "no time was given").toBe(
      60_000,
    );
    expect(waitBefore(after(refusal(2), mergeRemoteBackoff(newRateBudget(), NOW + 9_000)), "live", NOW)).toBe(9_000);
  });

  test("doubles its patience while refusals give no time", () => {
    const refusal = { status: 429, headers: {} };
    const twice = after(refusal, after(refusal));
    expect(waitBefore(twice, "live", NOW)).toBe(2_000);
  });

  test("lets one call feel its way after a refusal, and the others follow its success", () => {
    const blocked = after({ status: 429, headers: { "retry-after": "1" } });
    const later = NOW + 1_000;
    const probing = onCallStarted(blocked, later);
    expect(waitBefore(probing, "live", later)).toBe(Infinity);
    expect(waitBefore(onCallFinished(probing, ok({}), later, 0.5), "live", later)).toBe(0);
    expect(waitBefore(onCallFinished(probing, null, later, 0.5), "live", later)).toBe(0);
  });

  test("counts calls under way, so that many at once don't overdraw it", () => {
    let budget = after(ok({ "x-ratelimit-remaining": "2", "x-ratelimit-limit": "5", "x-ratelimit-reset": "9" }));
    budget = onCallStarted(onCallStarted(budget, NOW), NOW);
    expect(waitBefore(budget, "live", NOW)).toBe(9_000);
  });

  test("takes off what an answer says is left the calls that are under way, and only those", () => {
    const headers = (remaining: number) =>
      ok({ "ratelimit-remaining": String(remaining), "ratelimit-limit": "50", "ratelimit-reset": "9" });
    const alone = after(headers(1));
    expect(waitBefore(alone, "live", NOW), "nothing else is under way").toBe(0);
    expect(waitBefore(onCallStarted(alone, NOW), "live", NOW), "it was the last").toBe(9_000);
    expect(waitBefore(onCallStarted(after(headers(2)), NOW), "live", NOW), "one is left").toBe(0);
    const three = [1, 2, 3].reduce((budget) => onCallStarted(budget, NOW), newRateBudget());
    expect(
      waitBefore(onCallFinished(three, headers(2), NOW, 0), "live", NOW),
      "two others may not be counted yet",
    ).toBe(9_000);
    expect(waitBefore(onCallFinished(three, headers(3), NOW, 0), "live", NOW)).toBe(0);
    const over = [1, 2].reduce((budget) => onCallFinished(budget, null, NOW, 0), three);
    expect(waitBefore(onCallFinished(over, headers(1), NOW, 0), "live", NOW), "all are over").toBe(0);
    const free = onCallStarted(onCallFinished(three, ok({}), NOW, 0), NOW);
    expect(waitBefore(free, "live", NOW), "a system that says nothing is asked freely").toBe(0);
  });

  test("waits no longer for a reset that is over", () => {
    for (const reset of [NOW / 1000 - 5, NOW - 5_000, 0]) {
      const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(reset) };
      expect(waitBefore(after(ok(headers)), "live", NOW)).toBe(0);
    }
  });

  test("begins its patience anew once a call was let through", () => {
    const refusal = { status: 429, headers: {} };
    const letThrough = after(ok({}), after(refusal, after(refusal)));
    expect(waitBefore(after(refusal, letThrough, NOW + 10_000), "live", NOW + 10_000)).toBe(1_000);
  });

  test("keeps the last tenth of a known limit for live changes", () => {
    const headers = { "x-ratelimit-limit": "100", "x-ratelimit-remaining": "8", "x-ratelimit-reset": "60" };
    const budget = after(ok(headers));
    expect(waitBefore(budget, "live", NOW)).toBe(0);
    expect(waitBefore(budget, "resync", NOW)).toBe(60_000);
  });

  test("believes the others when they left less of it, not when they left more or speak of a time that is over", () => {
    const headers = { "x-ratelimit-limit": "100", "x-ratelimit-remaining": "20", "x-ratelimit-reset": "60" };
    const budget = after(ok(headers));
    const heard = (left: number, resetAt = NOW + 30_000) =>
      mergeRemoteRemaining(budget, { left, limit: 100, resetAt }, NOW);
    expect(waitBefore(heard(0), "live", NOW)).toBe(30_000);
    expect(heard(50)).toBe(budget);
    expect(heard(20), "no less").toBe(budget);
    expect(heard(0, NOW - 1)).toBe(budget);
    expect(heard(0, NOW), "it is over").toBe(budget);
    const renewed = mergeRemoteRemaining(budget, { left: 30, limit: null, resetAt: NOW + 90_000 }, NOW + 60_000);
    expect(renewed, "what was known is over").toMatchObject({ left: 30, limit: 100, resetAt: NOW + 90_000 });
    expect(
      waitBefore(mergeRemoteRemaining(newRateBudget(), { left: 0, limit: null, resetAt: NOW + 5 }, NOW), "live", NOW),
    ).toBe(5);
  });

  test("is notified of a refusal that another process met", () => {
    expect(waitBefore(mergeRemoteBackoff(newRateBudget(), NOW + 500), "live", NOW)).toBe(500);
  });
});
