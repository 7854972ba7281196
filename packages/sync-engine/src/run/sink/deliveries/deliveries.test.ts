/** What becomes of a delivery by its answer: when it is tried again, when a person is needed, and what counts against it. */
import type { WriteOutcome } from "@accord/connector-sdk";
import { describe, expect, test } from "vitest";
import { FakeSystem } from "../../../simulation/systems/fake-system.ts";
import { PLAIN_TRAITS } from "../../../simulation/fixtures/plain-traits.ts";
import { planFor } from "../../../simulation/scenario/pipeline-fixture.ts";
import { batchSize } from "./batch-size.ts";
import { fieldOf, REMOVED_BY_US, writtenFingerprint } from "../../state/fingerprint.ts";
import type { PendingWrite } from "./pending-writes.ts";
import type { SinkPlan } from "../../plan/plan.ts";
import { clearFailure, isLeftAlone, recordFailure, recordWarnings } from "../../protocol/problems.ts";
import type { SystemFailure } from "../../protocol/protocol.ts";
import { callDelay, deliveryDelay, systemDelay } from "../../protocol/retry.ts";
import { newRun } from "../../run.ts";
import { afterConflict, waitForTie } from "../delivery-results.ts";
import type { ClaimedDelivery, DeliveryResult } from "../../protocol/storage.ts";
import type { StoredLink } from "../../protocol/stored.ts";
import { afterSystemFailure, failureOfAll } from "./system-failures.ts";
import { settle } from "./write-outcome.ts";

const NOW = 1_000_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const LAG = 30 * SECOND;

const traits = { ...PLAIN_TRAITS, lagMs: LAG - 1, idempotentCreate: false };
const [sink] = planFor([new FakeSystem("A", traits)], "NONE").sinks;
if (!sink) throw new Error("the plan has no destination");
/** A place that is only written, and can't say what became of a creation. */
const blind: SinkPlan = {
  ...sink,
  place: { ...sink.place, readFields: [] },
  idempotentCreate: false,
  canLookup: false,
};

const link: StoredLink = {
  externalId: "A1",
  recordId: "r1",
  seen: null,
  told: null,
  refused: null,
  respelled: null,
  modifiedAt: "2026-01-01T00:00:00.000Z",
  dead: false,
};
const record = { recordId: "r1", version: 3, values: { name: "Ada" }, origin: {}, deleted: false };

function pendingWrite(operation: PendingWrite["operation"], delivery: Partial<ClaimedDelivery> = {}): PendingWrite {
  const isNew = operation === "create";
  return {
    delivery: {
      recordId: "r1",
      attempts: 0,
      wanted: 7,
      unanswered: null,
      dueForMs: 0,
      writtenForMs: null,
      record,
      link: isNew ? null : link,
      ...delivery,
    },
    operation,
    externalId: isNew ? null : "A1",
    values: { name: "Ada" },
    written: "",
  };
}

const after = (outcome: WriteOutcome, sent = pendingWrite("update"), at: SinkPlan = sink): DeliveryResult =>
  settle(at, sent, outcome, NOW);
const doubt = { intent: "create" as const, written: [""] };

