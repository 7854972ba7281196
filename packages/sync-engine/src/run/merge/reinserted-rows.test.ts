/** Rows that are deleted and entered again between two readings: the same record, changed. */
import { describe, expect, test } from "vitest";
import { type DriverOptions, PipelineDriver } from "@accord/sync-simulation/testing";
import { recordsOfDeletedRows } from "./reinserted-rows.ts";
import { processedPage, resolvedWith, storedLink, storedRecord } from "../protocol/fixtures/stored.ts";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: null };

/** Ada came from B and is everywhere; A holds a note that B never had. */
function everywhere(options: Partial<DriverOptions> = {}) {
  const driver = new PipelineDriver({ systems: [{}, {}, {}], ...options });
  const [a, b, c] = [driver.system("A"), driver.system("B"), driver.system("C")];
  b.insert(ADA, driver.now);
  driver.settle();
  const idsOf = () => driver.systems.map((system) => system.rows().map(({ id }) => id));
  const settle = (): void => {
    expect(driver.settle(), "it comes to rest").toBeLessThan(20);
    expect(driver.store.hasParked()).toBe(false);
  };
  return { driver, a, b, c, idsOf, settle };
}

describe.each([false, true])("blanks count: %s", (acceptsBlanks) => {
  test("a row that is entered again under its id is the same record, changed", () => {
    const { driver, b, idsOf, settle } = everywhere({ acceptsBlanks });
    b.remove("B1", driver.now);
    b.reinsert("B1", { ...ADA, name: "Ada again" }, driver.now);
    settle();
    expect(idsOf()).toEqual([["A1"], ["B1"], ["C1"]]);
    expect(driver.row("C")["name"]).toBe("Ada again");
  });

  test("a row that is entered again under another id is the same record, changed", () => {
    const { driver, b, idsOf, settle } = everywhere({ acceptsBlanks });
    const recordId = driver.store.recordAt(2, "B1");
    b.remove("B1", driver.now);
    b.insert({ ...ADA, name: "Ada again" }, driver.now);
    settle();
    expect(idsOf(), "no copy is deleted and created").toEqual([["A1"], ["B2"], ["C1"]]);
    expect([driver.row("A")["name"], driver.row("C")["name"]]).toEqual(["Ada again", "Ada again"]);
    expect(driver.store.recordAt(2, "B2")).toBe(recordId);
  });

  test("what was entered elsewhere meanwhile in another field is kept", () => {
    const { driver, a, b, settle } = everywhere({ acceptsBlanks });
    a.update("A1", { phone: "2" }, driver.now);
    b.remove("B1", driver.now);
    b.insert({ ...ADA, name: "Ada again" }, driver.now);
    settle();
    for (const { name } of driver.systems) expect(driver.row(name)).toMatchObject({ name: "Ada again", phone: "2" });
  });
});

test("a row that is entered again in a system that tells no deletions is asked for before it counts as a double", () => {
  const { driver, b, idsOf, settle } = everywhere({ hidesDeletes: ["B"] });
  b.remove("B1", driver.now);
  b.insert({ ...ADA, name: "Ada again" }, driver.now);
  settle();
  expect(idsOf()).toEqual([["A1"], ["B2"], ["C1"]]);
  expect(driver.row("A")["name"]).toBe("Ada again");
});

test("a whole table that is loaded again under new ids changes nothing elsewhere but what is new", () => {
  const { driver, b, settle } = everywhere();
  const people = [1, 2, 3, 4, 5].map((n) => ({ ...ADA, email: `p${n}@example.com`, name: `P${n}` }));
  for (const one of people) b.insert(one, driver.now);
  settle();
  const ids = driver
    .system("A")
    .rows()
    .map(({ id }) => id);
  const before = driver.writes()[0] ?? 0;
  for (const { id } of b.rows()) b.remove(id, driver.now);
  for (const one of [ADA, ...people]) b.insert({ ...one, name: one.name === "P3" ? "Third" : one.name }, driver.now);
  settle();
  expect(
    driver
      .system("A")
      .rows()
      .map(({ id }) => id),
  ).toEqual(ids);
  expect((driver.writes()[0] ?? 0) - before).toBe(1);
});

