/** Debts that are counted and may only shrink: long files, long functions, `any`, `!`, `as`; by folder, words of our own and sentences outside the catalogues. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../setup/root.mjs";
import type { Fault } from "./house-rules.ts";
import { isTest } from "./source-files.ts";
import type { Source, SyntaxNode, Visitor } from "./syntax-walk.ts";
import { isSentence, speaksToPeople } from "./sentences.ts";
import { folderOf, nonStandardWords } from "./vocabulary.ts";

const RULES = {
  "long-file": "split it along its purposes: a file has about 300 lines",
  "long-function": "split it into named steps: a function has about 60 lines",
  any: "say what it is, or unknown and parse it",
  "non-null": "show the compiler that it is there; `!` is for what an index or a pattern just proved",
  as: "parse or narrow instead of asserting; boundary parsers may assert",
  vocabulary: "use the standard term: scripts/check/vocabulary.ts names it for each word that is counted",
  sentence:
    "people read it: give it a key in packages/contracts/src/messages/en and fill() its facts; what operators and programmers read goes through a name of MARKS in scripts/check/sentences.ts",
} as const;
export type Debt = keyof typeof RULES;

/** Debt → file → how many. */
export type Counts = { [debt in Debt]: { [file: string]: number } };

const FILE = join(ROOT, "scripts/check/ratchet.json");
const LINES_OF_FILE = 300;
const LINES_OF_FUNCTION = 60;
const FUNCTIONS = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
  "ClassMethod",
  "MethodProperty",
]);

export const noCounts = (): Counts => ({
  "long-file": {},
  "long-function": {},
  any: {},
  "non-null": {},
  as: {},
  vocabulary: {},
  sentence: {},
});

/** Adds the debts of one file to the counts. Tests may be long and may assert; they may not say `any`. */
export function countDebts(counts: Counts): (source: Source) => Visitor {
  return (source) => {
    const add = (debt: Debt, place = source.file): void => {
      counts[debt][place] = (counts[debt][place] ?? 0) + 1;
    };
    const test = isTest(source.file);
    const folder = folderOf(source.file);
    const words = nonStandardWords(source.text);
    if (folder !== undefined && words > 0) counts.vocabulary[folder] = (counts.vocabulary[folder] ?? 0) + words;
    if (!test && source.text.trimEnd().split("\n").length > LINES_OF_FILE) add("long-file");
    const speaks = speaksToPeople(source.file);
    return (node, ancestors) => {
      if (speaks && isSentence(node, ancestors)) add("sentence", dirname(source.file));
      if (node.type === "TsKeywordType" && node["kind"] === "any") add("any");
      if (test) return;
      if (node.type === "TsAsExpression") add("as");
      if (node.type === "TsNonNullExpression") add("non-null");
      if (isSyntaxFunction(node) && ownLines(source, node) > LINES_OF_FUNCTION) add("long-function");
    };
  };
}

/** Where there is more debt than was allowed. */
export function ratchetFaults(now: Counts, allowed: Counts): Fault[] {
  return debts(now).flatMap(([debt, file, count]) => {
    const before = allowed[debt][file] ?? 0;
    if (count <= before) return [];
    const had = before === 0 ? "" : ` (it had ${before}, now ${count})`;
    return [{ file, line: 1, rule: debt, fix: `${RULES[debt]}${had}` }];
  });
}

/** Whether debts were paid that the file still allows. */
export const hasShrunk = (now: Counts, allowed: Counts): boolean =>
  debts(allowed).some(([debt, file, count]) => (now[debt][file] ?? 0) < count);

export function readRatchet(): Counts {
  // Written by this file alone.
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as Counts) : noCounts();
}

export function writeRatchet(counts: Counts): void {
  const sorted = Object.fromEntries(
    Object.entries(counts).map(([debt, files]) => [
      debt,
      Object.fromEntries(Object.entries(files).toSorted(([one], [other]) => (one < other ? -1 : 1))),
    ]),
  );
  writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`);
}

function debts(counts: Counts): [Debt, string, number][] {
  return (Object.keys(RULES) as Debt[]).flatMap((debt) =>
    Object.entries(counts[debt]).map(([file, count]): [Debt, string, number] => [debt, file, count]),
  );
}

/** Functions inside count on their own: a factory of small use cases is not one long function. */
function ownLines(source: Source, node: SyntaxNode): number {
  return source.linesOf(node) - nestedFunctions(node).reduce((sum, inner) => sum + source.linesOf(inner) - 1, 0);
}

function nestedFunctions(value: unknown): SyntaxNode[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((child: unknown) => {
    if (Array.isArray(child)) return child.flatMap((item) => (isSyntaxFunction(item) ? [item] : nestedFunctions(item)));
    return isSyntaxFunction(child) ? [child] : nestedFunctions(child);
  });
}

const isSyntaxFunction = (value: unknown): value is SyntaxNode =>
  typeof value === "object" && value !== null && "type" in value && FUNCTIONS.has(String(value.type));
