/** A field that a system no longer tells: no blank, and no news when it is back. */
import { expect, test } from "vitest";
import { PipelineDriver } from "../simulation/pipeline-driver.fixtures.ts";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };
const BOB = { email: "bob@example.com", name: "Bob", phone: "2", note: "second" };

/** Both are in A and B; blanks count. */
function twoPeople(acceptsBlanks = true): PipelineDriver {
  const driver = new PipelineDriver({ systems: [{}, {}], acceptsBlanks });
  for (const person of [ADA, BOB]) driver.system("A").insert(person, driver.now);
  driver.settle();
  return driver;
}

const phonesIn = (driver: PipelineDriver, name: string): unknown[] =>
  driver
    .system(name)
    .rows()
    .map(({ values }) => values["phone"]);

const renameBoth = (driver: PipelineDriver, suffix: string): void => {
  for (const { id, values } of driver.system("A").rows())
    driver.system("A").update(id, { name: `${String(values["email"])} ${suffix}` }, driver.now);
};

test.each([true, false])("what several records lose at once stays as it was (blanks count: %s)", (acceptsBlanks) => {
  const driver = twoPeople(acceptsBlanks);
  driver.system("A").traits.lost = ["phone"];
  renameBoth(driver, "renamed");
  const { problems } = driver.cycle();
  driver.settle();
  expect(problems).toMatchObject([{ severity: "warning", code: "field_missing", targetId: "phone" }]);
  expect(
    driver
      .system("B")
      .rows()
      .map(({ values }) => values["name"]),
  ).toEqual(["ada@example.com renamed", "bob@example.com renamed"]);
  expect([phonesIn(driver, "A"), phonesIn(driver, "B")]).toEqual([
    ["1", "2"],
    ["1", "2"],
  ]);
  expect(driver.sent["A"] ?? 0, "nothing is sent to whoever lost it").toBe(0);
  expect(driver.store.ledger.filter(({ refused }) => refused !== null)).toEqual([]);
});

test("a field that is back is no news where it shows what it did before", () => {
  const driver = twoPeople();
  driver.system("A").traits.lost = ["phone"];
  renameBoth(driver, "renamed");
  driver.settle();
  driver.system("B").update("B1", { phone: "11" }, driver.now);
  driver.settle();
  expect(driver.store.hasParked(), "A does not take it").toBe(true);
  delete driver.system("A").traits.lost;
  renameBoth(driver, "again");
  driver.settle();
  expect(phonesIn(driver, "B")).toEqual(["11", "2"]);
  driver.store.replayParked(driver.now);
  driver.settle();
  expect([phonesIn(driver, "A"), phonesIn(driver, "B")]).toEqual([
    ["11", "2"],
    ["11", "2"],
  ]);
});

test("a field that is back with another value was edited there", () => {
  const driver = twoPeople();
  driver.system("A").traits.lost = ["phone"];
  renameBoth(driver, "renamed");
  driver.settle();
  delete driver.system("A").traits.lost;
  driver.system("A").update("A2", { phone: "22" }, driver.now);
  driver.settle();
  expect(phonesIn(driver, "B")).toEqual(["1", "22"]);
});

test("a record that is new while a field is gone gets it once it is told again", () => {
  const driver = twoPeople();
  driver.system("A").traits.lost = ["phone"];
  renameBoth(driver, "renamed");
  driver.system("A").insert({ ...ADA, email: "eve@example.com", phone: "3" }, driver.now);
  driver.settle();
  expect(phonesIn(driver, "B")[2] ?? null).toBeNull();
  delete driver.system("A").traits.lost;
  renameBoth(driver, "again");
  driver.system("A").update("A3", { note: "back" }, driver.now);
  driver.settle();
  expect(phonesIn(driver, "B")).toEqual(["1", "2", "3"]);
});

test("a record that lacks a field which others have is empty there; so may be one that comes alone", () => {
  for (const othersTell of [true, false]) {
    const driver = twoPeople();
    if (othersTell) driver.system("A").update("A2", { name: "Bobby" }, driver.now);
    driver.system("A").traits.leavesOutBlanks = true;
    driver.system("A").update("A1", { phone: null }, driver.now);
    driver.settle();
    expect(phonesIn(driver, "B")).toEqual([null, "2"]);
  }
});
