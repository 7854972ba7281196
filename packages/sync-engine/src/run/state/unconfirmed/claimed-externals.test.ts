/** Systems that answer or update what they hold when they are to create another record with the same key. */
import type { WriteOperation, WriteOutcome } from "@accord/connector-sdk";
import type { Value, Values } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import { PipelineDriver, type FakeSystem } from "@accord/sync-simulation/testing";
import { NOW, pendingWriteOf, twoSystems } from "../../protocol/fixtures/stored.ts";
import { ifAnsweredWithAnothers } from "./claimed-externals.ts";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: null };
const EVE = { ...ADA, name: "Eve", phone: "2" };

/** How A answers a creation with an e-mail address that it knows. */
interface Habits {
  updates?: boolean;
  /** Its answers name the record alone. */
  isQuiet?: boolean;
  /** The answer to the next creation is lost. */
  losesNext?: boolean;
  /** Destinations say by what they find records. */
  hasKey?: boolean;
  isWriteOnly?: boolean;
  /** What people do there right before the creation of Eve arrives. */
  meanwhile?: (system: FakeSystem, now: number) => void;
}

/** Ada is in A and B, and another record of hers, Eve, comes to B; nobody can look for her in A. */
function twoOfOneAddress(habits: Habits) {
  const driver = new PipelineDriver({
    systems: [{ canLookup: false, answersStoredValues: habits.isQuiet !== true, idempotentCreate: false }, {}],
    writeOnly: habits.isWriteOnly ? ["A"] : [],
    configured: (nodeId) => (habits.hasKey && nodeId === "sink-A" ? { matchOn: "email" } : {}),
  });
  const [a, b] = [driver.system("A"), driver.system("B")];
  const created: Values[] = [];
  const create = (system: FakeSystem, operation: WriteOperation): WriteOutcome => {
    const values = operation.kind === "create" ? operation.values : {};
    if (operation.kind === "create") {
      created.push(values);
      habits.meanwhile?.(system, driver.now);
    }
    const held = system.rows().find((row) => row.values["email"] === values["email"]);
    if (operation.kind !== "create" || !held) return system.write(operation, driver.now);
    if (habits.updates) system.update(held.id, values, driver.now);
    if (habits.losesNext) {
      habits.losesNext = false;
      return { status: "unknown", message: "No answer." };
    }
    const stored = system.rows().find(({ id }) => id === held.id)?.values ?? {};
    return { status: "done", id: held.id, ...(habits.isQuiet ? {} : { values: stored }) };
  };
  driver.answer = ({ operations }, system) =>
    system === a ? operations.map((operation) => create(system, operation)) : null;
  (habits.isWriteOnly ? b : a).insert(ADA, driver.now);
  driver.settle();
  b.insert(EVE, driver.now);
  return { driver, a, b, created };
}

const rowsOf = (system: FakeSystem) => system.rows().map(({ values }) => [values["name"], values["phone"]]);

const KINDS: [string, Habits][] = [
  ["answers with what it holds", {}],
  ["names what it holds", { isQuiet: true }],
  ["updates what it holds", { updates: true }],
  ["updates what it holds, and names it", { updates: true, isQuiet: true }],
];

