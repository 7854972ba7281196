/** A copy that a filter held back is deleted, and something is entered under its id: what was kept of the copy is over. */
import { expect, test } from "vitest";
import { PipelineDriver, type Authority } from "@accord/sync-simulation/testing";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "in" };

/** B is only read, and its source lets records through whose note is not "out": B1 leaves, and its phone is edited in A meanwhile. */
function heldBackThenDeleted(authority: Authority) {
  const driver = new PipelineDriver({ systems: [{}, { reportsModifiedAt: true }], authority, readOnly: ["B"] });
  const [a, b] = [driver.system("A"), driver.system("B")];
  b.insert(ADA, driver.now);
  driver.settle();
  const { plan } = driver;
  driver.plan = {
    ...plan,
    sources: plan.sources.map((source) =>
      source.place.id === 2
        ? {
            ...source,
            path: (flows, env) =>
              source.path(
                flows.filter(({ values }) => values["note"] !== "out"),
                env,
              ),
          }
        : source,
    ),
  };
  const at = (): number => (driver.now += 60_000);
  b.update("B1", { note: "out" }, at());
  driver.settle();
  expect(driver.store.links.get("2|B1")?.heldBack).toBeDefined();
  a.update("A1", { phone: "2" }, at());
  driver.settle();
  b.remove("B1", at());
  driver.cycle();
  return { driver, b };
}

test.each(["NONE", "LATEST"] satisfies Authority[])(
  "what is entered under the id of a copy that was held back and deleted counts as new: %s",
  (authority) => {
    const { driver, b } = heldBackThenDeleted(authority);
    b.reinsert("B1", { ...ADA, email: "eve@example.com", name: "Eve", phone: "3" }, (driver.now += 1));
    driver.settle();
    const eve = { email: "eve@example.com", name: "Eve", phone: "3", note: "in" };
    for (const { name } of driver.systems) expect(driver.row(name)).toMatchObject(eve);
    expect(driver.store.ledger.flatMap(({ refused }) => (refused ? [refused] : []))).toEqual([]);
  },
);
