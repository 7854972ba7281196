/** The house rules that no ready-made linter knows, each with what to do instead. */
import { dirname } from "node:path";
import type { Source, SyntaxNode, Visitor } from "./syntax-walk.ts";
import { refusalFaults } from "./refusal-rules.ts";
import { isTest } from "./source-files.ts";

export interface Fault {
  file: string;
  line: number;
  rule: string;
  /** What to do. */
  fix: string;
}

const PURE = /^packages\/(contracts|expressions|sync-engine|sync-simulation|analytics-engine)\/src\//;
const READS_ENVIRONMENT =
  /^(scripts\/|apps\/server\/src\/config\.ts$|apps\/web\/vite\.config\.ts$|vitest\.config\.ts$)/;
const WEB = /^apps\/web\/src\//;
const FILE_NAME = /^(\.?[a-z0-9]+([-.][a-z0-9]+)*|README|[A-Z]+)$/;
const VAGUE = /^common$|(^|[-.])(utils?|helpers?|managers?|misc|v2)([-.]|$)/;
const DEFAULT_EXPORTS = /(^|\/)(vite(st)?\.config\.ts|\.dependency-cruiser\.mjs|knip\.config\.ts)$/;
const IMPURE_GLOBALS = new Set(["fetch", "process", "setTimeout", "setInterval", "performance", "crypto"]);

/** Rules on a file's place and name. */
export function pathFaults(file: string): Fault[] {
  const name = file.slice(file.lastIndexOf("/") + 1);
  const fault = (rule: string, fix: string): Fault => ({ file, line: 1, rule, fix });
  const faults: Fault[] = [];
  if (!FILE_NAME.test(name.slice(0, name.lastIndexOf("."))))
    faults.push(fault("file-name", "name the file in kebab-case"));
  if (VAGUE.test(name.slice(0, name.lastIndexOf("."))))
    faults.push(fault("vague-name", "name the file after what it does"));
  return faults;
}

/** More files than this in one folder are not surveyed at a glance. */
const MOST_FILES = 25;

/** Folders that hold too many files of code. */
export function folderFaults(files: readonly string[]): Fault[] {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > MOST_FILES)
    .map(([file, count]) => ({
      file,
      line: 1,
      rule: "folder-size",
      fix: `it has ${count} files: open folders by purpose, of at most ${MOST_FILES}`,
    }));
}

/** The first line of a file says what it is for. A style sheet belongs to the component beside it, which says so. */
export function firstLineFaults(file: string, text: string): Fault[] {
  const first = text.replace(/^#!.*\n/, "");
  if (file.endsWith(".css") || /^\s*(\/\*\*|\/\*|\/\/)/.test(first)) return [];
  return [{ file, line: 1, rule: "first-line", fix: "begin with a comment that says what the file is for" }];
}

/** Rules on single places in the code. */
export function codeFaults(faults: Fault[]): (source: Source) => Visitor {
  return (source) => (node, ancestors) => {
    const add = (rule: string, fix: string): void => {
      faults.push({ file: source.file, line: source.lineOf(node), rule, fix });
    };
    if (isDefaultExport(node) && !DEFAULT_EXPORTS.test(source.file)) add("default-export", "export it by name");
    if (isEnvironment(node) && !READS_ENVIRONMENT.test(source.file) && !isTest(source.file)) {
      add("environment", "take it from the Config that apps/server/src/config.ts reads");
    }
    if (WEB.test(source.file) && !isTest(source.file)) faults.push(...refusalFaults(source, node));
    if (PURE.test(source.file) && !isTest(source.file)) {
      const impure = impurity(node, ancestors);
      if (impure) add("purity", `${impure} is the world's business: take its value as a parameter`);
    }
  };
}

function isDefaultExport(node: SyntaxNode): boolean {
  return node.type === "ExportDefaultDeclaration" || node.type === "ExportDefaultExpression";
}

function isEnvironment(node: SyntaxNode): boolean {
  return node.type === "MemberExpression" && isNamed(node["object"], "process") && isNamed(node["property"], "env");
}

/** What of the outside world a node reaches for, if anything. */
function impurity(node: SyntaxNode, ancestors: readonly SyntaxNode[]): string | undefined {
  if (node.type === "MemberExpression") {
    if (isNamed(node["object"], "Date") && isNamed(node["property"], "now")) return "Date.now";
    if (isNamed(node["object"], "Math") && isNamed(node["property"], "random")) return "Math.random";
  }
  if (node.type === "NewExpression" && isNamed(node["callee"], "Date") && isEmpty(node["arguments"]))
    return "new Date()";
  if (node.type === "CallExpression" && isNamed(node["callee"], "Date")) return "Date()";
  if (node.type !== "Identifier" || typeof node["value"] !== "string" || !IMPURE_GLOBALS.has(node["value"])) return;
  return isFreeUse(node, ancestors) ? node["value"] : undefined;
}

/** A call of the global, or a property of it: not somebody's property or parameter of the same name. */
function isFreeUse(node: SyntaxNode, ancestors: readonly SyntaxNode[]): boolean {
  const parent = ancestors.at(-1);
  const declaredHere = ancestors.some((ancestor) => namesOfParameters(ancestor).includes(String(node["value"])));
  if (declaredHere) return false;
  const called = parent?.type === "CallExpression" && parent["callee"] === node;
  return called || (parent?.type === "MemberExpression" && parent["object"] === node);
}

function namesOfParameters(node: SyntaxNode): string[] {
  const parameters = node["params"];
  return Array.isArray(parameters)
    ? [...JSON.stringify(parameters).matchAll(/"value":"(\w+)"/g)].map((m) => m[1] ?? "")
    : [];
}

function isNamed(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && "value" in value && value.value === name;
}

const isEmpty = (value: unknown): boolean => !Array.isArray(value) || value.length === 0;
