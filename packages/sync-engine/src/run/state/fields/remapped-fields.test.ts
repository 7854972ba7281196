/** Fields that a version leaves out and a later one maps again: what people entered meanwhile is news, the rest is not. */
import { describe, expect, test } from "vitest";
import { PipelineDriver, type Authority } from "@accord/sync-simulation/testing";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };
const BOTH = { A: ["note"], B: ["note"] };

interface Arranged {
  authority?: Authority;
  reportsModifiedAt?: boolean;
  acceptsBlanks?: boolean;
}

/** Two systems that agree about one contact. */
function agreed({ authority = "NONE", reportsModifiedAt = false, acceptsBlanks = false }: Arranged = {}) {
  const traits = { reportsModifiedAt, answersStoredValues: false };
  const systems = [traits, traits];
  const driver = new PipelineDriver({ systems, authority, acceptsBlanks });
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  expect(driver.row("B")).toMatchObject(ADA);
  return driver;
}

const edit = (driver: PipelineDriver, system: string, values: { [field: string]: string | null }): void => {
  driver.now += 1_000;
  driver.system(system).update(`${system}1`, values, driver.now);
};
const notes = (driver: PipelineDriver) => ["A", "B"].map((system) => driver.row(system)["note"]);

describe.each([
  ["brought in", (driver: PipelineDriver) => driver.bringIn()],
  ["read with the next change of its record", (driver: PipelineDriver) => edit(driver, "A", { phone: "9" })],
])("a field that is mapped again and %s", (_, readAgain) => {
  const mapAgain = (driver: PipelineDriver): void => {
    driver.publish({});
    driver.settle();
    readAgain(driver);
    driver.settle();
  };

  test.each([
    ["NONE", false],
    ["LATEST", false],
    ["LATEST", true],
    ["RANKED", false],
  ] as const)("says what was entered meanwhile: %s, times of change %s", (authority, reportsModifiedAt) => {
    const driver = agreed({ authority, reportsModifiedAt });
    driver.publish(BOTH);
    driver.settle();
    edit(driver, "A", { note: "entered in A" });
    driver.settle();
    expect(notes(driver), "nobody maps it").toEqual(["entered in A", "first"]);
    mapAgain(driver);
    expect(notes(driver)).toEqual(["entered in A", "entered in A"]);
  });

  test("writes nothing where it was left alone", () => {
    const driver = agreed();
    driver.publish(BOTH);
    edit(driver, "A", { phone: "2" });
    edit(driver, "B", { name: "Countess" });
    driver.settle();
    const before = driver.store.ledger.length;
    driver.publish({});
    driver.bringIn();
    expect(notes(driver)).toEqual(["first", "first"]);
    expect(driver.store.ledger.slice(before)).toEqual([]);
  });
});

test("entered in the system that ranks last it is taken all the same, where nobody edited the other", () => {
  const driver = agreed();
  driver.publish(BOTH);
  edit(driver, "B", { note: "entered in B" });
  driver.settle();
  driver.publish({});
  driver.bringIn();
  expect(notes(driver)).toEqual(["entered in B", "entered in B"]);
});

test("edited in both systems, the later one is taken and the other one is named", () => {
  const driver = agreed();
  driver.publish(BOTH);
  edit(driver, "A", { note: "entered in A" });
  edit(driver, "B", { note: "entered in B" });
  driver.settle();
  driver.publish({});
  const { problems } = driver.bringIn();
  expect(notes(driver)).toEqual(["entered in B", "entered in B"]);
  expect(problems).toContainEqual(
    expect.objectContaining({ code: "edited_at_once", detail: expect.stringContaining("entered in A") }),
  );
});

test("where it stayed mapped in one system, what is entered there meanwhile goes to the other", () => {
  const driver = agreed();
  driver.publish({ A: ["note"] });
  edit(driver, "A", { phone: "2" });
  edit(driver, "B", { note: "entered in B" });
  driver.settle();
  expect(notes(driver)).toEqual(["first", "entered in B"]);
  driver.publish({});
  driver.bringIn();
  expect(notes(driver)).toEqual(["entered in B", "entered in B"]);
});

test("a destination that a version only writes is written without asking what stands there", () => {
  const driver = agreed();
  driver.publish({ B: ["note"] }, { keepsSink: true });
  edit(driver, "B", { note: "entered in B" });
  driver.settle();
  edit(driver, "A", { note: "second" });
  expect(driver.settle()).toBeLessThan(5);
  expect(notes(driver)).toEqual(["second", "second"]);
  edit(driver, "A", { note: "third" });
  driver.cycle();
  driver.publish({});
  driver.bringIn();
  expect(notes(driver)).toEqual(["third", "third"]);
});

test("a field that was cleared meanwhile is cleared in both, where blanks count", () => {
  const driver = agreed({ acceptsBlanks: true });
  driver.publish(BOTH);
  edit(driver, "A", { note: null });
  driver.settle();
  // Our write comes between the two versions.
  edit(driver, "B", { name: "Countess" });
  driver.cycle();
  driver.publish({});
  driver.bringIn();
  expect(notes(driver)).toEqual([null, null]);
});

test("a field that is mapped for the first time is filled from the system that has it", () => {
  const driver = new PipelineDriver({ systems: [{}, {}] });
  driver.publish(BOTH);
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  edit(driver, "B", { note: "of B alone" });
  driver.settle();
  edit(driver, "A", { note: null });
  driver.settle();
  driver.publish({});
  driver.bringIn();
  expect(notes(driver)).toEqual(["of B alone", "of B alone"]);
});
