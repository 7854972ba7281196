/** Functions whose result comes from outside the record: each asks one question per record, a page's are asked at once. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import type { Value, Values } from "@accord/contracts/data/values";
import type { RunEnv } from "../run-env.ts";
import { type CompiledNode, FunctionFailure, type NodeContext } from "../define.ts";
import { type FlowRecord, setResult } from "../flow.ts";
import type { DataResult, DataRequest } from "../data-requests.ts";

export interface RequestingFunction {
  /** null: nothing to ask, the result is `otherwise`. Throws `FunctionFailure`. */
  dataRequest: (record: FlowRecord, env: RunEnv) => DataRequest | null;
  /** The result of what was found. Throws `FunctionFailure`. */
  result: (found: readonly Values[], record: FlowRecord) => Value;
  otherwise?: (record: FlowRecord) => Value;
  /** What becomes of the result; by default it is the node's value. */
  keep?: (record: FlowRecord, result: Value) => void;
}

/** The node that asks and then goes on with what it was told. */
export function requestingNode({ nodeId, slot }: NodeContext, asking: RequestingFunction): CompiledNode {
  const keep = asking.keep ?? ((record: FlowRecord, result: Value) => setResult(record, slot, result));
  const run = (page: readonly FlowRecord[], env: RunEnv): "default" => {
    for (const [index, record] of page.entries()) {
      if (record.failure) continue;
      try {
        const dataRequest = asking.dataRequest(record, env);
        if (dataRequest === null) keep(record, asking.otherwise?.(record) ?? null);
        else keep(record, asking.result(foundBy(env.answers?.[index]?.[0]), record));
      } catch (problem) {
        if (!(problem instanceof FunctionFailure)) throw problem;
        record.failure = { nodeId, code: problem.code, message: problem.message };
      }
    }
    return "default";
  };
  const requests = (page: readonly FlowRecord[], env: RunEnv): DataRequest[][] =>
    page.map((record) => (record.failure ? [] : questionOf(asking, record, env)));
  return Object.assign(run, { requests });
}

/** A question that can't be put together fails its record when the node runs, not the whole page when it asks. */
function questionOf(asking: RequestingFunction, record: FlowRecord, env: RunEnv): DataRequest[] {
  // Filling texts may note warnings; they are noted once, when the node runs.
  const trial = { ...record };
  try {
    const dataRequest = asking.dataRequest(trial, env);
    return dataRequest === null ? [] : [dataRequest];
  } catch (problem) {
    if (problem instanceof FunctionFailure) return [];
    throw problem;
  }
}

function foundBy(answer: DataResult | undefined): readonly Values[] {
  if (!answer) throw new FunctionFailure("not_answered", nodeFailures.notAnswered);
  if (!answer.ok) throw new FunctionFailure(answer.code, answer.message);
  return answer.found;
}
