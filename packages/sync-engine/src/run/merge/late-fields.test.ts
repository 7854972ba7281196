/** Lists without times of change that show our writes late: what stood there before them is no edit for a minute. */
import { describe, expect, test } from "vitest";
import { PipelineDriver, type SystemTraits } from "@accord/sync-simulation/testing";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };
const STEP = 500;
const LAG = 5_000;

/** A, and B that shows everything late, both listed as a whole each time, in agreement about Ada. */
function late(traits: Partial<SystemTraits> = {}): PipelineDriver {
  const driver = new PipelineDriver({ listsAll: true, systems: [{}, { comparesLate: true, lagMs: LAG, ...traits }] });
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  driver.now += LAG;
  driver.settle();
  driver.now += 120_000;
  return driver;
}

function run(driver: PipelineDriver, forMs: number): void {
  for (const end = driver.now + forMs; driver.now < end; driver.now += STEP) driver.cycle();
}

const edit = (driver: PipelineDriver, system: "A" | "B", values: object): boolean =>
  driver.system(system).update(`${system}1`, { ...values }, driver.now);
const notes = (driver: PipelineDriver): unknown[] => [driver.row("A")["note"], driver.row("B")["note"]];
/** Changes that pages brought, but for the creation. */
const changes = ({ store }: PipelineDriver): unknown[] =>
  store.ledger.flatMap(({ operation, changes: made }) => (operation === "update" ? [made] : []));

describe.each<[string, Partial<SystemTraits>]>([
  ["the record", {}],
  ["nothing", { answersStoredValues: false }],
  ["what was sent", { answers: { record: "sent", namesTime: false } }],
  ["the record as it was", { answers: { record: "before", namesTime: false } }],
])("a list that shows writes late, of a system that answers %s", (_, traits) => {
  test("undoes no edit, and nobody else is told what it showed before", () => {
    const driver = late(traits);
    edit(driver, "A", { note: "second" });
    run(driver, 20_000);
    expect(notes(driver)).toEqual(["second", "second"]);
    expect(changes(driver)).toEqual([{ note: ["first", "second"] }]);
  });

  test("undoes none of several edits, one soon after the other", () => {
    const driver = late(traits);
    for (const note of ["second", "third", "fourth"]) {
      edit(driver, "A", { note });
      run(driver, 2_500);
    }
    run(driver, 90_000);
    expect(notes(driver)).toEqual(["fourth", "fourth"]);
    expect(changes(driver)).toHaveLength(3);
    expect(driver.store.outstanding()).toBe(0);
  });

  test("brings at once what people enter there: another value, and another field beside one that is late", () => {
    const driver = late(traits);
    edit(driver, "A", { note: "second" });
    run(driver, 1_000);
    edit(driver, "B", { name: "Eve" });
    run(driver, 20_000);
    expect([driver.row("A"), driver.row("B")]).toMatchObject([
      { name: "Eve", note: "second" },
      { name: "Eve", note: "second" },
    ]);
    edit(driver, "A", { note: "third" });
    run(driver, 1_000);
    edit(driver, "B", { note: "by hand" });
    run(driver, 20_000);
    expect(notes(driver)).toEqual(["by hand", "by hand"]);
  });
});

test("another field that was edited before our write comes while that is late, and is taken without it", () => {
  const driver = late();
  edit(driver, "B", { name: "Eve" });
  driver.now += 1_000;
  edit(driver, "A", { note: "second" });
  run(driver, 20_000);
  expect([driver.row("A"), driver.row("B")]).toMatchObject([
    { name: "Eve", note: "second" },
    { name: "Eve", note: "second" },
  ]);
});

test("what was there before, and still shows a minute later, was put back by somebody", () => {
  const driver = late({ lagMs: 0, comparesLate: false });
  edit(driver, "A", { note: "second" });
  run(driver, 2_000);
  edit(driver, "B", { note: "first" });
  run(driver, 50_000);
  expect(notes(driver)).toEqual(["second", "first"]);
  run(driver, 15_000);
  expect(notes(driver)).toEqual(["first", "first"]);
});

test("a list that is read completely again while it shows a write late leaves what was written", () => {
  const driver = late();
  edit(driver, "A", { note: "second" });
  run(driver, 1_000);
  driver.bringIn();
  run(driver, 20_000);
  expect(notes(driver)).toEqual(["second", "second"]);
});

test("what somebody enters right before our write of another field is taken again at once when a list shows it", () => {
  const driver = late({
    comparesLate: false,
    answersStoredValues: false,
    answers: { record: "before", namesTime: false },
  });
  edit(driver, "B", { phone: "by hand" });
  edit(driver, "A", { name: "Eve", phone: "2" });
  run(driver, 20_000);
  const both = { name: "Eve", phone: "by hand" };
  expect([driver.row("A"), driver.row("B")]).toMatchObject([both, both]);
});
