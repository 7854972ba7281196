/** Values that a destination's field can't take: in sight until they are there, fit, or are wanted there no more. */
import type { Value } from "@accord/contracts/data/values";
import { expect, test } from "vitest";
import { PipelineDriver } from "@accord/sync-simulation/testing";
import { namesTake, parked } from "./fixtures/unfit-values.ts";

const LONG = "Augusta Ada King, Countess of Lovelace";
const ADA = { email: "ada@example.com", name: LONG, phone: "1", note: "first" };

function refusedInB() {
  const driver = new PipelineDriver({ systems: [{}, {}] });
  namesTake(driver, 20);
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  expect(parked(driver)).toEqual(["names of 20"]);
  return driver;
}

/** Both hold a name that fits. */
function agreed() {
  const driver = new PipelineDriver({ systems: [{}, {}] });
  namesTake(driver, 20);
  driver.system("A").insert({ ...ADA, name: "Ada" }, driver.now);
  driver.settle();
  expect([driver.row("B")["name"], parked(driver)]).toEqual(["Ada", []]);
  return driver;
}

const edit = (driver: PipelineDriver, values: { [field: string]: Value }, system = "A"): void => {
  driver.now += 1_000;
  driver.system(system).update(`${system}1`, values, driver.now);
  driver.settle();
};
const lastWrite = ({ store }: PipelineDriver) => store.ledger.findLast(({ operation }) => operation === "write");

test("the rest of their record is written, and a cycle says once what was not", () => {
  const driver = new PipelineDriver({ systems: [{}, {}] });
  namesTake(driver, 20);
  driver.system("A").insert(ADA, driver.now);
  const { problems } = driver.cycle();
  expect(problems).toMatchObject([
    { severity: "warning", nodeId: "sink-B", code: "not_convertible", targetId: "name", detail: "record B1", count: 1 },
  ]);
  driver.settle();
  expect(driver.cycle().problems).toEqual([]);
  expect(driver.row("B")).toMatchObject({ email: ADA.email, phone: "1", note: "first" });
  expect(driver.row("B")["name"] ?? null).toBeNull();
  expect(parked(driver)).toEqual(["names of 20"]);
  expect(lastWrite(driver)).toMatchObject({ externalId: "B1", refused: { name: [LONG, "not_convertible"] } });
  expect(driver.settle(), "and it comes to rest").toBe(0);
});

test("they arrive by themselves once the field takes them, and not before", () => {
  const driver = refusedInB();
  namesTake(driver, 30);
  driver.settle();
  expect([driver.row("B")["name"] ?? null, parked(driver)]).toEqual([null, ["names of 30"]]);
  namesTake(driver, 60);
  driver.settle();
  expect([driver.row("B")["name"], driver.row("A")["name"], parked(driver)]).toEqual([LONG, LONG, []]);
});

test("a value that fits ends it, also where the place holds that one already", () => {
  const driver = refusedInB();
  edit(driver, { name: "Ada" });
  expect([driver.row("B")["name"], parked(driver)]).toEqual(["Ada", []]);
  edit(driver, { name: LONG });
  expect([driver.row("B")["name"], parked(driver)], "what stands there stays").toEqual(["Ada", ["names of 20"]]);
  expect(lastWrite(driver)).toMatchObject({ changes: {}, refused: { name: [LONG, "not_convertible"] } });
  const before = driver.store.ledger.length;
  edit(driver, { name: "Ada" });
  expect([driver.row("B")["name"], parked(driver)]).toEqual(["Ada", []]);
  expect(driver.store.ledger.slice(before).map(({ operation }) => operation)).toEqual(["update"]);
});

test("edits of other fields, there and elsewhere, go on and leave it standing", () => {
  const driver = refusedInB();
  edit(driver, { phone: "2" });
  expect([driver.row("B")["phone"], parked(driver)]).toEqual(["2", ["names of 20"]]);
  expect(lastWrite(driver)).toMatchObject({
    changes: { phone: [null, "2"] },
    refused: { name: [LONG, "not_convertible"] },
  });
  edit(driver, { note: "of B" }, "B");
  expect([driver.row("A")["note"], driver.row("A")["name"], parked(driver)]).toEqual(["of B", LONG, ["names of 20"]]);
  edit(driver, { name: "Ada of B" }, "B");
  expect([driver.row("A")["name"], parked(driver)]).toEqual(["Ada of B", []]);
});

