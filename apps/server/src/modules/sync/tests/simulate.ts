/** Sends one record from a source through a pipeline to the core and on to each destination: nothing is written or asked outside. */
import type { Values } from "@accord/contracts/data/values";
import type { SourceRecord, WriteOperation } from "@accord/connector-sdk";
import { isExternal, type DataRequest } from "@accord/sync-engine/functions";
import type { ActionCall } from "@accord/sync-engine/actions";
import type { StoredRecord } from "@accord/sync-engine/run";
import type { Deps } from "../../../platform/deps.ts";
import { type DryPorts, dryRun, NOTHING_CLAIMED, nothingToRead, dryRunSink, type TestPipeline } from "../runs/index.ts";
import { type RecordTrace, type ResultTrace, TRACE_LIMITS } from "./result-trace.ts";

export interface SimulationParts {
  deps: Pick<Deps, "clock" | "newId">;
  pipeline: TestPipeline;
  trace: ResultTrace;
  signal: AbortSignal;
  /** Answers what is stored in Accord. */
  answer: DryPorts["answer"];
  /** 0 ≤ x < 1; the same row of numbers for each record. */
  random: () => () => number;
}

/** What a node would have asked or done outside. */
export type Skipped =
  | { kind: "action"; nodeId: string; call: ActionCall }
  | { kind: "dataRequest"; step: number; dataRequest: DataRequest };

export interface SimulatedRecord {
  sourceNodeId: string;
  id: string;
  values: Values;
  /** What the core record would hold; null where it did not get there. */
  core: Values | null;
  /** Why it did not. */
  message: string | null;
  /** The node at which it failed; null: the core. */
  failedAt: string | null;
  /** What the source's record goes on without: values that were not read, or that the core can't hold. */
  warnings: readonly string[];
  /** By destination node: why nothing can be sent there. */
  sinkFailures: ReadonlyMap<string, string>;
  /** By destination node: what would be sent there, in the system's names; null: nothing. */
  sent: ReadonlyMap<string, Values | null>;
  trace: RecordTrace;
  skipped: readonly Skipped[];
}

export async function simulate(
  parts: SimulationParts,
  { sourceNodeId, ...record }: SourceRecord & { sourceNodeId: string },
  bytes: number,
): Promise<SimulatedRecord> {
  const { pipeline } = parts;
  const trace = parts.trace.begin(record.id, bytes);
  const skipped: Skipped[] = [];
  const means = { deps: parts.deps, random: parts.random() };
  const answer = withoutOutside(parts, skipped);
  const before = nothingToRead(pipeline);
  // As in a pipeline that has read all its systems: before that, nothing is created in those it also reads.
  const idle = { ...before, sources: before.sources.map((one) => ({ ...one, isComplete: true })) };
  const sources = idle.sources.map((one) => (one.nodeId === sourceNodeId ? { ...one, due: true } : one));
  const read = async () => ({ records: [record], cursor: null, drained: true });
  const ports: DryPorts = { read, claim: async () => NOTHING_CLAIMED, answer };
  const { batches, summary } = await dryRun(pipeline, { ...idle, sources }, ports, means);
  for (const call of batches.flatMap(({ actions }) => actions))
    skipped.push({ kind: "action", nodeId: call.nodeId, call });
  const created = batches.flatMap(({ creates }) => creates)[0];
  const links = batches.flatMap((batch) => batch.links.map((link) => ({ ...link, placeId: batch.placeId })));
  const sent = new Map<string, Values | null>();
  const sinkFailures = new Map<string, string>();
  if (created) {
    const stored: StoredRecord = { ...created, version: 1, deleted: false };
    for (const sink of pipeline.plan.sinks) {
      // The system it came from has it already.
      const link = links.find(({ placeId, recordId }) => placeId === sink.place.id && recordId === created.recordId);
      const subject = { record: stored, link: link ?? null, references: new Map() };
      const outcome = await dryRunSink({ pipeline, parts: means, answer }, sink.place.id, subject, idle);
      const operation = outcome.sent.flatMap(({ operations }) => operations)[0];
      const failure = outcome.settled.flatMap(({ settlements }) =>
        settlements.flatMap((one) => one.quarantine ?? []),
      )[0];
      if (failure) sinkFailures.set(sink.nodeId, failure.message);
      if (!sink.isActionsOnly) sent.set(sink.nodeId, operation ? valuesOf(operation) : null);
    }
  }
  const problem =
    batches.flatMap(({ quarantine }) => quarantine)[0] ??
    summary?.problems.find(({ severity }) => severity === "error");
  const warnings = summary?.problems.filter(
    ({ severity, nodeId }) => severity === "warning" && nodeId === sourceNodeId,
  );
  return {
    sourceNodeId,
    id: record.id,
    values: record.values,
    core: created?.values ?? null,
    message: created ? null : (problem?.message ?? null),
    failedAt: created ? null : (problem?.nodeId ?? null),
    warnings: (warnings ?? []).map(({ message }) => message),
    sinkFailures,
    sent,
    trace,
    skipped,
  };
}

const valuesOf = (operation: WriteOperation): Values | null => (operation.kind === "delete" ? null : operation.values);

/** What leaves the product is not asked: it is noted, and nothing is found. */
function withoutOutside({ answer, trace }: SimulationParts, skipped: Skipped[]): DryPorts["answer"] {
  return async (effect) => {
    const answers = await answer(effect);
    trace.paused();
    return effect.dataRequests.map((dataRequest, index) => {
      const known = answers[index];
      if (known && !isExternal(dataRequest)) return known;
      if (dataRequest.kind === "action")
        skipped.push({ kind: "action", nodeId: dataRequest.call.nodeId, call: dataRequest.call });
      else if (trace.current().taken < TRACE_LIMITS.steps)
        skipped.push({ kind: "dataRequest", step: trace.current().taken, dataRequest });
      return { ok: true, found: [] };
    });
  };
}

/** Whether it failed anywhere on its way. */
export const hasFailed = ({ message, sinkFailures, trace }: SimulatedRecord): boolean =>
  message !== null || sinkFailures.size > 0 || [...trace.counts.values()].some(({ failed }) => failed > 0);

/** Fields that a test leaves out are read as empty: a source that does not send one at all would be asked for it again. */
export function emptyRecord({ plan }: SimulationParts["pipeline"], sourceNodeId: string): Values {
  const source = plan.sources.find(({ nodeId }) => nodeId === sourceNodeId);
  return Object.fromEntries([...(source?.place.readFields ?? [])].map((field) => [field, null]));
}

/** The same row of numbers each time, so that functions that draw random numbers give the same result in each run. */
export function seeded(): () => number {
  let state = 0x9e3779b9;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
