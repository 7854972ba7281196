/** Writes whose answer never came: what a system shows then is distinguished from an edit by spelling and time. */
import type { WriteOutcome } from "@accord/connector-sdk";
import type { Values } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import { PipelineDriver } from "@accord/sync-simulation/testing";
import { ADA, refusedIn, loseFirstAnswer } from "./fixtures/normalized-values.ts";

test("a record whose answer never came is known again in its system's spelling", () => {
  const driver = new PipelineDriver({ systems: [{}, { respells: true, canLookup: false }] });
  let isLost = true;
  driver.answer = ({ placeId, operations }, system) => {
    if (system.name !== "B" || !isLost) return null;
    isLost = false;
    for (const operation of operations) system.write(operation, driver.now);
    return {
      kind: "sendFailed",
      placeId,
      failure: { kind: "network", message: "", retryable: true, isSafeToRetry: false },
    };
  };
  driver.system("A").insert({ ...ADA, email: null }, driver.now);
  driver.settle();
  expect([...driver.store.records.values()]).toHaveLength(1);
  expect([driver.row("A")["note"], driver.row("B")["note"]]).toEqual(["first", "FIRST"]);
});

/** Ada is created in B, which says nothing of it; then the worker stands still, as long as people go on. */
function unansweredCreation() {
  const driver = new PipelineDriver({ systems: [{}, { reportsModifiedAt: true, canLookup: false, pageSize: 1 }] });
  loseFirstAnswer(driver);
  driver.system("A").insert(ADA, driver.now);
  driver.cycle();
  return driver;
}

test("an edit long after a write without an answer is proven by its time of change, though the core moved on", () => {
  const driver = unansweredCreation();
  driver.system("A").update("A1", { note: "second" }, driver.now + 20_000);
  driver.now += 40_000;
  driver.system("B").update("B1", { note: "by hand" }, driver.now);
  driver.now += 40_000;
  driver.settle();
  expect([driver.row("A")["note"], driver.row("B")["note"]]).toEqual(["by hand", "by hand"]);
  expect(refusedIn(driver)).toEqual([]);
});

test.each([
  ["ahead, and its times say nothing of our write", 600_000, "second"],
  ["right, and a time long after our write proves an edit", 40_000, "6.35"],
])("what shows after a write without an answer, where the system's clock is %s", (_, aheadMs, expected) => {
  const driver = new PipelineDriver({ systems: [{}, { reportsModifiedAt: true, canLookup: false, pageSize: 1 }] });
  loseFirstAnswer(driver);
  driver.system("A").insert({ ...ADA, note: "6.3456" }, driver.now);
  driver.cycle();
  driver.system("B").update("B1", { note: "6.35" }, driver.now, driver.now + aheadMs);
  driver.system("A").update("A1", { note: "second" }, driver.now);
  driver.now += 60_000;
  driver.settle();
  expect([driver.row("A")["note"], driver.row("B")["note"]]).toEqual([expected, expected]);
});

test("a time soon after a write without an answer proves nothing in a system that shows changes late", () => {
  const driver = new PipelineDriver({ systems: [{}, { reportsModifiedAt: true, canLookup: false, pageSize: 1 }] });
  const sinks = driver.plan.sinks.map((sink) => ({ ...sink, readDelayMs: 20_000 }));
  driver.plan = { ...driver.plan, sinks };
  loseFirstAnswer(driver);
  driver.system("A").insert({ ...ADA, note: "6.3456" }, driver.now);
  driver.cycle();
  driver.system("B").update("B1", { note: "6.35" }, driver.now, driver.now + 40_000);
  driver.system("A").update("A1", { note: "second" }, driver.now);
  driver.now += 60_000;
  driver.settle();
  expect([driver.row("A")["note"], driver.row("B")["note"]]).toEqual(["second", "second"]);
});

test("an edit soon after a write without an answer may be that write, as the system stores it", () => {
  const driver = unansweredCreation();
  driver.now += 5_000;
  driver.system("A").update("A1", { note: "second" }, driver.now);
  driver.system("B").update("B1", { note: "by hand" }, driver.now);
  driver.settle();
  expect([driver.row("A")["note"], driver.row("B")["note"]]).toEqual(["second", "second"]);
  expect(refusedIn(driver)).toContainEqual({ note: ["by hand", "unconfirmed"] });
});

test("a later time of change says nothing of a field while another one changed as well", () => {
  const driver = unansweredCreation();
  driver.system("A").update("A1", { note: "second" }, driver.now);
  driver.now += 60_000;
  driver.system("B").update("B1", { note: "by hand", name: "Eve" }, driver.now);
  driver.settle();
  expect(driver.row("A")).toMatchObject({ note: "second", name: "Eve" });
});

