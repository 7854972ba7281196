/** Names and labels stay unique on a page: a trailing number is appended or counted up. */
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { isCore } from "../elements.ts";

const MAX_ATTEMPTS = 8;

/** `Map` → `Map 1` → `Map 2`: the same text with its trailing number counted up, or 1 appended. */
export function nextNumber(text: string): string {
  const match = /^(.*?)(\d+)$/.exec(text);
  if (!match) return `${text} 1`;
  return `${match[1]}${Number(match[2]) + 1}`;
}

/**
 * A text like `wanted` that is not among `taken` (case-insensitive). After eight counted attempts the smallest free
 * number is searched, so that the answer is always unique.
 */
export function uniqueName(wanted: string, taken: Iterable<string>): string {
  const used = new Set([...taken].map((name) => name.toLowerCase()));
  let name = wanted;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (!used.has(name.toLowerCase())) return name;
    name = nextNumber(name);
  }
  const stem = wanted.replace(/\s*\d+$/, "");
  let number = used.size;
  while (used.has(`${stem} ${number}`.toLowerCase())) number++;
  return `${stem} ${number}`;
}

/** The label for a node, unique among the page's other nodes. Core and connector entities keep their own names. */
export function uniqueLabel(graph: Graph, node: Pick<GraphNode, "id" | "nodeType">, wanted: string): string {
  if (isCore(node as GraphNode)) return wanted;
  return uniqueName(
    wanted,
    graph.nodes.filter((other) => other.id !== node.id).map((other) => other.label),
  );
}
