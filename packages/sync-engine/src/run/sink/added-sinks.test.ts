/** A destination that joins a running pipeline is told what the core holds already, once all is read again. */
import { expect, test } from "vitest";
import type { Plan } from "../plan/plan.ts";
import { PipelineDriver } from "@accord/sync-simulation/testing";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };
const EVE = { email: "eve@example.com", name: "Eve", phone: "2", note: null };

/** Two contacts in A, known since before B joined. */
function joined(change: (plan: Plan) => Plan = (plan) => plan) {
  const driver = new PipelineDriver({ systems: [{}, {}] });
  const whole = driver.plan;
  driver.plan = {
    ...whole,
    sources: whole.sources.filter(({ place }) => place.id === 1),
    sinks: whole.sinks.filter(({ place }) => place.id === 1),
  };
  for (const contact of [ADA, EVE]) driver.system("A").insert(contact, driver.now);
  driver.settle();
  driver.plan = change(whole);
  return driver;
}
const emails = (driver: PipelineDriver, system: string) =>
  driver
    .system(system)
    .rows()
    .map(({ values }) => values["email"]);

test("it is told everything, and no more with the next resync", () => {
  const driver = joined();
  driver.bringIn();
  expect(emails(driver, "B")).toEqual([ADA.email, EVE.email]);
  const before = driver.sent["B"];
  driver.bringIn();
  expect(driver.sent["B"]).toBe(before);
  expect(driver.sent["A"] ?? 0, "nothing is written back").toBe(0);
});

test("it is told nothing where it joined without what exists", () => {
  const driver = joined();
  driver.settle();
  expect(emails(driver, "B")).toEqual([]);
});

test("what it is not to create is not created", () => {
  const driver = joined((plan) => ({ ...plan, sinks: plan.sinks.map((sink) => ({ ...sink, create: false })) }));
  driver.bringIn();
  expect(emails(driver, "B")).toEqual([]);
});

test("what was deleted there is not made anew", () => {
  const driver = joined((plan) => ({ ...plan, sinks: plan.sinks.map((sink) => ({ ...sink, delete: false })) }));
  driver.bringIn();
  driver.system("B").remove("B1", driver.now);
  driver.settle();
  expect(emails(driver, "A"), "its deletion stays there").toEqual([ADA.email, EVE.email]);
  driver.bringIn();
  expect(emails(driver, "B")).toEqual([EVE.email]);
});
