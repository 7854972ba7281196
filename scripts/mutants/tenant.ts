/**
 * Mutants of tenant isolation and of rules inside handlers, found in the source of the server: each condition on
 * `instance_id` or `organisation_id` is taken away, each rule that refuses or narrows is made to let everybody pass.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isTest, sourceFiles } from "../check/source-files.ts";
import { type SyntaxNode, walk } from "../check/syntax-walk.ts";
import type { Mutant, MutantKind } from "./mutant.ts";

const SOURCE = /^apps\/server\/src\/(modules|platform)\/.*\.ts$/;
const WRITES = "apps/server/security/list-isolation.int.test.ts";
const RULES = "apps/server/security/handler-rules.int.test.ts";
const COLUMN = String.raw`(?:\w+\.)?(?:instance_id|organisation_id)`;
/** A condition in SQL text, not the assignment of an update. It stays in the text, so that parameters keep their numbers. */
const SQL_CONDITION = new RegExp(String.raw`(?<!SET\s)\b${COLUMN} = (?:ANY\([^)]*\)|\$\d+|\$\{[^}]*\}|\w+\.\w+)`, "g");
const BUILDER_CONDITION = new RegExp(String.raw`\.where\(\s*"${COLUMN}",`, "g");
/** What a refused call answers because of who calls, not because of what they sent. */
const RULE_CODES = new Set(["forbidden", "role_not_grantable", "last_admin"]);

type Change = Pick<Mutant, "start" | "end" | "replacement" | "description" | "switched">;

export const tenantMutants: MutantKind = {
  name: "tenant",
  project: "integration",
  equivalents: "scripts/mutants/tenant-equivalents.json",
  find: (root) => {
    const files = sourceFiles(root).filter((file) => SOURCE.test(file));
    const tests = files.filter((file) => file.endsWith(".int.test.ts"));
    return files
      .filter((file) => !isTest(file))
      .flatMap((file) => mutantsOf(file, readFileSync(join(root, file), "utf8"), testsFor(file, tests)));
  },
  trials: {
    program: "apps/server/test-kit/generated/mutant-trials.ts",
    prepare(copy, root, mutants) {
      for (const database of ["app", "data"])
        copy.write(`apps/server/migrations/${database}/9999-mutants.sql`, SWITCH_TABLE);
      for (const file of new Set(mutants.map((mutant) => mutant.file))) {
        const numbered = mutants.flatMap((mutant, number) => (mutant.file === file ? [{ ...mutant, number }] : []));
        const text = readFileSync(join(root, file), "utf8");
        copy.write(file, withSwitches(text, numbered, 0, text.length));
      }
    },
  },
};

/** SQL asks a table which mutant is on, so that prepared statements keep their text. */
const SWITCH_TABLE = `CREATE TABLE public.mutant_switch (number int NOT NULL);
CREATE FUNCTION public.is_mutant(int) RETURNS boolean LANGUAGE sql STABLE
  AS 'SELECT EXISTS (SELECT 1 FROM public.mutant_switch WHERE number = $1)';
`;

/** The text between two offsets with every mutant behind a switch of its number. */
function withSwitches(
  text: string,
  mutants: readonly (Mutant & { number: number })[],
  start: number,
  end: number,
): string {
  const outer = mutants.filter(
    (one) => !mutants.some((other) => other !== one && other.start <= one.start && other.end >= one.end),
  );
  let result = "";
  let position = start;
  for (const mutant of outer) {
    const inside = mutants.filter((one) => one !== mutant && one.start >= mutant.start && one.end <= mutant.end);
    const inner = withSwitches(text, inside, mutant.start, mutant.end);
    const isInSql = mutant.replacement.endsWith(" OR true)");
    const isOn = isInSql ? `public.is_mutant(${mutant.number})` : `globalThis.isMutant?.(${mutant.number})`;
    result += text.slice(position, mutant.start) + (mutant.switched?.(isOn, inner) ?? inner);
    position = mutant.end;
  }
  return result + text.slice(position, end);
}

/**
 * The generated suites and the checks of handler rules have their turn in the trials, apart from writes and from rules
 * that take away what others need. What is left is for those, and for the tests of the area: all of identity's, elsewhere
 * those that lie beside the file or above it.
 */
const testsFor = (file: string, tests: readonly string[]): string[] => {
  if (file.includes("/modules/sync/")) return [WRITES, RULES];
  const isNear = (test: string) => file.startsWith(`${dirname(test)}/`);
  const isOfIdentity = (test: string) => file.includes("/modules/identity/") && test.includes("/modules/identity/");
  return [RULES, ...tests.filter((test) => isNear(test) || isOfIdentity(test))];
};

function mutantsOf(file: string, text: string, tests: readonly string[]): Mutant[] {
  const changes = [...conditions(text), ...rules(file, text)].sort((left, right) => left.start - right.start);
  const seen = new Map<string, number>();
  return changes.map((change) => {
    const name = `${file} ${enclosingName(text, change.start)}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    const line = text.slice(0, change.start).split("\n").length;
    return { id: count === 1 ? name : `${name} #${count}`, file, line, tests, ...change };
  });
}

/** Tenant conditions: in SQL text, and of the query builder. */
function conditions(text: string): Change[] {
  const inSql = [...text.matchAll(SQL_CONDITION)].map(({ index, 0: condition }) => ({
    start: index,
    end: index + condition.length,
    replacement: `(${condition} OR true)`,
    description: condition,
    switched: (isOn: string, text: string) => `(${text} OR ${isOn})`,
  }));
  const inBuilder = [...text.matchAll(BUILDER_CONDITION)].map(({ index }) => {
    const end = endOfCall(text, text.indexOf("(", index));
    const description = text.slice(index, end).replace(/\s+/g, " ");
    return { start: index, end, replacement: "", description, switched: switchedCondition };
  });
  return [...inSql, ...inBuilder];
}

