/** Writes without an answer to systems that nobody reads, whose values are taken back before anybody learns of them. */
import type { WriteOutcome } from "@accord/connector-sdk";
import { describe, expect, test } from "vitest";
import { PipelineDriver, type DriverOptions } from "@accord/sync-simulation/testing";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };

/** A is read and written, B only written. The answer to the first update of B is lost, whether it was done or not. */
function losingAnswers(isDone: boolean, options: Partial<DriverOptions> = {}) {
  const driver = new PipelineDriver({ systems: [{}, {}], writeOnly: ["B"], ...options });
  const [a, b] = [driver.system("A"), driver.system("B")];
  a.insert(ADA, driver.now);
  driver.settle();
  let lost = 0;
  driver.answer = ({ operations }, system) => {
    if (system !== b || lost > 0 || operations.every(({ kind }) => kind !== "update")) return null;
    lost += 1;
    if (isDone) for (const operation of operations) b.write(operation, driver.now);
    return operations.map((): WriteOutcome => ({ status: "unknown", message: "No answer." }));
  };
  const [recordId = ""] = driver.store.records.keys();
  return { driver, a, b, recordId, lost: () => lost };
}

describe.each([true, false])("a write whose answer is lost (done: %s)", (isDone) => {
  test("is over where a person enters the old value again", () => {
    const { driver, a, lost } = losingAnswers(isDone);
    a.update("A1", { name: "Countess" }, driver.now);
    driver.cycle();
    expect(lost()).toBe(1);
    a.update("A1", { name: "Ada" }, driver.now);
    driver.settle();
    expect(driver.row("B")).toMatchObject(ADA);
    expect(driver.store.outstanding()).toBe(0);
  });

  test("is over where the old value is saved here", () => {
    const { driver, recordId, lost } = losingAnswers(isDone);
    driver.store.applyUserEdits(recordId, { name: "Countess" }, [1, 2], driver.now);
    driver.cycle();
    expect(lost()).toBe(1);
    driver.store.applyUserEdits(recordId, { name: "Ada" }, [1, 2], driver.now);
    driver.settle();
    expect(driver.row("B")).toMatchObject(ADA);
  });

  test("is over where the merge that changed the value is undone", () => {
    const duplicates = { reportOnly: false, most: 5, deletesLosers: true, winner: "oldest" } as const;
    const { driver, a, lost } = losingAnswers(isDone, { duplicates, authority: "LATEST" });
    driver.now += 60_000;
    a.insert({ ...ADA, name: "Countess" }, driver.now);
    driver.cycle();
    expect(lost()).toBe(1);
    const [merge] = driver.store.merges.kept;
    driver.store.undoMerge(merge?.mergeId ?? "", [1, 2], driver.now);
    driver.settle();
    // The other one is quarantined there: the row of its address is Ada's.
    expect(
      driver
        .system("B")
        .rows()
        .map(({ values }) => values["name"]),
    ).toEqual(["Ada"]);
  });
});
