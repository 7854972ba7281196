/** Records that are deleted in one system and entered again under the same key: they arrive everywhere by themselves. */
import type { WriteOperation, WriteOutcome } from "@accord/connector-sdk";
import { describe, expect, test } from "vitest";
import { PipelineDriver, type DriverOptions, type FakeSystem } from "@accord/sync-simulation/testing";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: null };
const AGAIN = { ...ADA, name: "Ada again", phone: "2" };

/** A system that answers with the row that it holds, where it is to create another one with the same e-mail address. */
const holdsEachOnce = (system: FakeSystem, operation: WriteOperation, now: number): WriteOutcome => {
  const email = operation.kind === "create" ? operation.values["email"] : null;
  const held = system.rows().find(({ values }) => email !== null && values["email"] === email);
  return held ? { status: "done", id: held.id, values: held.values } : system.write(operation, now);
};

/** Ada came from B and is everywhere. */
function everywhere(options: Partial<DriverOptions> = {}) {
  const driver = new PipelineDriver({ systems: [{}, {}, {}], ...options });
  const [a, b, c] = [driver.system("A"), driver.system("B"), driver.system("C")];
  const isBlind = options.systems !== undefined;
  if (isBlind)
    driver.answer = ({ operations }, system) =>
      system === b ? null : operations.map((operation) => holdsEachOnce(system, operation, driver.now));
  b.insert(ADA, driver.now);
  driver.settle();
  const settle = (): void => {
    expect(driver.settle(), "it comes to rest").toBeLessThan(20);
  };
  const names = () => driver.systems.map((system) => system.rows().map(({ values }) => values["name"]));
  return { driver, a, b, c, settle, names };
}

const WAYS: [string, Partial<DriverOptions>][] = [
  ["systems that are asked for what they hold", {}],
  [
    "systems that answer with what they hold",
    { systems: [{ canLookup: false, idempotentCreate: false }, {}, { canLookup: false, idempotentCreate: false }] },
  ],
];

describe.each(WAYS)("in %s", (_name, options) => {
  test("a record that is deleted and entered again arrives everywhere", () => {
    const { driver, b, settle, names } = everywhere(options);
    b.remove("B1", driver.now);
    b.insert(AGAIN, driver.now);
    settle();
    expect(names()).toEqual([["Ada again"], ["Ada again"], ["Ada again"]]);
    expect(driver.store.hasParked()).toBe(false);
  });

  test("a record whose older double is deleted long after arrives everywhere, told or heard of there", () => {
    const { driver, a, b, settle, names } = everywhere(options);
    b.insert(AGAIN, driver.now);
    settle();
    expect(driver.store.quarantine.map(({ code }) => code)).toEqual(["already_linked", "already_linked"]);
    expect(names()).toEqual([["Ada"], ["Ada", "Ada again"], ["Ada"]]);
    a.remove("A1", driver.now);
    settle();
    expect(names()).toEqual([["Ada again"], ["Ada again"], ["Ada again"]]);
    expect(driver.store.hasParked()).toBe(false);
  });

  test("a double that was edited since it was quarantined arrives as it stands", () => {
    const { driver, b, settle, names } = everywhere(options);
    b.insert(AGAIN, driver.now);
    settle();
    b.update("B2", { name: "Ada King" }, driver.now);
    settle();
    b.remove("B1", driver.now);
    settle();
    expect(names()).toEqual([["Ada King"], ["Ada King"], ["Ada King"]]);
  });

  test("a double of a record that a person deletes here only is tied to the copies that stay", () => {
    const { driver, a, b, settle } = everywhere(options);
    b.insert(AGAIN, driver.now);
    settle();
    driver.store.removeByHand(driver.store.recordAt(1, "A1") ?? "", driver.now);
    settle();
    expect(driver.store.recordAt(1, "A1")).toBe(driver.store.recordAt(2, "B2"));
    expect(a.rows()).toHaveLength(1);
    expect(driver.store.hasParked()).toBe(false);
  });
});
