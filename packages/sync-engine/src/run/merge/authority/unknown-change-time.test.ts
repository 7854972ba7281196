/** Old rows of a system without times of change, read for the first time after somebody edited another system. */
import { describe, expect, test } from "vitest";
import { moment, START } from "../../../simulation/systems/fake-system.ts";
import { PipelineDriver } from "../../../simulation/pipeline-driver.fixtures.ts";
import type { Authority } from "../../../simulation/scenario/pipeline-fixture.ts";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };
const DAY = 86_400_000;
const [FROM_A, FROM_B] = ["source-A", "source-B"];

/** A tells times of change, B does not; both held the same contact long before it was published. */
function published(authority: Authority, there: object = {}, canLookup = false): PipelineDriver {
  const systems = [{ reportsModifiedAt: true, canLookup }, { canLookup }];
  const driver = new PipelineDriver({ systems, authority });
  driver.publishedAt = moment(START);
  for (const nodeId of [FROM_A, FROM_B]) driver.awaitsHistory.add(nodeId);
  driver.system("A").insert(ADA, START - DAY);
  driver.system("B").insert({ ...ADA, ...there }, START - DAY);
  driver.cycle();
  return driver;
}

const edit = (driver: PipelineDriver, system: string, name: string | null): void => {
  driver.now += 5_000;
  driver.system(system).update(`${system}1`, { name }, driver.now);
  driver.now += 5_000;
};
const names = (driver: PipelineDriver) => ["A", "B"].map((system) => driver.row(system)["name"]);
const listed = ({ store }: PipelineDriver) => [...store.conflicts.values()];

describe.each(["NONE", "LATEST"] as const)("under %s", (authority) => {
  test.each([
    ["known to the core when the old row is read", true],
    ["read after the old row", false],
  ])("an edit stays that was made since it was published: %s", (_, isKnown) => {
    const driver = published(authority);
    const [first, second] = isKnown ? [FROM_A, FROM_B] : [FROM_B, FROM_A];
    if (isKnown) driver.bringIn([first]);
    edit(driver, "A", "Countess");
    if (isKnown) driver.cycle();
    else driver.bringIn([first]);
    const { problems } = driver.bringIn([second]);
    expect(names(driver)).toEqual(["Countess", "Countess"]);
    const isNamed = problems.some(({ code }) => code === "edited_at_once") || listed(driver).length > 0;
    if (isKnown) expect(isNamed, "the value that was not taken is named").toBe(true);
  });

  test("an edit stays that was made before its own first reading", () => {
    const driver = published(authority);
    edit(driver, "A", "Countess");
    driver.bringIn([FROM_A]);
    driver.bringIn([FROM_B]);
    expect(names(driver)).toEqual(["Countess", "Countess"]);
  });

  test("an edit stays where a look-up finds the old row before it is read", () => {
    const driver = published(authority, {}, true);
    driver.bringIn([FROM_A]);
    edit(driver, "A", "Countess");
    driver.settle();
    driver.bringIn([FROM_B]);
    expect(names(driver)).toEqual(["Countess", "Countess"]);
  });

  test("an edit of the system without times stays", () => {
    const driver = published(authority);
    edit(driver, "B", "Countess");
    driver.bringIn();
    expect(names(driver)).toEqual(["Countess", "Countess"]);
  });

  test("what differed before is taken from the one without times, as ever", () => {
    const driver = published(authority, { name: "Ada of B" });
    driver.bringIn([FROM_A]);
    driver.bringIn([FROM_B]);
    expect(names(driver)).toEqual(["Ada of B", "Ada of B"]);
  });

  test("an edit of the system without times after its first reading goes over everything", () => {
    const driver = published(authority);
    edit(driver, "A", "Countess");
    driver.bringIn();
    edit(driver, "B", "Lovelace");
    driver.settle();
    expect(names(driver)).toEqual(["Lovelace", "Lovelace"]);
  });
});

test("both are in the record's history, and the one that was kept out is named", () => {
  const driver = published("NONE");
  driver.bringIn([FROM_A]);
  edit(driver, "A", "Countess");
  driver.cycle();
  const { problems } = driver.bringIn([FROM_B]);
  expect(problems).toContainEqual(
    expect.objectContaining({
      code: "edited_at_once",
      targetId: "name",
      detail: '"Countess" was kept, not "Ada" of record B1',
    }),
  );
  const refused = driver.store.ledger.flatMap((entry) => (entry.refused ? [entry.refused] : []));
  expect(refused).toEqual([{ name: ["Ada", "older"] }]);
});

test("under ranks the rank decides, however old a value is", () => {
  const driver = published("RANKED");
  driver.bringIn([FROM_B]);
  edit(driver, "B", "Countess");
  driver.cycle();
  driver.bringIn([FROM_A]);
  expect(names(driver)).toEqual(["Ada", "Ada"]);
});
