/** Two people who edit one field in two systems at once learn of it, unless one of the systems is trusted more. */
import { expect, test } from "vitest";
import type { CycleProblem } from "../../protocol/protocol.ts";
import { PipelineDriver } from "@accord/sync-simulation/testing";

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

test("where the later change counts, the one that it went over is named whichever is read first", () => {
  const edited = (first: string, second: string) => {
    const driver = new PipelineDriver({
      systems: [{ reportsModifiedAt: true }, { reportsModifiedAt: true }],
      authority: "LATEST",
    });
    driver.system("A").insert(ADA, driver.now);
    driver.settle();
    for (const name of [first, second]) {
      driver.now += 60_000;
      driver.system(name).update(`${name}1`, { name: `Ada of ${name}` }, driver.now);
    }
    driver.now += 60_000;
    const { problems } = driver.cycle();
    driver.settle();
    const kept = ["A", "B"].map((name) => driver.row(name)["name"]);
    return { kept, said: problems.filter(said).map(({ detail }) => detail), conflicts: driver.store.conflicts.size };
  };
  expect(edited("A", "B")).toEqual({
    kept: ["Ada of B", "Ada of B"],
    said: ['"Ada of B" replaced "Ada of A" in record B1'],
    conflicts: 0,
  });
  // What is read first and is the later one stays: the other is refused, and listed as a conflict.
  expect(edited("B", "A")).toEqual({ kept: ["Ada of A", "Ada of A"], said: [], conflicts: 1 });
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

test("values of a password field are not shown: the record's id stands for them", () => {
  const driver = new PipelineDriver({ systems: [{}, {}], fields: { name: { dataType: "password" } } });
  driver.system("A").insert(ADA, driver.now);
  driver.settle();
  driver.system("A").update("A1", { name: "Ada of A" }, driver.now);
  driver.system("B").update("B1", { name: "Ada of B" }, driver.now);
  expect(driver.cycle().problems.filter(said)).toMatchObject([{ targetId: "name", detail: "B1" }]);
});
