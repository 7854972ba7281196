/** Edits in any order, here, in A and in B, whose names are limited: what B lacks for that is refused, and nothing else. */
import type { Values } from "@accord/contracts/data/values";
import { expect, test } from "vitest";
import { PipelineDriver, createRng } from "@accord/sync-simulation/testing";
import { namesTake, parked } from "./fixtures/unfit-values.ts";

const SHORT = ["Ada", "Eve", "Bob"];
const NAMES = ["Augusta Ada King, Countess of Lovelace", "Wolfgang Amadeus Mozart of Salzburg", ...SHORT];
const SEEDS = Array.from({ length: 40 }, (_, index) => index + 1);
const SECOND = 1_000;
const MINUTE = 60_000;

/** Answers what names B takes in the end. */
function runSimulation(driver: PipelineDriver, seed: number): number {
  const rng = createRng(seed);
  const wide = { email: "ada@example.com", name: rng.pick(NAMES), phone: "1", note: "first" };
  let length = 20;
  namesTake(driver, length);
  driver.system("A").insert(wide, driver.now);
  if (rng.bool(0.5)) driver.system("B").insert({ ...wide, name: rng.pick([...NAMES, null]) }, driver.now);
  else driver.settle();
  const places = driver.plan.sinks.map(({ place }) => place.id);
  for (let step = 1; step <= 16; step += 1) {
    driver.now += SECOND;
    const edited: Values = rng.bool(0.6) ? { name: rng.pick(NAMES) } : { phone: rng.pick(["1", "2"]) };
    const by = rng.pick(["A", "B", "here"]);
    const [recordId] = driver.store.records.keys();
    if (by !== "here" && driver.system(by).rows().length > 0) driver.system(by).update(`${by}1`, edited, driver.now);
    else if (recordId) driver.store.applyUserEdits(recordId, edited, places, driver.now);
    if (rng.bool(0.1)) namesTake(driver, (length = rng.pick([20, 60])));
    if (rng.bool(0.3)) driver.cycle();
    if (rng.bool(0.2)) driver.now += MINUTE;
    if (rng.bool(0.2)) driver.settle();
  }
  driver.now += MINUTE;
  driver.settle();
  return length;
}

test.each(["NONE", "LATEST", "RANKED"] as const)("under %s", (authority) => {
  let refused = 0;
  for (const seed of SEEDS) {
    const driver = new PipelineDriver({ systems: [{}, {}], authority });
    const length = runSimulation(driver, seed);
    expect(driver.settle(), `seed ${seed} comes to rest`).toBe(0);
    const core = String([...driver.store.records.values()][0]?.values["name"]);
    const isRefused = core.length > length && driver.row("B")["name"] !== core;
    expect(parked(driver), `seed ${seed}`).toEqual(isRefused ? [`names of ${length}`] : []);
    if (isRefused) refused += 1;
  }
  expect(refused, "some end with a refusal").toBeGreaterThan(0);
});
