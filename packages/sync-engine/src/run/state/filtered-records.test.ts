/** Records whose copy leaves the filter of its source, and comes back after others have edited theirs. */
import { describe, expect, test } from "vitest";
import type { Values } from "@accord/contracts/data/values";
import { PipelineDriver, moment, type Authority, type DriverOptions } from "@accord/sync-simulation/testing";
import type { CompiledPath } from "../graph/compiled-path.ts";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "in" };
const SECOND = 1_000;
const CORE_ID = "core-node-000";

interface Case {
  authority: Authority;
  affectedSinks?: boolean;
  readOnly?: readonly string[];
  acceptsBlanks?: boolean;
  configured?: NonNullable<DriverOptions["configured"]>;
}

/** A and B in agreement; the source of B lets records through whose note is not "out". */
function inAgreement({ affectedSinks = false, ...options }: Case): PipelineDriver {
  const driver = new PipelineDriver({
    systems: [{ reportsModifiedAt: true }, { reportsModifiedAt: affectedSinks }],
    ...options,
  });
  driver.system("A").insert(ADA, driver.now);
  if (options.readOnly?.includes("B")) driver.system("B").insert(ADA, driver.now);
  driver.settle();
  const { plan } = driver;
  const filtered =
    (path: CompiledPath): CompiledPath =>
    (flows, env) =>
      path(
        flows.filter(({ values }) => values["note"] !== "out"),
        env,
      );
  const sources = plan.sources.map((source) =>
    source.place.id === 2 ? { ...source, path: filtered(source.path) } : source,
  );
  driver.plan = { ...plan, sources };
  return driver;
}

function edit(driver: PipelineDriver, system: string, values: Values): void {
  driver.system(system).update(`${system}1`, values, (driver.now += SECOND));
}

function editAndSettle(driver: PipelineDriver, system: string, values: Values): void {
  edit(driver, system, values);
  driver.settle();
}

function saveHere(driver: PipelineDriver, values: Values): void {
  const [recordId = ""] = driver.store.records.keys();
  const places = driver.plan.sinks.map(({ place }) => place.id);
  driver.store.applyUserEdits(recordId, values, places, (driver.now += SECOND));
}

const core = (driver: PipelineDriver): Values => [...driver.store.records.values()][0]?.values ?? {};
const conflicts = (driver: PipelineDriver): unknown[] =>
  [...driver.store.conflicts.values()].map(({ placeId, field, value, reason }) => [placeId, field, value, reason]);
const refused = (driver: PipelineDriver): unknown[] =>
  driver.store.ledger.flatMap((entry) => (entry.refused ? [entry.refused] : []));
const heldBack = (driver: PipelineDriver) => driver.store.links.get("2|B1")?.heldBack ?? null;

const RULES: Authority[] = ["NONE", "LATEST"];
const CASES = RULES.flatMap((authority) =>
  [true, false].flatMap((affectedSinks) =>
    [[], ["B"]].map((readOnly): [string, Case] => [
      `under ${authority}, in a system that tells ${affectedSinks ? "" : "no "}times and is ${readOnly.length > 0 ? "only read" : "written too"}`,
      { authority, affectedSinks, readOnly },
    ]),
  ),
);

describe.each(CASES)("%s", (_, options) => {
  test("what was entered elsewhere while a filter held the copy back stands, and the copy's own value is refused", () => {
    const driver = inAgreement(options);
    editAndSettle(driver, "B", { phone: "2", note: "out" });
    editAndSettle(driver, "A", { phone: "3" });
    editAndSettle(driver, "B", { note: "in again", name: "Countess" });
    expect(core(driver)).toMatchObject({ phone: "3", name: "Countess", note: "in again" });
    expect(driver.row("A")).toMatchObject({ phone: "3", name: "Countess" });
    expect(driver.row("B")["phone"]).toBe(options.readOnly?.length ? "2" : "3");
    expect(refused(driver)).toEqual([{ phone: ["2", "older"] }]);
    expect(conflicts(driver)).toEqual(options.authority === "LATEST" ? [[2, "phone", "2", "older"]] : []);
  });

  test("so does what was edited in the copy while it was out", () => {
    const driver = inAgreement(options);
    editAndSettle(driver, "B", { note: "out" });
    editAndSettle(driver, "B", { phone: "2" });
    editAndSettle(driver, "A", { phone: "3" });
    editAndSettle(driver, "B", { note: "in again" });
    expect(core(driver)["phone"]).toBe("3");
    expect(refused(driver)).toEqual([{ phone: ["2", "older"] }]);
  });

  test("so does what people save here", () => {
    const driver = inAgreement(options);
    editAndSettle(driver, "B", { phone: "2", note: "out" });
    saveHere(driver, { phone: "3" });
    driver.settle();
    editAndSettle(driver, "B", { note: "in again" });
    expect(core(driver)["phone"]).toBe("3");
    expect(refused(driver)).toEqual([{ phone: ["2", "older"] }]);
  });

  test("what was changed in the copy alone is taken once it is back", () => {
    const driver = inAgreement(options);
    editAndSettle(driver, "B", { phone: "2", note: "out" });
    editAndSettle(driver, "A", { name: "Countess" });
    editAndSettle(driver, "B", { note: "in again" });
    expect(core(driver)).toMatchObject({ phone: "2", name: "Countess" });
    expect(driver.row("A")).toMatchObject({ phone: "2", name: "Countess" });
    expect(refused(driver)).toEqual([]);
  });

  test("it counts as any other copy after that, also if it came back as it was", () => {
    const driver = inAgreement(options);
    editAndSettle(driver, "B", { note: "out" });
    expect(heldBack(driver)).not.toBeNull();
    editAndSettle(driver, "B", { note: "in" });
    expect(heldBack(driver)).toBeNull();
    editAndSettle(driver, "A", { phone: "3" });
    editAndSettle(driver, "B", { phone: "4" });
    expect(core(driver)["phone"]).toBe("4");
    expect(refused(driver)).toEqual([]);
  });

  test("a copy that stays out is noted once, and readings that show nothing new write nothing", () => {
    const driver = inAgreement(options);
    editAndSettle(driver, "B", { phone: "2", note: "out" });
    const known = heldBack(driver);
    driver.store.touchedAt.clear();
    driver.system("B").update("B1", {}, (driver.now += SECOND));
    driver.settle();
    expect(heldBack(driver)).toEqual(known);
    expect(driver.store.touchedAt.has("2|B1")).toBe(false);
  });
});

