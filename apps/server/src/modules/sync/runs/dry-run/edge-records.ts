/** Use case: of the records changed last those that take an edge of the published graph, each sent along by a dry run. */
import type { Id } from "@accord/contracts";
import type { EdgeRecord } from "@accord/contracts/sync/monitoring/flow";
import type { ExplainedStep } from "@accord/contracts/sync/monitoring/explain";
import type { Graph, GraphEdge } from "@accord/contracts/sync/graph";
import { SecretFields } from "@accord/expressions";
import { reachableFrom, upstreamOf } from "@accord/sync-engine/graph";
import { newTrace, type Plan } from "@accord/sync-engine/run";
import type { Caller } from "../../../../platform/ctx.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import { readRecordNames } from "../../../data/schema/index.ts";
import { toTransaction } from "../monitoring/run-history.ts";
import type { LedgerRow } from "../monitoring/runs.store.ts";
import { PipelineNotRunnable } from "../worker/pipeline-endpoints.ts";
import { missing } from "../keyset-paging.ts";
import { demandPipeline, type EntityId, requirePublishedPipeline } from "../published-pipelines.ts";
import { type ExplainParts, Explaining } from "./explain.ts";
import { coreOf } from "./explain-paths.ts";

/** Entries of the ledger that are looked through for the records changed last. */
const ENTRIES = 100;
const MOST_EXAMINED = 20;
const MOST_LISTED = 5;
/** Each record of a source is asked for in its system: no more of them are once this much time has passed. */
const LONGEST_MS = 8_000;

export function edgeRecords(parts: ExplainParts) {
  return {
    async edgeRecords(ctx: Caller, entityId: EntityId, edgeId: string) {
      const at = ctx.instanceId;
      await demandPipeline(parts, at, entityId);
      await requirePublishedPipeline(parts, at, entityId);
      const trace = newTrace();
      const pipeline = await parts.plans.loadWatched(at, entityId, trace.observe).catch((error: unknown) => {
        throw error instanceof PipelineNotRunnable ? new AppError("pipeline_not_published") : error;
      });
      const edge = pipeline.graph.edges.find(({ id }) => id === edgeId);
      if (!edge) throw missing("Connection");
      const ends = endsOf(pipeline.graph, pipeline.plan, edge);
      const found: Omit<EdgeRecord, "name">[] = [];
      const { clock } = parts.deps;
      const until = clock.monotonicMs() + LONGEST_MS;
      let examined = 0;
      const secrets = SecretFields.of(pipeline.entity.fields);
      for (const [recordId, row] of await changedLast(parts, at, entityId)) {
        if (found.length === MOST_LISTED || examined === MOST_EXAMINED || clock.monotonicMs() > until) break;
        examined += 1;
        const [record = null] = await pipeline.storage.readRecords([recordId]);
        const places = new Map((await parts.known.places(at, entityId, recordId)).map((one) => [one.placeId, one]));
        const explaining = new Explaining(parts, ctx, { pipeline, trace, record, places });
        const steps = await stepsOver(explaining, ends, edgeId, (placeId) => places.get(placeId)?.link ?? null);
        if (!steps) continue;
        const { at: changedAt, changes: lastChange } = toTransaction(row, secrets);
        found.push({ recordId, at: changedAt, lastChange, changes: changesBefore(pipeline.graph, edge, steps) });
      }
      const entity = await parts.needs.schema.getEntity(at, entityId);
      const ids = found.map(({ recordId }) => recordId);
      const names = entity ? await readRecordNames(parts.deps.dataPool, at, entity, ids) : new Map<string, string>();
      return { records: found.map((one) => ({ ...one, name: names.get(one.recordId) ?? null })), examined };
    },
  };
}

/** The newest first, each once. */
async function changedLast({ store }: ExplainParts, at: Caller["instanceId"], pipelineId: EntityId) {
  const { rows } = await store.ledger(
    at,
    { pipelineId, isOwn: true },
    { from: null, direction: "next", count: ENTRIES },
  );
  const changed = new Map<Id<"record">, LedgerRow>();
  for (const row of rows) if (!changed.has(row.recordId)) changed.set(row.recordId, row);
  return changed;
}

interface Ends {
  sources: Plan["sources"];
  sinks: Plan["sinks"];
}

/** Sources whose records may take the edge, or destinations that it may lead to. */
function endsOf(graph: Graph, { sources, sinks }: Plan, { source, destination }: GraphEdge): Ends {
  const isBehindCore = reachableFrom(graph, [coreOf(graph)]).has(source.nodeId);
  const ahead = reachableFrom(graph, [destination.nodeId]);
  const behind = upstreamOf(graph, source.nodeId);
  return {
    sources: isBehindCore ? [] : sources.filter(({ nodeId }) => behind.has(nodeId)),
    sinks: isBehindCore ? sinks.filter(({ nodeId, isActionsOnly }) => isActionsOnly || ahead.has(nodeId)) : [],
  };
}

/** What the nodes did to the record on the first of its ways that takes the edge; null where none does. */
async function stepsOver(
  explaining: Explaining,
  { sources, sinks }: Ends,
  edgeId: string,
  linkAt: (placeId: number) => { externalId: string; dead: boolean } | null,
): Promise<readonly ExplainedStep[] | null> {
  for (const source of sources) {
    const link = linkAt(source.place.id);
    if (!link || link.dead) continue;
    const { steps } = await explaining.source(source, link.externalId);
    if (explaining.taken.has(edgeId)) return steps;
  }
  for (const sink of sinks) {
    const { steps } = await explaining.destination(sink);
    if (explaining.taken.has(edgeId)) return steps;
  }
  return null;
}

/** Of each field that nodes before the edge changed: what it was when the record set out, and what it is there. */
function changesBefore(graph: Graph, edge: GraphEdge, steps: readonly ExplainedStep[]): EdgeRecord["changes"] {
  const before = upstreamOf(graph, edge.source.nodeId);
  const changes = new Map<string, EdgeRecord["changes"][number]>();
  for (const step of steps) {
    if (!before.has(step.nodeId)) continue;
    for (const { field, from, to } of step.changes) {
      const known = changes.get(field);
      changes.set(field, { field, from: known ? known.from : from, to });
    }
  }
  return [...changes.values()];
}
