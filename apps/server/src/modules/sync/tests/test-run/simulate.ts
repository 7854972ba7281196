/** Sends one record from a source through a pipeline to the core and on to each destination: nothing is written or asked outside. */
import type { Values } from "@accord/contracts/data/values";
import type { SourceRecord, WriteOperation } from "@accord/connector-sdk";
import { isExternal, type DataRequest } from "@accord/sync-engine/functions";
import type { ActionCall } from "@accord/sync-engine/actions";
import type { TriedRecord } from "@accord/contracts/sync/tests/try-record";
import {
  type CommitBatch,
  type FieldVerdictOf,
  fieldVerdicts,
  type RunStart,
  type SinkPlan,
  type StoredLink,
  type StoredRecord,
} from "@accord/sync-engine/run";
import type { Deps } from "../../../../platform/deps.ts";
import {
  arrivesAt,
  countDiffering,
  destinationOutcome,
  type DryPorts,
  dryRun,
  type DryRunContext,
  dryRunSink,
  edgesTaken,
  NOTHING_CLAIMED,
  nothingToRead,
  operationFor,
  singleRecordSource,
  type StoredState,
  type TestPipeline,
} from "../../runs/index.ts";
import { hiddenFromCode } from "./hidden-from-code.ts";
import { type RecordTrace, type ResultTrace, TRACE_LIMITS } from "./result-trace.ts";

export interface SimulationParts {
  deps: Pick<Deps, "clock" | "newId">;
  pipeline: TestPipeline;
  trace: ResultTrace;
  signal: AbortSignal;
  /** What records meet; without it each of them is new. */
  stored?: StoredState;
  /** Answers what is stored in Accord. */
  answer: DryPorts["answer"];
  /** 0 ≤ x < 1; the same row of numbers for each record. */
  random: () => () => number;
}

/** What a node would have asked or done outside. */
export type Skipped =
  | { kind: "action"; nodeId: string; call: ActionCall }
  | { kind: "dataRequest"; step: number; dataRequest: DataRequest };

interface CoreAfter {
  record: StoredRecord;
  outcome: Exclude<TriedRecord["core"]["outcome"], "none">;
  before: Values | null;
}

export interface SimulatedDestination {
  sink: SinkPlan;
  outcome: ReturnType<typeof destinationOutcome>;
  /** What had to be done there for it to hold the record. */
  operation: ReturnType<typeof operationFor>;
  /** What it should hold, field by field, and whether it does. */
  fields: readonly FieldVerdictOf[];
  /** Fields that differ there. */
  count: number;
  /** What would be sent, in the system's names; null: nothing. */
  values: Values | null;
  /** Why nothing can be. */
  failure: string | null;
  taken: ReadonlySet<string>;
}

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
  /** How the core record stood before and what becomes of it; null where it does not get there. */
  stored: (Pick<CoreAfter, "outcome" | "before"> & { recordId: string | null }) | null;
  destinations: readonly SimulatedDestination[];
  /** Ids of the edges that it took. */
  taken: ReadonlySet<string>;
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
  const answer = withoutOutside(parts, skipped);
  const context = { pipeline, parts: { deps: parts.deps, random: parts.random() }, answer };
  const idle = wholeStart(pipeline);
  const { batches, summary } = await readOne(
    context,
    parts.stored ? resyncOf(idle, sourceNodeId) : dueAt(idle, sourceNodeId),
    record,
  );
  for (const call of batches.flatMap(({ actions }) => actions))
    skipped.push({ kind: "action", nodeId: call.nodeId, call });
  const problem =
    batches.flatMap(({ quarantine }) => quarantine)[0] ??
    summary?.problems.find(({ severity }) => severity === "error");
  const hasEnded = problem !== undefined || (summary?.counts.filtered ?? 0) > 0;
  const placeId = pipeline.plan.sources.find(({ nodeId }) => nodeId === sourceNodeId)?.place.id ?? 0;
  const core = await coreAfter(parts, batches, hasEnded ? null : { placeId, externalId: record.id });
  const destinations = core ? await sendToAll(parts, context, { batches, record: core.record }) : [];
  const warnings = summary?.problems.filter(
    ({ severity, nodeId }) => severity === "warning" && nodeId === sourceNodeId,
  );
  return {
    sourceNodeId,
    id: record.id,
    values: record.values,
    core: core?.record.values ?? null,
    stored: core && {
      outcome: core.outcome,
      before: core.before,
      recordId: core.before === null ? null : core.record.recordId,
    },
    message: core ? null : (problem?.message ?? null),
    failedAt: core ? null : (problem?.nodeId ?? null),
    warnings: (warnings ?? []).map(({ message }) => message),
    sinkFailures: new Map(
      destinations.flatMap(({ sink, failure }) => (failure === null ? [] : [[sink.nodeId, failure]])),
    ),
    sent: new Map(destinations.flatMap(({ sink, values }) => (sink.isActionsOnly ? [] : [[sink.nodeId, values]]))),
    destinations,
    taken: new Set([...edgesTaken(summary), ...destinations.flatMap(({ taken }) => [...taken])]),
    trace,
    skipped,
  };
}

/** As in a pipeline that has read all its systems: before that, nothing is created in those it also reads. */
export function wholeStart(pipeline: Pick<TestPipeline, "plan">): RunStart {
  const start = nothingToRead(pipeline);
  return { ...start, sources: start.sources.map((one) => ({ ...one, isComplete: true })) };
}