test("an edit there, read before they are delivered, does not hide that they are refused", () => {
  const driver = agreed();
  driver.now += 1_000;
  driver.system("A").update("A1", { name: LONG }, driver.now);
  driver.system("B").update("B1", { phone: "2" }, driver.now);
  driver.settle();
  expect([driver.row("A"), driver.row("B")]).toMatchObject([
    { name: LONG, phone: "2" },
    { name: "Ada", phone: "2" },
  ]);
  expect(parked(driver)).toEqual(["names of 20"]);
  const noted = driver.store.ledger.filter(({ operation, refused }) => operation === "write" && refused);
  expect(noted).toMatchObject([{ externalId: "B1", changes: {}, refused: { name: [LONG, "not_convertible"] } }]);
  expect(driver.settle(), "and it comes to rest").toBe(0);
  driver.now += 1_000;
  driver.system("A").update("A1", { note: "of A" }, driver.now);
  driver.system("B").update("B1", { note: "of A" }, driver.now);
  driver.settle();
  expect(parked(driver), "it stands where the same was entered in both").toEqual(["names of 20"]);
});

test("they are refused where a record is found that is there already, and agrees in all else", () => {
  const driver = new PipelineDriver({ systems: [{}, {}] });
  namesTake(driver, 20);
  driver.system("A").insert(ADA, driver.now);
  driver.system("B").insert({ ...ADA, name: null }, driver.now);
  driver.settle();
  expect([driver.store.records.size, driver.row("A")["name"], driver.row("B")["name"]]).toEqual([1, LONG, null]);
  expect([parked(driver), driver.settle()]).toEqual([["names of 20"], 0]);
});

test("they are refused where a record appears of which nothing was to be delivered", () => {
  const configured = (nodeId: string) => (nodeId === "sink-B" ? { create: false } : {});
  const driver = new PipelineDriver({ systems: [{}, {}], configured });
  namesTake(driver, 20);
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  expect([driver.system("B").rows(), parked(driver)]).toEqual([[], []]);
  driver.system("B").insert({ ...ADA, name: null }, driver.now);
  driver.settle();
  expect([parked(driver), driver.settle()]).toEqual([["names of 20"], 0]);
});

test("they are refused where they are written into another column of the place that they come from", () => {
  const driver = agreed();
  const sinks = driver.plan.sinks.map((sink) => {
    if (sink.place.connectorId !== "B") return sink;
    const note = { connectorField: "note", writeIndex: sink.place.writeFields.indexOf("note") };
    const mappings = sink.mappings.flatMap((one) => {
      if (one.coreField === "note") return [];
      return [one.coreField === "name" ? { ...one, ...note } : one];
    });
    return { ...sink, mappings };
  });
  driver.plan = { ...driver.plan, sinks };
  edit(driver, { name: LONG }, "B");
  expect([driver.row("A")["name"], parked(driver), driver.settle()]).toEqual([LONG, ["names of 20"], 0]);
});

test("a person who enters the value there ends it", () => {
  const driver = refusedInB();
  edit(driver, { name: LONG }, "B");
  expect([driver.row("A")["name"], driver.row("B")["name"]]).toEqual([LONG, LONG]);
  expect([parked(driver), driver.settle()]).toEqual([[], 0]);
});

test("what the place held itself, and holds no more, is refused there", () => {
  const driver = new PipelineDriver({ systems: [{}, {}], authority: "RANKED" });
  namesTake(driver, 20);
  driver.system("A").insert(ADA, driver.now);
  driver.system("B").insert(ADA, driver.now);
  driver.settle();
  expect(parked(driver)).toEqual([]);
  edit(driver, { name: "Ada" }, "B");
  expect([driver.row("A")["name"], driver.row("B")["name"]]).toEqual([LONG, "Ada"]);
  expect([parked(driver), driver.settle()]).toEqual([["names of 20"], 0]);
});

test("it ends with its record, and with its mapping", () => {
  const deleted = refusedInB();
  deleted.system("A").remove("A1", deleted.now);
  deleted.settle();
  expect([deleted.system("B").rows(), parked(deleted)]).toEqual([[], []]);
  const unmapped = refusedInB();
  unmapped.publish({ B: ["name"] });
  unmapped.settle();
  expect(parked(unmapped)).toEqual([]);
});

test("what the place showed itself is not refused there, though its schema is older than it", () => {
  const driver = new PipelineDriver({ systems: [{}, {}] });
  namesTake(driver, 20);
  driver.system("B").insert(ADA, driver.now);
  driver.settle();
  edit(driver, { phone: "2" });
  expect([driver.row("B"), parked(driver)]).toMatchObject([{ name: LONG, phone: "2" }, []]);
});
