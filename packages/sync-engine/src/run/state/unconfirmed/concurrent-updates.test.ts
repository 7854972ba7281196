/** A change in a system that tells no times, and what somebody saves elsewhere before it is read. */
import { describe, expect, test } from "vitest";
import type { Value, Values } from "@accord/contracts/data/values";
import { PipelineDriver, START, moment } from "@accord/sync-simulation/testing";
import { ConversionError } from "../../plan/plan.ts";
import { type CompiledPath, plainPath } from "../../graph/compiled-path.ts";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };
const SECOND = 1_000;

/** A tells times of change, B does not. */
function inAgreement(readOnly: readonly string[] = []): PipelineDriver {
  const driver = new PipelineDriver({ systems: [{ reportsModifiedAt: true }, {}], authority: "LATEST", readOnly });
  driver.system("A").insert(ADA, driver.now);
  if (readOnly.includes("B")) driver.system("B").insert(ADA, driver.now);
  driver.settle();
  return driver;
}

function saveHere(driver: PipelineDriver, values: Values): void {
  const [recordId = ""] = driver.store.records.keys();
  const places = driver.plan.sinks.map(({ place }) => place.id);
  driver.store.applyUserEdits(recordId, values, places, (driver.now += SECOND));
}

function editThere(driver: PipelineDriver, system: string, values: Values): void {
  driver.system(system).update(`${system}1`, values, (driver.now += SECOND));
}

const core = (driver: PipelineDriver): Values => [...driver.store.records.values()][0]?.values ?? {};
const conflicts = (driver: PipelineDriver): unknown[] =>
  [...driver.store.conflicts.values()].map(({ placeId, field, value, reason }) => [placeId, field, value, reason]);

describe.each([
  ["that is written to", []],
  ["that is only read", ["B"]],
])("in a system %s", (_, readOnly) => {
  test("what is saved here right after a change there stays, and the change is listed as a conflict", () => {
    const driver = inAgreement(readOnly);
    editThere(driver, "B", { phone: "2", note: "second" });
    saveHere(driver, { phone: "3" });
    driver.settle();
    expect(core(driver)).toMatchObject({ phone: "3", note: "second" });
    expect(driver.row("A")).toMatchObject({ phone: "3", note: "second" });
    expect(driver.row("B")["phone"]).toBe(readOnly.length > 0 ? "2" : "3");
    const refused = driver.store.ledger.flatMap((entry) => (entry.refused ? [entry.refused] : []));
    expect(refused).toEqual([{ phone: ["2", "older"] }]);
    expect(conflicts(driver)).toEqual([[2, "phone", "2", "older"]]);
  });

  test("so it is for what was edited in another system", () => {
    const driver = inAgreement(readOnly);
    editThere(driver, "B", { phone: "2" });
    editThere(driver, "A", { phone: "3" });
    driver.settle();
    expect(core(driver)["phone"]).toBe("3");
  });

  test("what is cleared here right after a change there stays cleared", () => {
    const driver = inAgreement(readOnly);
    editThere(driver, "B", { phone: "2" });
    saveHere(driver, { phone: null });
    driver.cycle();
    expect(core(driver)["phone"]).toBeNull();
  });

  test("a change there after a reading that came after the saving goes over it", () => {
    const driver = inAgreement(readOnly);
    saveHere(driver, { phone: "3" });
    driver.cycle();
    editThere(driver, "B", { phone: "2" });
    driver.settle();
    expect(core(driver)["phone"]).toBe("2");
    expect(conflicts(driver)).toEqual([]);
  });
});

test("a change there of what had come there goes over it, though the place has not been read since", () => {
  const driver = inAgreement();
  const before = driver.store.knownUntil.get("source-B") ?? "";
  saveHere(driver, { phone: "3" });
  driver.cycle();
  expect(driver.row("B")["phone"]).toBe("3");
  driver.store.knownUntil.set("source-B", before);
  editThere(driver, "B", { phone: "2" });
  driver.settle();
  expect(core(driver)["phone"]).toBe("2");
});

test("where readings do not tell since when, what the place was not told yet stays all the same", () => {
  const driver = inAgreement();
  editThere(driver, "B", { phone: "2" });
  saveHere(driver, { phone: "3" });
  driver.publishedAt = moment(START);
  driver.store.knownUntil.clear();
  driver.settle();
  expect(core(driver)["phone"]).toBe("3");
  expect(conflicts(driver)).toEqual([[2, "phone", "2", "older"]]);
});

test("what can't be written there, as a text to a column of numbers, can't have been known there", () => {
  const driver = inAgreement();
  const sinks = driver.plan.sinks.map((sink) => ({
    ...sink,
    mappings: sink.mappings.map((mapping) => ({
      ...mapping,
      convert: (value: Value) => (value === "unfit" ? new ConversionError("not_convertible") : mapping.convert(value)),
    })),
  }));
  driver.plan = { ...driver.plan, sinks };
  editThere(driver, "B", { phone: "2" });
  saveHere(driver, { phone: "unfit" });
  driver.settle();
  expect(core(driver)["phone"]).toBe("unfit");
  expect(conflicts(driver)).toEqual([[2, "phone", "2", "older"]]);
});

