/** What a system shows after our own write, unlike what was sent: its spelling of it, or somebody's edit. */
import type { Values } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import { PipelineDriver } from "@accord/sync-simulation/testing";
import { ADA, refusedIn, loseFirstAnswer } from "./fixtures/normalized-values.ts";

/** Two systems; soon after a write B shows another name than it was given, with a time of change that is not the write's. */
function respelling(store: (name: string, count: number) => string | null) {
  const driver = new PipelineDriver({ systems: [{}, { answersStoredValues: false }] });
  let count = 0;
  driver.answer = ({ operations }, system) => {
    if (system.name !== "B") return null;
    const outcomes = operations.map((operation) => system.write(operation, driver.now));
    const given = String(driver.row("B")["name"]);
    const stored = store(given, (count += 1));
    driver.now += 5;
    if (stored !== given) system.update("B1", { name: stored }, driver.now);
    return outcomes;
  };
  driver.system("A").insert(ADA, driver.now);
  return driver;
}

describe("a value that differs in spelling only stays as its system writes it, and nobody else is told", () => {
  test.each([
    ["case", "Ada Lovelace", "ADA LOVELACE"],
    ["blanks", " Ada  Lovelace ", "Ada Lovelace"],
    ["a number", "12.50", "12.5"],
    ["a time", "2026-01-01T10:00:00Z", "2026-01-01T11:00:00+01:00"],
  ])("%s", (_, given, stored) => {
    const driver = respelling((name) => (name === given ? stored : name));
    driver.system("A").update("A1", { name: given }, driver.now);
    driver.settle();
    expect([driver.row("A")["name"], driver.row("B")["name"]]).toEqual([given, stored]);
  });
});

describe("a system that keeps lists as sets", () => {
  const sorted = (values: Values): Values =>
    Array.isArray(values["note"]) ? { ...values, note: [...new Set(values["note"] as string[])].sort() } : values;
  const [given, stored] = [
    ["vip", "eu", "vip"],
    ["eu", "vip"],
  ];
  const make = (more: object = {}) => {
    const driver = new PipelineDriver({
      systems: [{}, { answersStoredValues: false, storeAs: sorted, ...more }],
      fields: { note: { isMultiValueField: true } },
    });
    driver.system("A").insert({ ...ADA, note: given }, driver.now);
    return driver;
  };
  const held = (driver: PipelineDriver) => ["A", "B"].map((name) => driver.row(name)["note"]);

  test("keeps its order, and a first load writes nothing back", () => {
    const driver = make();
    driver.settle();
    expect(held(driver)).toEqual([given, stored]);
  });

  test("holds a record once whose creation was not answered", () => {
    const driver = make({ idempotentCreate: false, canLookup: false });
    driver.answer = ({ operations }, system) => {
      if (system.name !== "B") return null;
      driver.answer = () => null;
      for (const operation of operations) system.write(operation, driver.now);
      return operations.map(() => ({ status: "unknown", message: "No answer came." }));
    };
    driver.settle();
    expect(held(driver)).toEqual([given, stored]);
    expect(driver.system("B").rows()).toHaveLength(1);
  });
});

test.each([
  ["another word", "Ada", "Eve"],
  ["another number", "12.50", "12.6"],
  ["another day", "2026-01-01", "2026-01-02"],
  ["nothing", "Ada", null],
])("what says something else is somebody's edit and travels: %s", (_, given, stored) => {
  const driver = respelling((name, count) => (name === given && count === 1 ? stored : name));
  driver.system("A").update("A1", { name: given }, driver.now);
  driver.settle();
  // Blanks do not clear what another system says.
  const expected = stored ?? given;
  expect(driver.row("A")["name"]).toBe(expected);
});

test("what was written twice before it could be read keeps its system's spelling in both parts", () => {
  const lagMs = 300_000;
  const driver = new PipelineDriver({ systems: [{}, { answersStoredValues: false, respells: true, lagMs }] });
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  driver.now += lagMs;
  driver.settle();
  const edits: Values[] = [{ note: "second" }, { name: "Ada King" }];
  for (const edit of edits) {
    driver.system("A").update("A1", edit, driver.now);
    driver.cycle();
  }
  driver.now += lagMs;
  driver.settle();
  expect([driver.row("A"), driver.row("B")]).toMatchObject([
    { name: "Ada King", note: "second" },
    { name: "Ada King", note: "SECOND" },
  ]);
});

