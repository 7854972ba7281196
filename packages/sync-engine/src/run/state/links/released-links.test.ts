/** A record that a person deletes here and keeps in the systems: it stays away until a copy changes, and is then one again. */
import type { Value } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { storedLink, twoSystems } from "../../protocol/fixtures/stored.ts";
import type { StoredLink } from "../../protocol/stored.ts";
import {
  asExpectation,
  BLANK,
  fieldOf,
  fieldsIn,
  seenFingerprint,
  UNKNOWN,
  writtenFingerprint,
} from "../fingerprint.ts";
import { hasChanges, linkAfterReturn } from "./released-links.ts";
import { type DriverOptions, PipelineDriver } from "@accord/sync-simulation/testing";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };
const TIMES = { reportsModifiedAt: true };

/** Ada is in A and B, and was deleted here only. */
function letGo(options: Partial<DriverOptions> = {}, without: Parameters<PipelineDriver["publish"]>[0] = {}) {
  const driver = new PipelineDriver({ systems: [TIMES, TIMES], ...options });
  driver.publish(without);
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  const recordId = driver.store.recordAt(1, "A1") ?? "";
  expect(driver.store.removeByHand(recordId, driver.now)).toBe(true);
  driver.settle();
  expect(driver.store.records.size).toBe(0);
  const rows = () => driver.systems.map((system) => system.rows().map(({ values }) => values));
  return { driver, recordId, rows };
}

/** Ada is back by a change in A, which does not send the note that only B holds. */
function backBesideMore(options: Partial<DriverOptions>) {
  const made = letGo(options, { A: ["note"] });
  const { driver, recordId } = made;
  driver.system("B").update("B1", { note: "only here" }, driver.now);
  driver.settle();
  driver.store.removeByHand(recordId, driver.now);
  driver.settle();
  driver.now += 1_000;
  driver.system("A").update("A1", { phone: "2" }, driver.now);
  driver.settle();
  return made;
}

test("a copy that shows what was written to it for the first time is unchanged, however its system spells it", () => {
  const { source } = twoSystems();
  const { program, place } = source;
  const unspaced = (value: Value): Value => (typeof value === "string" ? value.replaceAll(" ", "") : value);
  const spelled = {
    ...source,
    mappings: source.mappings.map((one) => (one.connectorField === "phone" ? { ...one, convert: unspaced } : one)),
  };
  const seen = (phone: string): string => seenFingerprint(program, place.readFields, { ...ADA, phone });
  const changed = (known: string, phone: string): boolean =>
    hasChanges(spelled, { id: "A1", values: { ...ADA, phone } }, storedLink({ seen: known }), seen(phone));
  expect(changed(asExpectation(seen("12")), "1 2")).toBe(false);
  expect(changed(asExpectation(seen("12")), "1 3")).toBe(true);
  expect(changed(seen("12"), "1 2"), "it was read since: somebody has entered it so").toBe(true);
});

describe.each(["NONE", "LATEST"] as const)("authority %s", (authority) => {
  test("it stays away while nobody changes a copy: not by reading everything, nor by another version", () => {
    const { driver, rows } = letGo({ authority });
    driver.bringIn();
    driver.publish({ A: ["note"] });
    driver.bringIn();
    driver.publish({});
    driver.store.cursors.clear();
    driver.settle();
    expect(driver.store.records.size).toBe(0);
    expect(rows()).toEqual([[ADA], [ADA]]);
  });

  test("a change of any copy brings back the one record, in a later version, and reaches the other copies", () => {
    for (const [here, id] of [
      ["A", "A1"],
      ["B", "B1"],
    ] as const) {
      const { driver, recordId, rows } = letGo({ authority });
      driver.now += 1_000;
      driver.system(here).update(id, { phone: "2" }, driver.now);
      driver.settle();
      expect([...driver.store.records.values()]).toMatchObject([{ recordId, deleted: false, values: { phone: "2" } }]);
      expect(driver.store.records.get(recordId)?.version).toBeGreaterThan(1);
      expect(rows()).toEqual([[{ ...ADA, phone: "2" }], [{ ...ADA, phone: "2" }]]);
    }
  });

  test("what the changed copy does not say is kept by the others, and comes from them once they are read", () => {
    const { driver, recordId, rows } = backBesideMore({ authority });
    expect(rows()[1]).toEqual([{ ...ADA, phone: "2", note: "only here" }]);
    driver.bringIn();
    expect(driver.store.records.get(recordId)?.values).toEqual({ ...ADA, phone: "2", note: "only here" });
  });

  test("changes of several copies before any of them is read make one record", () => {
    const { driver, rows } = letGo({ authority });
    driver.now += 1_000;
    driver.system("A").update("A1", { phone: "2" }, driver.now);
    driver.system("B").update("B1", { name: "Ada Lovelace" }, driver.now);
    driver.settle();
    expect(driver.store.records.size).toBe(1);
    expect(rows()[0]).toEqual(rows()[1]);
    expect(rows()[0]).toHaveLength(1);
  });
});

const WHOLE = {
  configured: (nodeId: string) => (nodeId.startsWith("sink") ? { onlyChangedFields: false } : {}),
};

