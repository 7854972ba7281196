/** Fields that vanish from a system and come back: no blanks, no news, and what was entered elsewhere arrives in the end. */
import type { Values } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import { PipelineDriver, type Authority, type DriverOptions } from "@accord/sync-simulation/testing";
import type { CycleSummary } from "../../protocol/protocol.ts";
import { claimedDelivery, claimedOf, resolvedWith, storedLink, twoSystems } from "../../protocol/fixtures/stored.ts";
import type { LostFields } from "../../protocol/stored.ts";
import { afterLoss, isMissing, lossIn, partAt, seenFingerprint } from "../fingerprint.ts";
import { claimedWithLosses, lostAfter, lostByPage, resolvedWithLosses } from "./dropped-fields.ts";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };
const PHONE = { field: "phone", writes: "ignored" } as const;
type Vanished = PipelineDriver["systems"][number]["vanished"];

/** Two systems that agree about one contact; A loses its phone. */
function lost(vanished: Vanished = PHONE, options: Partial<DriverOptions> = {}): PipelineDriver {
  const driver = new PipelineDriver({ systems: [{}, {}], ...options });
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  driver.system("A").vanished = vanished;
  return driver;
}

const phones = (driver: PipelineDriver): unknown[] => driver.systems.map(({ name }) => driver.row(name)["phone"]);
const edit = (driver: PipelineDriver, system: string, values: { [field: string]: string | null }): void => {
  driver.now += 60_000;
  driver.system(system).update(`${system}1`, values, driver.now);
};
const bringBack = (driver: PipelineDriver, comesBack: "asBefore" | "empty" = "asBefore"): void => {
  driver.now += 60_000;
  const drift = { ...PHONE, system: 0, fromMs: 0, untilMs: 0, comesBack, touchesRows: true };
  driver.system("A").bringBack(drift, driver.now);
};
const missing = ({ problems }: CycleSummary) =>
  problems.flatMap(({ code, nodeId, message, targetId }) =>
    code === "field_missing" ? [`${nodeId} ${targetId}: ${message.split(".")[0]}`] : [],
  );

describe.each([true, false])("blanks count: %s", (acceptsBlanks) => {
  test("what a system leaves out of its answers is no blank, and is named", () => {
    const driver = lost(PHONE, { acceptsBlanks });
    edit(driver, "A", { name: "Countess" });
    expect(missing(driver.cycle())).toEqual(["source-A phone: The system no longer tells phone"]);
    driver.settle();
    expect(phones(driver)).toEqual(["1", "1"]);
    expect(driver.row("B")["name"], "its other fields are heard").toBe("Countess");
    expect(driver.sent["A"] ?? 0, "nothing is written to it").toBe(0);
    expect(driver.store.ledger.filter(({ refused }) => refused !== null)).toEqual([]);
  });

  test.each(["NONE", "LATEST", "RANKED"] as const)(
    "old values that come back go over nothing, and what was entered meanwhile arrives: %s",
    (authority: Authority) => {
      const driver = lost(PHONE, {
        acceptsBlanks,
        authority,
        systems: [{ reportsModifiedAt: true }, { reportsModifiedAt: true }],
      });
      edit(driver, "A", { name: "Countess" });
      driver.settle();
      // By rank A counts for more, and only Accord's own word for as much.
      const { recordId } = [...driver.store.records.values()][0] ?? { recordId: "" };
      driver.store.applyUserEdits(recordId, { phone: "2" }, [1, 2], driver.now);
      driver.settle(3);
      expect(phones(driver)).toEqual(["1", "2"]);
      bringBack(driver);
      driver.settle();
      expect(phones(driver)).toEqual(["2", "2"]);
      edit(driver, "A", { phone: "3" });
      driver.settle();
      expect(phones(driver), "edits flow again").toEqual(["3", "3"]);
    },
  );

  test("a column that is made anew is filled again, and a person's clearing is heard once it is", () => {
    const driver = lost(PHONE, { acceptsBlanks });
    edit(driver, "A", { name: "Countess" });
    driver.settle();
    bringBack(driver, "empty");
    driver.settle();
    expect(phones(driver)).toEqual(["1", "1"]);
    edit(driver, "A", { phone: null });
    driver.settle();
    expect(phones(driver)).toEqual(acceptsBlanks ? [null, null] : ["1", "1"]);
  });
});