/** Two systems that agree about Ada; B stores what it is given as `storeAs` says, and answers nothing. */
function silent(storeAs: (values: Values) => Values) {
  const driver = new PipelineDriver({ systems: [{}, { answersStoredValues: false, storeAs }] });
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  return driver;
}

test("an older write in its system's spelling does not go over a newer edit", () => {
  const driver = silent((values) => ({ ...values, note: String(values["note"]).toUpperCase() }));
  driver.system("A").update("A1", { note: "second" }, driver.now);
  driver.cycle();
  driver.system("A").update("A1", { note: "third" }, driver.now);
  driver.settle();
  expect([driver.row("A")["note"], driver.row("B")["note"]]).toEqual(["third", "THIRD"]);
  expect(refusedIn(driver)).toEqual([]);
});

test("what may be an older write or an edit gives way to a newer edit, and is kept in the record's history", () => {
  const driver = silent((values) => ({ ...values, name: `${String(values["name"]).slice(0, 3)}.` }));
  driver.system("A").update("A1", { name: "Augusta" }, driver.now);
  driver.cycle();
  driver.system("A").update("A1", { name: "Countess" }, driver.now);
  const { problems } = driver.cycle();
  expect(problems, "its cycle says so").toContainEqual(
    expect.objectContaining({ severity: "warning", code: "unconfirmed", targetId: "name", count: 1 }),
  );
  driver.settle();
  expect(refusedIn(driver)).toContainEqual({ name: ["Aug.", "unconfirmed"] });
  expect(driver.store.ledger.some(({ changes }) => changes["name"]?.[1] === "Aug.")).toBe(false);
});

test.each([
  ["cut", "Ada Lovelace", "Ada Lov", (value: string) => value.slice(0, 7)],
  ["rounded", "12.3456", "12.35", (value: string) => (value.includes(".") ? Number(value).toFixed(2) : value)],
  ["not stored at all", "Ada Lovelace", "Ada", () => "Ada"],
])("a value that is %s where it is written stays whole elsewhere", (_, given, stored, store) => {
  const driver = silent((values) => ({ ...values, name: store(String(values["name"])) }));
  driver.system("A").update("A1", { name: given }, driver.now);
  driver.settle();
  expect([driver.row("A")["name"], driver.row("B")["name"]]).toEqual([given, stored]);
});

test("what stood there before our write is an edit where it alone changed and has a later time of change", () => {
  const driver = new PipelineDriver({ systems: [{}, { answersStoredValues: false, reportsModifiedAt: true }] });
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  driver.system("A").update("A1", { note: "second" }, driver.now);
  driver.cycle();
  driver.now += 60_000;
  driver.system("B").update("B1", { note: "first" }, driver.now);
  driver.settle();
  expect([driver.row("A")["note"], driver.row("B")["note"]]).toEqual(["first", "first"]);
});

/** B shows another phone than it was just written; `isReported`: it tells times of change, of its writes too. */
function correctedAfter(written: string, corrected: string, isReported = true) {
  const traits = { reportsModifiedAt: isReported, answersStoredValues: false };
  const driver = new PipelineDriver({ systems: [{ reportsModifiedAt: isReported }, traits] });
  driver.system("A").insert({ ...ADA, phone: written }, driver.now);
  driver.cycle();
  driver.now += 1000;
  driver.system("B").update("B1", { phone: corrected }, driver.now);
  driver.settle();
  return driver;
}

const phones = (driver: PipelineDriver) => [driver.row("A")["phone"], driver.row("B")["phone"]];

describe.each([true, false])(
  "what says more or something else is no spelling; times of change are told: %s",
  (isReported) => {
    test.each([
      ["a digit beyond the sixteenth", "12345678901234567890", "12345678901234567891"],
      ["what stands in brackets behind a date", "2024-01-01 (draft)", "2024-01-01 (final)"],
      ["leading zeros", "420", "00420"],
      ["a leading plus", "49123456789", "+49123456789"],
      ["hexadecimal", "31", "0x1f"],
    ])("%s that a person corrects where it was just written travels", (_, written, corrected) => {
      expect(phones(correctedAfter(written, corrected, isReported))).toEqual([corrected, corrected]);
    });
  },
);