const dueAt = (start: RunStart, sourceNodeId: string): RunStart => ({
  ...start,
  sources: start.sources.map((one) => (one.nodeId === sourceNodeId ? { ...one, due: true } : one)),
});

/** Reads the source as a resync does: what is stored already is not passed over unseen. */
export const resyncOf = (start: RunStart, sourceNodeId: string): RunStart => ({
  ...start,
  resync: { resyncId: "", nodeIds: [sourceNodeId], since: null, until: null, cursors: {}, finished: [] },
});

/** One record comes in at a source. */
export function readOne(
  { pipeline, parts, answer }: DryRunContext,
  start: RunStart,
  record: SourceRecord,
): ReturnType<typeof dryRun> {
  const ports = { ...singleRecordSource(record), claim: async () => NOTHING_CLAIMED, answer };
  return dryRun(pipeline, start, ports, parts);
}

/** What the core would hold after these writes; null where nothing arrives there. `at`: where the record is known. */
async function coreAfter(
  { stored, pipeline }: SimulationParts,
  batches: readonly CommitBatch[],
  at: { placeId: number; externalId: string } | null,
): Promise<CoreAfter | null> {
  const stand = async (recordId: string): Promise<StoredRecord[]> =>
    (await stored?.storage(pipeline.secretNames).readRecords([recordId])) ?? [];
  const merged = batches.flatMap(({ mergeBatch }) => mergeBatch?.merges ?? [])[0];
  if (merged) {
    const { winner, values, origin } = merged;
    const [before] = await stand(winner.recordId);
    return { record: { ...winner, values, origin }, outcome: "merged", before: before?.values ?? null };
  }
  const created = batches.flatMap(({ creates }) => creates)[0];
  if (created) return { record: { ...created, version: 1, deleted: false }, outcome: "created", before: null };
  if (!at || !stored) return null;
  const updated = batches.flatMap(({ updates }) => updates)[0];
  const link = batches.flatMap(({ links }) => links).find(({ externalId }) => externalId === at.externalId);
  const recordId = updated?.recordId ?? link?.recordId ?? (await stored.linkAt(at.placeId, at.externalId))?.recordId;
  const [before] = recordId === undefined ? [] : await stand(recordId);
  if (!before) return null;
  if (!updated) return { record: before, outcome: "unchanged", before: before.values };
  const { values, origin, deleted } = updated;
  return { record: { ...before, values, origin, deleted }, outcome: "updated", before: before.values };
}

/** The system it came from has it already. */
const linksIn = (batches: readonly CommitBatch[], recordId: string): [number, StoredLink][] =>
  batches.flatMap((batch) =>
    batch.links.filter((link) => link.recordId === recordId).map((link): [number, StoredLink] => [batch.placeId, link]),
  );

async function sendToAll(
  parts: SimulationParts,
  context: DryRunContext,
  { batches, record }: { batches: readonly CommitBatch[]; record: StoredRecord },
): Promise<SimulatedDestination[]> {
  const known = (await parts.stored?.maskedLinks(record.recordId, parts.pipeline)) ?? [];
  const links = new Map([...known, ...linksIn(batches, record.recordId)]);
  const destinations: SimulatedDestination[] = [];
  for (const sink of parts.pipeline.plan.sinks)
    destinations.push(await sendTo(parts, context, { sink, record, link: links.get(sink.place.id) ?? null }));
  return destinations;
}

export async function sendTo(
  { stored, pipeline, trace }: Pick<SimulationParts, "stored" | "pipeline" | "trace">,
  context: DryRunContext,
  { sink, record, link }: { sink: SinkPlan; record: StoredRecord; link: StoredLink | null },
): Promise<SimulatedDestination> {
  const references = (await stored?.references(sink, record.values)) ?? new Map();
  const from = trace.current().steps.length;
  const run = await dryRunSink(context, sink.place.id, { record, link, references }, wholeStart(pipeline));
  const steps = trace.current().steps.slice(from);
  const operation = run.sent.flatMap(({ operations }) => operations)[0];
  const failure = run.settled.flatMap(({ settlements }) => settlements.flatMap((one) => one.quarantine ?? []))[0];
  const fields = fieldVerdicts(sink, steps.at(-1)?.after ?? record.values, link, references);
  return {
    sink,
    outcome: destinationOutcome(run, arrivesAt(pipeline.graph, steps, sink.nodeId), fields, false),
    operation: operationFor(record, link),
    fields,
    count: countDiffering(fields),
    values: operation ? valuesOf(operation) : null,
    failure: failure?.message ?? null,
    taken: edgesTaken(run.summary),
  };
}

const valuesOf = (operation: WriteOperation): Values | null => (operation.kind === "delete" ? null : operation.values);

/** What leaves the product is not asked: it is noted, and nothing is found. */
export function withoutOutside(
  { answer, trace, pipeline }: Pick<SimulationParts, "answer" | "trace" | "pipeline">,
  skipped: Skipped[],
): DryPorts["answer"] {
  return async (effect) => {
    const answers = await answer({
      ...effect,
      dataRequests: hiddenFromCode(pipeline.secretNames, effect.dataRequests),
    });
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
