/** A sentence that people read is noticed where it stands outside the catalogues, and no folder may gain one. */
import { expect, test } from "vitest";
import { countDebts, noCounts, ratchetFaults } from "./ratchet.ts";
import { speaksToPeople } from "./sentences.ts";
import { walk } from "./syntax-walk.ts";

const FOLDER = "packages/sync-engine/src/run";

function countsOf(...texts: string[]) {
  const counts = noCounts();
  texts.forEach((text, index) => walk(`${FOLDER}/file-${index}.ts`, text, countDebts(counts)));
  return counts;
}

test.each([
  'const MESSAGE = "The record no longer exists there.";',
  "const message = `Values that the field ${field} can't hold were left out.`;",
  'throw new ConnectorError("timeout", `${place} did not answer in time.`);',
  'throw new AppError("invalid_state", { reason: "There is no draft any more." });',
  'const rule = z.string().min(1, "must have a name of its own");',
])("a sentence counts: %s", (text) => {
  expect(countsOf(text).sentence).toEqual({ [FOLDER]: 1 });
});

test.each([
  "const message = fill(runTexts.valuesLeftOut, { field });",
  'import { gone } from "./the record no longer exists there.ts";',
  'throw new Error("the records are still on their path");',
  'deps.log.warn({ err }, "what is left of a budget was not shared");',
  "const rows = sql`the record no longer exists there`;",
  'await pool.query("SELECT id FROM record WHERE name = $1 AND is open");',
  'const words = new Set("van von der den de del".split(" "));',
  'const lower = { label: "Lower case", description: "Writes all letters of it small." };',
  'const code = "const one = 1; return one of the two;\\n";',
  'const short = "Choose a field.";',
])("this does not: %s", (text) => {
  expect(countsOf(text).sentence).toEqual({});
});

test("tests, the simulation, stores and the web app are not looked at", () => {
  expect(speaksToPeople(`${FOLDER}/advance.ts`)).toBe(true);
  expect(speaksToPeople("apps/server/src/modules/sync/runs/resync.ts")).toBe(true);
  expect(speaksToPeople(`${FOLDER}/advance.test.ts`)).toBe(false);
  expect(speaksToPeople("packages/sync-simulation/src/world.ts")).toBe(false);
  expect(speaksToPeople("apps/server/src/modules/sync/runs/runs.store.ts")).toBe(false);
  expect(speaksToPeople("apps/web/src/shared/toast.tsx")).toBe(false);
});

test("a folder may keep the sentences it has, not gain one", () => {
  const now = countsOf('const one = "There is no such record."; const two = "There is no such field.";');
  expect(ratchetFaults(now, now)).toEqual([]);
  expect(ratchetFaults(now, { ...now, sentence: { [FOLDER]: 1 } })).toMatchObject([{ file: FOLDER, rule: "sentence" }]);
});
