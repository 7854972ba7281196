/** Watches records go through the nodes of a compiled pipeline: what went in, what came out, and which way they left. */
import type { Values } from "@accord/contracts/data/values";
import type { GraphNode } from "@accord/contracts/sync/graph";
import type { RunEnv } from "../../functions/run-env.ts";
import type { CompiledNode, NodeContext } from "../../functions/define.ts";
import type { FlowRecord } from "../../functions/flow.ts";
import type { ObserveNode } from "../plan/compile-input.ts";

/** One record at one node. */
export interface TraceStep {
  nodeId: string;
  /** Outside id on the source side, record id behind the core. */
  subject: string;
  before: Values;
  after: Values;
  /** Type of the edge it left by; null where its path ended. */
  route: string | null;
  /** Why it can't go on. */
  failure: { code: string; message: string } | null;
  /** What it went on without. */
  warnings: { code: string; message: string }[];
}

export interface Trace {
  observe: ObserveNode;
  /** In the order in which nodes ran. */
  readonly steps: readonly TraceStep[];
  /** A record as it arrived at a node and left it, for what must be filled from it there. */
  onStep(listen: (arrival: Arrival) => void): void;
}

/** A record where a node has just run. */
export interface Arrival {
  node: GraphNode;
  context: NodeContext;
  record: FlowRecord;
  env: RunEnv;
}

/** For a few records: everything seen is kept. */
export function newTrace(): Trace {
  const steps: TraceStep[] = [];
  const listeners: ((arrival: Arrival) => void)[] = [];
  const observe: ObserveNode = (node, run, context) => {
    const watched: CompiledNode = (page, env) => {
      const before = page.map(({ values, warnings }) => ({ values, known: warnings.length }));
      const routes = run(page, env);
      for (const [index, record] of page.entries()) {
        const { values = {}, known = 0 } = before[index] ?? {};
        steps.push({
          nodeId: node.id,
          subject: subjectOf(record),
          before: values,
          after: record.values,
          route: record.failure ? null : routes === "default" ? "default" : (routes[index] ?? null),
          failure: record.failure && { code: record.failure.code, message: record.failure.message },
          warnings: record.warnings.slice(known).map(({ code, message }) => ({ code, message })),
        });
        for (const listen of listeners) listen({ node, context, record, env });
      }
      return routes;
    };
    return Object.assign(watched, run);
  };
  return { observe, steps, onStep: (listen) => void listeners.push(listen) };
}

const subjectOf = ({ source, recordId }: FlowRecord): string => source?.externalId ?? recordId ?? "";
