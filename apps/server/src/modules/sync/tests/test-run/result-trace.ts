/** Watches one record of a test at a time: the steps it takes with their results, as many as may be kept, and how many there were. */
import type { Value } from "@accord/contracts/data/values";
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import { pipelineTests as words } from "@accord/contracts/messages/en/sync/pipeline-tests";
import { fill } from "@accord/contracts/messages/fill";
import type { ObserveNode, TraceStep } from "@accord/sync-engine/run";
import { bytesOf } from "./budget.ts";

export const TRACE_LIMITS = {
  /** Steps of one record that are kept. */
  steps: 2_000,
  /** For how long one record may keep the server busy without a pause. */
  busyMs: 3_000,
} as const;

/** A reason to end a run that is shown to people. */
export class Ended extends Error {}

/** A step with the result that its node left. */
export interface ResultStep extends Omit<TraceStep, "subject"> {
  /** Which step of its record. */
  index: number;
  /** Which turns of loops it belongs to; empty outside of loops. */
  turn: string;
  result: Value;
  /** The value that came along the path and the one that goes on: what the nodes of a field pipeline work on. */
  incoming: Value;
  outgoing: Value;
}

/** What became of one record at one node. */
export interface NodeCount {
  steps: number;
  failed: number;
}

export interface RecordTrace {
  /** The first ones. */
  steps: ResultStep[];
  /** The last one of each node, be it kept or not. */
  last: Map<string, ResultStep>;
  counts: Map<string, NodeCount>;
  /** Steps so far. */
  taken: number;
}

export interface ResultTrace {
  observe: ObserveNode;
  /** A record begins; steps are kept until they have `bytes`. */
  begin(recordId: string, bytes: number): RecordTrace;
  /** The server could do something else meanwhile. */
  paused(): void;
  /** Of the record that is under way. */
  current(): RecordTrace;
}

type Row = Parameters<Parameters<ObserveNode>[1]>[0][number];

const newRecord = (): RecordTrace => ({ steps: [], last: new Map(), counts: new Map(), taken: 0 });

/** Results made of secret values are masked. `now`: milliseconds that never go back. */
export function resultTrace(signal: AbortSignal, now: () => number = () => performance.now()): ResultTrace {
  let record = newRecord();
  let recordId = "";
  let left = 0;
  let busySince = now();
  const demandTime = (): void => {
    signal.throwIfAborted();
    if (now() - busySince <= TRACE_LIMITS.busyMs) return;
    throw new Ended(fill(words.recordTooLong, { id: recordId, seconds: TRACE_LIMITS.busyMs / 1000 }));
  };
  const keep = (step: ResultStep): void => {
    record.taken += 1;
    record.last.set(step.nodeId, step);
    const count = record.counts.get(step.nodeId) ?? { steps: 0, failed: 0 };
    record.counts.set(step.nodeId, {
      steps: count.steps + 1,
      failed: count.failed + (step.failure ? 1 : 0),
    });
    if (left <= 0 || record.steps.length >= TRACE_LIMITS.steps) return;
    left -= bytesOf([step.before, step.after, step.result, step.incoming, step.outgoing]);
    if (left > 0) record.steps.push(step);
  };
  const observe: ObserveNode = (node, run, context) => {
    const isSecret = context.secrets.slots.has(context.slot);
    const watched: typeof run = (page, env) => {
      demandTime();
      const valueOf = (row: Row): Value => {
        const value = row.results[row.previous] ?? null;
        return value !== null && context.secrets.slots.has(row.previous) ? PASSWORD_MASK : value;
      };
      const before = page.map((row) => ({
        values: row.values,
        warnings: row.warnings.length,
        incoming: valueOf(row),
      }));
      const routes = run(page, env);
      for (const [index, row] of page.entries()) {
        const known = before[index];
        const result = row.results[context.slot] ?? null;
        keep({
          nodeId: node.id,
          index: record.taken,
          turn: env.turn ?? "",
          before: known?.values ?? {},
          after: row.values,
          result: result !== null && isSecret ? PASSWORD_MASK : result,
          incoming: known?.incoming ?? null,
          outgoing: valueOf(row),
          route: row.failure ? null : routes === "default" ? "default" : (routes[index] ?? null),
          failure: row.failure && { code: row.failure.code, message: row.failure.message },
          warnings: row.warnings.slice(known?.warnings).map(({ code, message }) => ({ code, message })),
        });
      }
      return routes;
    };
    const { deferredActions } = run;
    // A record that is stored is read as by a resync, and yet is tried as news: actions say what they would do.
    const asNews = deferredActions && {
      deferredActions: (...[page, env]: Parameters<typeof deferredActions>) =>
        deferredActions(page, { ...env, isResync: false }),
    };
    return Object.assign(watched, run, asNews);
  };
  return {
    observe,
    begin(id, bytes) {
      recordId = id;
      record = newRecord();
      left = bytes;
      busySince = now();
      return record;
    },
    paused() {
      busySince = now();
    },
    current: () => record,
  };
}
