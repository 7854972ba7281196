/** Reads the tree of a statement part by part, for whoever translates it. */
import { insights } from "@accord/contracts/messages/en/insights";
import { fill } from "@accord/contracts/messages/fill";
import { parseSql } from "./parse.ts";
import type { TextRange } from "./text-places.ts";
import { bodyOf, isNode, type TreeNode } from "./tree.ts";

type Clause = keyof typeof insights.sqlToBasic;

/** A part that can't be translated; the message is a sentence. */
export class SqlClauseError extends Error {
  override readonly name = "SqlClauseError";
  readonly range: TextRange;
  constructor(message: string, range: TextRange) {
    super(message);
    this.range = range;
  }
}

export interface SelectReader {
  select: TreeNode;
  /** Ends the translation at the place of a node. */
  fail: (clause: Clause, at?: unknown) => never;
  /** A text, number or variable; undefined for anything else. */
  valueOf: (node: unknown) => SqlOperand | undefined;
}

export type SqlOperand = { kind: "literal"; value: string | number } | { kind: "variable"; apiName: string };

/** The outermost SELECT of a statement that passed the gate. */
export function readSelect(sql: string): SelectReader {
  const { root, tokens, variables, toUnits } = parseSql(sql);
  const place = (node: unknown): TextRange => {
    const found = /"location":(\d+)/.exec(JSON.stringify(node ?? root) ?? "");
    const from = toUnits(Number(found?.[1] ?? 0));
    return tokens.find((token) => token.from === from) ?? { from: 0, to: sql.length };
  };
  const fail = (clause: Clause, at?: unknown): never => {
    const name = insights.sqlToBasic[clause];
    throw new SqlClauseError(fill(insights.sqlToBasic.clause, { clause: name }), place(at));
  };
  const constant = (node: unknown): SqlOperand | undefined => {
    const body = bodyOf(node, "A_Const");
    if (!body) return undefined;
    const integer = isNode(body["ival"]) ? (body["ival"]["ival"] ?? 0) : undefined;
    const decimal = isNode(body["fval"]) ? body["fval"]["fval"] : undefined;
    const text = isNode(body["sval"]) ? (body["sval"]["sval"] ?? "") : undefined;
    if (typeof integer === "number") return { kind: "literal", value: integer };
    if (typeof decimal === "string") return { kind: "literal", value: Number(decimal) };
    return typeof text === "string" ? { kind: "literal", value: text } : undefined;
  };
  const valueOf = (node: unknown): SqlOperand | undefined => {
    const cast = bodyOf(node, "TypeCast");
    if (cast) return valueOf(cast["arg"]);
    const location = bodyOf(node, "ParamRef")?.["location"];
    const from = typeof location === "number" ? toUnits(location) : -1;
    const variable = variables.find((one) => one.from === from);
    return variable ? { kind: "variable", apiName: variable.name } : constant(node);
  };
  return { select: bodyOf(root, "SelectStmt") ?? {}, fail, valueOf };
}
