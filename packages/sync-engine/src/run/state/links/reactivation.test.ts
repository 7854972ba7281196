/** Records that are there again under an id whose deletion is known: they are records again, everywhere. */
import { expect, test } from "vitest";
import { PipelineDriver } from "@accord/sync-simulation/testing";
import { isReactivated } from "./reactivation.ts";
import { NOW, resolvedWith, twoSystems } from "../../protocol/fixtures/stored.ts";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };

/** Ada was in both systems, and was deleted in one of them. */
function deleted(where: string): PipelineDriver {
  const driver = new PipelineDriver({ systems: [{}, {}] });
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  const [row] = driver.system(where).rows();
  driver.system(where).remove(row?.id ?? "", driver.now);
  driver.settle();
  expect(driver.systems.map((system) => system.rows())).toEqual([[], []]);
  return driver;
}

for (const where of ["A", "B"]) {
  for (const name of ["Ada", "Another Ada"]) {
    test(`a row deleted in ${where} that is entered in A again with name ${name} stays, and is in B again`, () => {
      const driver = deleted(where);
      // Without a time of change, a list may go on with what is gone.
      driver.now += name === ADA.name ? 660_000 : 0;
      driver.system("A").reinsert("A1", { ...ADA, name }, driver.now);
      driver.settle();
      driver.settle();
      expect(driver.system("A").rows()).toMatchObject([{ id: "A1", values: { name } }]);
      expect(driver.system("B").rows()).toMatchObject([{ values: { name } }]);
      const records = [...driver.store.records.values()].filter((record) => !record.deleted);
      expect(records).toMatchObject([{ values: { name } }]);
      expect(driver.store.ledger.at(-1)).toMatchObject({ operation: expect.stringMatching(/write|restore/) });
    });
  }
}

test("whoever is trusted more does not stand against a record that is entered again, nor do blanks keep what it held", () => {
  const driver = new PipelineDriver({ systems: [{}, {}], authority: "RANKED" });
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  driver.system("A").remove("A1", driver.now);
  driver.settle();
  driver.system("B").reinsert("B1", { ...ADA, name: "Another Ada", note: null }, driver.now);
  driver.settle();
  expect(driver.row("B")).toMatchObject({ name: "Another Ada", note: null });
  expect(driver.row("A")).toMatchObject({ name: "Another Ada" });
  expect([...driver.store.records.values()]).toMatchObject([{ values: { name: "Another Ada", note: null } }]);
});

test("an earlier state that comes late brings nothing back", () => {
  const driver = deleted("A");
  // The list still shows it; asked for by its id, it is gone.
  const system = driver.system("A");
  const read = system.readChanges.bind(system);
  let isLate = true;
  system.readChanges = (cursor, now, since) => {
    const page = read(cursor, now, since);
    if (isLate) page.records.push({ id: "A1", values: { ...ADA, id: "A1", name: "Ada as she was" } });
    isLate = false;
    return page;
  };
  driver.settle();
  expect(isLate).toBe(false);
  expect(driver.systems.map((one) => one.rows())).toEqual([[], []]);
  expect([...driver.store.records.values()].filter((record) => !record.deleted)).toEqual([]);
  expect(driver.writes()).toEqual([0, 2]);
});

test("what a list goes on showing as it was is asked for now and then, not at each poll", () => {
  const driver = deleted("A");
  const system = driver.system("A");
  const read = system.readChanges.bind(system);
  system.readChanges = (cursor, now, since) => {
    const page = read(cursor, now, since);
    return { ...page, records: [{ id: "A1", values: ADA }] };
  };
  let asked = 0;
  const readAgain = system.readAgain.bind(system);
  system.readAgain = (kept, now) => {
    asked += kept.length;
    return readAgain(kept, now);
  };
  for (let minute = 0; minute < 60; minute += 1) {
    driver.cycle();
    driver.now += 60_000;
  }
  expect(asked).toBeGreaterThanOrEqual(4);
  expect(asked).toBeLessThanOrEqual(6);
  expect(driver.systems.map((one) => one.rows())).toEqual([[], []]);
});

test("what was entered at the moment of its deletion goes with it", () => {
  const driver = new PipelineDriver({ systems: [{}, {}] });
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  driver.system("B").remove("B1", driver.now);
  driver.system("A").update("A1", { name: "Ada edited" }, driver.now);
  driver.settle();
  expect(driver.systems.map((system) => system.rows())).toEqual([[], []]);
});

test("a source that may tell earlier states, and can't be asked, is believed ten minutes after a deletion", () => {
  const { source } = twoSystems({ lagMs: 0 });
  const record = { id: "A1", values: ADA };
  const page = { records: [record], seen: ["now"], isReplay: false, isCurrent: false, askedAt: NOW };
  const isBack = (minutes: number, canGetById: boolean): boolean =>
    isReactivated({ ...source, canGetById }, page, record, {
      ...resolvedWith(),
      deadSince: new Map([["A1", NOW - minutes * 60_000]]),
    });
  expect([5, 9, 11].map((minutes) => isBack(minutes, false))).toEqual([false, false, true]);
  expect(isBack(11, true), "it is asked for by its id instead").toBe(false);
});
