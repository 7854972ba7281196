/** Edits in any order, here, in A and in B, whose records leave its source's filter and come back: none is lost unsaid. */
import { expect, test } from "vitest";
import type { Values } from "@accord/contracts/data/values";
import { PipelineDriver, createRng } from "@accord/sync-simulation/testing";
import type { CompiledPath } from "../graph/compiled-path.ts";

const ADA = { email: "ada@example.com", name: "n0", phone: "p0", note: "in" };
const FIELDS = ["phone", "name"] as const;
const SEEDS = Array.from({ length: 40 }, (_, index) => index + 1);
const SECOND = 1_000;

interface Case {
  authority: "NONE" | "LATEST";
  affectedSinks: boolean;
  readOnly: readonly string[];
}

/** A and B in agreement; the source of B lets records through whose note is not "out". */
function inAgreement({ authority, affectedSinks, readOnly }: Case): PipelineDriver {
  const systems = [{ reportsModifiedAt: true }, { reportsModifiedAt: affectedSinks }];
  const driver = new PipelineDriver({ systems, authority, readOnly });
  for (const name of ["A", ...readOnly]) driver.system(name).insert(ADA, driver.now);
  driver.settle();
  const { plan } = driver;
  const sources = plan.sources.map((source) => {
    const { path } = source;
    const filtered: CompiledPath = (flows, env) =>
      path(
        flows.filter(({ values }) => values["note"] !== "out"),
        env,
      );
    return source.place.id === 2 ? { ...source, path: filtered } : source;
  });
  driver.plan = { ...plan, sources };
  return driver;
}

/** Answers who entered the last value of each field. */
function runSimulation(
  driver: PipelineDriver,
  seed: number,
  isSettled: boolean,
): Map<string, { value: string; by: string }> {
  const rng = createRng(seed);
  const last = new Map<string, { value: string; by: string }>();
  const [recordId = ""] = driver.store.records.keys();
  const places = driver.plan.sinks.map(({ place }) => place.id);
  let isOut = false;
  for (let step = 1; step <= 8; step += 1) {
    const field = rng.pick(FIELDS);
    const value = `${field}${step}`;
    const by = rng.pick(["A", "B", "B", "here"]);
    // A record has one time of change for all its fields: what was entered in it before is read before it moves on.
    if (by === "B") driver.settle();
    driver.now += 2 * SECOND;
    const edited: Values = by !== "B" || rng.bool(0.7) ? { [field]: value } : {};
    if (by === "B" && rng.bool(0.6)) {
      isOut = !isOut;
      edited["note"] = isOut ? "out" : `in${step}`;
    }
    if (field in edited) last.set(field, { value, by });
    if (by === "here") driver.store.applyUserEdits(recordId, edited, places, driver.now);
    else driver.system(by).update(`${by}1`, edited, driver.now);
    if (isSettled || rng.bool(0.8)) driver.settle();
  }
  driver.settle();
  driver.system("B").update("B1", { note: "in at last" }, (driver.now += 2 * SECOND));
  driver.settle();
  return last;
}

const CASES = (["NONE", "LATEST"] as const).flatMap((authority) =>
  [true, false].flatMap((affectedSinks) =>
    [[], ["B"]].map((readOnly): Case => ({ authority, affectedSinks, readOnly })),
  ),
);

test.each(CASES)(
  "the last value of each field stands, or was entered in the copy that a filter held back, and is listed: %o",
  (options) => {
    for (const seed of SEEDS) {
      const driver = inAgreement(options);
      // Without authority the last one processed is taken of edits at once, filter or not.
      const last = runSimulation(driver, seed, options.authority === "NONE");
      const core = [...driver.store.records.values()][0]?.values ?? {};
      const refused = driver.store.ledger.flatMap((entry) =>
        Object.values(entry.refused ?? {}).map(([value]) => value),
      );
      for (const [field, { value, by }] of last) {
        if (core[field] === value) continue;
        expect(by, `seed ${seed}: ${field} is ${String(core[field])}, not ${value}`).toBe("B");
        expect(refused, `seed ${seed}`).toContain(value);
      }
      expect(driver.row("A"), `seed ${seed}`).toMatchObject(core);
      if (options.readOnly.length === 0) expect(driver.row("B"), `seed ${seed}`).toMatchObject(core);
    }
  },
);
