/** A row that we created without an answer, beside one that somebody entered for the same contact: what it says is old. */
import { describe, expect, test } from "vitest";
import { PipelineDriver, type Duplicates } from "@accord/sync-simulation/testing";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };

/**
 * Ada comes from B. Right before her creation arrives in A, somebody enters her there too; the answer is lost, and then
 * somebody corrects the note of the row that we made.
 */
function enteredTwice(authority: "LATEST" | "NONE", winner: Duplicates["winner"]) {
  const driver = new PipelineDriver({
    systems: [{ canLookup: false }, { reportsModifiedAt: true }],
    authority,
    duplicates: { reportOnly: false, most: 5, deletesLosers: true, winner },
  });
  const [a, b] = [driver.system("A"), driver.system("B")];
  b.insert(ADA, driver.now);
  let isLost = false;
  driver.answer = ({ operations }, system) => {
    if (system !== a || isLost) return null;
    isLost = true;
    a.insert({ ...ADA, name: null, phone: null, note: null }, driver.now);
    for (const operation of operations) a.write(operation, driver.now);
    return operations.map(() => ({ status: "unknown", message: "No answer." }));
  };
  driver.cycle();
  expect(a.rows().map(({ values }) => values["name"])).toEqual([null, "Ada"]);
  a.update("A2", { note: "corrected" }, driver.now);
  return { driver };
}

const names = ({ driver }: ReturnType<typeof enteredTwice>): unknown[] =>
  driver.systems.map((system) => system.rows().map(({ values }) => [values["name"], values["phone"], values["note"]]));

describe.each(["LATEST", "NONE"] as const)("where authority is %s", (authority) => {
  test.each(["oldest", "newest", "mostComplete"] as const)(
    "an edit made since our creation outlives the row that it made, whoever wins (%s)",
    (winner) => {
      const twice = enteredTwice(authority, winner);
      const { driver } = twice;
      driver.now += 60_000;
      const recordId = driver.store.recordAt(2, "B1") ?? "";
      driver.store.applyUserEdits(recordId, { name: "Ada King", phone: "2" }, [1, 2], driver.now);
      driver.settle();
      const one = [["Ada King", "2", authority === "LATEST" ? "corrected" : expect.anything()]];
      expect(names(twice)).toEqual([one, one]);
    },
  );
});
