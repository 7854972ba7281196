/** Fields that are back after something was written to them unseen: what they show need not be anybody's edit. */
import { expect, test } from "vitest";
import { inboundRecordOf, storedLink, twoSystems } from "../../protocol/fixtures/stored.ts";
import { parseEntries } from "../normalization/awaited-normalizations.ts";
import { writeIndexOf } from "./read-index.ts";
import { judgeShown } from "./returned-fields.ts";
import { PipelineDriver } from "@accord/sync-simulation/testing";

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

test("what was written to a field before it was missing is no longer awaited once that one field is back", () => {
  const { source, sink } = twoSystems();
  const phone = source.place.readFields.indexOf("phone");
  const write = writeIndexOf(source.place, phone) ?? -1;
  const link = storedLink({ respelled: `${write}:written1:shown001:1:1:spelled1:before01` });
  const judged = (fields: number[]) => {
    const inbound = inboundRecordOf({ link, returned: new Map(fields.map((index) => [index, "asBefore"])) });
    return judgeShown(sink, source, inbound, ADA, { now: "2026-01-01T00:00:00.000Z", reapply: false });
  };
  expect([...parseEntries(link.respelled).keys()]).toEqual([write]);
  expect(judged([phone])?.respelled).toBeNull();
  expect(judged([]), "nothing has come back").toBeNull();
});
