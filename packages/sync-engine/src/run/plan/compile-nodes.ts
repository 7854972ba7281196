/** Nodes of a graph made ready to run: functions, actions, and what stands for a node that is bypassed. */
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { type ActionPlace, compileAction, isResultUsed } from "../../actions/compile.ts";
import { withoutSecretProblems } from "../../actions/secret-problems.ts";
import { compileNode, nodeContext } from "../../functions/compile.ts";
import type { CompileContext } from "../../functions/context.ts";
import type { CompiledNode } from "../../functions/define.ts";
import { isBypassed } from "../../graph/bypass.ts";
import type { CompileFieldNodes } from "../graph/field-paths.ts";
import type { CompileInput } from "./compile-input.ts";

/** Compiles the nodes of the entity pipeline or of a field pipeline. */
export function compiledNodes(facts: CompileInput, graphs: readonly Graph[]): CompileFieldNodes {
  return (graph, context, side) => (nodeId) => {
    const node = graph.nodes.find((candidate) => candidate.id === nodeId);
    if (!node) return null;
    const place = { side, isAwaited: isResultUsed(node, graphs) };
    const compiled = isBypassed(node) ? (facts.observe ? PASS : null) : compileOne(node, context, place);
    return compiled && facts.observe ? facts.observe(node, compiled, nodeContext(node, context)) : compiled;
  };
}

/** A bypassed node, where somebody wants to see that records pass it. */
const PASS: CompiledNode = () => "default";

function compileOne(node: GraphNode, context: CompileContext, place: ActionPlace): CompiledNode | null {
  if (node.nodeType !== "FUNCTION" && node.nodeType !== "ACTION") return null;
  const run = node.nodeType === "FUNCTION" ? compileNode(node, context) : compileAction(node, context, place);
  return withoutSecretProblems(node, run, context);
}
