/** What becomes of a delivery by its answer: when it is tried again, when a person is needed, and what counts against it. */
import type { WriteOutcome } from "@accord/connector-sdk";
import { describe, expect, test } from "vitest";
import { fieldOf, REMOVED_BY_US, writtenFingerprint } from "../../state/fingerprint.ts";
import type { PendingWrite } from "./pending-writes.ts";
import type { SinkPlan } from "../../plan/plan.ts";
import { afterConflict, waitForTie } from "../delivery-results.ts";
import type { DeliveryResult } from "../../protocol/storage.ts";
import { settle } from "./write-outcome.ts";
import { NOW, SECOND, MINUTE, LAG, sink, record, pendingWrite } from "./fixtures/deliveries.ts";

/** A place that is only written, and can't say what became of a creation. */
const blind: SinkPlan = {
  ...sink,
  place: { ...sink.place, readFields: [] },
  idempotentCreate: false,
  canLookup: false,
};

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
      link: { dead: true, lastWritten: REMOVED_BY_US },
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
      return fieldOf(after({ status: "done", id: "A9" }, creation).link?.lastWritten ?? "", index);
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

  test("waits for the next reading where the answer to a write said so", () => {
    const conflict: WriteOutcome = { status: "conflict", record: { id: "A1", values: {} } };
    expect(after(conflict)).toMatchObject({ result: "again", nextAt: NOW + 2 * SECOND, attempts: 1, link: null });
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
