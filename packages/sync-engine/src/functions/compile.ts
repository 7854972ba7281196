/** Function nodes of a graph made ready to run. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { fill } from "@accord/contracts/messages/fill";
import type { GraphNode } from "@accord/contracts/sync/graph";
import { type CompiledAttach, compileAttachRule } from "./record/attach-record.ts";
import type { CompileContext } from "./context.ts";
import { CompileError, type CompiledNode, type NodeContext } from "./define.ts";
import { setSnapshot } from "./flow.ts";
import { functionByName } from "./registry.ts";

/** What compiling one node may know. */
export const nodeContext = (node: GraphNode, context: CompileContext): NodeContext => ({
  ...context,
  nodeId: node.id,
  slot: context.slots.get(node.id) ?? 0,
});

/** A FUNCTION node ready to run over pages. Throws `CompileError`. */
export function compileNode(node: GraphNode, context: CompileContext): CompiledNode {
  const definition = functionByName(node.apiName);
  if (!definition)
    throw new CompileError(node.id, [
      { input: "apiName", reason: fill(nodeSettings.noSuchFunction, { name: node.apiName }) },
    ]);
  const run = definition.compile(node.configuration, nodeContext(node, context));
  return context.snapshotNodes.has(node.id) ? keepingRecord(run, context.slots.get(node.id) ?? 0) : run;
}

/** The node with the record kept as it leaves, for tokens that name the whole record at this node. */
function keepingRecord(run: CompiledNode, slot: number): CompiledNode {
  const keeping: CompiledNode = (page, env) => {
    const routes = run(page, env);
    for (const record of page) if (!record.failure) setSnapshot(record, slot);
    return routes;
  };
  return Object.assign(keeping, run);
}

/** What an attach node looks for among the core records. */
export const compileAttach = (node: GraphNode, context: CompileContext): CompiledAttach =>
  compileAttachRule(node.configuration, nodeContext(node, context));

/** Whether a record that left its node by `route` takes an edge of this type. */
export const takesEdge = (route: string, edgeType: string): boolean =>
  edgeType === route || edgeType === "default" || edgeType === "Any";