describe.each([
  ["LATEST", "answers with the time of each write", true],
  ["LATEST", "answers nothing to a write", false],
  ["RANKED", "answers nothing to a write", false],
] as const)(
  "under %s, two fields that are saved at once in a system that %s, before our last write is read",
  (authority, _, isTimed) => {
    /** A was written "Ada King"; then somebody saved "Ada Lovelace" here, and later these values in A. */
    const savedAtOnce = (values: Values) => {
      const traits = { reportsModifiedAt: true, answersStoredValues: false };
      const driver = new PipelineDriver({ systems: [traits, {}], authority });
      driver.answer = ({ operations }, system) =>
        system.name !== "A" || isTimed
          ? null
          : operations.map(
              (operation) => ({ ...system.write(operation, driver.now), modifiedAt: undefined }) as WriteOutcome,
            );
      driver.system("B").insert(ADA, driver.now);
      driver.settle();
      driver.system("B").update("B1", { name: "Ada King" }, driver.now);
      driver.cycle();
      expect(driver.row("A")["name"]).toBe("Ada King");
      const [recordId = ""] = driver.store.records.keys();
      const places = driver.plan.sinks.map(({ place }) => place.id);
      driver.store.applyUserEdits(recordId, { name: "Ada Lovelace" }, places, (driver.now += 1_000));
      driver.system("A").update("A1", values, (driver.now += 1_000));
      driver.settle();
      const held = ["A", "B"].map((name) => [driver.row(name)["name"], driver.row(name)["note"]]);
      const conflicts = [...driver.store.conflicts.values()].map(({ field, value, reason }) => [field, value, reason]);
      return { held, conflicts };
    };

    test("both count, being the last ones", () => {
      const saved = ["Countess", "by hand"];
      expect(savedAtOnce({ name: "Countess", note: "by hand" })).toEqual({ held: [saved, saved], conflicts: [] });
    });

    test("the one that may be what was written, cut, is kept out and listed as a conflict", () => {
      const kept = ["Ada Lovelace", "by hand"];
      const conflicts = [["name", "Ada K", "unconfirmed"]];
      expect(savedAtOnce({ name: "Ada K", note: "by hand" })).toEqual({ held: [kept, kept], conflicts });
    });
  },
);

test.each<[string, Values, string]>([
  ["that is only back with what it held before it was missing proves no edit", {}, "Ada Lovelace"],
  ["that somebody entered proves one", { note: "by hand" }, "Countess"],
])("beside what may be made of our write, a field %s", (_, entered, expected) => {
  const traits = { reportsModifiedAt: true, answersStoredValues: false };
  const driver = new PipelineDriver({ systems: [traits, {}], authority: "LATEST" });
  driver.answer = ({ operations }, system) =>
    system.name !== "A"
      ? null
      : operations.map(
          (operation) => ({ ...system.write(operation, driver.now), modifiedAt: undefined }) as WriteOutcome,
        );
  const a = driver.system("A");
  driver.system("B").insert(ADA, driver.now);
  driver.settle();
  a.vanished = { field: "phone", writes: "ignored" };
  a.update("A1", { note: "touched" }, driver.now);
  driver.settle();
  driver.system("B").update("B1", { name: "Ada King" }, driver.now);
  driver.cycle();
  const [recordId = ""] = driver.store.records.keys();
  const places = driver.plan.sinks.map(({ place }) => place.id);
  driver.store.applyUserEdits(recordId, { name: "Ada Lovelace" }, places, (driver.now += 1_000));
  a.vanished = null;
  a.update("A1", { name: "Countess", ...entered }, (driver.now += 1_000));
  driver.settle();
  expect(["A", "B"].map((name) => driver.row(name))).toMatchObject([{ name: expected }, { name: expected }]);
});

test.each([true, false])(
  "a creation without an answer whose number was rounded leaves it exact elsewhere; can be looked up: %s",
  (canLookup) => {
    const storeAs = (values: Values) => ({ ...values, name: "10.1" });
    const driver = new PipelineDriver({ systems: [{}, { canLookup, storeAs }] });
    loseFirstAnswer(driver);
    driver.system("A").insert({ ...ADA, name: "10.06" }, driver.now);
    driver.settle();
    expect([driver.row("A"), driver.row("B")]).toMatchObject([
      { name: "10.06", note: "first" },
      { name: "10.1", note: "first" },
    ]);
    expect(driver.system("B").rows()).toHaveLength(1);
  },
);