describe("an answer", () => {
  test("that may be another one later has the record tried again after 2, 8, 32 and 128 seconds", () => {
    const waits = [0, 1, 2, 3].map((attempts) => {
      const again = after({ status: "retry", message: "busy" }, pendingWrite("update", { attempts }));
      expect(again).toMatchObject({ result: "again", attempts: attempts + 1, answered: true, quarantine: null });
      return (again.nextAt - NOW) / SECOND;
    });
    expect(waits).toEqual([2, 8, 32, 128]);
  });

  test("that never comes is waited for until the system would show what was done", () => {
    expect(after({ status: "unknown", message: "time-out" })).toMatchObject({
      result: "again",
      answered: false,
      attempts: 1,
      nextAt: NOW + LAG,
    });
    expect(after({ status: "unknown", message: "time-out" }, pendingWrite("update", { attempts: 3 })).nextAt).toBe(
      NOW + 128 * SECOND,
    );
  });

  test("that asks for time, or a call that was never made, counts against nothing", () => {
    expect(after({ status: "retry", message: "later", retryAfterMs: 50 * SECOND })).toMatchObject({
      attempts: 0,
      nextAt: NOW + 50 * SECOND,
    });
    expect(after({ status: "retry", message: "not sent", neverSent: true })).toMatchObject({
      attempts: 0,
      nextAt: NOW + 2 * SECOND,
    });
  });

  test("that fails for the fifth time is shown to people, and tried again every quarter of an hour", () => {
    for (const [status, code] of [
      ["retry", "gave_up"],
      ["unknown", "no_answer"],
    ] as const) {
      expect(after({ status, message: "no" }, pendingWrite("update", { attempts: 3 })).quarantine).toBeNull();
      expect(after({ status, message: "no" }, pendingWrite("update", { attempts: 4 }))).toMatchObject({
        result: "again",
        nextAt: NOW + 15 * MINUTE,
        attempts: 4,
        quarantine: { code, direction: "destination", externalId: "A1", recordId: "r1", payload: { name: "Ada" } },
      });
    }
  });

  test("to a creation in doubt that nobody could distinguish from a second one leaves it to a person", () => {
    const given = pendingWrite("create", { attempts: 4 });
    expect(after({ status: "unknown", message: "no" }, given, blind).result).toBe("parked");
    expect(after({ status: "retry", message: "no" }, given, blind).result).toBe("again");
    expect(after({ status: "unknown", message: "no" }, given, { ...blind, idempotentCreate: true }).result).toBe(
      "again",
    );
    const asked = { ...blind, canLookup: true };
    expect(after({ status: "unknown", message: "no" }, given, { ...asked, matchOn: "email" }).result).toBe("again");
    expect(after({ status: "unknown", message: "no" }, given, { ...asked, matchOn: null }).result).toBe("parked");
    expect(after({ status: "unknown", message: "no" }, given, { ...blind, matchOn: "email" }).result).toBe("parked");
    expect(after({ status: "unknown", message: "no" }, given, sink).result, "it is read").toBe("again");
  });

  test("that rejects the record puts it aside for a person; an earlier attempt may still have done something", () => {
    const rejected: WriteOutcome = { status: "rejected", code: "too_long", message: "Too long" };
    expect(after(rejected)).toMatchObject({ result: "parked", answered: true, quarantine: { code: "too_long" } });
    expect(after(rejected, pendingWrite("update", { unanswered: doubt }))).toMatchObject({ answered: false });
  });

  test("that the record is gone is not believed until the system would show what it took", () => {
    const toldAgo = (
      writtenForMs: number | null,
      operation: PendingWrite["operation"] = "update",
      at = sink,
    ): DeliveryResult => after({ status: "missing" }, pendingWrite(operation, { writtenForMs, attempts: 3 }), at);
    const quick = { ...sink, readDelayMs: 0 };
    for (const operation of ["update", "delete"] as const) {
      const waits = { result: "again", answered: true, attempts: 3, link: null, quarantine: null };
      expect(toldAgo(SECOND, operation, quick)).toMatchObject({ ...waits, nextAt: NOW + 14 * SECOND });
      expect(toldAgo(14.5 * SECOND, operation, quick).nextAt).toBe(NOW + 2 * SECOND);
      expect(toldAgo(15 * SECOND, operation, quick).link).toMatchObject({ dead: true });
      expect(toldAgo(null, operation, quick).link).toMatchObject({ dead: true });
    }
    const slow = { ...sink, readDelayMs: MINUTE, recreate: true, create: true };
    expect(toldAgo(20 * SECOND, "update", slow)).toMatchObject({ link: null, nextAt: NOW + 40 * SECOND });
    const inDoubt = pendingWrite("update", { writtenForMs: 0, unanswered: { ...doubt, intent: "update" } });
    expect(after({ status: "missing" }, inDoubt).answered, "the attempt before may have been done").toBe(false);
  });

  test("that rejects the record for what others hold has it tried again within minutes, then shown to people and tried now and then", () => {
    const rejected: WriteOutcome = { status: "rejected", code: "duplicate", message: "Taken", isTransient: true };
    const waits = [0, 1, 2, 3].map((attempts) => {
      const again = after(rejected, pendingWrite("create", { attempts }));
      expect(again).toMatchObject({ result: "again", attempts: attempts + 1, answered: true, quarantine: null });
      return (again.nextAt - NOW) / SECOND;
    });
    expect(waits).toEqual([2, 8, 32, 128]);
    expect(after(rejected, pendingWrite("create", { attempts: 4 }))).toMatchObject({
      result: "again",
      nextAt: NOW + 15 * MINUTE,
      attempts: 4,
      quarantine: { code: "duplicate", message: "Taken" },
    });
    expect(after(rejected, pendingWrite("create", { attempts: 4, unanswered: doubt }), blind).result).toBe("parked");
    expect(after(rejected, pendingWrite("create", { unanswered: doubt }))).toMatchObject({
      result: "again",
      answered: false,
    });
  });

  test("that the record is gone ends a deletion, and the tie of an update", () => {
    expect(after({ status: "missing" }, pendingWrite("delete"))).toMatchObject({
      result: "done",
      link: { dead: true, told: REMOVED_BY_US },
    });
    expect(after({ status: "missing" })).toMatchObject({
      result: "parked",
      link: { dead: true, isNew: false },
      quarantine: { code: "missing_there" },
    });
    expect(
      after({ status: "missing" }, pendingWrite("update"), { ...sink, recreate: true, create: true }),
    ).toMatchObject({
      result: "again",
      nextAt: NOW,
      link: { dead: true },
    });
  });

  test("to a repeated creation says nothing sure about when the record changed", () => {
    const done: WriteOutcome = { status: "done", id: "A9", modifiedAt: "2026-02-02T00:00:00.000Z" };
    expect(after(done, pendingWrite("create")).link).toMatchObject({
      externalId: "A9",
      modifiedAt: done.modifiedAt,
      isNew: true,
    });
    const repeated = pendingWrite("create", { unanswered: doubt });
    expect(after(done, repeated).link).toMatchObject({ externalId: "A9", modifiedAt: null });
    const update = pendingWrite("update", { unanswered: { ...doubt, intent: "update" } });
    expect(after(done, update).link).toMatchObject({ modifiedAt: done.modifiedAt, isNew: false });
  });

  test("to a creation that was attempted with different values makes sure only of what all attempts wrote", () => {
    const written = (name: string): string => writtenFingerprint(sink.place.writeFields, { ...record.values, name });
    const index = sink.place.writeFields.indexOf("name");
    const knownAfter = (...attempts: string[]): string => {
      const unanswered = { intent: "create" as const, written: attempts.map(written) };
      const creation = { ...pendingWrite("create", { unanswered }), written: written("Ada") };
      return fieldOf(after({ status: "done", id: "A9" }, creation).link?.told ?? "", index);
    };
    const ada = fieldOf(written("Ada"), index);
    expect(knownAfter("Ada", "Ada")).toBe(ada);
    expect(knownAfter("Ada", "Eve"), "one of them wrote something else").not.toBe(ada);
    expect(knownAfter("Eve", "Ada"), "whichever came first").not.toBe(ada);
  });

  test("to a creation of what was deleted since has the deletion follow", () => {
    const done: WriteOutcome = { status: "done", id: "A9" };
    const deleted = pendingWrite("create", { record: { ...record, deleted: true } });
    expect(after(done, deleted)).toMatchObject({ result: "again", link: { externalId: "A9", dead: false } });
    expect(after(done, pendingWrite("delete", { record: { ...record, deleted: true } }))).toMatchObject({
      result: "done",
      link: { dead: true },
    });
  });
});

