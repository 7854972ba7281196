/** A destination that ignores a field, and answers writes with what it stored: without that field. */
import { expect, test } from "vitest";
import { PipelineDriver } from "@accord/sync-simulation/testing";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };

test.each([true, false])("what had no effect is no edit, and is written once (blanks count: %s)", (acceptsBlanks) => {
  const driver = new PipelineDriver({ systems: [{}, {}], acceptsBlanks });
  driver.answer = ({ operations }, system) => {
    if (system.name !== "B") return null;
    return operations.map((operation) => {
      if (operation.kind === "delete") return system.write(operation, driver.now);
      const { note: _, ...values } = operation.values;
      const outcome = system.write({ ...operation, values }, driver.now);
      return outcome.status === "done" ? { ...outcome, values } : outcome;
    });
  };
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  expect([driver.sent["B"], driver.row("A")["note"]], "created").toEqual([1, "first"]);
  driver.system("A").update("A1", { name: "Ada King", note: "second" }, driver.now);
  driver.settle();
  expect([driver.sent["B"], driver.row("A")["note"]], "edited").toEqual([2, "second"]);
  expect(driver.row("B")).toMatchObject({ name: "Ada King" });
});
