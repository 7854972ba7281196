/** A core field that is mapped to another column than before: what stands in that column is what the systems say. */
import { describe, expect, test } from "vitest";
import { PipelineDriver, type Authority } from "@accord/sync-simulation/testing";

const ADA = { email: "ada@example.com", name: "Ada", phone: "the right one", note: "the wrong one" };
const WITHOUT_PHONE = { A: ["phone"], B: ["phone"] };
const TIMES: [boolean, boolean][] = [
  [false, false],
  [false, true],
  [true, false],
  [true, true],
];
const AUTHORITIES: Authority[] = ["NONE", "LATEST", "RANKED"];

/** A system that can't be asked for changes: each reading lists everything. */
function listEverything(driver: PipelineDriver, name: string): void {
  const system = driver.system(name);
  const read = system.readChanges.bind(system);
  system.readChanges = (cursor, now, since) => {
    const page = read(cursor, now, since);
    const listed = new Set(page.records.map(({ id }) => id));
    return { ...page, records: [...page.records, ...system.rows().filter(({ id }) => !listed.has(id))] };
  };
}

describe.each(AUTHORITIES)("under %s", (authority) => {
  describe.each(TIMES)("with times of change in A %s, in B %s", (inA, inB) => {
    test.each([
      ["brought in", true, "A"],
      ["read with the next change in A", false, "A"],
      ["read with the next change in B", false, "B"],
      ["listed again in A", false, "lists A"],
      ["listed again in B", false, "lists B"],
    ])("a wrong mapping that is fixed writes over nothing: %s", (_, isBroughtIn, first) => {
      const systems = [inA, inB].map((reportsModifiedAt) => ({ reportsModifiedAt, answersStoredValues: false }));
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
      if (first.startsWith("lists")) listEverything(driver, first.slice(-1));
      driver.publish(WITHOUT_PHONE, { columns: { note: "phone" } });
      if (isBroughtIn) driver.bringIn();
      driver.settle();
      const areUntouched = (): void => {
        for (const name of ["A", "B"])
          expect(driver.row(name), name).toMatchObject({ phone: ADA.phone, note: ADA.note });
      };
      areUntouched();
      for (const name of first === "B" ? ["B", "A"] : ["A", "B"]) {
        driver.now += 60_000;
        driver.system(name).update(`${name}1`, { name: `Ada ${name}` }, driver.now);
        driver.settle();
        areUntouched();
      }
      expect([...driver.store.records.values()]).toMatchObject([{ values: { note: ADA.phone } }]);
    });
  });
});
