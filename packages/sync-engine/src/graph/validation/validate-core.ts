/** Problems of the core node: authority and duplicate rules that could not be run as they stand. */
import type { FieldSchema } from "@accord/contracts/data/schema";
import { CoreConfiguration, type Graph, type GraphNode } from "@accord/contracts/sync/graph";
import { conditionIssues } from "../../functions/kinds/condition.ts";
import type { InputIssue } from "../../functions/define.ts";
import { matchFaults } from "../../functions/record/attach-record.ts";
import { isSource } from "../elements.ts";
import { nodeProblem, type GraphProblem } from "./problem.ts";

/** Nothing is wrong with a core node whose rules are switched off, whatever they say. */
export function coreProblems(graph: Graph, fields: readonly FieldSchema[]): GraphProblem[] {
  const core = graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY");
  if (!core) return [];
  const parsed = CoreConfiguration.safeParse(core.configuration);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const input = issue?.path.join(".") ?? "";
    return [nodeProblem("input_invalid", core, { input, reason: issue?.message ?? "" }, input)];
  }
  return [...authorityProblems(graph, core, parsed.data), ...mergeProblems(core, parsed.data, fields)];
}

function authorityProblems(graph: Graph, core: GraphNode, configuration: CoreConfiguration): GraphProblem[] {
  const sources = new Set(graph.nodes.filter(isSource).map(({ id }) => id));
  const { authority, selectedSource, fieldAuthority } = configuration;
  const general = { authority, selectedSource };
  const rules = [["", general] as const, ...Object.entries(fieldAuthority)];
  return rules.flatMap(([field, own]) => {
    const rule = { ...general, ...own };
    if (rule.authority !== "SELECTED" || sources.has(rule.selectedSource ?? "")) return [];
    const input = field === "" ? "Selected source" : `Selected source of ${field}`;
    return [nodeProblem("input_missing", core, { input }, "selectedSource")];
  });
}

function mergeProblems(
  core: GraphNode,
  configuration: CoreConfiguration,
  fields: readonly FieldSchema[],
): GraphProblem[] {
  if (!configuration.deduplicate) return [];
  const { match, skipWhen } = configuration.merge;
  if (!match) return [nodeProblem("input_missing", core, { input: "Same record when" }, "merge.match")];
  const isSkipping = skipWhen && !(skipWhen.type === "group" && skipWhen.children.length === 0);
  const told = (input: string, faults: readonly InputIssue[]): GraphProblem[] =>
    faults.map(({ reason, input: targetId }) => nodeProblem("input_invalid", core, { input, reason }, targetId));
  return [
    ...told("Same record when", matchFaults(match, "merge.match", fields)),
    ...(isSkipping ? told("Skip when", conditionIssues(skipWhen, "merge.skipWhen", fields)) : []),
  ];
}
