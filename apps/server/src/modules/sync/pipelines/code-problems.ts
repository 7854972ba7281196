/** Problems of the code in a graph: what can't be read, and code without the function that is called. */
import { syncRefusals } from "@accord/contracts/messages/en/sync/run/refusals";
import { fill } from "@accord/contracts/messages/fill";
import { syncConfigure } from "@accord/contracts/messages/en/sync/configure";
import { CoreConfiguration, type Graph, type GraphNode } from "@accord/contracts/sync/graph";
import type { CodeEntry } from "@accord/sync-engine/functions";
import { type GraphProblem, isBypassed, isCode, isCore, nodeProblem } from "@accord/sync-engine/graph";
import { type CodeSandbox, CodeSandboxUnavailable } from "../../../platform/code-sandbox/code-sandbox.ts";

const words = syncConfigure.duplicates;

/** All programs of a graph together: each may take a second, and somebody waits. */
const CHECK_MS = 20_000;
const NOT_CHECKED = fill(syncRefusals.codeTooSlow, { seconds: CHECK_MS / 1_000 });

/**
 * Each different program is checked once. Code that the sandbox can't check now is not held against the graph: it is
 * checked again when it is run. `checkMs`: in tests, less time.
 */
export async function codeProblems(
  { codeSandbox, clock }: { codeSandbox: Pick<CodeSandbox, "check">; clock: { monotonicMs(): number } },
  place: { instanceId: string; pipelineId: string },
  graph: Graph,
  checkMs = CHECK_MS,
): Promise<GraphProblem[]> {
  const end = clock.monotonicMs() + checkMs;
  const reasons = new Map<string, string | null>();
  const problems: GraphProblem[] = [];
  for (const { node, input, targetId, program, entry } of graph.nodes.flatMap(programsOf)) {
    const key = `${entry} ${program}`;
    if (!reasons.has(key))
      reasons.set(key, clock.monotonicMs() < end ? await checked(codeSandbox, place, { program, entry }) : NOT_CHECKED);
    const reason = reasons.get(key) ?? null;
    if (reason !== null) problems.push(nodeProblem("code_invalid", node, { input, reason }, targetId));
  }
  return problems;
}

interface Program {
  node: GraphNode;
  input: string;
  targetId: string;
  program: string;
  entry: CodeEntry;
}

/** That nodes are without code is said by the rules of their inputs; of merge rules it is said here. */
function programsOf(node: GraphNode): Program[] {
  const { script } = node.configuration;
  if (isCode(node))
    return !isBypassed(node) && typeof script === "string" && script.trim() !== ""
      ? [{ node, input: "Code", targetId: "script", program: script, entry: "run" }]
      : [];
  const core = isCore(node) ? CoreConfiguration.safeParse(node.configuration).data : undefined;
  if (!core?.deduplicate) return [];
  const { winnerBy, winnerCode = "", valuesBy, valuesCode = "" } = core.merge;
  const winner: Program = {
    ...{ node, input: words.winner, targetId: "merge.winnerCode", program: winnerCode, entry: "chooseWinner" },
  };
  const values: Program = {
    ...{ node, input: words.fields, targetId: "merge.valuesCode", program: valuesCode, entry: "mergeValues" },
  };
  return [...(winnerBy === "code" ? [winner] : []), ...(valuesBy === "code" ? [values] : [])];
}

async function checked(
  sandbox: Pick<CodeSandbox, "check">,
  place: { instanceId: string; pipelineId: string },
  program: { program: string; entry: CodeEntry },
): Promise<string | null> {
  try {
    return (await sandbox.check(place, program))?.message ?? null;
  } catch (problem) {
    if (problem instanceof CodeSandboxUnavailable) return null;
    throw problem;
  }
}
