/** Creations at a place whose records are not known yet: they wait where they are, and hold nothing up. */
import { expect, test } from "vitest";
import { PipelineDriver } from "@accord/sync-simulation/testing";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "x" };

function awaiting() {
  const driver = new PipelineDriver({ systems: [{}, { canLookup: false }] });
  driver.system("B").insert({ ...ADA, name: "Bea" }, driver.now);
  driver.settle();
  for (const nodeId of ["source-A", "source-B"]) driver.awaitsHistory.add(nodeId);
  for (let row = 0; row < 250; row += 1)
    driver.system("A").insert({ ...ADA, email: `${row}@example.com` }, (driver.now += 1));
  return driver;
}

test("they are delivered in the first cycle after the place's history is in", () => {
  const driver = awaiting();
  driver.cycle();
  expect(driver.system("B").rows()).toHaveLength(1);
  driver.awaitsHistory.clear();
  driver.cycle();
  expect(driver.system("B").rows()).toHaveLength(251);
});

test("the next cycle is not long in coming", () => {
  const driver = awaiting();
  const { nextAt } = driver.cycle();
  expect(nextAt).toBeGreaterThan(driver.now);
  expect(nextAt).toBeLessThanOrEqual(driver.now + 5_000);
});

test("meanwhile, what is known there is notified of edits", () => {
  const driver = awaiting();
  driver.system("A").update("A1", { name: "Bea Arthur" }, (driver.now += 1));
  driver.cycle();
  expect(
    driver
      .system("B")
      .rows()
      .map(({ values }) => values["name"]),
  ).toEqual(["Bea Arthur"]);
});
