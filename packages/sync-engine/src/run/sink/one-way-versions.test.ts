/** A source that is only read, after another version: it says what changes there, not once more what it said before. */
import { describe, expect, test } from "vitest";
import { PipelineDriver } from "@accord/sync-simulation/testing";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };

describe.each([
  ["NONE", false],
  ["NONE", true],
  ["LATEST", true],
] as const)("where %s decides (times of change %s)", (authority, reportsModifiedAt) => {
  function agreed(readOnly: readonly string[]) {
    let marks = 0;
    const driver = new PipelineDriver({
      systems: [{ reportsModifiedAt }, { reportsModifiedAt }],
      authority,
      readOnly,
      configured: () => ({ remark: marks }),
    });
    driver.system("A").insert(ADA, driver.now);
    driver.settle();
    /** Another version: nothing about the fields is different. */
    const publish = (): void => {
      marks += 1;
      const { program } = driver.plan.sources[0] ?? {};
      driver.publish({});
      expect(driver.plan.sources[0]?.program).not.toBe(program);
    };
    return { driver, publish };
  }
  const correct = (driver: PipelineDriver): void => {
    driver.now += 60_000;
    driver.store.applyUserEdits(driver.store.recordAt(1, "A1") ?? "", { name: "Ada Lovelace" }, [2], driver.now);
    driver.settle();
    expect(driver.row("B")).toMatchObject({ name: "Ada Lovelace" });
  };
  const edit = (driver: PipelineDriver): void => {
    driver.now += 60_000;
    driver.system("A").update("A1", { phone: "2" }, driver.now);
    driver.settle();
  };

  test("what was corrected by hand outlives an edit of another field", () => {
    const { driver, publish } = agreed(["A"]);
    correct(driver);
    publish();
    edit(driver);
    expect(driver.row("B")).toMatchObject({ phone: "2", name: "Ada Lovelace" });
  });

  test("so does what was entered in another system", () => {
    const { driver, publish } = agreed(["A"]);
    driver.now += 60_000;
    driver.system("B").update("B1", { name: "Ada Lovelace" }, driver.now);
    driver.settle();
    publish();
    edit(driver);
    expect(driver.row("B")).toMatchObject({ phone: "2", name: "Ada Lovelace" });
  });

  test("a source that is read from its beginning brings nothing old back", () => {
    const { driver, publish } = agreed(["A"]);
    correct(driver);
    publish();
    driver.store.cursors.delete(driver.plan.sources[0]?.nodeId ?? "");
    driver.settle();
    expect(driver.row("B")).toMatchObject({ name: "Ada Lovelace" });
  });
});
