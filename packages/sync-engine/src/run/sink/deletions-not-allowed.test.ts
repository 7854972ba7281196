/** A destination whose deletions are switched off is never asked to delete. */
import { expect, test } from "vitest";
import { PipelineDriver } from "@accord/sync-simulation/testing";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };

test("a row that comes back under a deleted id stays where deletions are switched off", () => {
  const driver = new PipelineDriver({ systems: [{}, {}] });
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  for (const sink of driver.plan.sinks) if (sink.place.connectorId === "A") Object.assign(sink, { delete: false });
  driver.system("A").remove("A1", driver.now);
  driver.settle();
  driver.system("A").reinsert("A1", { ...ADA, name: "Another Ada" }, driver.now);
  driver.settle();
  driver.settle();
  expect(driver.system("A").rows()).toMatchObject([{ id: "A1", values: { name: "Another Ada" } }]);
});

test("a deletion that waits for a system that is down is over once deletions are switched off there", () => {
  const driver = new PipelineDriver({ systems: [{}, {}] });
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  const failure = { kind: "unavailable", message: "down", retryable: true, isSafeToRetry: true } as const;
  driver.answer = ({ placeId }, { name }) => (name === "B" ? { kind: "sendFailed", placeId, failure } : null);
  driver.system("A").remove("A1", driver.now);
  driver.cycle();
  expect(driver.store.outstanding()).toBe(1);
  for (const sink of driver.plan.sinks) if (sink.place.connectorId === "B") Object.assign(sink, { delete: false });
  driver.answer = () => null;
  driver.now += 30 * 60_000;
  driver.settle();
  expect(driver.system("B").rows()).toHaveLength(1);
  expect(driver.store.outstanding()).toBe(0);
});
