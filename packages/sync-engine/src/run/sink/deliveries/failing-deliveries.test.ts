/** Calls that fail as a whole, and what people learn of deliveries that wait or fail. */
import type { WriteOutcome } from "@accord/connector-sdk";
import { describe, expect, test } from "vitest";
import { batchSize } from "./batch-size.ts";
import type { SinkPlan } from "../../plan/plan.ts";
import { clearFailure, isLeftAlone, recordFailure, recordWarnings } from "../../protocol/problems.ts";
import type { SystemFailure } from "../../protocol/protocol.ts";
import { callDelay, deliveryDelay, systemDelay } from "../../protocol/retry.ts";
import { newRun } from "../../run.ts";
import type { DeliveryResult } from "../../protocol/storage.ts";
import { afterSystemFailure, failureOfAll } from "./system-failures.ts";
import { NOW, SECOND, MINUTE, LAG, sink, pendingWrite } from "./fixtures/deliveries.ts";

describe("a system", () => {
  const failing: WriteOutcome = { status: "retry", message: "502" };
  const problem = { severity: "error" as const, nodeId: "to", code: "unavailable", message: "", detail: null };
  const down = { attempts: 1, since: 0, nextAt: 0, problem, isOfWrites: true };

  test("failed as a whole where three records or more, or a probe, fail alike; not where one was judged", () => {
    expect(failureOfAll([failing, failing], undefined)).toBeNull();
    expect(failureOfAll([failing, { status: "unknown", message: "" }, failing], undefined)).toMatchObject({
      kind: "unavailable",
      isSafeToRetry: false,
    });
    expect(failureOfAll([failing], down)).not.toBeNull();
    expect(failureOfAll([], down)).toBeNull();
    expect(failureOfAll([failing, failing, { status: "done", id: "A1" }], undefined)).toBeNull();
    expect(failureOfAll([failing, failing, { status: "rejected", code: "x", message: "" }], undefined)).toBeNull();
  });

  test("that fails is left alone as long as any of its answers asks for", () => {
    const asked = (ms: number): WriteOutcome => ({ ...failing, status: "retry", retryAfterMs: ms });
    expect(failureOfAll([failing, asked(5), asked(9), asked(7)], undefined)?.retryAfterMs).toBe(9);
    expect(failureOfAll([failing, failing, failing], undefined)).not.toHaveProperty("retryAfterMs");
  });

  test("that fails costs its records nothing, but for one that is alone with its failure", () => {
    const of = (isSuspect: boolean, attempts = 0, isAnswered = true): DeliveryResult =>
      afterSystemFailure(sink, pendingWrite("update", { attempts }), "502", {
        isAnswered,
        isSuspect,
        now: NOW,
      });
    expect(of(false)).toMatchObject({ result: "again", attempts: 0, nextAt: NOW });
    expect(of(true)).toMatchObject({ attempts: 1 });
    expect(of(false, 0, false)).toMatchObject({ answered: false, nextAt: NOW + LAG });
    expect(of(true, 3).quarantine).toBeNull();
    expect(of(true, 4)).toMatchObject({ quarantine: { code: "gave_up" } });
  });

  test("is asked again after 5 and 15 seconds, then 1, 2, 4 … 15 minutes, or as late as it asks for", () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 20].map((attempts) => systemDelay(attempts, undefined) / SECOND);
    expect(waits).toEqual([5, 15, 60, 120, 240, 480, 900, 900]);
    expect(systemDelay(1, 7 * SECOND)).toBe(7 * SECOND);
    expect(systemDelay(3, 7 * SECOND)).toBe(MINUTE);
    expect([0, 1, 2, 3, 4, 9].map((attempts) => deliveryDelay(attempts) / SECOND)).toEqual([2, 8, 32, 128, 512, 512]);
  });

  test("that fails a call is called twice more in the cycle; one that asks for patience, ten times and up to two minutes", () => {
    const failure: SystemFailure = { kind: "unavailable", message: "", retryable: true, isSafeToRetry: true };
    expect([0, 1, 2].map((tries) => callDelay(failure, tries, 0.5))).toEqual([SECOND, 4 * SECOND, null]);
    expect(callDelay({ ...failure, retryAfterMs: 2 * MINUTE }, 0, 0)).toBe(2 * MINUTE);
    expect(callDelay({ ...failure, retryAfterMs: 2 * MINUTE + 1 }, 0, 0)).toBeNull();
    expect(callDelay({ ...failure, retryable: false }, 0, 0)).toBeNull();
    const patience = { ...failure, kind: "rateLimited" };
    expect([0, 1, 5, 6, 9, 10].map((tries) => callDelay(patience, tries, 0))).toEqual(
      [1, 2, 32, 60, 60, null].map((wait) => wait && wait * SECOND),
    );
    expect(callDelay({ ...patience, retryAfterMs: 90 * SECOND }, 0, 0.5)).toBeCloseTo(94.5 * SECOND);
  });

  test("gets twenty records first, then as many as take two seconds, and a single one while it fails", () => {
    const run = newRun(
      { cycleId: "c", epoch: 1, sources: [], resync: null, failures: {} },
      { sources: [], unreadPlaces: [], sinkPlaces: [sink.place.id] },
    );
    const [state] = run.sinks;
    if (!state) throw new Error("the run has no destination");
    const large: SinkPlan = { ...sink, writeBatchSize: 500 };
    const sizeAt = (operationMs: number | null): number => batchSize(run, large, { ...state, operationMs });
    expect([null, 0, 10, 400, 90_000].map(sizeAt)).toEqual([20, 500, 200, 5, 1]);
    run.failures[sink.place.id] = { attempts: 1, since: 0, nextAt: 0, problem, isPatience: true };
    expect(sizeAt(10)).toBe(200);
    run.failures[sink.place.id] = { attempts: 1, since: 0, nextAt: 0, problem };
    expect(sizeAt(10)).toBe(1);
  });
});

