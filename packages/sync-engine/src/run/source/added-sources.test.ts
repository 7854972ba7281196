/** A system without times of change that joins a running pipeline: its old copies fill in what is blank, no more. */
import type { Values } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import { PipelineDriver, START, moment, type Authority } from "@accord/sync-simulation/testing";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };
const DAY = 86_400_000;

interface Scenario {
  authority: Authority;
  /** What the core holds when the other system joins, and what that has of it. */
  here?: Values;
  there: Values;
  isDated?: boolean;
  hasJoined?: boolean;
}

/** A was edited since it was published; B, which is only read, held a copy all along and joins now. */
function joined({ authority, here = {}, there, isDated = false, hasJoined = true }: Scenario) {
  const systems = [{ reportsModifiedAt: true }, { reportsModifiedAt: isDated }];
  const driver = new PipelineDriver({ systems, authority, readOnly: ["B"], acceptsBlanks: true });
  driver.publishedAt = moment(START);
  driver.system("A").insert(ADA, START - DAY);
  driver.system("B").insert({ ...ADA, ...there }, START - DAY);
  driver.cycle();
  driver.bringIn(["source-A"]);
  driver.now += 5_000;
  driver.system("A").update("A1", { phone: "2", ...here }, driver.now);
  driver.settle();
  if (hasJoined) driver.joinedAfter.set("source-B", moment(START));
  driver.publishedAt = moment(driver.now);
  const { problems } = driver.bringIn(["source-B"]);
  return { driver, problems, row: driver.row("A") };
}

describe.each(["NONE", "LATEST"] as const)("under %s", (authority) => {
  test("what was entered before it joined stays, and what it holds is named", () => {
    const { driver, problems, row } = joined({ authority, there: { phone: "0" } });
    expect(row["phone"]).toBe("2");
    const isNamed = problems.some(({ code }) => code === "edited_at_once") || driver.store.conflicts.size > 0;
    expect(isNamed, "the value that was not taken is named").toBe(true);
    const refused = driver.store.ledger.flatMap((entry) => (entry.refused ? [entry.refused] : []));
    expect(refused).toEqual([{ phone: ["0", "older"] }]);
  });

  test("what nobody has touched since the first load stays too", () => {
    expect(joined({ authority, there: { note: "another" } }).row["note"]).toBe("first");
  });

  test("its blanks clear nothing", () => {
    expect(joined({ authority, there: { note: null } }).row["note"]).toBe("first");
  });

  test("an edit of it after it joined goes over everything", () => {
    const { driver } = joined({ authority, there: { phone: "0" } });
    driver.system("B").update("B1", { phone: "3" }, (driver.now += 5_000));
    driver.settle();
    expect(driver.row("A")["phone"]).toBe("3");
  });

  test("one of the first systems replaces what was set before, as ever", () => {
    const { row } = joined({ authority, there: { note: "another" }, hasJoined: false });
    expect(row["note"]).toBe("another");
  });
});

test("it fills in what nobody has set, but not what was cleared where time decides", () => {
  expect(joined({ authority: "NONE", here: { note: null }, there: { note: "another" } }).row["note"]).toBe("another");
  expect(joined({ authority: "LATEST", here: { note: null }, there: { note: "another" } }).row["note"]).toBeNull();
});

test("an equal value does not become its own: nothing says that it was set again there", () => {
  const { driver } = joined({ authority: "LATEST", there: {} });
  const [record] = driver.store.records.values();
  expect(record?.origin["name"]).toEqual({ by: "A/contact", at: moment(START - DAY) });
});

test("the warning says why the core's value was kept", () => {
  const { problems } = joined({ authority: "NONE", there: { phone: "0" } });
  expect(problems).toContainEqual(
    expect.objectContaining({
      code: "edited_at_once",
      targetId: "phone",
      message: expect.stringContaining("joined a running pipeline"),
      detail: '"2" was kept, not "0" of record B1',
    }),
  );
});

test("under ranks the rank decides, and with a time of change the time", () => {
  const { row } = joined({ authority: "LATEST", there: { phone: "0" }, isDated: true });
  expect(row["phone"]).toBe("2");
  expect(joined({ authority: "RANKED", there: { phone: "0" } }).row["phone"]).toBe("2");
});