test.each([
  ["ignores it", PHONE],
  ["refuses it by name", { ...PHONE, writes: "refused" }],
  ["refuses without a word of it", { ...PHONE, writes: "refusedUnnamed" }],
] as const)("a system that %s gets the other fields at once, and this one when it is back", (_, vanished) => {
  const driver = lost(vanished);
  edit(driver, "A", { note: "read since" });
  driver.settle();
  edit(driver, "B", { name: "Countess", phone: "2" });
  const said = Array.from({ length: 4 }, () => {
    driver.now += 60_000;
    return missing(driver.cycle());
  });
  expect(driver.row("A")).toMatchObject({ name: "Countess", phone: "1" });
  expect(said.flat()).toContain("sink-A phone: The system does not have phone at the moment");
  expect(driver.store.hasParked()).toBe(false);
  driver.system("A").vanished = null;
  driver.settle();
  expect(phones(driver)).toEqual(["2", "2"]);
});

test.each(["asBefore", "empty"] as const)(
  "what was entered and cleared again while a field was missing asks for nothing, and is clear once it is back %s",
  (comesBack) => {
    const driver = lost(PHONE, { acceptsBlanks: true });
    edit(driver, "B", { phone: "2" });
    driver.settle();
    edit(driver, "B", { phone: null });
    driver.settle();
    const sent = driver.sent["A"] ?? 0;
    driver.now += 3_600_000;
    driver.settle();
    expect(driver.sent["A"] ?? 0, "a blank in a field that is not there is nothing to write").toBe(sent);
    expect(driver.store.outstanding()).toBe(0);
    bringBack(driver, comesBack);
    driver.settle();
    expect(phones(driver)).toEqual([null, null]);
  },
);

test("a record is created without a field that the system refuses by name, and gets it when it is back", () => {
  const driver = lost({ ...PHONE, writes: "refused" });
  driver.system("B").insert({ ...ADA, email: "eve@example.com", phone: "5" }, driver.now);
  driver.cycle();
  expect(driver.system("A").rows()[1]?.values).toMatchObject({ email: "eve@example.com", name: "Ada" });
  driver.settle(3);
  driver.system("A").vanished = null;
  driver.settle();
  expect(driver.system("A").rows()[1]?.values).toMatchObject({ phone: "5" });
});

test("a value that was never seen before its field was missing goes over no other one, and is kept in the history", () => {
  const driver = new PipelineDriver({ systems: [{}, {}] });
  driver.system("B").insert({ ...ADA, phone: "2" }, driver.now);
  driver.system("A").vanished = PHONE;
  driver.system("A").insert(ADA, driver.now);
  driver.settle(4);
  bringBack(driver);
  driver.settle();
  expect(phones(driver)).toEqual(["2", "2"]);
  expect(driver.store.ledger.flatMap(({ refused }) => (refused?.["phone"] ? [refused["phone"]] : []))).toEqual([
    ["1", "stale_read"],
  ]);
});

test("a record that is new while a field is missing gets what was entered elsewhere, and tells what it held", () => {
  const driver = lost();
  driver.system("A").insert({ ...ADA, email: "eve@example.com", phone: "5" }, driver.now);
  driver.settle();
  expect(driver.system("B").rows()[1]?.values["phone"] ?? null).toBeNull();
  bringBack(driver);
  driver.settle();
  expect(driver.system("B").rows()[1]?.values["phone"]).toBe("5");
});

test("an edit that was made there just before it is read again is heard", () => {
  const driver = lost();
  edit(driver, "A", { name: "Countess" });
  driver.settle();
  bringBack(driver);
  driver.system("A").update("A1", { phone: "7" }, driver.now);
  driver.settle();
  expect(phones(driver)).toEqual(["7", "7"]);
});

test("a record is not asked for while the system may not show it yet: it would seem to be gone", () => {
  const driver = lost(PHONE, { systems: [{ lagMs: 5_000 }, {}] });
  const start = driver.now;
  driver.system("B").insert({ ...ADA, email: "eve@example.com", phone: "5" }, start);
  while (driver.now < start + 30_000) {
    driver.cycle();
    driver.now += 500;
  }
  driver.settle(3);
  expect(driver.systems.map((system) => system.rows().length)).toEqual([2, 2]);
});

