/** ACTION nodes of a graph made ready to run. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { fill } from "@accord/contracts/messages/fill";
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import type { CompileContext } from "../functions/context.ts";
import type { RunEnv } from "../functions/run-env.ts";
import { nodeContext } from "../functions/compile.ts";
import { CompileError, type CompiledNode } from "../functions/define.ts";
import { addWarning, type FlowRecord, setActionResult } from "../functions/flow.ts";
import type { DataResult, DataRequest } from "../functions/data-requests.ts";
import { nodeTitle } from "../graph/elements.ts";
import { hashText } from "@accord/connector-sdk/fingerprint";
import type { ActionCall } from "./call.ts";
import { ActionRefusal, type Prepare } from "./define.ts";
import { readableConfiguration } from "./mail-body.ts";
import { actionByName } from "./registry.ts";
import { withoutSecrets } from "./without-secrets.ts";

export interface ActionPlace {
  side: "source" | "destination";
  /** A node after it on the same side uses its result: it is performed on the way. */
  isAwaited: boolean;
}

/** An ACTION node ready to run over pages. Throws `CompileError`. */
export function compileAction(node: GraphNode, context: CompileContext, place: ActionPlace): CompiledNode {
  const definition = actionByName(node.apiName);
  if (!definition) {
    throw new CompileError(node.id, [
      { input: "apiName", reason: fill(nodeSettings.noSuchAction, { name: node.apiName }) },
    ]);
  }
  if (definition.effect === "pass") return () => "default";
  if (definition.effect === "stop") return (page) => page.map(() => null);
  const prepared = definition.prepare(node.configuration, nodeContext(node, context));
  const prepare = definition.group === "message" ? withoutSecrets(prepared, context.secrets) : prepared;
  const acting: Acting = { node, prepare, place, slot: context.slots.get(node.id) ?? 0 };
  if (place.isAwaited) return awaited(acting);
  return place.side === "source" ? deferred(acting, node.configuration["onResync"] === true) : written(acting);
}

/** Whether some node of these graphs names the action's result or status. */
export function isResultUsed(node: GraphNode, graphs: readonly Graph[]): boolean {
  const names = [`Action Result From ${node.label}`, `Status of Action ${node.label}`];
  const text = JSON.stringify(graphs.map(({ nodes }) => nodes.map(readableConfiguration)));
  return names.some((name) => text.includes(JSON.stringify(name).slice(1, -1)));
}

interface Acting {
  node: GraphNode;
  prepare: Prepare;
  place: ActionPlace;
  slot: number;
}

/** The call for a record; null, and a warning, where its inputs make no sense. */
function callFor({ node, prepare, place, slot }: Acting, record: FlowRecord, env: RunEnv): ActionCall | null {
  try {
    const work = prepare(record, env);
    const externalId = record.source?.externalId ?? null;
    const who = place.side === "source" ? externalId : record.recordId;
    const key = `${node.id}${env.turn ?? ""} ${who ?? ""} ${hashText(record.occurrenceKey)}`;
    const { recordId } = record;
    return { key, nodeId: node.id, label: nodeTitle(node), action: node.apiName, externalId, recordId, work };
  } catch (problem) {
    if (!(problem instanceof ActionRefusal)) throw problem;
    addWarning(record, { nodeId: node.id, code: problem.code, message: problem.message });
    setActionResult(record, slot, false, null);
    return null;
  }
}

/** Performed on the way, before the next node runs. */
function awaited(acting: Acting): CompiledNode {
  const { node, slot } = acting;
  const run: CompiledNode = (page, env) => {
    for (const [index, record] of page.entries()) {
      const answer = env.answers?.[index]?.[0];
      if (answer && !record.failure) takeAnswer(record, node.id, slot, answer);
    }
    return "default";
  };
  run.requests = (page, env) =>
    page.map((record): DataRequest[] => {
      const call = record.failure ? null : callFor(acting, record, env);
      return call ? [{ kind: "action", call, later: false }] : [];
    });
  return run;
}

function takeAnswer(record: FlowRecord, nodeId: string, slot: number, answer: DataResult): void {
  const outcome = answer.ok ? answer.found[0] : { succeeded: false, body: null, ...answer };
  // Nothing found: it was not performed, as in a simulated test.
  if (!outcome) return;
  const succeeded = outcome["succeeded"] === true;
  setActionResult(record, slot, succeeded, outcome["body"] ?? null);
  if (succeeded) return;
  const { code, message } = outcome;
  addWarning(record, {
    nodeId,
    code: String(code ?? "action_failed"),
    message: String(message ?? nodeFailures.actionFailed),
  });
}

/** Performed once the page is safe. Reading everything again is no news: only those that ask for it act then. */
function deferred(acting: Acting, onResync: boolean): CompiledNode {
  const run: CompiledNode = () => "default";
  run.deferredActions = (page, env) =>
    page.map((record) => (record.failure || (env.isResync && !onResync) ? null : callFor(acting, record, env)));
  return run;
}

/** Behind the core: written down before the record goes on, performed soon. */
function written(acting: Acting): CompiledNode {
  const run: CompiledNode = () => "default";
  run.requests = (page, env) =>
    page.map((record): DataRequest[] => {
      const call = record.failure ? null : callFor(acting, record, env);
      return call ? [{ kind: "action", call, later: true }] : [];
    });
  return run;
}