test("a later time of change of the copy proves its value where it was changed after everything else", () => {
  const driver = inAgreement({ authority: "LATEST", affectedSinks: true });
  editAndSettle(driver, "B", { note: "out" });
  editAndSettle(driver, "A", { phone: "3" });
  editAndSettle(driver, "B", { phone: "4", note: "in again" });
  expect(core(driver)["phone"]).toBe("4");
});

test("what was set elsewhere before the copy's own change, and read after it, loses to it", () => {
  const driver = inAgreement({ authority: "LATEST", affectedSinks: true });
  edit(driver, "A", { phone: "3" });
  editAndSettle(driver, "B", { phone: "2", note: "out" });
  editAndSettle(driver, "B", { note: "in again" });
  expect(core(driver)["phone"]).toBe("2");
});

test("where no authority decides, what had not come to the copy before it left stands too, and a warning names it", () => {
  const driver = inAgreement({ authority: "NONE" });
  edit(driver, "A", { phone: "3" });
  edit(driver, "B", { phone: "2", note: "out" });
  driver.settle();
  edit(driver, "B", { note: "in again" });
  const { problems } = driver.cycle();
  driver.settle();
  expect(core(driver)["phone"]).toBe("3");
  expect(problems).toContainEqual(
    expect.objectContaining({
      code: "edited_at_once",
      targetId: "phone",
      detail: '"3" was kept, not "2" of record B1',
    }),
  );
});

test("what was cleared elsewhere meanwhile stays cleared", () => {
  for (const authority of RULES) {
    const driver = inAgreement({ authority, acceptsBlanks: true });
    editAndSettle(driver, "B", { phone: "2", note: "out" });
    editAndSettle(driver, "A", { phone: null });
    editAndSettle(driver, "B", { note: "in again" });
    expect(core(driver)["phone"]).toBeNull();
  }
});

test("a value that was entered elsewhere and taken back again stands where the latest change counts", () => {
  const driver = inAgreement({ authority: "LATEST" });
  editAndSettle(driver, "B", { phone: "2", note: "out" });
  editAndSettle(driver, "A", { phone: "3" });
  editAndSettle(driver, "A", { phone: "1" });
  editAndSettle(driver, "B", { note: "in again" });
  expect(core(driver)["phone"]).toBe("1");
});

describe("where the source of the copy is trusted most", () => {
  const ranked = (): PipelineDriver =>
    inAgreement({
      authority: "RANKED",
      configured: (nodeId) => (nodeId === CORE_ID ? { ranking: ["source-B", "source-A"] } : {}),
    });

  test("its rank decides against other systems", () => {
    const driver = ranked();
    editAndSettle(driver, "B", { phone: "2", note: "out" });
    editAndSettle(driver, "A", { phone: "3" });
    editAndSettle(driver, "B", { note: "in again" });
    expect(core(driver)["phone"]).toBe("2");
  });

  test("what people saved here while it was held back stands, as they count for as much", () => {
    const driver = ranked();
    editAndSettle(driver, "B", { phone: "2", note: "out" });
    saveHere(driver, { phone: "3" });
    driver.settle();
    editAndSettle(driver, "B", { note: "in again" });
    expect(core(driver)).toMatchObject({ phone: "3", note: "in again" });
    expect(conflicts(driver)).toEqual([[2, "phone", "2", "older"]]);
  });
});

test("the first reading that holds a copy back tells until when its changes were known", () => {
  const driver = inAgreement({ authority: "LATEST" });
  const before = driver.store.knownUntil.get("source-B") ?? "";
  editAndSettle(driver, "B", { phone: "2", note: "out" });
  expect(heldBack(driver)?.since).toBe(before);
  expect(before < moment(driver.now)).toBe(true);
});

test("a cycle counts the changes that wait for copies that were changed and are held back", () => {
  const driver = inAgreement({ authority: "LATEST" });
  editAndSettle(driver, "B", { phone: "2", note: "out" });
  edit(driver, "A", { phone: "3" });
  const { problems } = driver.cycle();
  expect(problems).toContainEqual(
    expect.objectContaining({ severity: "warning", nodeId: "sink-B", code: "held_back", detail: "B1", count: 1 }),
  );
  expect(driver.row("B")["phone"]).toBe("2");
});

test("what was written to a copy while it was held back was known there: an edit of it after that is taken", () => {
  for (const authority of RULES) {
    const driver = inAgreement({ authority });
    editAndSettle(driver, "B", { note: "out" });
    editAndSettle(driver, "A", { phone: "3" });
    expect(driver.row("B")["phone"]).toBe("3");
    editAndSettle(driver, "B", { phone: "4" });
    editAndSettle(driver, "B", { note: "in again" });
    expect(core(driver)["phone"]).toBe("4");
  }
});