test("a field that vanished at the last refresh of the schema is neither written nor blank, and is named in each cycle", () => {
  const driver = new PipelineDriver({ systems: [{}, {}], fields: { phone: { status: "INACTIVE" } } });
  for (const system of driver.systems) system.vanished = { ...PHONE, writes: "refused" };
  driver.system("A").insert({ ...ADA, phone: null }, driver.now);
  expect(missing(driver.cycle())).toEqual([
    "source-A phone: The system no longer tells phone",
    "source-B phone: The system no longer tells phone",
  ]);
  expect(driver.row("B")).toMatchObject({ name: "Ada" });
  const { recordId } = [...driver.store.records.values()][0] ?? { recordId: "" };
  driver.store.applyUserEdits(recordId, { phone: "2", name: "Countess" }, [1, 2], driver.now);
  driver.settle(3);
  expect(driver.systems.map(({ name }) => driver.row(name)["name"])).toEqual(["Countess", "Countess"]);
  expect([driver.store.hasParked(), driver.store.outstanding()]).toEqual([false, 2]);
});

describe.each([
  ["a system whose records tell when they changed", true],
  ["a system whose records don't", false],
] as const)("a column is dropped and made anew, and blanks count, in %s", (_, reportsModifiedAt) => {
  const EVE = { ...ADA, email: "eve@example.com", phone: "5" };
  const dropped = { field: "phone", writes: "refused" } as const;

  /** Two contacts in both systems; only one is read while A has no phone, and both are empty there afterwards. */
  function dropAndMakeAnew(): PipelineDriver {
    const driver = new PipelineDriver({
      systems: [{ reportsModifiedAt }, { reportsModifiedAt }],
      authority: "LATEST",
      acceptsBlanks: true,
    });
    for (const values of [ADA, EVE]) driver.system("A").insert(values, driver.now);
    driver.settle();
    driver.system("A").vanished = dropped;
    driver.refreshSchema("A", ["phone"]);
    edit(driver, "A", { name: "Countess" });
    driver.settle();
    driver.now += 60_000;
    const drift = { ...dropped, system: 0, fromMs: 0, untilMs: 0, comesBack: "empty", touchesRows: true } as const;
    driver.system("A").bringBack(drift, driver.now);
    driver.refreshSchema("A", []);
    return driver;
  }
  const editEve = (driver: PipelineDriver, values: { [field: string]: string | null }): void => {
    driver.now += 60_000;
    driver.system("A").update("A2", values, driver.now);
  };
  const enterPhoneInB = (driver: PipelineDriver): void => {
    const isEve = ({ values }: { values: Values }): boolean => values["email"] === EVE.email;
    const eve = driver.system("B").rows().find(isEve);
    driver.now += 60_000;
    driver.system("B").update(eve?.id ?? "", { phone: "6" }, driver.now);
  };
  const phonesOfEve = (driver: PipelineDriver): unknown[] =>
    driver.systems.map((system) => system.rows().find(({ values }) => values["email"] === EVE.email)?.values["phone"]);

  test("what another field's edit shows blank was not cleared, and is filled in again", () => {
    const driver = dropAndMakeAnew();
    editEve(driver, { note: "edited" });
    driver.settle();
    expect(phonesOfEve(driver)).toEqual(["5", "5"]);
  });

  test("what was entered elsewhere since the column is back stays", () => {
    const driver = dropAndMakeAnew();
    enterPhoneInB(driver);
    editEve(driver, { note: "edited" });
    driver.settle();
    expect(phonesOfEve(driver)).toEqual(["6", "6"]);
  });

  test("what is written to the column is as any other value from then on: a person's clearing is heard", () => {
    const driver = dropAndMakeAnew();
    enterPhoneInB(driver);
    driver.settle();
    expect(phonesOfEve(driver)).toEqual(["6", "6"]);
    editEve(driver, { phone: null });
    driver.settle();
    expect(phonesOfEve(driver)).toEqual([null, null]);
  });

  test("in another column, which was never gone, a person's clearing is heard at once", () => {
    const driver = dropAndMakeAnew();
    editEve(driver, { note: null });
    driver.settle();
    const eve = driver
      .system("B")
      .rows()
      .find(({ values }) => values["email"] === EVE.email);
    expect(eve?.values).toMatchObject({ note: null, phone: "5" });
  });

  test("once a record was read again, a person's clearing is heard, and what is entered in it", () => {
    const driver = dropAndMakeAnew();
    editEve(driver, { phone: "7" });
    driver.settle();
    expect(phonesOfEve(driver)).toEqual(["7", "7"]);
    editEve(driver, { phone: null });
    driver.settle();
    expect(phonesOfEve(driver)).toEqual([null, null]);
  });

  test("records that are new since then are as any other ones", () => {
    const driver = dropAndMakeAnew();
    driver.system("A").insert({ ...EVE, email: "joy@example.com" }, driver.now);
    driver.settle();
    driver.now += 60_000;
    driver.system("A").update("A3", { phone: null }, driver.now);
    driver.settle();
    expect(driver.system("B").rows()[2]?.values).toMatchObject({ email: "joy@example.com", phone: null });
  });

  test("a second loss counts for records that were read after the first one", () => {
    const driver = dropAndMakeAnew();
    editEve(driver, { note: "edited" });
    driver.settle();
    driver.system("A").vanished = dropped;
    driver.refreshSchema("A", ["phone"]);
    driver.settle(2);
    const drift = { ...dropped, system: 0, fromMs: 0, untilMs: 0, comesBack: "empty", touchesRows: true } as const;
    driver.system("A").bringBack(drift, driver.now);
    driver.refreshSchema("A", []);
    editEve(driver, { note: "edited again" });
    driver.settle();
    expect(phonesOfEve(driver)).toEqual(["5", "5"]);
  });
});

