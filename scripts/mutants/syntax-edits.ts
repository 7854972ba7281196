/** Small faults in TypeScript, as anybody might write them: which of them a node of the syntax tree can have. */
import type { SyntaxNode } from "../check/syntax-walk.ts";
import { isSql, sqlEdits, type TextEdit } from "./sql-edits.ts";

/** Text of a node, and where it stands in its file. */
export interface SourceText {
  of(node: SyntaxNode): string;
  start(node: SyntaxNode): number;
  end(node: SyntaxNode): number;
}

const OPERATORS = new Map<string, readonly [kind: string, becomes: string]>([
  ["<", ["bound", "<="]],
  ["<=", ["bound", "<"]],
  [">", ["bound", ">="]],
  [">=", ["bound", ">"]],
  ["===", ["equality", "!=="]],
  ["!==", ["equality", "==="]],
  ["&&", ["logic", "||"]],
  ["||", ["logic", "&&"]],
  ["+", ["arithmetic", "-"]],
  ["-", ["arithmetic", "+"]],
]);
const METHODS = new Map([
  ["some", "every"],
  ["every", "some"],
  ["min", "max"],
  ["max", "min"],
]);
/** A constant above it is a limit or a time: one more or less of it breaks no promise. */
const MAX_CONSTANT = 16;
const EFFECTS = new Set([
  "CallExpression",
  "AssignmentExpression",
  "UpdateExpression",
  "UnaryExpression",
  "AwaitExpression",
]);

const node = (value: unknown): SyntaxNode | null =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"
    ? { ...value, type: value.type }
    : null;

/** The faults that begin at this very node; those of its children are their own. */
export function syntaxEdits(at: SyntaxNode, ancestors: readonly SyntaxNode[], text: SourceText): TextEdit[] {
  switch (at.type) {
    case "IfStatement":
    case "WhileStatement":
      return negated(at["test"], text);
    case "ConditionalExpression":
      return [...negated(at["test"], text), ...swappedBranches(at, text)];
    case "BinaryExpression":
      return operatorEdits(at, text);
    case "UnaryExpression":
      return at["operator"] === "!" && !isTest(at, ancestors)
        ? [change("not", at, text.of(child(at, "argument")), text)]
        : [];
    case "ExpressionStatement": {
      const expression = node(at["expression"]);
      return expression && EFFECTS.has(expression.type) ? [change("statement", at, ";", text)] : [];
    }
    case "ReturnStatement":
      return isEarly(ancestors) ? [change("early-return", at, ";", text)] : [];
    case "ContinueStatement":
    case "BreakStatement":
      return ancestors.at(-1)?.type === "SwitchCase" ? [] : [change("jump", at, ";", text)];
    case "NumericLiteral":
      return isType(ancestors) ? [] : constantEdits(at, text);
    case "BooleanLiteral":
      return isType(ancestors) ? [] : [change("flag", at, at["value"] === true ? "false" : "true", text)];
    case "CallExpression":
      return callEdits(at, text);
    case "TemplateLiteral":
    case "StringLiteral":
      return isType(ancestors) ? [] : statementEdits(at, text);
    default:
      return [];
  }
}

const child = (at: SyntaxNode, property: string): SyntaxNode => node(at[property]) ?? at;

const change = (kind: string, at: SyntaxNode, becomes: string, text: SourceText): TextEdit => ({
  kind,
  start: text.start(at),
  end: text.end(at),
  becomes,
});

function negated(test: unknown, text: SourceText): TextEdit[] {
  const at = node(test);
  // Of a comparison the turned operator is the same fault.
  if (!at || (at.type === "BinaryExpression" && /^[!=]==$/.test(String(at["operator"])))) return [];
  return [change("negation", at, `!(${text.of(at)})`, text)];
}

function swappedBranches(at: SyntaxNode, text: SourceText): TextEdit[] {
  const [test, yes, no] = ["test", "consequent", "alternate"].map((property) => child(at, property));
  // Where the test is turned round already, this is the same fault.
  if (!test || !yes || !no || negated(test, text).length > 0) return [];
  return isOperator(test, /^[!=]==$/)
    ? []
    : [change("branches", at, `${text.of(test)} ? ${text.of(no)} : ${text.of(yes)}`, text)];
}

const isOperator = (at: SyntaxNode, pattern: RegExp): boolean =>
  at.type === "BinaryExpression" && pattern.test(String(at["operator"]));

function operatorEdits(at: SyntaxNode, text: SourceText): TextEdit[] {
  const operator = String(at["operator"]);
  const [left, right] = [child(at, "left"), child(at, "right")];
  // Hardly anything tells undefined from null.
  if (operator === "??") return right.type === "NullLiteral" ? [] : [change("fallback", at, text.of(left), text)];
  const swapped = OPERATORS.get(operator);
  if (!swapped) return [];
  const [kind, becomes] = swapped;
  // Texts are put together by + as well.
  if (kind === "arithmetic" && [left, right].some(({ type }) => /String|Template/.test(type))) return [];
  return [change(kind, at, `${text.of(left)} ${becomes} ${text.of(right)}`, text)];
}

function constantEdits(at: SyntaxNode, text: SourceText): TextEdit[] {
  const value = Number(at["value"]);
  if (!Number.isInteger(value) || Math.abs(value) > MAX_CONSTANT) return [];
  return [change("constant", at, `${value + 1}`, text), change("constant", at, `(${value - 1})`, text)];
}

function callEdits(at: SyntaxNode, text: SourceText): TextEdit[] {
  const callee = child(at, "callee");
  const name = child(callee, "property");
  if (callee.type !== "MemberExpression" || name.type !== "Identifier") return [];
  const method = String(name["value"]);
  const other = METHODS.get(method);
  if (other) return [change("call", name, other, text)];
  if (method === "filter" || method === "toSorted" || method === "toReversed")
    return [change(method === "filter" ? "filter" : "order", at, text.of(child(callee, "object")), text)];
  return [];
}

function statementEdits(at: SyntaxNode, text: SourceText): TextEdit[] {
  const source = text.of(at);
  if (!isSql(source)) return [];
  const inside = source.slice(1, -1);
  const from = text.start(at) + 1;
  return sqlEdits(inside).map((edit) => ({ ...edit, start: from + edit.start, end: from + edit.end }));
}

/** The whole condition of a statement: turned round as such already. */
const isTest = (at: SyntaxNode, ancestors: readonly SyntaxNode[]): boolean => {
  const parent = ancestors.at(-1);
  return node(parent?.["test"])?.span?.start === at.span?.start && node(parent?.["test"])?.type === "UnaryExpression";
};

/** A return with more of its function behind it. */
function isEarly(ancestors: readonly SyntaxNode[]): boolean {
  const inside = ancestors.slice(ancestors.findLastIndex(({ type }) => /Function|Method/.test(type)) + 1);
  return inside.some(({ type }) => type === "IfStatement" || /^For|^While/.test(type));
}

const isType = (ancestors: readonly SyntaxNode[]): boolean =>
  ancestors.some(({ type }) => type.startsWith("Ts") || type === "ImportDeclaration");
