/** A word of our own that has a standard term is noticed wherever it stands, and no folder may gain one. */
import { expect, test } from "vitest";
import { countDebts, noCounts, ratchetFaults } from "./ratchet.ts";
import { walk } from "./syntax-walk.ts";
import { nonStandardWords } from "./vocabulary.ts";

function countsOf(...texts: string[]) {
  const counts = noCounts();
  texts.forEach((text, index) => walk(`packages/sync-engine/src/run/file-${index}.ts`, text, countDebts(counts)));
  return counts;
}

test.each([
  "/** What was told. */",
  "const toldFields = 1;",
  "const TOLD_MS = 1;",
  'const text = "it was told";',
  "const x = `told ${1}`;",
  "interface Road {}",
])("a word that has a standard term counts: %s", (text) => {
  expect(nonStandardWords(text)).toBe(1);
});

test.each(["const writeFields = 1;", "/** On the path. */", "const storyboard = 1;", "const broadcast = 1;"])(
  "other words do not: %s",
  (text) => {
    expect(nonStandardWords(text)).toBe(0);
  },
);

test("a folder may keep the words it has, not gain one, whichever file it is in", () => {
  const now = countsOf("// told\nconst road = 1;\n", "// heard\n");
  const folder = "packages/sync-engine/src/run";
  expect(now.vocabulary).toEqual({ [folder]: 3 });
  expect(ratchetFaults(now, now)).toEqual([]);
  expect(ratchetFaults(now, { ...now, vocabulary: { [folder]: 2 } })).toMatchObject([
    { file: folder, rule: "vocabulary" },
  ]);
});