test("losses of a system's fields are counted one by one, so that many of them can be distinguished", () => {
  const { source } = twoSystems();
  const after = (lost: LostFields, phone: boolean, note: boolean): LostFields => {
    const missing = new Set([...(phone ? ["phone"] : []), ...(note ? ["note"] : [])]);
    const mappings = source.mappings.map((one) => ({ ...one, isMissing: missing.has(one.connectorField) }));
    return lostAfter({ mappings }, lost);
  };
  const first = after({}, true, false);
  const second = after(first, true, true);
  const back = after(second, false, true);
  const again = after(back, true, true);
  expect(after(back, false, true), "the same object: there is nothing to write down").toBe(back);
  expect(after({}, false, false)).toEqual({});
  const losses = [first, second, back, again].map(({ phone, note }) => [phone?.loss, note?.loss]);
  expect(losses).toEqual([
    [1, undefined],
    [1, 2],
    [1, 2],
    [3, 2],
  ]);
});

test("a column counts as made anew where its number changes, not where it is known for the first time or was gone", () => {
  const { source } = twoSystems();
  const after = (lost: LostFields, id: string) => lostByPage(source, lost, { fieldIds: { phone: id } });
  const first = after({}, "4");
  expect(first).toEqual({ phone: { loss: 0, isGone: false, id: "4" } });
  expect(after(first, "4")).toBe(first);
  expect(after(first, "6")).toEqual({ phone: { loss: 1, isGone: false, id: "6" } });
  const gone = { phone: { loss: 1, isGone: true, id: "4" } };
  expect(after(gone, "6"), "that it was gone counts already").toEqual({ phone: { loss: 1, isGone: true, id: "6" } });
});

describe("links of a place that has lost a column", () => {
  const { source } = twoSystems();
  const { place } = source;
  const lossOfPhone: LostFields = { phone: { loss: 1, isGone: false } };
  const seen = seenFingerprint(source.program, place.readFields, ADA);
  const link = storedLink({ seen });
  /** Fields that count as missing in what was seen of a record last. */
  const missingIn = (known: string | null | undefined): string[] =>
    place.readFields.filter((_, index) => isMissing(partAt(known ?? "", index)));

  test("are marked in that column only, be they found for a page or for what is to be written", () => {
    const read = resolvedWithLosses(place, lossOfPhone, resolvedWith({ links: new Map([["A1", link]]) }));
    const claimed = claimedWithLosses(
      place,
      lossOfPhone,
      claimedOf([claimedDelivery({ link }), claimedDelivery({ recordId: "r2", link: null })]),
    );
    const [written, unlinked] = claimed.deliveries;
    for (const marked of [read.links.get("A1"), written?.link]) {
      expect(missingIn(marked?.seen)).toEqual(["phone"]);
      expect(lossIn(marked?.seen ?? "")).toBe(1);
    }
    expect(unlinked?.link).toBeNull();
  });

  test("stay as they are where they were read since, and where nothing was lost", () => {
    const since = storedLink({ seen: afterLoss(seen, 1) });
    const found = claimedOf([claimedDelivery({ link: since })]);
    expect(claimedWithLosses(place, lossOfPhone, found).deliveries[0]?.link).toBe(since);
    expect(claimedWithLosses(place, {}, found)).toBe(found);
    const resolved = resolvedWith({ links: new Map([["A1", link]]) });
    expect(resolvedWithLosses(place, {}, resolved)).toBe(resolved);
  });
});