describe("a record that changed there since it was read", () => {
  test("is decided anew at once the first time, then less and less often, and is never given up", () => {
    const wait = (attempts: number, isReadNow: boolean): [number, number] => {
      const {
        nextAt,
        attempts: counted,
        result,
      } = afterConflict(pendingWrite("update", { attempts }).delivery, isReadNow, NOW);
      expect(result).toBe("again");
      return [(nextAt - NOW) / SECOND, counted];
    };
    expect(wait(0, true)).toEqual([0, 1]);
    expect(wait(0, false)).toEqual([2, 1]);
    expect(wait(1, true)).toEqual([8, 2]);
    expect(wait(4, true)).toEqual([512, 4]);
  });

  test("leaves in doubt what was in doubt before", () => {
    const { delivery } = pendingWrite("update", { unanswered: doubt });
    expect(afterConflict(delivery, true, NOW).answered).toBe(false);
    expect(afterConflict(pendingWrite("update").delivery, true, NOW).answered).toBe(true);
  });
});

test("what is tied to another record there waits for that to end, five times", () => {
  expect(waitForTie(pendingWrite("create", { attempts: 3 }), NOW)).toMatchObject({
    result: "again",
    attempts: 4,
    nextAt: NOW + 128 * SECOND,
  });
  expect(waitForTie(pendingWrite("create", { attempts: 4 }), NOW)).toMatchObject({
    result: "parked",
    answered: true,
    quarantine: { code: "already_linked" },
  });
});

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
