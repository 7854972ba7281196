/** Fields that are back after something was written to them unseen: what they show need not be anybody's edit. */
import { expect, test } from "vitest";
import { PipelineDriver } from "../../../simulation/pipeline-driver.fixtures.ts";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };
const PHONE = { field: "phone", writes: "ignored" } as const;

test("a value that is neither what was there nor what was written meanwhile goes over no other one", () => {
  const driver = new PipelineDriver({ systems: [{}, {}] });
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  driver.system("A").vanished = PHONE;
  driver.now += 60_000;
  driver.system("B").update("B1", { phone: "2" }, driver.now);
  driver.settle(4);
  driver.now += 60_000;
  driver.system("A").update("A1", { phone: "7" }, driver.now);
  driver.system("A").vanished = null;
  driver.settle();
  expect(driver.systems.map(({ name }) => driver.row(name)["phone"])).toEqual(["2", "2"]);
  const refused = driver.store.ledger.flatMap((entry) => (entry.refused?.["phone"] ? [entry.refused["phone"]] : []));
  expect(refused, "people find it in the record's history").toEqual([["7", "stale_read"]]);
});
