/** Mutants of the sync engine and of its storage, in PostgreSQL and in memory: simulated histories judge them first. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type SyntaxNode, walk } from "../check/syntax-walk.ts";
import { EngineJudge } from "./engine-judge.ts";
import { isPlayed, testsOf } from "./engine-test-files.ts";
import type { Mutant, MutantKind } from "./mutant.ts";
import type { TextEdit } from "./sql-edits.ts";
import { type SourceText, syntaxEdits } from "./syntax-edits.ts";

/** Folder and files of what is judged. */
const SOURCES: readonly (readonly [folder: string, files: RegExp])[] = [
  ["packages/sync-engine/src/run", /^(?!index\.)[a-z-]+\.ts$/],
  ["packages/sync-simulation/src", /^memory-[a-z-]+\.ts$/],
  ["apps/server/src/modules/sync/runs", /\.store\.ts$/],
];

export const engineMutants: MutantKind = {
  name: "engine",
  project: "integration",
  equivalents: "scripts/mutants/engine-survivors.json",
  find: (root) =>
    SOURCES.flatMap(([folder, files]) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => files.test(basename(name)))
        .toSorted()
        .flatMap((name) => mutantsOf(`${folder}/${name}`, readFileSync(join(root, folder, name), "utf8"))),
    ),
  isQuicklyJudged: ({ file }) => isPlayed(file),
  openJudge: (root, effort) => new EngineJudge(root, effort),
};

/** All mutants of one source file, named by function, kind and ordinal. */
function mutantsOf(file: string, text: string): Mutant[] {
  const source = new Positions(text);
  const tests = testsOf(file);
  const mutants: Mutant[] = [];
  const counts = new Map<string, number>();
  const add = ({ kind, start, end, becomes }: TextEdit, inside: string, line: number): void => {
    const name = `${file} ${inside} ${kind}`;
    const ordinal = (counts.get(name) ?? 0) + 1;
    counts.set(name, ordinal);
    const description = `${onOneLine(text.slice(start, end))} → ${onOneLine(becomes)}`;
    mutants.push({ id: `${name} #${ordinal}`, file, line, description, start, end, replacement: becomes, tests });
  };
  walk(file, text, ({ lineOf }) => (node, ancestors) => {
    for (const edit of syntaxEdits(node, ancestors, source)) add(edit, functionAround(ancestors), lineOf(node));
  });
  return mutants;
}

/** Positions of the parser are bytes counted from 1, those of edits are characters. */
class Positions implements SourceText {
  readonly #text: string;
  readonly #bytes: Buffer;

  constructor(text: string) {
    this.#text = text;
    this.#bytes = Buffer.from(text);
  }

  of(node: SyntaxNode): string {
    return this.#text.slice(this.start(node), this.end(node));
  }

  start({ span }: SyntaxNode): number {
    return this.#characters(span?.start ?? 1);
  }

  end({ span }: SyntaxNode): number {
    return this.#characters(span?.end ?? 1);
  }

  #characters(position: number): number {
    return this.#bytes.subarray(0, position - 1).toString().length;
  }
}

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** Name of the function that a node stands in; "module" outside of any. */
function functionAround(ancestors: readonly SyntaxNode[]): string {
  for (const ancestor of ancestors.toReversed()) {
    const isFunction = /^(FunctionDeclaration|ClassMethod|PrivateMethod|MethodProperty)$/.test(ancestor.type);
    const isVariable = ancestor.type === "VariableDeclarator" && /Function|Arrow/.test(typeOf(ancestor["init"]));
    if (isFunction || isVariable) return nameOf(ancestor["identifier"] ?? ancestor["key"] ?? ancestor["id"]);
  }
  return "module";
}

const typeOf = (value: unknown): string =>
  typeof value === "object" && value !== null && "type" in value ? String(value.type) : "";

function nameOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return "module";
  if ("value" in value && typeof value.value === "string") return value.value;
  return "id" in value ? nameOf(value.id) : "module";
}
