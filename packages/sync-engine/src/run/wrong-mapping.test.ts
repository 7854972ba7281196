/** A core field that is mapped to another column than before: what stands in that column is what the systems say. */
import { describe, expect, test } from "vitest";
import type { Authority } from "../simulation/scenario.ts";
import { PipelineDriver } from "../simulation/pipeline-driver.fixtures.ts";

const ADA = { email: "ada@example.com", name: "Ada", phone: "the right one", note: "the wrong one" };
const WITHOUT_PHONE = { A: ["phone"], B: ["phone"] };
const TIMES: [boolean, boolean][] = [
  [false, false],
  [false, true],
  [true, false],
  [true, true],
];
const AUTHORITIES: Authority[] = ["NONE", "LATEST", "RANKED"];

describe.each(AUTHORITIES)("under %s", (authority) => {
  describe.each(TIMES)("with times of change in A %s, in B %s", (inA, inB) => {
    test.each([
      ["brought in", true, "A"],
      ["read with the next change in A", false, "A"],
      ["read with the next change in B", false, "B"],
    ])("a wrong mapping that is mended writes over nothing: %s", (_, isBroughtIn, first) => {
      const systems = [inA, inB].map((tellsModifiedAt) => ({ tellsModifiedAt, answersStoredValues: false }));
      const driver = new PipelineDriver({ systems, authority });
      driver.publish(WITHOUT_PHONE);
      for (const name of ["A", "B"]) {
        driver.system(name).insert(ADA, driver.now);
        driver.now += 60_000;
      }
      driver.publishedAt = new Date(driver.now).toISOString();
      driver.bringIn();
      driver.settle();
      driver.now += 60_000;
      driver.publish(WITHOUT_PHONE, { columns: { note: "phone" } });
      if (isBroughtIn) driver.bringIn();
      driver.settle();
      for (const name of [first, first === "A" ? "B" : "A"]) {
        driver.now += 60_000;
        driver.system(name).update(`${name}1`, { name: `Ada ${name}` }, driver.now);
        driver.settle();
      }
      for (const name of ["A", "B"]) expect(driver.row(name), name).toMatchObject({ phone: ADA.phone, note: ADA.note });
      expect([...driver.store.records.values()]).toMatchObject([{ values: { note: ADA.phone } }]);
    });
  });
});
