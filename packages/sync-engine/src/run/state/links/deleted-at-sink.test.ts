/** Records that are edited in one system and deleted in the other: a write that finds its record gone has found a deletion. */
import { describe, expect, test } from "vitest";
import { PipelineDriver, type DriverOptions, type FakeSystem } from "@accord/sync-simulation/testing";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };
const FEW = 10;

/** Two systems that agree about some contacts. */
function agreed(count: number, configured: DriverOptions["configured"] = () => ({})): PipelineDriver {
  const driver = new PipelineDriver({ systems: [{}, {}], configured });
  for (let index = 1; index <= count; index += 1)
    driver.system("A").insert({ ...ADA, email: `p${index}@example.com` }, driver.now);
  driver.settle();
  expect(driver.system("B").rows()).toHaveLength(count);
  return driver;
}

/** Ids of B's rows by e-mail: who is who there. */
const idsIn = (system: FakeSystem): string[] => system.rows().map(({ id }) => id);

/** Somebody edits contacts of A; before that is written, they are deleted in B, which shows no deletions yet. */
function editedAndDeleted(driver: PipelineDriver, count: number): void {
  for (const id of idsIn(driver.system("A")).slice(0, count))
    driver.system("A").update(id, { name: "Eve" }, driver.now);
  driver.answer = (_, system) => {
    if (system.name !== "B") return null;
    driver.answer = () => null;
    for (const id of idsIn(system).slice(0, count)) system.remove(id, driver.now);
    return null;
  };
}

const refusals = (driver: PipelineDriver): unknown[] =>
  driver.store.ledger.flatMap(({ refused }) => (refused ? [refused] : []));

describe("where deletions of the place count", () => {
  test("the deletion goes first, in the same cycle, and the edit stands in the record's history", () => {
    const driver = agreed(1);
    editedAndDeleted(driver, 1);
    const { problems } = driver.cycle();
    expect([...driver.system("A").rows(), ...driver.system("B").rows()]).toEqual([]);
    expect(refusals(driver)).toContainEqual({ name: ["Eve", "deleted"] });
    expect(problems.map(({ code }) => code)).toEqual(["edited_while_deleted"]);
    expect(driver.store.quarantine).toEqual([]);
    expect(driver.store.deliveries.size).toBe(0);
  });

  test("a record that the system still gives when it is asked for is not taken as deleted, and is written once it can be", () => {
    const driver = agreed(1);
    driver.system("A").update("A1", { name: "Eve" }, driver.now);
    const until = driver.now + 20_000;
    driver.answer = ({ operations }, system) =>
      system.name === "B" && driver.now < until ? operations.map(() => ({ status: "missing" })) : null;
    for (let turn = 0; turn < 120; turn += 1) {
      driver.cycle();
      driver.now += 1_000;
    }
    expect([driver.row("A")["name"], driver.row("B")["name"]]).toEqual(["Eve", "Eve"]);
    expect(driver.store.quarantine).toEqual([]);
  });

  test("a record that can never be written though it is there is shown to people, and stays so when it is tried again", () => {
    const driver = agreed(1);
    driver.system("A").update("A1", { name: "Eve" }, driver.now);
    driver.answer = ({ operations }, system) =>
      system.name === "B" ? operations.map(() => ({ status: "missing" })) : null;
    driver.settle(20);
    const sent = driver.sent["B"] ?? 0;
    expect(driver.store.quarantine.map(({ code }) => code)).toEqual(["missing_there"]);
    driver.store.replayParked(driver.now);
    driver.settle(20);
    expect(driver.sent["B"] ?? 0, "it was really tried").toBeGreaterThan(sent);
    expect(driver.store.deliveries.size, "and still waits").toBe(1);
    driver.answer = () => null;
    driver.store.replayParked(driver.now);
    driver.settle(20);
    expect(driver.row("B")["name"]).toBe("Eve");
    expect(driver.store.deliveries.size).toBe(0);
  });

  test("ten records that are all gone are believed to be", () => {
    const driver = agreed(FEW);
    editedAndDeleted(driver, FEW);
    expect(driver.cycle().counts.deleted).toBe(FEW);
    expect(driver.system("A").rows()).toEqual([]);
  });

  test("of eleven, half may be gone", () => {
    const deleted = (gone: number): number => {
      const driver = agreed(21);
      editedAndDeleted(driver, 21);
      driver.answer = (_, system) => {
        if (system.name !== "B") return null;
        driver.answer = () => null;
        for (const id of idsIn(system).slice(0, gone)) system.remove(id, driver.now);
        return null;
      };
      return driver.cycle().counts.deleted;
    };
    expect([deleted(10), deleted(11)]).toEqual([10, 0]);
  });

  test("a system that suddenly misses most of a batch is not believed by a write", () => {
    const driver = agreed(2 * FEW);
    editedAndDeleted(driver, FEW + 5);
    const { counts } = driver.cycle();
    expect(counts.deleted, "its own reading may tell, no write does").toBe(0);
    expect(driver.system("A").rows()).toHaveLength(2 * FEW);
    driver.settle();
    expect(driver.system("A").rows(), "told by reading").toHaveLength(FEW - 5);
    expect(driver.store.deliveries.size).toBe(0);
  });
});

describe("where they do not", () => {
  const deaf = (more: object) => (nodeId: string) =>
    nodeId === "source-B" ? { acceptDeletes: false } : nodeId === "sink-B" ? more : {};

  test("the record is created again where that is allowed", () => {
    const driver = agreed(1, deaf({ recreate: true }));
    editedAndDeleted(driver, 1);
    driver.settle();
    expect([driver.row("A")["name"], driver.row("B")["name"]]).toEqual(["Eve", "Eve"]);
    expect(driver.store.quarantine).toEqual([]);
  });

  test("it is shown to people where it is not, and over once it is deleted on the other side too", () => {
    const driver = agreed(1, deaf({}));
    editedAndDeleted(driver, 1);
    driver.settle();
    expect(driver.store.quarantine.map(({ code }) => code)).toEqual(["missing_there"]);
    expect(driver.store.deliveries.size).toBe(1);
    driver.system("A").remove("A1", driver.now);
    driver.settle();
    expect(driver.store.deliveries.size).toBe(0);
  });
});
