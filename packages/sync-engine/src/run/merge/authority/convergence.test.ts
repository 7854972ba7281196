/** What two systems may expect of a pipeline between them: no edit is overwritten unread, and nothing is written for nothing. */
import type { WriteOutcome } from "@accord/connector-sdk";
import type { Values } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import { PipelineDriver } from "@accord/sync-simulation/testing";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };

/** Two systems that agree about one contact. */
function agreed(options: Omit<ConstructorParameters<typeof PipelineDriver>[0], "systems"> = {}) {
  const driver = new PipelineDriver({ systems: [{}, {}], ...options });
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  expect(driver.row("B")).toMatchObject(ADA);
  return driver;
}

describe("a change that comes between reading and writing", () => {
  test("is not overwritten: it is read first, and whoever was later wins in both systems", () => {
    const driver = agreed();
    driver.system("A").update("A1", { name: "Ada of A" }, driver.now);
    driver.answer = (_, system) => {
      if (system.name !== "B") return null;
      driver.answer = () => null;
      system.update("B1", { name: "Ada of B" }, driver.now);
      return null;
    };
    driver.settle();
    expect([driver.row("A")["name"], driver.row("B")["name"]]).toEqual(["Ada of B", "Ada of B"]);
  });

  test("is kept where it concerns another field than the one that is written", () => {
    const driver = agreed();
    driver.system("A").update("A1", { name: "Ada of A" }, driver.now);
    driver.answer = (_, system) => {
      driver.answer = () => null;
      system.update("B1", { phone: "2" }, driver.now);
      return null;
    };
    driver.settle();
    for (const name of ["A", "B"]) expect(driver.row(name)).toMatchObject({ name: "Ada of A", phone: "2" });
  });

  test("stands in the record's history where a more trusted system overrules it", () => {
    const driver = agreed({ authority: "RANKED" });
    driver.system("A").update("A1", { name: "Ada of A" }, driver.now);
    driver.answer = (_, system) => {
      driver.answer = () => null;
      system.update("B1", { name: "Ada of B" }, driver.now);
      return null;
    };
    driver.settle();
    expect([driver.row("A")["name"], driver.row("B")["name"]]).toEqual(["Ada of A", "Ada of A"]);
    const refused = driver.store.ledger.flatMap((entry) => (entry.refused ? [entry.refused] : []));
    expect(refused).toContainEqual({ name: ["Ada of B", "lower_ranked"] });
  });

  test("in a record that is to be deleted stands in its history", () => {
    const driver = agreed();
    driver.system("A").remove("A1", driver.now);
    driver.answer = (_, system) => {
      driver.answer = () => null;
      system.update("B1", { name: "Ada of B" }, driver.now);
      return null;
    };
    driver.settle();
    expect([...driver.system("A").rows(), ...driver.system("B").rows()]).toEqual([]);
    const refused = driver.store.ledger.flatMap((entry) => (entry.refused ? [entry.refused] : []));
    expect(refused).toContainEqual({ name: ["Ada of B", "deleted"] });
  });
});

describe("a first load without edits writes nothing back to where it came from", () => {
  test.each([
    ["decimals in the system's own scale", { dataType: "decimal" }, ["0.000", "20.0000000020", "1e3"]],
    ["dates with a time", { dataType: "datetime" }, ["2026-01-01 10:00:00+00", "2026-01-01T10:00:00Z"]],
    ["lists with nothing in them", { dataType: "string", isMultiValueField: true }, [[], ["", "a"], ["a", "a"]]],
    ["objects", { dataType: "object" }, [[], {}, { b: 1, a: [null] }]],
    ["empty texts", {}, ["", " padded "]],
    ["truth in words", { dataType: "boolean" }, ["t", "1", "false"]],
  ] as const)("%s", (_, type, values) => {
    for (const value of values) {
      const driver = new PipelineDriver({ systems: [{}, {}], fields: { name: type } });
      driver.system("A").insert({ ...ADA, name: value as never }, driver.now);
      driver.settle();
      expect(driver.system("B").rows()).toHaveLength(1);
      expect([value, driver.writes()[0], driver.row("A")["name"]]).toEqual([value, 0, value]);
      driver.system("B").update("B1", { phone: "2" }, driver.now);
      driver.settle();
      expect(driver.row("A")).toMatchObject({ phone: "2", name: value });
    }
  });
});