test("a real double stays one, and its row is left alone", () => {
  const { driver, b } = everywhere();
  b.insert({ ...ADA, name: "Double" }, driver.now);
  driver.settle();
  expect(driver.store.recordAt(2, "B2")).not.toBe(driver.store.recordAt(2, "B1"));
});

test("a row that is entered again after its deletion was read is another record", () => {
  const { driver, b, settle } = everywhere();
  const recordId = driver.store.recordAt(2, "B1");
  b.remove("B1", driver.now);
  settle();
  b.insert(ADA, driver.now);
  settle();
  expect(driver.store.recordAt(2, "B2")).not.toBe(recordId);
});

test("a deletion that a look found waits for what is yet to be read: the row may have been entered again", () => {
  const { driver, b, idsOf, settle } = everywhere({ hidesDeletes: ["B"] });
  b.remove("B1", driver.now);
  b.insert({ ...ADA, name: "Ada again" }, driver.now);
  driver.missing.set("B", ["B1"]);
  settle();
  expect(idsOf()).toEqual([["A1"], ["B2"], ["C1"]]);
  b.remove("B2", driver.now);
  driver.missing.set("B", ["B2"]);
  settle();
  expect(idsOf(), "what was not entered again is deleted").toEqual([[], [], []]);
});

test("rows that share a key are not taken for one another: each is deleted, and created anew", () => {
  const { driver, b } = everywhere();
  b.insert({ ...ADA, name: "Bob" }, driver.now);
  driver.settle();
  for (const { id } of b.rows()) b.remove(id, driver.now);
  b.insert({ ...ADA, name: "Bob" }, driver.now);
  b.insert(ADA, driver.now);
  driver.settle();
  const takenOver = driver.store.ledger.filter(
    ({ operation, changes }) => operation !== "create" && JSON.stringify(changes["name"]) === '["Ada","Bob"]',
  );
  expect(takenOver).toEqual([]);
});

test("a row that is back under its own id before its source is read to its end is not deleted elsewhere", () => {
  const { driver, b, idsOf } = everywhere({ hidesDeletes: ["B"] });
  for (let n = 0; n < 12; n += 1) b.insert({ ...ADA, email: `p${n}@example.com` }, driver.now);
  driver.settle();
  const before = idsOf();
  b.remove("B1", driver.now);
  driver.missing.set("B", ["B1"]);
  b.insert({ ...ADA, email: "new@example.com" }, driver.now);
  let isBack = false;
  driver.beforeRead = (system) => {
    if (system !== b || isBack) return;
    isBack = true;
    driver.now += 60_000;
    b.reinsert("B1", ADA, driver.now);
  };
  driver.cycle();
  driver.beforeRead = () => undefined;
  driver.settle();
  expect(idsOf()[0]?.slice(0, 1)).toEqual(before[0]?.slice(0, 1));
  expect(driver.store.ledger.some(({ operation }) => operation === "delete")).toBe(false);
});

test("only records that live, by links that live, pass on; and none whose row we delete ourselves", () => {
  const leftOf = (record: object, link: object, unanswered: object | null = null) => {
    const stored = storedRecord(record);
    const resolved = resolvedWith({
      records: new Map([[stored.recordId, stored]]),
      unanswered: new Map(unanswered ? [[stored.recordId, unanswered as never]] : []),
    });
    const gone = [{ record: { id: "A1", values: {} }, link: storedLink(link) }];
    return [...recordsOfDeletedRows(processedPage({ gone, resolved })).keys()];
  };
  expect(leftOf({}, {})).toEqual(["r1"]);
  expect(leftOf({}, { recordId: "another" })).toEqual([]);
  expect(leftOf({ deleted: true }, {})).toEqual([]);
  expect(leftOf({}, { dead: true })).toEqual([]);
  expect(leftOf({}, {}, { intent: "delete", written: [], isTied: false })).toEqual([]);
});
