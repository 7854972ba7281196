/** Problems of nodes that perform custom actions: one that was deleted, and values that its variables can't take. */
import { Values } from "@accord/contracts/data/values";
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { variableMismatches } from "../../actions/custom/node-mismatches.ts";
import type { CustomActionFacts, GraphCatalogue } from "./catalogue.ts";
import { isBypassed } from "../bypass.ts";
import { isCustomAction } from "../elements.ts";
import { nodeProblem, type GraphProblem } from "./problem.ts";

/** Every record would fail at such a node. A node without an action lacks a required input, which is another rule. */
export function customActionProblems(graph: Graph, { customActions }: GraphCatalogue): GraphProblem[] {
  if (!customActions) return [];
  return graph.nodes.flatMap((node): GraphProblem[] => {
    const { actionId } = node.configuration;
    if (!isCustomAction(node) || isBypassed(node) || typeof actionId !== "string" || actionId === "") return [];
    const action = customActions.get(actionId);
    return action ? variableProblems(node, action) : [nodeProblem("custom_action_unknown", node, {}, "actionId")];
  });
}

function variableProblems(node: GraphNode, { displayName, variables }: CustomActionFacts): GraphProblem[] {
  const given = Values.catch({}).parse(node.configuration["variables"] ?? {});
  return variableMismatches(variables, given).flatMap(({ name, kind, reason }): GraphProblem[] => {
    const facts = { variable: name, action: displayName, reason };
    switch (kind) {
      case "missing":
        return [nodeProblem("custom_action_variable_missing", node, facts, `variables.${name}`)];
      case "invalid":
        return [nodeProblem("custom_action_variable_invalid", node, facts, `variables.${name}`)];
      // A value for no variable is sent nowhere; what a token gives shows with a record.
      case "unknown":
      case "unchecked":
        return [];
    }
  });
}