test("where destinations are written whole records, one that is back reaches its other copies, and so does a new one", () => {
  const { driver, rows } = letGo(WHOLE);
  driver.now += 1_000;
  driver.system("A").update("A1", { phone: "2" }, driver.now);
  driver.settle();
  expect(rows()[1]).toEqual([{ ...ADA, phone: "2" }]);
  driver.system("A").insert({ ...ADA, email: "eve@example.com", name: "Eve" }, driver.now);
  driver.settle();
  expect(rows()[1]).toMatchObject([{ name: "Ada" }, { name: "Eve" }]);
});

test("where destinations are written whole records, what only another copy says is not blanked by one that is back", () => {
  const { driver, rows } = backBesideMore(WHOLE);
  driver.bringIn();
  expect(rows()[1]).toEqual([{ ...ADA, phone: "2", note: "only here" }]);
});

test("a copy that is deleted there is gone from there; the record still comes back from another one", () => {
  const { driver, recordId, rows } = letGo();
  driver.system("B").remove("B1", driver.now);
  driver.settle();
  expect(rows()).toEqual([[ADA], []]);
  driver.now += 1_000;
  driver.system("A").update("A1", { phone: "2" }, driver.now);
  driver.settle();
  expect(driver.store.records.has(recordId)).toBe(true);
  expect(rows()).toEqual([[{ ...ADA, phone: "2" }], []]);
});

test("a creation under way when the record was deleted here is one of its copies", () => {
  const driver = new PipelineDriver({ systems: [TIMES, TIMES] });
  driver.system("A").insert(ADA, driver.now);
  driver.answer = (sending, system) => {
    if (system.name !== "B") return null;
    for (const operation of sending.operations) system.write(operation, driver.now);
    return sending.operations.map(() => ({ status: "unknown" as const, message: "no answer" }));
  };
  driver.cycle();
  driver.cycle();
  driver.answer = () => null;
  const recordId = driver.store.recordAt(1, "A1") ?? "";
  driver.store.removeByHand(recordId, driver.now);
  driver.now += 10 * 60_000;
  driver.settle();
  expect([driver.store.records.size, driver.store.outstanding()]).toEqual([0, 0]);
  driver.now += 1_000;
  driver.system("A").update("A1", { phone: "2" }, driver.now);
  driver.settle();
  expect(driver.system("B").rows()).toMatchObject([{ values: { ...ADA, phone: "2" } }]);
});

test("another record with the same key that looks for its copy takes it over", () => {
  const { driver, rows } = letGo({ configured: (nodeId) => (nodeId.startsWith("sink") ? { matchOn: "email" } : {}) });
  driver.system("A").remove("A1", driver.now);
  driver.settle();
  driver.now += 1_000;
  driver.system("A").insert({ ...ADA, name: "Ada again" }, driver.now);
  driver.settle();
  expect(rows()[1]).toHaveLength(1);
  expect(driver.store.records.size).toBe(1);
});

test("a record deleted everywhere stays deleted where a one-way source still lists it, until somebody changes it there", () => {
  const driver = new PipelineDriver({ systems: [TIMES, TIMES] });
  const oneWay = (): void => {
    const { plan } = driver;
    const sources = plan.sources.filter(({ place }) => place.connectorId === "A");
    driver.plan = {
      ...plan,
      sources: sources.map((source) => ({ ...source, isAlsoSink: false })),
      sinks: plan.sinks.filter(({ place }) => place.connectorId === "B"),
    };
  };
  oneWay();
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  const recordId = driver.store.recordAt(1, "A1") ?? "";
  driver.store.change(recordId, { deleted: true });
  driver.store.want(2, recordId, false, driver.now);
  driver.settle();
  expect(driver.system("B").rows()).toEqual([]);
  driver.publish({ A: ["note"] });
  oneWay();
  driver.store.cursors.clear();
  driver.settle();
  expect(driver.store.records.get(recordId)?.deleted).toBe(true);
  driver.now += 1_000;
  driver.system("A").update("A1", { phone: "2" }, driver.now);
  driver.settle();
  expect(driver.store.records.get(recordId)?.deleted).toBe(false);
});

test("no copy is written blank in what the change did not say, whether that was ever written there or not", () => {
  const other = { placeId: 2, unread: [], untold: [0, 2], isAsked: false };
  const fieldsAfter = (link: StoredLink) => {
    const text = linkAfterReturn(link, other).lastWritten ?? "";
    return Array.from({ length: fieldsIn(text) }, (_, index) => fieldOf(text, index));
  };
  expect(fieldsAfter(storedLink())).toEqual([BLANK, UNKNOWN, BLANK]);
  const written = writtenFingerprint(["a", "b", "c", "d"], { a: "1", b: "2", c: "3", d: "4" });
  expect(fieldsAfter(storedLink({ lastWritten: written })), "what else was written stays known").toEqual([
    BLANK,
    hashValue("2"),
    BLANK,
    hashValue("4"),
  ]);
  expect(linkAfterReturn(storedLink(), { ...other, untold: [] })).toEqual(storedLink());
});
