/** A destination whose calls fail, that forbids writes, or whose record changed meanwhile. */
import type { WriteOutcome } from "@accord/connector-sdk";
import { describe, expect, test } from "vitest";
import type { Input, SystemFailure } from "../protocol/protocol.ts";
import { NOW } from "../protocol/fixtures/stored.ts";
import { A, failure, delivery, cycle, settlements, sending, done } from "./fixtures/sink-machine.ts";

const doubtful: SystemFailure = { ...failure, isSafeToRetry: false };

describe("a call that fails as a whole", () => {
  const failed = (more: Partial<SystemFailure> = {}): Input => ({
    kind: "sendFailed",
    placeId: A,
    failure: { ...failure, ...more },
  });

  test("is made again twice where it surely did nothing; then its records wait, none of them counted", () => {
    const it = sending([delivery("r1"), delivery("r2")]);
    expect(it.give(failed())).toMatchObject([
      { kind: "send", placeId: A, delayMs: 1_000, operations: [{ id: "A1" }, { id: "A2" }] },
    ]);
    expect(it.give(failed())).toMatchObject([{ kind: "send", delayMs: 4_000 }]);
    expect(
      settlements(it.give(failed())).map(({ result, attempts, answered }) => [result, attempts, answered]),
    ).toEqual([
      ["again", 0, true],
      ["again", 0, true],
    ]);
    expect(it.run.failures[A]).toMatchObject({ attempts: 1, isOfWrites: true, problem: { message: "503" } });
    expect(it.give(it.settled)).toMatchObject([{ kind: "finish", summary: { outcome: "failed" } }]);
    expect(it.state.state.stage).toBe("failed");
  });

  test("is not made again where it may have done something, its system was down before, or the cycle is about to end", () => {
    const doubts = sending([delivery("r1"), delivery("r2")]);
    expect(settlements(doubts.give(failed(doubtful))).map(({ answered, attempts }) => [answered, attempts])).toEqual([
      [false, 0],
      [false, 0],
    ]);
    const problem = { severity: "error" as const, nodeId: "n", code: "c", message: "", detail: null };
    const down = sending();
    down.run.failures[A] = { attempts: 1, since: 0, nextAt: NOW, problem };
    expect(down.kinds(failed())).toEqual(["settle"]);
    const patient = sending();
    patient.run.failures[A] = { attempts: 1, since: 0, nextAt: NOW, problem };
    expect(patient.kinds(failed({ kind: "rateLimited" }))).toEqual(["send"]);
    const stopping = sending();
    stopping.run.stopping = "pause";
    expect(stopping.kinds(failed())).toEqual(["settle"]);
  });

  test("counts against a record that was alone with it, unless nothing was done", () => {
    const alone = (more: Partial<SystemFailure>) =>
      settlements(sending().give(failed({ retryable: false, ...more })))[0]?.attempts;
    expect([alone({ isSafeToRetry: false }), alone({})]).toEqual([1, 0]);
  });

  test("of nothing under way is of no account", () => {
    const it = cycle();
    it.give({ kind: "start" });
    expect(it.kinds(failed())).toEqual([]);
    expect(it.run.failures).toEqual({});
  });

  test("shows in answers alike as well; a success clears what was said of it", () => {
    const busy: WriteOutcome = { status: "retry", message: "busy" };
    const it = sending([delivery("r1"), delivery("r2"), delivery("r3")]);
    expect(settlements(it.give(it.sent(busy, busy, busy))).map(({ attempts }) => attempts)).toEqual([0, 0, 0]);
    expect(it.run.failures[A]).toMatchObject({ attempts: 1 });
    expect(it.run.counts.delivered).toEqual({});
    const well = sending();
    const problem = { severity: "error" as const, nodeId: "n", code: "c", message: "", detail: null };
    well.run.failures[A] = { attempts: 1, since: 0, nextAt: NOW, problem };
    well.give(well.sent(done()));
    expect(well.run.failures).toEqual({});
  });
});

describe("a write that the system forbids", () => {
  const forbidden: WriteOutcome = { status: "rejected", code: "forbidden", message: "Locked", isTransient: true };
  const problem = { severity: "error" as const, nodeId: "n", code: "permission", message: "", detail: null };
  const failed = { attempts: 1, since: 0, nextAt: NOW, problem, isOfWrites: true };
  const missing: Input = {
    kind: "sendFailed",
    placeId: A,
    failure: { kind: "permission", message: "May not write", retryable: false, isSafeToRetry: true },
  };

  test("of one record counts against that record until it is quarantined with its reason; others go on", () => {
    const it = sending([delivery("r1", { attempts: 3 }), delivery("r2"), delivery("r3", { attempts: 4 })]);
    const effects = settlements(it.give(it.sent(forbidden, done("A2"), forbidden)));
    expect(effects.map(({ result, attempts }) => [result, attempts])).toEqual([
      ["again", 4],
      ["done", 0],
      ["again", 4],
    ]);
    expect(effects.map(({ quarantine }) => quarantine && [quarantine.code, quarantine.message])).toEqual([
      null,
      null,
      ["forbidden", "Locked"],
    ]);
    expect(it.run.failures).toEqual({});
  });

  test("of all is the system's failure until a write gets through; each record counts, and makes way for others", () => {
    const it = sending([delivery("r1"), delivery("r2", { attempts: 4 })]);
    const effects = settlements(it.give(missing));
    expect(effects.map(({ attempts, quarantine }) => [attempts, quarantine?.message])).toEqual([
      [1, undefined],
      [4, "May not write"],
    ]);
    expect(it.run.failures[A]).toMatchObject({ isOfWrites: true, problem: { code: "permission" } });
    const still = sending();
    still.run.failures[A] = failed;
    expect(settlements(still.give(still.sent(forbidden)))).toMatchObject([{ attempts: 1, answered: true }]);
    expect(still.run.failures[A]).toMatchObject({ attempts: 2, problem: { code: "permission", message: "Locked" } });
    const over = sending([delivery("r1"), delivery("r2")]);
    over.run.failures[A] = failed;
    over.give(over.sent(forbidden, done("A2")));
    expect(over.run.failures).toEqual({});
  });

  test("of all is tried with several records, as some may be locked, and is over once nothing is left to try", () => {
    const it = cycle({ sink: { writeBatchSize: 50 } });
    it.run.failures[A] = failed;
    expect(it.give({ kind: "start" })).toMatchObject([{ kind: "claim", request: { limit: 10 } }]);
    it.give(it.claimed());
    expect(it.run.failures).toEqual({});
  });
});

describe("a record that changed there meanwhile", () => {
  const conflict: WriteOutcome = { status: "conflict", record: { id: "A1", values: { name: "Eve" } } };

  test("is looked at in the same cycle, and decided anew at once", () => {
    const it = sending();
    const effects = it.give(it.sent(conflict));
    expect(settlements(effects)).toMatchObject([{ result: "again", nextAt: NOW, attempts: 1 }]);
    const source = it.run.sources.find(({ placeId }) => placeId === A);
    expect(source?.slots).toMatchObject([{ isReplay: true, page: { records: [{ id: "A1" }], isCurrent: true } }]);
  });

  test("waits where it can't be looked at in this cycle", () => {
    const it = sending();
    for (const source of it.run.sources) source.state = "failed";
    expect(settlements(it.give(it.sent(conflict)))).toMatchObject([{ result: "again", nextAt: NOW + 2_000 }]);
  });
});
