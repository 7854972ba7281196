/** What a system shows after our own write, unlike what was sent: its spelling of it, or somebody's edit. */
import type { Values } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import { PipelineDriver } from "../simulation/pipeline-driver.fixtures.ts";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };

/** Two systems; soon after a write B shows another name than it was given, with a time of change that is not the write's. */
function respelling(store: (name: string, count: number) => string | null) {
  const driver = new PipelineDriver({ systems: [{}, { answersStoredValues: false }] });
  let count = 0;
  driver.answer = ({ operations }, system) => {
    if (system.name !== "B") return null;
    const outcomes = operations.map((operation) => system.write(operation, driver.now));
    const given = String(driver.row("B")["name"]);
    const stored = store(given, (count += 1));
    driver.now += 5;
    if (stored !== given) system.update("B1", { name: stored }, driver.now);
    return outcomes;
  };
  driver.system("A").insert(ADA, driver.now);
  return driver;
}

describe("a value that differs in spelling only stays as its system writes it, and nobody else is told", () => {
  test.each([
    ["case", "Ada Lovelace", "ADA LOVELACE"],
    ["blanks", " Ada  Lovelace ", "Ada Lovelace"],
    ["a number", "12.50", "12.5"],
    ["a time", "2026-01-01T10:00:00Z", "2026-01-01T11:00:00+01:00"],
  ])("%s", (_, given, stored) => {
    const driver = respelling((name) => (name === given ? stored : name));
    driver.system("A").update("A1", { name: given }, driver.now);
    driver.settle();
    expect([driver.row("A")["name"], driver.row("B")["name"]]).toEqual([given, stored]);
  });
});

test.each([
  ["another word", "Ada", "Eve"],
  ["another number", "12.50", "12.6"],
  ["another day", "2026-01-01", "2026-01-02"],
  ["nothing", "Ada", null],
])("what says something else is somebody's edit and travels: %s", (_, given, stored) => {
  const driver = respelling((name, count) => (name === given && count === 1 ? stored : name));
  driver.system("A").update("A1", { name: given }, driver.now);
  driver.settle();
  // Blanks do not clear what another system says.
  const expected = stored ?? given;
  expect(driver.row("A")["name"]).toBe(expected);
});

test("what was written twice before it could be read keeps its system's spelling in both parts", () => {
  const lagMs = 300_000;
  const driver = new PipelineDriver({ systems: [{}, { answersStoredValues: false, respells: true, lagMs }] });
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  driver.now += lagMs;
  driver.settle();
  const edits: Values[] = [{ note: "second" }, { name: "Ada King" }];
  for (const edit of edits) {
    driver.system("A").update("A1", edit, driver.now);
    driver.cycle();
  }
  driver.now += lagMs;
  driver.settle();
  expect([driver.row("A"), driver.row("B")]).toMatchObject([
    { name: "Ada King", note: "second" },
    { name: "Ada King", note: "SECOND" },
  ]);
});
