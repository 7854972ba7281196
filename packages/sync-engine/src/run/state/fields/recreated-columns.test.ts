/** A column that is dropped and made anew before a schema is read in between: its blanks were cleared by nobody. */
import { expect, test } from "vitest";
import { PipelineDriver } from "@accord/sync-simulation/testing";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "kept" };
const BOB = { ...ADA, email: "bob@example.com", name: "Bob" };
const NUMBERS = { email: "2", name: "3", phone: "4", note: "5" };

/** Ada and Bob came from B, and the note of B was made anew since: it is blank in each row. */
function renewed() {
  const driver = new PipelineDriver({ systems: [{}, {}, {}], acceptsBlanks: true });
  const b = driver.system("B");
  driver.fieldIds.set("B", NUMBERS);
  b.insert(ADA, driver.now);
  b.insert(BOB, driver.now);
  driver.settle();
  driver.fieldIds.set("B", { ...NUMBERS, note: "6" });
  return { driver, b };
}
const notes = (driver: PipelineDriver) =>
  driver.systems.map((system) => system.rows().map(({ values }) => values["note"]));

test("what is blank in it is no clearing, and is filled in again", () => {
  const { driver, b } = renewed();
  b.update("B1", { note: null, name: "Ada edited" }, driver.now);
  driver.settle();
  expect(notes(driver)[0]).toEqual(["kept", "kept"]);
  expect(b.rows()[0]?.values).toMatchObject({ name: "Ada edited", note: "kept" });
});

test("a record that is read only later is not cleared either", () => {
  const { driver, b } = renewed();
  b.update("B1", { note: null, name: "Ada edited" }, driver.now);
  driver.settle();
  b.update("B2", { note: null, name: "Bob edited" }, driver.now);
  driver.settle();
  expect(notes(driver)).toEqual([
    ["kept", "kept"],
    ["kept", "kept"],
    ["kept", "kept"],
  ]);
});

test("what somebody enters in it counts, and so does a clearing afterwards", () => {
  const { driver, b } = renewed();
  b.update("B1", { note: "entered" }, driver.now);
  driver.settle();
  expect(notes(driver)[0]).toEqual(["entered", "kept"]);
  b.update("B1", { note: null }, driver.now);
  driver.settle();
  expect(notes(driver)[0]).toEqual([null, "kept"]);
});

test("a clearing in a column that stands counts", () => {
  const { driver, b } = renewed();
  b.update("B1", { phone: null }, driver.now);
  driver.settle();
  expect(driver.row("A")["phone"]).toBeNull();
});