describe("people hear", () => {
  const start = { cycleId: "c", epoch: 1, sources: [], resync: null, failures: {} };
  const run = () => newRun(start, { sources: [], unreadPlaces: [], sinkPlaces: [] });
  const warning = { nodeId: "n", code: "c", message: "m", record: "1" };

  test("each reason of a node once, with how many records and one of them", () => {
    const cycle = run();
    recordWarnings(cycle, [warning, { ...warning, record: "2" }]);
    recordWarnings(cycle, [
      { ...warning, record: "3" },
      { ...warning, nodeId: "other" },
      { ...warning, code: "d" },
    ]);
    recordWarnings(cycle, [
      { ...warning, message: "else" },
      { ...warning, field: "name", sample: "“x” in 4" },
    ]);
    expect(
      cycle.problems.map(({ nodeId, code, count, detail, targetId }) => [nodeId, code, count, detail, targetId]),
    ).toEqual([
      ["n", "c", 3, "1", undefined],
      ["other", "c", 1, "1", undefined],
      ["n", "d", 1, "1", undefined],
      ["n", "c", 1, "1", undefined],
      ["n", "c", 1, "“x” in 4", "name"],
    ]);
    expect(cycle.problems.every(({ severity }) => severity === "warning")).toBe(true);
  });

  test("two hundred reasons at most", () => {
    const cycle = run();
    recordWarnings(
      cycle,
      Array.from({ length: 250 }, (_, index) => ({ ...warning, code: `c${index}` })),
    );
    expect(cycle.problems).toHaveLength(200);
  });

  test("that a system failed, since when, and when it is asked again; a plea for patience is no error", () => {
    const cycle = run();
    const failure: SystemFailure = {
      kind: "unavailable",
      message: "502",
      hint: "Is it on?",
      retryable: true,
      isSafeToRetry: true,
    };
    recordFailure(cycle, { placeId: 1, nodeId: "n" }, failure, NOW);
    recordFailure(cycle, { placeId: 1, nodeId: "n", isOfWrites: true }, failure, NOW + MINUTE);
    const problem = { severity: "error", nodeId: "n", code: "unavailable", message: "502", detail: "Is it on?" };
    const nextAt = NOW + MINUTE + 15 * SECOND;
    expect(cycle.failures).toEqual({ 1: { attempts: 2, since: NOW, nextAt, problem, isOfWrites: true } });
    expect(cycle.nextAt).toBe(NOW + 5 * SECOND);
    recordFailure(cycle, { placeId: 2, nodeId: "p" }, { ...failure, kind: "rateLimited", hint: undefined }, NOW);
    expect(cycle.failures[2]).toMatchObject({ attempts: 1, since: NOW, nextAt: NOW + 5 * SECOND, isPatience: true });
    expect(cycle.problems.map(({ severity, code, detail }) => [severity, code, detail])).toEqual([
      ["error", "unavailable", "Is it on?"],
      ["warning", "rateLimited", null],
    ]);
  });

  test("nothing of a system that works again", () => {
    const cycle = run();
    const failure: SystemFailure = { kind: "unavailable", message: "502", retryable: true, isSafeToRetry: true };
    recordFailure(cycle, { placeId: 1, nodeId: "n" }, failure, NOW);
    expect(isLeftAlone(cycle, 1, NOW + 4 * SECOND)).toBe(true);
    expect(isLeftAlone(cycle, 1, NOW + 5 * SECOND)).toBe(false);
    clearFailure(cycle, 1);
    expect(isLeftAlone(cycle, 1, NOW)).toBe(false);
    expect([cycle.problems, cycle.failures]).toEqual([[], {}]);
  });
});
