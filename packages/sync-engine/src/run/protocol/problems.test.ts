/** What people learn of a cycle: each reason once with a count, systems that fail, and when they are tried again. */
import { describe, expect, test } from "vitest";
import { clearFailure, isLeftAlone, recordFailure, recordWarnings, warningsOfQuarantine } from "./problems.ts";
import type { SystemFailure } from "./protocol.ts";
import { newRun, type Run } from "../run.ts";
import type { RecordWarning } from "./inbound-record.ts";

const NOW = 1_000_000;
const runOf = (): Run =>
  newRun(
    { cycleId: "c", epoch: 1, sources: [], resync: null, failures: {} },
    { sources: [], unreadPlaces: [], sinkPlaces: [] },
  );
const warning = (more: Partial<RecordWarning> = {}): RecordWarning => ({
  ...{ nodeId: "n", code: "c", message: "m", record: "1" },
  ...more,
});
const failure = (more: Partial<SystemFailure> = {}): SystemFailure => ({
  ...{ kind: "unavailable", message: "503", retryable: true, isSafeToRetry: true },
  ...more,
});

describe("warnings", () => {
  test("of one reason are one, with how many records it is about and the first of them", () => {
    const run = runOf();
    recordWarnings(run, [warning(), warning({ record: "2" })]);
    recordWarnings(run, [warning({ record: "3", sample: "x" })]);
    expect(run.problems).toEqual([
      { severity: "warning", nodeId: "n", code: "c", message: "m", detail: "1", count: 3 },
    ]);
  });

  test("differ by node, code, words and field; a sample says more than the record's id", () => {
    const run = runOf();
    const all = [{}, { nodeId: "o" }, { code: "d" }, { message: "w" }, { field: "f" }, { field: "g", sample: "s" }];
    recordWarnings(run, all.map(warning));
    expect(run.problems).toHaveLength(all.length);
    expect(run.problems.map(({ count, detail, targetId }) => [count, detail, targetId]).slice(3)).toEqual([
      [1, "1", undefined],
      [1, "1", "f"],
      [1, "s", "g"],
    ]);
    const failed = { severity: "error" as const, nodeId: "n", code: "c", message: "m", detail: null };
    const beside: Run = { ...runOf(), problems: [failed] };
    recordWarnings(beside, [warning()]);
    expect(beside.problems, "a system's failure is no warning").toHaveLength(2);
  });

  test("are two hundred reasons at most; those that are known are still counted", () => {
    const run = runOf();
    recordWarnings(
      run,
      Array.from({ length: 205 }, (_, index) => warning({ code: `c${index}` })),
    );
    recordWarnings(run, [warning({ code: "c0" })]);
    expect([run.problems.length, run.problems[0]?.count]).toEqual([200, 2]);
  });

  test("of what is quarantined name its node, and its record by either id", () => {
    const entry = { direction: "source" as const, code: "c", message: "m", payload: null };
    expect(
      warningsOfQuarantine(
        [
          { ...entry, externalId: "1", recordId: "r", nodeId: null },
          { ...entry, externalId: null, recordId: "r", nodeId: "o" },
          { ...entry, externalId: null, recordId: null, nodeId: null },
        ],
        "n",
      ),
    ).toEqual([
      { nodeId: "n", code: "c", message: "m", record: "1" },
      { nodeId: "o", code: "c", message: "m", record: "r" },
      { nodeId: "n", code: "c", message: "m", record: "" },
    ]);
  });
});

describe("a system that fails", () => {
  const place = { placeId: 1, nodeId: "n" };

  test("is left alone until its next try, which the cycle waits for, and said once", () => {
    const run = runOf();
    recordFailure(run, place, failure({ hint: "Look there" }), NOW);
    const [first] = Object.values(run.failures);
    expect(first).toMatchObject({ attempts: 1, since: NOW });
    expect(first?.isPatience).toBeUndefined();
    expect(run.problems).toEqual([
      { severity: "error", nodeId: "n", code: "unavailable", message: "503", detail: "Look there" },
    ]);
    const nextAt = first?.nextAt ?? 0;
    expect([run.nextAt, nextAt > NOW]).toEqual([nextAt, true]);
    expect([isLeftAlone(run, 1, nextAt - 1), isLeftAlone(run, 1, nextAt), isLeftAlone(run, 2, NOW)]).toEqual([
      true,
      false,
      false,
    ]);
    recordFailure(run, place, failure({ message: "504" }), NOW + 5);
    expect(run.failures[1]).toMatchObject({ attempts: 2, since: NOW });
    expect(run.problems.map(({ message, detail }) => [message, detail])).toEqual([["504", null]]);
    expect(run.nextAt, "the earliest counts").toBe(nextAt);
  });

  test("and asks for patience is no fault", () => {
    const run = runOf();
    recordFailure(run, { ...place, isOfWrites: true }, failure({ kind: "rateLimited", retryAfterMs: 7_000 }), NOW);
    expect(run.failures[1]).toMatchObject({ isPatience: true, isOfWrites: true, nextAt: NOW + 7_000 });
    expect(run.problems).toMatchObject([{ severity: "warning", code: "rateLimited" }]);
  });

  test("is notified of again by the next cycle that leaves it alone, and no more once it works", () => {
    const before = runOf();
    recordFailure(before, place, failure(), NOW);
    const run: Run = { ...runOf(), failures: { ...before.failures } };
    expect(run.problems).toEqual([]);
    expect(isLeftAlone(run, 1, NOW)).toBe(true);
    expect(isLeftAlone(run, 1, NOW)).toBe(true);
    expect([run.problems.length, run.nextAt]).toEqual([1, before.nextAt]);
    recordWarnings(run, [warning()]);
    clearFailure(run, 2);
    expect(run.problems).toHaveLength(2);
    clearFailure(run, 1);
    expect([run.failures, run.problems.map(({ code }) => code)]).toEqual([{}, ["c"]]);
  });
});