/** `.where("instance_id", "=", at)`: true for every row while it is on. */
function switchedCondition(isOn: string, text: string): string {
  const [, column, value] = /^\.where\(\s*("[^"]+"),\s*"=",\s*([^]*?),?\s*\)$/.exec(text) ?? [];
  if (!column || !value) throw new Error(`This condition reads otherwise than others: ${text}`);
  return `.where(${column}, ${isOn} ? "is not" : "=", ${isOn} ? null : ${value})`;
}

/** Behind the bracket that closes the one at `open`. */
function endOfCall(text: string, open: number): number {
  let depth = 0;
  for (let index = open; index < text.length; index++) {
    if (text[index] === "(") depth++;
    if (text[index] === ")" && --depth === 0) return index + 1;
  }
  throw new Error("a bracket is not closed");
}

/** Rules: what the caller may, who acts on whom, and comparisons with the caller's instance or organisation. */
function rules(file: string, text: string): Change[] {
  const bytes = Buffer.from(text);
  const positionOf = (byte: number): number => bytes.subarray(0, byte - 1).toString().length;
  const changes: Change[] = [];
  walk(file, text, () => (node, ancestors) => {
    const replacement = replacementOf(node, ancestors);
    if (replacement === undefined || !node.span) return;
    const [start, end] = [positionOf(node.span.start), positionOf(node.span.end)];
    const description = text.slice(start, end).replace(/\s+/g, " ").slice(0, 100);
    changes.push({ start, end, replacement, description, switched: switchedRule(replacement) });
  });
  return changes;
}

const switchedRule = (replacement: string) => (isOn: string, text: string) => {
  if (replacement === ";") return `if (!${isOn}) ${text}`;
  return replacement === "true" ? `(${isOn} || (${text}))` : `(!${isOn} && (${text}))`;
};

/** What a rule is replaced by so that it lets everybody pass; undefined for all other nodes. */
function replacementOf(node: SyntaxNode, ancestors: readonly SyntaxNode[]): string | undefined {
  if (node.type === "CallExpression" && calleeName(node) === "can") return "true";
  if (node.type === "MemberExpression" && isName(node["property"], "isOrganisationAdmin")) return "true";
  if (node.type === "ExpressionStatement" && isRuleCall(awaited(node["expression"]))) return ";";
  if (node.type === "BinaryExpression" && (node["operator"] === "===" || node["operator"] === "!==")) {
    const isTenant = [node["left"], node["right"]].every(
      (side) => isNode(side) && side.type === "MemberExpression" && TENANT_NAMES.has(nameOf(side["property"]) ?? ""),
    );
    if (isTenant) return node["operator"] === "===" ? "true" : "false";
  }
  const parent = ancestors.at(-1);
  if (parent?.type === "IfStatement" && parent["test"] === node && refuses(parent["consequent"])) return "false";
  return undefined;
}

/** `demandAbove(…)`. What may be done in which state, or how often, is no matter of who calls. */
function isRuleCall(expression: unknown): boolean {
  const name = calleeName(expression) ?? "";
  return name.startsWith("demand") && !["demandAction", "demandWithinLimits", "demandTimes"].includes(name);
}

const TENANT_NAMES = new Set(["instance_id", "instanceId", "organisation_id", "organisationId"]);

function refuses(consequent: unknown): boolean {
  if (!isNode(consequent)) return false;
  if (consequent.type === "BlockStatement") {
    const statements = consequent["stmts"];
    return Array.isArray(statements) && statements.length === 1 && refuses(statements[0]);
  }
  if (consequent.type !== "ThrowStatement") return false;
  const thrown = consequent["argument"];
  if (!isNode(thrown)) return false;
  if (thrown.type === "CallExpression") return calleeName(thrown) === "refuse";
  const words: unknown = thrown["arguments"];
  const first: unknown = Array.isArray(words) ? words[0] : undefined;
  const code = typeof first === "object" && first !== null && "expression" in first ? first.expression : undefined;
  return isNode(code) && code.type === "StringLiteral" && RULE_CODES.has(String(code["value"]));
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

const nameOf = (value: unknown): string | undefined =>
  isNode(value) && value.type === "Identifier" ? String(value["value"]) : undefined;

const isName = (value: unknown, name: string): boolean => nameOf(value) === name;

const awaited = (value: unknown): unknown =>
  isNode(value) && value.type === "AwaitExpression" ? value["argument"] : value;

function calleeName(value: unknown): string | undefined {
  if (!isNode(value) || value.type !== "CallExpression") return undefined;
  const callee = value["callee"];
  return isNode(callee) && callee.type === "MemberExpression" ? nameOf(callee["property"]) : nameOf(callee);
}

const DECLARATION =
  /^(?:export )?(?:async )?function (\w+)|^(?:export )?const (\w+)|^ {2,6}(?:async )?(?:function )?(\w+)\([^=;]*\{$|^ {2,6}(?:const )?(\w+)(?:: |\s*=\s*)(?:async )?\(/;

/** The function or constant that a place lies in. */
function enclosingName(text: string, position: number): string {
  const lines = text.slice(0, position).split("\n");
  for (const line of lines.reverse()) {
    const found = DECLARATION.exec(line);
    const name = found?.slice(1).find((one) => one !== undefined);
    if (name && !KEYWORDS.has(name)) return name;
  }
  return "module";
}

const KEYWORDS = new Set(["if", "for", "while", "switch", "catch"]);
