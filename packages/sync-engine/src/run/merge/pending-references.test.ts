/** References to records that nobody knows yet: what is blank on their account is nobody's word, what people say is. */
import { describe, expect, test } from "vitest";
import { PipelineDriver, type SystemTraits } from "@accord/sync-simulation/testing";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };
const BOB = { ...ADA, email: "bob@example.com", name: "Bob" };
const CY = { ...ADA, email: "cy@example.com", name: "Cy" };

type Authority = NonNullable<ConstructorParameters<typeof PipelineDriver>[0]["authority"]>;
const AUTHORITIES: Authority[] = ["NONE", "LATEST", "RANKED"];

function blanksCount(authority: Authority, traits: Partial<SystemTraits> = {}): PipelineDriver {
  const systems = [{ reportsModifiedAt: true }, { reportsModifiedAt: true, ...traits }];
  return new PipelineDriver({ systems, authority, hasReferences: true, acceptsBlanks: true });
}

/** Who is somebody's boss, by name. */
function bossOf(driver: PipelineDriver, system: string, name: string): unknown {
  const rows = driver.system(system).rows();
  const boss = rows.find(({ values }) => values["name"] === name)?.values["boss"] ?? null;
  return boss === null ? null : rows.find(({ id }) => id === boss)?.values["name"];
}

const bosses = (driver: PipelineDriver, name: string): unknown[] => [
  bossOf(driver, "A", name),
  bossOf(driver, "B", name),
];

const TRAITS: [string, Partial<SystemTraits>][] = [
  ["at once", {}],
  ["without saying what it stored", { answersStoredValues: false }],
  ["late", { lagMs: 10_000, answersStoredValues: false }],
  ["blanks as empty texts", { storeAs: (values) => ({ ...values, boss: values["boss"] ?? "" }) }],
];

describe.each(AUTHORITIES)("where blanks count, under %s", (authority) => {
  test.each(TRAITS)(
    "a reference that was open when its record was created elsewhere stands in both: %s",
    (_, traits) => {
      const driver = blanksCount(authority, traits);
      driver.system("A").insert({ ...ADA, boss: "A2" }, driver.now);
      driver.system("A").insert(BOB, driver.now);
      driver.settle();
      expect(bosses(driver, "Ada")).toEqual(["Bob", "Bob"]);
      expect(driver.store.ledger.filter(({ operation }) => operation === "refuse")).toEqual([]);
    },
  );

  test("so it does where the creation was never answered", () => {
    const driver = blanksCount(authority);
    driver.system("A").insert({ ...ADA, boss: "A2" }, driver.now);
    driver.system("A").insert(BOB, driver.now);
    driver.answer = ({ operations, placeId }, system) => {
      for (const operation of operations) system.write(operation, driver.now);
      driver.answer = () => null;
      return { kind: "sent", placeId, outcomes: operations.map(() => ({ status: "unknown", message: "timeout" })) };
    };
    driver.settle();
    expect(bosses(driver, "Ada")).toEqual(["Bob", "Bob"]);
    expect(driver.system("B").rows()).toHaveLength(2);
  });

  test("so it does where its target comes long after", () => {
    const driver = blanksCount(authority);
    driver.system("A").insert({ ...ADA, boss: "A2" }, driver.now);
    driver.settle(3);
    driver.system("B").update("B1", { phone: "2" }, driver.now);
    driver.settle(3);
    driver.system("A").insert(BOB, driver.now);
    driver.settle();
    expect(bosses(driver, "Ada")).toEqual(["Bob", "Bob"]);
  });

  test("a field that was blank when its record was created elsewhere keeps what is entered right after", () => {
    const driver = blanksCount(authority);
    driver.system("A").insert({ ...ADA, note: null }, driver.now);
    driver.cycle();
    driver.system("A").update("A1", { note: "entered" }, driver.now);
    driver.now += 10;
    driver.settle();
    expect([driver.row("A")["note"], driver.row("B")["note"]]).toEqual(["entered", "entered"]);
  });

  test("a value that a person clears after it was told is cleared in both", () => {
    const driver = blanksCount(authority);
    driver.system("A").insert({ ...ADA, boss: "A2" }, driver.now);
    driver.system("A").insert(BOB, driver.now);
    driver.settle();
    driver
      .system(authority === "RANKED" ? "A" : "B")
      .update(authority === "RANKED" ? "A1" : "B1", { boss: null }, driver.now);
    driver.settle();
    expect(bosses(driver, "Ada")).toEqual([null, null]);
  });

  test("an open reference that is cleared where it was named stays cleared", () => {
    const driver = blanksCount(authority);
    driver.system("A").insert({ ...ADA, boss: "A2" }, driver.now);
    driver.settle(3);
    driver.system("A").update("A1", { boss: null }, driver.now);
    driver.system("A").insert(BOB, driver.now);
    driver.settle();
    expect(bosses(driver, "Ada")).toEqual([null, null]);
  });
});

describe("another reference that a person enters elsewhere while one is open", () => {
  function other(authority: Authority): PipelineDriver {
    const driver = blanksCount(authority);
    driver.system("A").insert({ ...ADA, boss: "A3" }, driver.now);
    driver.system("A").insert(CY, driver.now);
    driver.settle(3);
    const rows = driver.system("B").rows();
    const [ada, cy] = ["Ada", "Cy"].map((name) => rows.find(({ values }) => values["name"] === name)?.id ?? "");
    driver.system("B").update(ada ?? "", { boss: cy ?? "" }, driver.now);
    driver.settle(3);
    driver.system("A").insert(BOB, driver.now);
    driver.settle();
    return driver;
  }

  test.each(["NONE", "LATEST"] as const)("is the later word under %s and stands in both", (authority) => {
    expect(bosses(other(authority), "Ada")).toEqual(["Cy", "Cy"]);
  });

  test("gives way to the more trusted system under RANKED", () => {
    expect(bosses(other("RANKED"), "Ada")).toEqual(["Bob", "Bob"]);
  });
});

describe("a reference that is entered by hand while another one is open", () => {
  function byHand(authority: Authority, isSaidAnew = false): PipelineDriver {
    const driver = blanksCount(authority);
    const { store } = driver;
    driver.system("A").insert({ ...ADA, boss: "A3" }, driver.now);
    driver.system("A").insert(CY, driver.now);
    driver.settle(3);
    const [ada = "", cy = ""] = ["A1", "A2"].map((id) => store.recordAt(1, id) ?? "");
    store.applyUserEdits(ada, { boss: cy }, [1, 2], driver.now);
    driver.settle(3);
    if (isSaidAnew) driver.system("A").update("A1", { boss: "A4" }, driver.now);
    driver.settle(3);
    for (const name of ["Bob", "Dan"])
      driver.system("A").insert({ ...ADA, email: `${name}@example.com`, name }, driver.now);
    driver.settle();
    return driver;
  }

  test.each(AUTHORITIES)("stands under %s, and the other is in the history as older", (authority) => {
    const driver = byHand(authority);
    expect(bosses(driver, "Ada")).toEqual(["Cy", "Cy"]);
    const bob = driver.store.recordAt(1, "A3");
    expect(driver.store.ledger.flatMap(({ refused }) => (refused ? [refused] : []))).toEqual([
      { boss: [bob, "older"] },
    ]);
  });

  test.each(["NONE", "LATEST"] as const)("gives way under %s to what the other system names after it", (authority) => {
    expect(bosses(byHand(authority, true), "Ada")).toEqual(["Dan", "Dan"]);
  });
});
