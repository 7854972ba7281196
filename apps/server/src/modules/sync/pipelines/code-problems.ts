/** Problems of the code in a graph: what can't be read, and code without the function that is called. */
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { type GraphProblem, isCode, nodeProblem } from "@accord/sync-engine/graph";
import { type CodeSandbox, CodeSandboxUnavailable } from "../../../platform/code-sandbox/code-sandbox.ts";

/** Nodes whose code is checked before the others wait for the next call: each may take a second. */
const MAX_CHECKED = 20;

/** Code that can't be checked now is not held against the graph: it is checked again when it is published or run. */
export async function codeProblems(
  sandbox: Pick<CodeSandbox, "check">,
  instanceId: string,
  pipelineId: string,
  graph: Graph,
): Promise<GraphProblem[]> {
  const programs = graph.nodes.flatMap((node): { node: GraphNode; program: string }[] => {
    const { script } = node.configuration;
    return isCode(node) && typeof script === "string" && script.trim() !== "" ? [{ node, program: script }] : [];
  });
  const problems: GraphProblem[] = [];
  for (const { node, program } of programs.slice(0, MAX_CHECKED)) {
    const reason = await checked(sandbox, { instanceId, pipelineId }, program);
    if (reason !== null) problems.push(nodeProblem("code_invalid", node, { input: "Code", reason }, "script"));
  }
  return problems;
}

async function checked(
  sandbox: Pick<CodeSandbox, "check">,
  place: { instanceId: string; pipelineId: string },
  program: string,
): Promise<string | null> {
  try {
    return (await sandbox.check(place, { program, entry: "run" }))?.message ?? null;
  } catch (problem) {
    if (problem instanceof CodeSandboxUnavailable) return null;
    throw problem;
  }
}