describe("right after a write", () => {
  test.each([
    ["case", "Mcdonald", "McDonald"],
    ["a plus sign that is taken away", "+49123456789", "49123456789"],
    ["a zone", "2026-01-01T10:00:00Z", "2026-01-01T11:00:00+01:00"],
  ])("a later time than the write's own proves an edit of the spelling: %s", (_, written, corrected) => {
    expect(phones(correctedAfter(written, corrected))).toEqual([corrected, corrected]);
    expect(phones(correctedAfter(written, corrected, false)), "nothing proves it").toEqual([written, corrected]);
  });
});

test("two systems that put each text into a case of their own, a moment after they were written, come to rest", () => {
  const traits = { reportsModifiedAt: true, answersStoredValues: false };
  const driver = new PipelineDriver({ systems: [traits, traits] });
  driver.answer = ({ operations }, system) => {
    const outcomes = operations.map((operation) => system.write(operation, driver.now));
    driver.now += 5;
    const [row] = system.rows();
    const name = String(row?.values["name"]);
    system.update(
      `${system.name}1`,
      { name: system.name === "A" ? name.toLowerCase() : name.toUpperCase() },
      driver.now,
    );
    return outcomes;
  };
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  for (const name of ["Ada King", "Ada Lovelace"]) {
    driver.now += 60_000;
    driver.system("A").update("A1", { name }, driver.now);
    driver.settle();
    expect([driver.row("A")["name"], driver.row("B")["name"]].map((shown) => String(shown).toLowerCase())).toEqual([
      name.toLowerCase(),
      name.toLowerCase(),
    ]);
    expect(driver.store.outstanding()).toBe(0);
  }
});

test("a correction of the spelling does not go over a newer edit, and is kept in the record's history", () => {
  const driver = new PipelineDriver({ systems: [{}, { reportsModifiedAt: true, answersStoredValues: false }] });
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  driver.system("A").update("A1", { name: "Ada King" }, driver.now);
  driver.cycle();
  driver.now += 60_000;
  driver.system("B").update("B1", { name: "ADA KING" }, driver.now);
  driver.system("A").update("A1", { name: "Ada Lovelace" }, driver.now);
  driver.settle();
  expect([driver.row("A")["name"], driver.row("B")["name"]]).toEqual(["Ada Lovelace", "Ada Lovelace"]);
  expect(refusedIn(driver)).toContainEqual({ name: ["ADA KING", "unconfirmed"] });
});

test.each([
  ["+49123456789", "49123456789"],
  ["00420", "420"],
])("a creation without an answer, of which a system keeps the number alone, is known again: %s as %s", (sent, kept) => {
  const storeAs = (values: Values) => ({
    ...values,
    phone: values["phone"] === sent ? kept : (values["phone"] ?? null),
  });
  const driver = new PipelineDriver({ systems: [{}, { canLookup: false, storeAs }] });
  loseFirstAnswer(driver);
  driver.system("A").insert({ ...ADA, email: null, phone: sent }, driver.now);
  driver.settle();
  expect([...driver.store.records.values()]).toHaveLength(1);
  expect(phones(driver)).toEqual([sent, kept]);
});

test("a system that keeps a number without its plus sign keeps it for itself", () => {
  const driver = silent((values) => ({ ...values, phone: String(values["phone"]).replace(/^\+/, "") }));
  driver.system("A").update("A1", { phone: "+49123456789" }, driver.now);
  driver.settle();
  expect(phones(driver)).toEqual(["+49123456789", "49123456789"]);
});

test("what was shown for the same value once before is the system's own, though nothing else says so", () => {
  const driver = respelling((name) => (name === "Augusta" ? "Countess" : name));
  driver.system("A").update("A1", { name: "Augusta" }, driver.now);
  driver.settle();
  expect(driver.row("A")["name"], "it may be an edit the first time").toBe("Countess");
  // So that it is not what stood there before the write, either.
  driver.system("B").update("B1", { name: "Eve" }, driver.now);
  driver.settle();
  expect(driver.row("A")["name"]).toBe("Eve");
  driver.system("A").update("A1", { name: "Augusta" }, driver.now);
  driver.settle();
  expect([driver.row("A")["name"], driver.row("B")["name"]]).toEqual(["Augusta", "Countess"]);
});
