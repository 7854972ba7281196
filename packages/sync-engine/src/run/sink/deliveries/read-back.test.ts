/** What is read right after a write is the stored spelling of what was written, or somebody was faster. */
import type { Values } from "@accord/contracts/data/values";
import { expect, test } from "vitest";
import { PipelineDriver } from "@accord/sync-simulation/testing";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };

/** A's new name reaches B, where it shows as `edit` says by the time it is read back. */
function readBack(edit: Values): PipelineDriver {
  const driver = new PipelineDriver({ systems: [{}, {}] });
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  driver.system("A").update("A1", { name: "Ada King" }, driver.now);
  driver.answer = ({ operations }, system) => {
    if (system.name !== "B") return null;
    driver.answer = () => null;
    const outcomes = operations.map((operation) => system.write(operation, driver.now));
    driver.now += 1;
    system.update("B1", edit, driver.now);
    return outcomes.map((outcome) =>
      outcome.status === "done" ? { ...outcome, values: driver.row("B"), isReadBack: true } : outcome,
    );
  };
  driver.settle();
  driver.settle();
  return driver;
}

test("an edit between a write and the reading after it is an edit, and travels", () => {
  const driver = readBack({ name: "Ada Lovelace" });
  expect([driver.row("A")["name"], driver.row("B")["name"]]).toEqual(["Ada Lovelace", "Ada Lovelace"]);
});

test("the system's own spelling of what was written stays there", () => {
  const driver = readBack({ name: "ADA KING" });
  expect([driver.row("A")["name"], driver.row("B")["name"]]).toEqual(["Ada King", "ADA KING"]);
});
