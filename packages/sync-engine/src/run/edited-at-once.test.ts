/** Two people who edit one field in two systems at once hear of it, where no authority says whose value counts. */
import { expect, test } from "vitest";
import type { CycleProblem } from "./protocol.ts";
import { PipelineDriver } from "../simulation/pipeline-driver.fixtures.ts";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };

function inAgreement(): PipelineDriver {
  const driver = new PipelineDriver({ systems: [{}, {}] });
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  return driver;
}

const said = ({ code }: CycleProblem): boolean => code === "edited_at_once";

test("of two edits of one field the last processed is taken, and the other one is named", () => {
  const driver = inAgreement();
  driver.system("A").update("A1", { name: "Ada of A", phone: "2" }, driver.now);
  driver.system("B").update("B1", { name: "Ada of B", note: "second" }, driver.now);
  const { problems } = driver.cycle();
  expect(problems.filter(said)).toMatchObject([
    {
      severity: "warning",
      nodeId: "source-B",
      targetId: "name",
      count: 1,
      detail: '"Ada of B" replaced "Ada of A" in record B1',
    },
  ]);
  driver.settle();
  for (const name of ["A", "B"])
    expect(driver.row(name)).toMatchObject({ name: "Ada of B", phone: "2", note: "second" });
});

test("edits one after the other, and the same edit twice, are none", () => {
  const driver = inAgreement();
  for (const [system, name] of [
    ["A", "Ada of A"],
    ["B", "Ada of B"],
  ] as const) {
    driver.system(system).update(`${system}1`, { name }, driver.now);
    expect(driver.cycle().problems).toEqual([]);
    driver.settle();
  }
  for (const system of ["A", "B"]) driver.system(system).update(`${system}1`, { name: "Ada" }, driver.now);
  expect(driver.cycle().problems).toEqual([]);
});
