/** Code of people's own that nodes and merge rules want run: each different program of a page goes to the sandbox once. */
import { actionFailures } from "@accord/contracts/messages/en/sync/run/action-failures";
import { fill } from "@accord/contracts/messages/fill";
import { ConnectorError } from "@accord/connector-sdk";
import type { DataRequest, DataResult } from "@accord/sync-engine/functions";
import {
  type CodeResult,
  type CodeSandbox,
  CodeSandboxUnavailable,
} from "../../../platform/code-sandbox/code-sandbox.ts";
import { decodeResult, encodeArguments, fieldsOf } from "../../../platform/code-sandbox/code-values.ts";

type CodeRequest = Extract<DataRequest, { kind: "code" }>;

/**
 * In the order of the requests. Throws `ConnectorError` when the sandbox can't run anything now.
 * @param place who waits: instances and pipelines take turns
 */
export async function runCode(
  sandbox: Pick<CodeSandbox, "run">,
  place: { instanceId: string; pipelineId: string },
  requests: readonly CodeRequest[],
): Promise<DataResult[]> {
  const results = new Map<number, DataResult>();
  const groups = Map.groupBy(requests.keys(), (index) => {
    const { script, entry, timeoutMs, now } = requests[index] ?? NO_REQUEST;
    return JSON.stringify([script, entry, timeoutMs, now]);
  });
  for (const indexes of groups.values()) {
    const all = indexes.map((index) => requests[index] ?? NO_REQUEST);
    const { script: program, entry, timeoutMs, now } = all[0] ?? NO_REQUEST;
    const inputs = all.map(({ args }) => encodeArguments(args));
    const found = await orUnavailable(sandbox.run(place, { program, entry, timeoutMs, now, inputs }));
    for (const [at, index] of indexes.entries()) results.set(index, asResult(entry, found[at]));
  }
  return requests.map((_, index) => results.get(index) ?? NOT_RUN);
}

const NO_REQUEST: CodeRequest = { kind: "code", script: "", entry: "run", timeoutMs: 0, now: 0, args: [] };
const NOT_RUN: DataResult = { ok: false, code: "code_not_run", message: actionFailures.codeNotRun };

function asResult(entry: CodeRequest["entry"], result: CodeResult | undefined): DataResult {
  if (!result?.ok) return result ?? NOT_RUN;
  const decoded = decodeResult(result.output);
  if (!decoded.ok) return decoded;
  // An id is no record: it is found under a name of its own.
  if (entry === "chooseWinner") return { ok: true, found: [{ winner: decoded.value }] };
  const fields = fieldsOf(decoded.value);
  if (fields) return { ok: true, found: [fields] };
  return decoded.value === null ? { ok: true, found: [] } : NO_OBJECT;
}

const NO_OBJECT: DataResult = {
  ...{ ok: false, code: "code_result_unusable" },
  message: actionFailures.codeGaveNothing,
};

/** What has nothing to do with the code is tried again, like a system that is down. */
async function orUnavailable<Result>(running: Promise<Result>): Promise<Result> {
  try {
    return await running;
  } catch (problem) {
    if (!(problem instanceof CodeSandboxUnavailable)) throw problem;
    throw new ConnectorError("unavailable", fill(actionFailures.codeUnavailable, { reason: problem.message }), {
      cause: problem,
    });
  }
}
