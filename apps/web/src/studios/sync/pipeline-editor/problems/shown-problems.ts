/** Problems of the graph on screen: those found as it is edited, and of the last validation what only the server can say. */
import type { Graph } from "@accord/contracts/sync/graph";
import type { PipelineProblem } from "@accord/contracts/sync/pipelines";
import { saysSame } from "../same-node.ts";

/** What the server found in a graph. */
export interface Validated {
  graph: Graph;
  problems: readonly PipelineProblem[];
}

/** What the shared rules found here. */
export interface Found {
  problems: readonly PipelineProblem[];
  /** Whether the entities of all connected systems were known: without, rules about them say nothing. */
  knowsPlaces: boolean;
  /** Whether the custom actions were known. */
  knowsActions: boolean;
}

/** What a system can do, what was published of the schema, and whether code can be run is known to the server alone. */
const SERVER_ONLY = new Set([
  "core_unpublished",
  "code_invalid",
  "connector_entity_watermark_missing",
  "sink_cannot_create",
  "sink_cannot_update",
  "sink_cannot_delete",
  "sink_creates_at_least_once",
]);
const ABOUT_PLACES =
  /^(connector_(unknown|not_active|entity_)|place_repeated|mapping_|required_field_|schedule_|token_unknown)/;

const ABOUT_ACTIONS = /^custom_action_/;

export const isAboutPlaces = ({ code }: Pick<PipelineProblem, "code">): boolean => ABOUT_PLACES.test(code);

/** Null before anything was found. What only the server can say stays until its node changes. */
export function shownProblems(
  graph: Graph,
  validated: Validated | null,
  found: Found | null,
): readonly PipelineProblem[] | null {
  const standing = validated ? standingProblems(graph, validated) : null;
  if (!found) return standing;
  const present = new Set(graph.nodes.map(({ id }) => id));
  const own = found.problems.filter(({ nodeId }) => nodeId === null || present.has(nodeId));
  const only = (standing ?? []).filter(
    (problem) =>
      SERVER_ONLY.has(problem.code) ||
      (!found.knowsPlaces && isAboutPlaces(problem)) ||
      (!found.knowsActions && ABOUT_ACTIONS.test(problem.code)),
  );
  // The same list where nothing differs: nothing is drawn anew for it.
  if (only.length === 0 && own.length === found.problems.length) return found.problems;
  const all = [...own, ...only];
  return [
    ...all.filter(({ severity }) => severity === "error"),
    ...all.filter(({ severity }) => severity === "warning"),
  ];
}

function standingProblems(graph: Graph, { graph: before, problems }: Validated): readonly PipelineProblem[] {
  if (graph === before || problems.length === 0) return problems;
  const old = new Map(before.nodes.map((node) => [node.id, node]));
  const unchanged = new Set(graph.nodes.filter((node) => saysSame(old.get(node.id), node)).map(({ id }) => id));
  return problems.filter(({ nodeId }) => nodeId !== null && unchanged.has(nodeId));
}

/** Whether two graphs differ in nothing but places of nodes. */
export const isOnlyMoved = (before: Graph, graph: Graph): boolean =>
  before.edges === graph.edges &&
  before.nodes.length === graph.nodes.length &&
  graph.nodes.every((node, index) => {
    const old = before.nodes[index];
    return old?.id === node.id && saysSame(old, node);
  });

/** Problem count by node, for the badges on the canvas. */
export function problemsByNode(problems: readonly PipelineProblem[] | null): Map<string, number> {
  const counts = new Map<string, number>();
  for (const problem of problems ?? []) {
    if (problem.nodeId && problem.severity === "error")
      counts.set(problem.nodeId, (counts.get(problem.nodeId) ?? 0) + 1);
  }
  return counts;
}