describe.each(KINDS)("a system that %s", (_name, habits) => {
  test("is asked once for the record that is quarantined, and its own stays as people left it", () => {
    const { driver, a, b, created } = twoOfOneAddress({ ...habits });
    driver.settle();
    expect(created).toEqual([expect.objectContaining({ name: "Eve" })]);
    for (const phone of ["3", "4"]) {
      b.update("B2", { phone }, driver.now);
      driver.settle();
    }
    expect(created).toHaveLength(1);
    expect(rowsOf(a)).toEqual([["Ada", "1"]]);
    expect(rowsOf(b)).toEqual([
      ["Ada", "1"],
      ["Eve", "4"],
    ]);
    expect(driver.store.quarantine.at(-1)).toMatchObject({ code: "already_linked", payload: { phone: "4" } });
  });

  test("is asked once more when somebody tries it again", () => {
    const { driver, a, b, created } = twoOfOneAddress({ ...habits });
    driver.settle();
    driver.store.replayParked(driver.now);
    driver.settle();
    b.update("B2", { phone: "3" }, driver.now);
    driver.settle();
    expect(created).toHaveLength(2);
    expect(rowsOf(a)).toEqual([["Ada", "1"]]);
  });

  test("holds both once the record has an address of its own, and is tried again", () => {
    const { driver, a, b, created } = twoOfOneAddress({ ...habits });
    driver.settle();
    b.update("B2", { email: "eve@example.com" }, driver.now);
    driver.settle();
    expect(created, "nobody says what the system takes for one").toHaveLength(1);
    driver.store.replayParked(driver.now);
    driver.settle();
    expect(rowsOf(a)).toEqual([
      ["Ada", "1"],
      ["Eve", "2"],
    ]);
  });

  test("takes edits of its own record as ever", () => {
    const { driver, a, b } = twoOfOneAddress({ ...habits });
    driver.settle();
    a.update("A1", { phone: "7" }, driver.now);
    b.update("B1", { name: "Ada King" }, driver.now);
    driver.settle();
    expect(rowsOf(a)).toEqual([["Ada King", "7"]]);
    expect(rowsOf(b)).toEqual([
      ["Ada King", "7"],
      ["Eve", "2"],
    ]);
  });
});

test("what people enter in a record that was written over before counts, be it the same", () => {
  const { driver, a, b } = twoOfOneAddress({ updates: true });
  driver.settle();
  a.update("A1", EVE, driver.now);
  driver.settle();
  expect(rowsOf(a)).toEqual([["Eve", "2"]]);
  expect(rowsOf(b)).toEqual([
    ["Eve", "2"],
    ["Eve", "2"],
  ]);
});

test("an address that somebody enters there right before counts, though it makes the system take the two for one", () => {
  const email = "eve@example.com";
  const { driver, a, b } = twoOfOneAddress({ meanwhile: (system, now) => system.update("A1", { email }, now) });
  b.update("B2", { email }, driver.now);
  driver.settle();
  expect(a.rows().map(({ values }) => values["email"])).toEqual([email]);
  expect(b.rows().map(({ values }) => values["email"])).toEqual([email, email]);
  expect(rowsOf(a)).toEqual([["Ada", "1"]]);
});

test("a system that updates what it holds and whose answer is lost wrote no edit either", () => {
  const { driver, a, b, created } = twoOfOneAddress({ updates: true, losesNext: true });
  driver.settle();
  expect(rowsOf(a)).toEqual([["Ada", "1"]]);
  expect(rowsOf(b)).toEqual([
    ["Ada", "1"],
    ["Eve", "2"],
  ]);
  expect(created, "once more to learn what became of it").toHaveLength(2);
});

test("a record whose key changes is created, where the destination says by what it finds records", () => {
  const { driver, a, b, created } = twoOfOneAddress({ updates: true, hasKey: true });
  driver.settle();
  b.update("B2", { phone: "3" }, driver.now);
  driver.settle();
  expect(created).toHaveLength(1);
  b.update("B2", { email: "eve@example.com" }, driver.now);
  driver.settle();
  expect(created).toHaveLength(2);
  expect(rowsOf(a)).toEqual([
    ["Ada", "1"],
    ["Eve", "3"],
  ]);
});

test("a system that is only written is sent again what it is to hold of the record that it wrote over", () => {
  const { driver, a, b, created } = twoOfOneAddress({ updates: true, isWriteOnly: true });
  driver.settle();
  b.update("B2", { phone: "3" }, driver.now);
  driver.settle();
  expect(created.map(({ name }) => name)).toEqual(["Ada", "Eve"]);
  expect(rowsOf(a)).toEqual([["Ada", "1"]]);
});

test("an answer that shows another list than was sent says that the system left its record as it was", () => {
  const pendingWrite = pendingWriteOf("create", { values: { name: ["red"] } });
  const written = (shown: Value) =>
    ifAnsweredWithAnothers(twoSystems().sink, pendingWrite, { status: "done", id: "A9", values: { name: shown } }, NOW)
      .answered?.written ?? null;
  expect(written(["blue"])).toBeNull();
  expect(written(["red"])).not.toBeNull();
});
