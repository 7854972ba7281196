/** Sends one record from a source through a pipeline to the core and on to each destination: nothing is written or asked outside. */
import type { Values } from "@accord/contracts/data/values";
import type { WriteOperation } from "@accord/connector-sdk";
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
  /** By destination node: what would be sent there, in the system's names; null: nothing. */
  sent: ReadonlyMap<string, Values | null>;
  trace: RecordTrace;
  skipped: readonly Skipped[];
}

export async function simulate(
  parts: SimulationParts,
  record: { sourceNodeId: string; id: string; values: Values },
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
  const sources = idle.sources.map((one) => (one.nodeId === record.sourceNodeId ? { ...one, due: true } : one));
  const read = async () => ({ records: [{ id: record.id, values: record.values }], cursor: null, drained: true });
  const ports: DryPorts = { read, claim: async () => NOTHING_CLAIMED, answer };
  const { batches, summary } = await dryRun(pipeline, { ...idle, sources }, ports, means);
  for (const call of batches.flatMap(({ actions }) => actions))
    skipped.push({ kind: "action", nodeId: call.nodeId, call });
  const created = batches.flatMap(({ creates }) => creates)[0];
  const links = batches.flatMap((batch) => batch.links.map((link) => ({ ...link, placeId: batch.placeId })));
  const sent = new Map<string, Values | null>();
  if (created) {
    const stored: StoredRecord = { ...created, version: 1, deleted: false };
    for (const sink of pipeline.plan.sinks) {
      // The system it came from has it already.
      const link = links.find(({ placeId, recordId }) => placeId === sink.place.id && recordId === created.recordId);
      const subject = { record: stored, link: link ?? null, references: new Map() };
      const outcome = await dryRunSink({ pipeline, parts: means, answer }, sink.place.id, subject, idle);
      const operation = outcome.sent.flatMap(({ operations }) => operations)[0];
      if (!sink.isActionsOnly) sent.set(sink.nodeId, operation ? valuesOf(operation) : null);
    }
  }
  const problem = batches.flatMap(({ quarantine }) => quarantine)[0]?.message;
  const severe = summary?.problems.find(({ severity }) => severity === "error")?.message;
  return {
    ...record,
    core: created?.values ?? null,
    message: created ? null : (problem ?? severe ?? null),
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
