/** Parses a TypeScript file and shows each node of its syntax tree to a visitor. */
import { parseSync } from "@swc/core";

/** Any node of the tree; which properties it has depends on its type. */
export interface SyntaxNode {
  type: string;
  span?: { start: number; end: number };
  [property: string]: unknown;
}

export interface Source {
  file: string;
  text: string;
  /** Line of a node, counted from 1. */
  lineOf(node: SyntaxNode): number;
  /** How many lines a node reaches over. */
  linesOf(node: SyntaxNode): number;
}

export type Visitor = (node: SyntaxNode, ancestors: readonly SyntaxNode[]) => void;

/** @throws SyntaxError when the file can't be parsed. */
export function walk(file: string, text: string, makeVisitor: (source: Source) => Visitor): void {
  const module = parseSync(text, { syntax: "typescript", tsx: file.endsWith("x"), target: "es2024" });
  const lineStarts = startsOfLines(Buffer.from(text));
  const lineAt = (position: number): number => {
    // Positions are bytes counted from 1.
    const after = lineStarts.findIndex((start) => start > position - 1);
    return after === -1 ? lineStarts.length : after;
  };
  const lineOf = (node: SyntaxNode): number => lineAt(node.span?.start ?? 1);
  const linesOf = (node: SyntaxNode): number => lineAt(node.span?.end ?? 1) - lineOf(node) + 1;
  const visit = makeVisitor({ file, text, lineOf, linesOf });
  descend(module, [], visit);
}

function descend(value: unknown, ancestors: readonly SyntaxNode[], visit: Visitor): void {
  if (Array.isArray(value)) {
    for (const item of value) descend(item, ancestors, visit);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const isNode = "type" in value && typeof value.type === "string";
  // The parser's own types name every node's properties one by one; the walk needs none of them.
  if (isNode) visit(value as SyntaxNode, ancestors);
  const inside = isNode ? [...ancestors, value as SyntaxNode] : ancestors;
  for (const [property, child] of Object.entries(value)) if (property !== "span") descend(child, inside, visit);
}

function startsOfLines(bytes: Buffer): number[] {
  const starts = [0];
  for (let index = 0; index < bytes.length; index++) if (bytes[index] === 10) starts.push(index + 1);
  return starts;
}