describe("a destination that is down for writing", () => {
  /** Twenty contacts that B takes none of for some minutes. */
  function outage(minutes: number, refusal: WriteOutcome) {
    const driver = agreed();
    for (let index = 0; index < 20; index += 1)
      driver.system("A").insert({ ...ADA, email: `p${index}@example.com`, name: `P${index}` }, driver.now);
    const end = driver.now + minutes * 60_000;
    driver.answer = ({ operations }, system) =>
      system.name === "B" && driver.now < end ? operations.map(() => refusal) : null;
    const before = driver.sent["B"] ?? 0;
    while (driver.now < end) {
      const { nextAt } = driver.cycle();
      driver.now = Math.min(Math.max(nextAt ?? 0, driver.now + 1_000), driver.now + 60_000);
    }
    return { driver, calls: (driver.sent["B"] ?? 0) - before };
  }

  test.each([
    ["502 to each", { status: "retry", message: "502 Bad Gateway" }],
    ["no answer to any", { status: "unknown", message: "timeout" }],
  ] as const)("%s: a few calls, nothing in quarantine, and everything arrives by itself", (_, refusal) => {
    const { driver, calls } = outage(30, refusal);
    expect(calls).toBeLessThan(60);
    expect(driver.store.quarantine).toEqual([]);
    driver.settle(40);
    expect(driver.system("B").rows()).toHaveLength(21);
    expect(driver.store.hasParked()).toBe(false);
  });

  test("one record alone that fails again and again is shown in quarantine and tried again by itself", () => {
    const driver = agreed();
    driver.system("A").update("A1", { name: "Poison" }, driver.now);
    let isRepaired = false;
    driver.answer = ({ operations }, system) =>
      system.name === "B" && !isRepaired ? operations.map(() => ({ status: "retry", message: "500" })) : null;
    for (let count = 0; count < 60 && driver.store.quarantine.length === 0; count += 1) {
      driver.cycle();
      driver.now += 60_000;
    }
    expect(driver.store.quarantine[0]).toMatchObject({ code: "gave_up", direction: "destination" });
    isRepaired = true;
    driver.settle(40);
    expect(driver.row("B")["name"]).toBe("Poison");
  });
});

test("a source whose turn comes again is read while another destination is still written", () => {
  const driver = new PipelineDriver({ systems: [{}, {}, {}] });
  for (let index = 0; index < 60; index += 1)
    driver.system("A").insert({ ...ADA, email: `p${index}@example.com` }, driver.now);
  let isEdited = false;
  const seenAt: { [system: string]: number } = {};
  driver.answer = ({ operations }, system) => {
    // C is slow, and while it is written somebody edits in A.
    if (system.name === "C") driver.now += 500 * operations.length;
    if (system.name === "C" && !isEdited) {
      isEdited = true;
      driver.system("A").update("A1", { phone: "new" }, driver.now);
      driver.interrupt = { kind: "sourcesDue", nodeIds: ["source-A"] };
    }
    const isReported = operations.some(
      (operation) => operation.kind === "update" && operation.values["phone"] === "new",
    );
    if (isReported) seenAt[system.name] = driver.sent["C"] ?? 0;
    return null;
  };
  driver.cycle();
  expect(seenAt["B"]).toBeLessThan(40);
  expect(driver.system("C").rows()).toHaveLength(60);
});

describe("systems that store values in a spelling of their own and do not say so", () => {
  const withName = (change: (name: string) => string) => (values: Values) => ({
    ...values,
    name: change(String(values["name"] ?? "")),
  });
  let stamps = 0;
  const lower = withName((name) => name.toLowerCase());
  const upper = withName((name) => name.toUpperCase());
  const short = withName((name) => name.slice(0, 8));
  const reversed = withName((name) => (name.startsWith("~") ? name.slice(1) : `~${name}`));
  const stamped = withName((name) => `${name.replace(/#.*/, "")}#${(stamps += 1)}`);

  test.each([
    ["in lower and in upper case", lower, upper, 6],
    ["padded and cut", withName((name) => ` ${name}`), short, 6],
    ["each the other way round", reversed, reversed, 12],
    ["with another stamp each time", stamped, stamped, 24],
  ])("%s: an edit travels, the writes it makes are few, and then all is quiet", (_, storeA, storeB, most) => {
    const silent = { answersStoredValues: false };
    const driver = new PipelineDriver({
      systems: [
        { ...silent, storeAs: storeA },
        { ...silent, storeAs: storeB },
      ],
    });
    driver.system("A").insert(ADA, driver.now);
    driver.settle();
    const before = driver.writes();
    driver.system("A").update("A1", { name: "Countess" }, driver.now);
    driver.settle(40);
    expect(driver.store.outstanding()).toBe(0);
    const writes = driver.writes().map((count, index) => count - (before[index] ?? 0));
    expect(writes[0]).toBeLessThan(most);
    expect(writes[1]).toBeLessThan(most);
    expect(String(driver.row("B")["name"]).toLowerCase()).toContain("ountes");
    const after = driver.writes();
    driver.settle();
    expect(driver.writes()).toEqual(after);
  });

  test("what keeps changing after each write is said with both values", () => {
    const driver = new PipelineDriver({
      systems: [
        { answersStoredValues: false, storeAs: stamped },
        { answersStoredValues: false, storeAs: stamped },
      ],
    });
    driver.system("A").insert(ADA, driver.now);
    const problems = Array.from({ length: 30 }, () => {
      driver.now += 60_000;
      return driver.cycle().problems;
    }).flat();
    expect(problems).toContainEqual(expect.objectContaining({ code: "alternates", targetId: "name" }));
    const refused = driver.store.ledger.flatMap((entry) => (entry.refused ? [entry.refused] : []));
    expect(refused).toContainEqual({ name: [expect.stringMatching(/^Ada#/), "alternates"] });
  });

  test("a person's edit right after our write is no spelling", () => {
    const driver = agreed();
    driver.system("B").traits.answersStoredValues = false;
    driver.system("A").update("A1", { name: "Countess" }, driver.now);
    driver.cycle();
    driver.system("B").update("B1", { name: "Lovelace" }, driver.now);
    driver.settle();
    expect([driver.row("A")["name"], driver.row("B")["name"]]).toEqual(["Lovelace", "Lovelace"]);
  });
});
