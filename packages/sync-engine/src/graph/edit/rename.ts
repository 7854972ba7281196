/** Tokens that name a node by its label follow when the label changes. */
import type { Graph, GraphNode, NodeConfiguration } from "@accord/contracts/sync/graph";
import { renameTokens } from "@accord/expressions";
import { keptConfiguration, readableConfiguration } from "../../actions/mail-body.ts";

/** Tokens begin with these words before a label. */
const KINDS: readonly string[] = ["Value From ", "Action Result From ", "Status of Action "];

/** The graph with `{{Value From <old>}}` and the like naming the new label, in texts and in conditions. */
export function renameLabel(graph: Graph, from: string, to: string): Graph {
  if (from === to || from === "") return graph;
  return { ...graph, nodes: renameLabels(graph.nodes, new Map([[from, to]])) };
}

/** The nodes with every token that names one of these labels naming the new one; each token is renamed once. */
export function renameLabels(nodes: readonly GraphNode[], labels: ReadonlyMap<string, string>): GraphNode[] {
  // A label may begin with another one.
  const pairs = [...labels].filter(([from, to]) => from !== to && from !== "").sort(([a], [b]) => b.length - a.length);
  const rename = (token: string): string => {
    for (const [from, to] of pairs) {
      const next = renamed(token, from, to);
      if (next !== token) return next;
    }
    return token;
  };
  if (pairs.length === 0) return [...nodes];
  return nodes.map((node) => {
    const readable = readableConfiguration(node);
    const configuration = rewrite(readable, rename);
    return configuration === readable
      ? node
      : { ...node, configuration: keptConfiguration(node, configuration as NodeConfiguration) };
  });
}

function renamed(token: string, from: string, to: string): string {
  for (const kind of KINDS) {
    if (!token.startsWith(kind + from)) continue;
    const rest = token.slice(kind.length + from.length);
    // A path into a result may follow; other text means another, longer label.
    if (rest === "" || rest.startsWith(".")) return kind + to + rest;
  }
  // The whole record as it left the node, or one of its fields; what goes on behind a second dot is a source's field.
  if (token === from || (token.startsWith(`${from}.`) && !token.slice(from.length + 1).includes("."))) {
    return to + token.slice(from.length);
  }
  return token;
}

/** The same value when nothing in it changes. */
function rewrite(part: unknown, rename: (token: string) => string): unknown {
  if (typeof part === "string") return part.includes("{{") ? renameTokens(part, rename) : part;
  if (Array.isArray(part)) {
    const items = part.map((item) => rewrite(item, rename));
    return items.every((item, index) => item === part[index]) ? part : items;
  }
  if (typeof part !== "object" || part === null) return part;
  const entries = Object.entries(part);
  const isToken = "kind" in part && part.kind === "token";
  const next = entries.map(([key, value]): [string, unknown] => [
    key,
    isToken && key === "token" && typeof value === "string" ? rename(value) : rewrite(value, rename),
  ]);
  return next.every(([, value], index) => value === entries[index]?.[1]) ? part : Object.fromEntries(next);
}
