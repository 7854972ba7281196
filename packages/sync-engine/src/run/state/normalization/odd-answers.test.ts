/** Systems that answer writes with nothing, with what they were sent, or with the record as it was: no newer edit is lost. */
import { describe, expect, test } from "vitest";
import { PipelineDriver, type SystemTraits } from "@accord/sync-simulation/testing";
import { ADA, refusedIn } from "./fixtures/normalized-values.ts";

const ANSWERS: [string, Partial<SystemTraits>][] = (["none", "sent", "before"] as const).flatMap((record) =>
  [true, false].map((namesTime): [string, Partial<SystemTraits>] => [
    `${record}, ${namesTime ? "with" : "without"} the time of the write`,
    { answers: { record, namesTime }, reportsModifiedAt: true, answersStoredValues: false },
  ]),
);

/** A, and B that rounds or cuts phones, in agreement about Ada. */
function storing(store: (phone: string) => string, traits: Partial<SystemTraits>) {
  const storeAs = (values: object) => {
    const { phone, ...others } = values as { phone?: string };
    return { ...others, ...(phone === undefined ? {} : { phone: store(phone) }) };
  };
  const driver = new PipelineDriver({ systems: [{}, { ...traits, storeAs }] });
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  driver.now += 60_000;
  return driver;
}

const rounded = (phone: string): string => String(Math.round(Number(phone) * 10) / 10);
const cut = (phone: string): string => phone.slice(0, 4);
const phones = (driver: PipelineDriver): unknown[] => [driver.row("A")["phone"], driver.row("B")["phone"]];

/** A cycle writes to B what A holds; what happens then is read by the next one. */
function writeThenRead(driver: PipelineDriver, phone: string, meanwhile: () => void): void {
  driver.system("A").update("A1", { phone }, driver.now);
  driver.cycle();
  driver.now += 200;
  meanwhile();
  driver.now += 1_000;
  driver.settle();
}

describe.each(ANSWERS)("a system that answers %s", (_, traits) => {
  test.each([
    ["rounds", rounded, "12.57", "99.17", "99.2"],
    ["cuts", cut, "abcdef", "uvwxyz", "uvwx"],
  ])(
    "and %s what it stores: what is entered elsewhere right after a write stays",
    (__, store, first, second, there) => {
      const driver = storing(store, traits);
      writeThenRead(driver, first, () => driver.system("A").update("A1", { phone: second }, driver.now));
      expect(phones(driver)).toEqual([second, there]);
    },
  );

  test("and rounds: what it makes of a write comes back to nobody", () => {
    const driver = storing(rounded, traits);
    writeThenRead(driver, "12.57", () => undefined);
    expect(phones(driver)).toEqual(["12.57", "12.6"]);
    expect(refusedIn(driver)).toEqual([]);
  });

  test("keeps what people enter there right after a write, as far as nothing newer is known", () => {
    const driver = storing(cut, traits);
    writeThenRead(driver, "abcdef", () => driver.system("B").update("B1", { phone: "mnop" }, driver.now));
    expect(phones(driver)).toEqual(["mnop", "mnop"]);
  });

  test("and something newer is known: what people enter there counts by authority, or is in the record's history", () => {
    const driver = storing(cut, traits);
    writeThenRead(driver, "abcdef", () => {
      driver.system("A").update("A1", { phone: "uvwxyz" }, driver.now);
      driver.system("B").update("B1", { phone: "mnop" }, driver.now);
    });
    const isKept = phones(driver)[0] === "mnop";
    expect(isKept || JSON.stringify(refusedIn(driver)).includes('["mnop","unconfirmed"]')).toBe(true);
  });
});

const SILENT: Partial<SystemTraits> = {
  answers: { record: "none", namesTime: false },
  reportsModifiedAt: true,
  answersStoredValues: false,
};

test("what stood there before a write, with a later time that may be the write's, is kept out once and written over", () => {
  const driver = storing(cut, SILENT);
  writeThenRead(driver, "22", () => driver.system("B").update("B1", { phone: "1" }, driver.now));
  expect(phones(driver)).toEqual(["22", "22"]);
  expect(refusedIn(driver)).toEqual([{ phone: ["1", "unconfirmed"] }]);
});

test("a time of change long after the write's answer is an edit's, whatever the answer said", () => {
  const driver = storing(cut, SILENT);
  writeThenRead(driver, "22", () => {
    driver.now += 31_000;
    driver.system("B").update("B1", { phone: "1" }, driver.now);
  });
  expect(phones(driver)).toEqual(["1", "1"]);
});

test("a system that ignores a field is written to twice at most", () => {
  const driver = storing(() => "1", SILENT);
  writeThenRead(driver, "22", () => undefined);
  expect(phones(driver)).toEqual(["22", "1"]);
  expect(driver.sent["B"]).toBe(3);
});
