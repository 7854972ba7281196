/** A problem of a graph: what is wrong, where, and with which words it is told. */
import { graph as words } from "@accord/contracts/messages/en/sync/graph";
import { fill } from "@accord/contracts/messages/fill";
import type { GraphNode } from "@accord/contracts/sync/graph";
import { nodeTitle } from "../elements.ts";

export type ProblemCode = keyof typeof words.problem;

export interface GraphProblem {
  code: ProblemCode;
  /** Errors keep a graph from being published; warnings don't. */
  severity: "error" | "warning";
  /** The node to focus; null for the graph as a whole. */
  nodeId: string | null;
  /** The input or edge of the node that is meant, when there is one. */
  targetId: string | null;
  /** In words: what is wrong and what to do. */
  errorMessage: string;
  errorDetail: string;
}

export interface ProblemPlace {
  nodeId?: string | null;
  targetId?: string | null;
  severity?: "error" | "warning";
  facts?: Record<string, unknown>;
}

/** A problem with its words filled in. */
export function problem(code: ProblemCode, place: ProblemPlace = {}): GraphProblem {
  return {
    code,
    severity: place.severity ?? "error",
    nodeId: place.nodeId ?? null,
    targetId: place.targetId ?? null,
    errorMessage: fill(words.problem[code], place.facts ?? {}),
    errorDetail: code,
  };
}

/** A problem of one node, told with its label. */
export function nodeProblem(
  code: ProblemCode,
  node: GraphNode,
  facts: Record<string, unknown> = {},
  targetId: string | null = null,
): GraphProblem {
  return problem(code, { nodeId: node.id, targetId, facts: { label: nodeTitle(node), ...facts } });
}