test("what changed before a reading began is known after it", () => {
  const driver = inAgreement();
  const before = driver.now;
  driver.cycle();
  const known = driver.store.knownUntil.get("source-B") ?? "";
  expect(known > moment(before) && known < moment(driver.now)).toBe(true);
});

describe.each([
  ["that is written to", []],
  ["that is only read", ["B"]],
])("in a system %s, what is quarantined", (_, readOnly) => {
  /** Its record is quarantined; somebody saves the field here; it fails again and again, and gets through at last. */
  const fallOutAndSave = (driver: PipelineDriver): void => {
    const { plan } = driver;
    const failure = { nodeId: "n", code: "failed", message: "" };
    const path: CompiledPath = (page, env) =>
      plainPath("edge")(
        page.map((flow) => ({ ...flow, failure })),
        env,
      );
    const sources = plan.sources.map((source) => (source.place.id === 2 ? { ...source, path } : source));
    driver.plan = { ...plan, sources };
    driver.cycle();
    saveHere(driver, { phone: "3" });
    for (const next of [driver.plan, driver.plan, plan]) {
      driver.now += SECOND;
      driver.store.replayParked(driver.now);
      driver.plan = next;
      driver.cycle();
    }
    driver.settle();
  };

  test("and tried again does not go over what was saved here after it was read", () => {
    const driver = inAgreement(readOnly);
    editThere(driver, "B", { phone: "2", note: "second" });
    fallOutAndSave(driver);
    expect(core(driver)).toMatchObject({ phone: "3", note: "second" });
    expect(conflicts(driver)).toEqual([[2, "phone", "2", "older"]]);
  });

  test("neither if it was quarantined by the first reading there ever was", () => {
    const driver = new PipelineDriver({ systems: [{ reportsModifiedAt: true }, {}], authority: "LATEST", readOnly });
    driver.publishedAt = moment(driver.now);
    driver.now += SECOND;
    driver.system("A").insert(ADA, driver.now);
    driver.system("B").insert({ ...ADA, phone: "2" }, driver.now);
    fallOutAndSave(driver);
    expect(core(driver)["phone"]).toBe("3");
  });

  test("counts by the readings again once it got through", () => {
    const driver = inAgreement(readOnly);
    editThere(driver, "B", { note: "second" });
    fallOutAndSave(driver);
    editThere(driver, "B", { phone: "4" });
    driver.settle();
    expect(core(driver)).toMatchObject({ phone: "4", note: "second" });
  });
});

test.each([
  ["that is written to", []],
  ["that is only read", ["B"]],
])("readings to which a field was missing, in a system %s, say nothing of when it was changed", (_, readOnly) => {
  const driver = inAgreement(readOnly);
  driver.publishedAt = moment(START);
  editThere(driver, "B", { phone: "2", note: "second" });
  saveHere(driver, { phone: "3" });
  driver.system("B").vanished = { field: "phone", writes: "refused" };
  driver.cycle();
  editThere(driver, "B", { note: "third" });
  driver.cycle();
  driver.system("B").vanished = null;
  editThere(driver, "B", { note: "fourth" });
  driver.settle();
  expect(core(driver)).toMatchObject({ phone: "3", note: "fourth" });
  expect(conflicts(driver)).toEqual([[2, "phone", "2", "older"]]);
});

describe("a record there that no reading brought before", () => {
  const READ_ONLY = { systems: [{ reportsModifiedAt: true }, {}], authority: "LATEST", readOnly: ["B"] } as const;

  test("may hold values from before the pipeline: only what nobody else set since then is taken", () => {
    const driver = new PipelineDriver(READ_ONLY);
    driver.system("B").insert({ ...ADA, phone: "old", note: "old" }, driver.now);
    driver.now += SECOND;
    driver.publishedAt = moment(driver.now);
    driver.now += SECOND;
    driver.system("A").insert({ ...ADA, note: null }, driver.now);
    driver.settle();
    saveHere(driver, { phone: "saved" });
    driver.settle();
    editThere(driver, "B", { name: "Ada L" });
    driver.settle();
    expect(core(driver)).toMatchObject({ phone: "saved", note: "old" });
    expect(conflicts(driver)).toContainEqual([2, "phone", "old", "older"]);
  });

  test("was entered since the last reading where all that was there before has been read", () => {
    const driver = new PipelineDriver(READ_ONLY);
    driver.system("A").insert(ADA, driver.now);
    driver.settle();
    saveHere(driver, { phone: "saved" });
    driver.settle();
    driver.system("B").insert({ ...ADA, phone: "entered later" }, (driver.now += SECOND));
    driver.settle();
    expect(core(driver)["phone"]).toBe("entered later");
  });
});

test("what was saved at the very moment until which changes there are known is older than one there", () => {
  const driver = inAgreement(["B"]);
  saveHere(driver, { phone: "3" });
  const [record] = driver.store.records.values();
  editThere(driver, "B", { phone: "2" });
  driver.store.knownUntil.set("source-B", record?.origin["phone"]?.at ?? "");
  driver.settle();
  expect(core(driver)["phone"]).toBe("2");
});
