/** Nodes whose conditions look into reference data: they ask about a whole page, then judge it. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { textOf } from "@accord/expressions";
import { type PageCondition, referenceKey, type ReferenceQuestion } from "./condition.ts";
import type { RunEnv } from "../run-env.ts";
import type { CompiledNode, Routes } from "../define.ts";
import type { FlowRecord } from "../flow.ts";

/** What runs a page once everything its conditions need is known. */
export type EvaluatedPage = (page: readonly FlowRecord[], env: RunEnv, known: ReadonlySet<string>) => Routes;

const NOTHING: ReadonlySet<string> = new Set();

/** The node as it is when none of its conditions looks into reference data. */
export function askingConditions(
  nodeId: string,
  conditions: readonly PageCondition[],
  run: EvaluatedPage,
): CompiledNode {
  const questionsOf = (record: FlowRecord, env: RunEnv): ReferenceQuestion[] =>
    record.failure ? [] : conditions.flatMap((condition) => condition.dataRequests(record, env));
  if (!conditions.some((condition) => condition.looksUp)) return (page, env) => run(page, env, NOTHING);
  const node = (page: readonly FlowRecord[], env: RunEnv): Routes => {
    const known = new Set<string>();
    for (const [index, record] of page.entries())
      for (const [at, dataRequest] of questionsOf(record, env).entries()) {
        const answer = env.answers?.[index]?.[at];
        if (!answer) record.failure = { nodeId, code: "not_answered", message: nodeFailures.referenceDataNotAsked };
        else if (!answer.ok) record.failure = { nodeId, code: answer.code, message: answer.message };
        else if (answer.found.length > 0)
          known.add(referenceKey(dataRequest.dataset, dataRequest.column, textOf(dataRequest.value)));
      }
    return run(page, env, known);
  };
  return Object.assign(node, {
    requests: (page: readonly FlowRecord[], env: RunEnv) => page.map((one) => questionsOf(one, env)),
  });
}
