/** Explains a record: what each source would do to it, what each destination would be told, node by node and why. */
import type { Id } from "@accord/contracts";
import { explain as words } from "@accord/contracts/messages/en/sync/explain";
import { fill } from "@accord/contracts/messages/fill";
import type { ExplainedDestination, ExplainedSource, ExplainedStep } from "@accord/contracts/sync/monitoring/explain";
import type { GraphNode } from "@accord/contracts/sync/graph";
import { SecretFields } from "@accord/expressions";
import {
  changesOf,
  fieldVerdicts,
  newTrace,
  type SinkPlan,
  type SourcePlan,
  type StoredRecord,
  type Trace,
  type TraceStep,
} from "@accord/sync-engine/run";
import type { Caller } from "../../../../platform/ctx.ts";
import { singleReadsOf } from "../../../connections/connectors/index.ts";
import { dryResults } from "./dry-results.ts";
import {
  countDiffering,
  type DryRunContext,
  operationFor,
  destinationMessage,
  destinationOutcome,
  type ReadOne,
  readAgain,
  schemaAt,
  sourceOutcome,
  dryRunSink,
  edgesTaken,
} from "./explain-runs.ts";
import { arrivesAt, changesAt, coreOf, endsAt } from "./explain-paths.ts";
import type { ExplainStore, KnownPlace } from "./explain.store.ts";
import { missing } from "../keyset-paging.ts";
import type { PipelinePlans, CompiledPipeline } from "../worker/plans.ts";
import { demandRecord, type EntityId, requirePublishedPipeline, type ServiceContext } from "../published-pipelines.ts";
import { toTransaction } from "../monitoring/run-history.ts";
import { systemFailure } from "../worker/system-failure.ts";

export interface ExplainParts extends ServiceContext {
  plans: Pick<PipelinePlans, "loadWatched">;
  known: ExplainStore;
}

/** Time for a system to answer when it is asked for one record. */
const READ_TIMEOUT_MS = 10_000;

export function explanations(parts: ExplainParts) {
  const { known } = parts;
  return {
    async explain(
      ctx: Caller,
      entityId: EntityId,
      recordId: Id<"record">,
      { destination, field }: { destination?: string | undefined; field?: string | undefined },
    ) {
      const at = ctx.instanceId;
      await demandRecord(parts, at, entityId, recordId);
      await requirePublishedPipeline(parts, at, entityId);
      const trace = newTrace();
      const pipeline = await parts.plans.loadWatched(at, entityId, trace.observe);
      const [record] = await pipeline.storage.readRecords([recordId]);
      const refusals = await known.refusals(at, entityId, recordId, field);
      const sinks = pipeline.plan.sinks.filter(({ nodeId }) => !destination || nodeId === destination);
      if (destination && sinks.length === 0) throw missing("Destination");
      const places = new Map((await known.places(at, entityId, recordId)).map((place) => [place.placeId, place]));
      const explaining = new Explaining(parts, ctx, { pipeline, trace, record: record ?? null, places });
      const sources: ExplainedSource[] = [];
      const destinations: ExplainedDestination[] = [];
      for (const source of pipeline.plan.sources) {
        const link = places.get(source.place.id)?.link;
        if (link && !link.dead) sources.push(await explaining.source(source, link.externalId));
      }
      for (const sink of sinks) destinations.push(await explaining.destination(sink));
      const only = <Entry extends { field: string }>(entries: Entry[]): Entry[] =>
        field ? entries.filter((entry) => entry.field === field) : entries;
      return {
        recordId,
        deleted: record?.deleted ?? true,
        sources: sources.map((one) => ({ ...one, changes: only(one.changes), refused: only(one.refused) })),
        destinations: destinations.map((one) => ({
          ...one,
          fields: field ? one.fields.filter(({ coreField }) => coreField === field) : one.fields,
        })),
        refusals: refusals.map((row) => toTransaction(row, SecretFields.of(pipeline.entity.fields))),
      };
    },
  };
}

export interface Subject {
  pipeline: CompiledPipeline;
  trace: Trace;
  record: StoredRecord | null;
  places: ReadonlyMap<number, KnownPlace>;
}

export class Explaining {
  /** Edges of the graph that the record took in the latest of its dry runs. */
  taken: ReadonlySet<string> = new Set();
  readonly #parts: ExplainParts;
  readonly #at: Caller["instanceId"];
  readonly #subject: Subject;

  constructor(parts: ExplainParts, ctx: Caller, subject: Subject) {
    this.#parts = parts;
    this.#at = ctx.instanceId;
    this.#subject = subject;
  }

  async source(source: SourcePlan, externalId: string): Promise<ExplainedSource> {
    const { trace } = this.#subject;
    const { place } = source;
    const base = {
      nodeId: source.nodeId,
      label: source.label,
      connectorId: place.connectorId,
      connectorEntity: place.entity,
      externalId,
    };
    const explained = (outcome: ExplainedSource["outcome"], reason = ""): ExplainedSource => ({
      ...base,
      outcome,
      message: fill(words.source[outcome], { place: this.#placeName(place), reason }),
      read: null,
      steps: [],
      changes: [],
      refused: [],
    });
    this.taken = new Set();
    const read = await this.#readOne(source, externalId);
    if (read.state !== "read") return explained(read.state, read.reason);
    const from = trace.steps.length;
    const { batches, summary } = await readAgain(this.#means(), source.nodeId, { externalId, values: read.values });
    this.taken = edgesTaken(summary);
    const secrets = this.#subject.pipeline.secrets.at(place.id);
    const entries = batches.flatMap(({ ledger }) => ledger).filter((entry) => entry.externalId === externalId);
    const changes = entries.flatMap((entry) => secrets.changes(changesOf(entry)));
    const refused = entries.flatMap((entry) =>
      secrets.refused(entry.refused).map((one) => ({ ...one, message: words.refusal[one.reason] ?? one.reason })),
    );
    const steps = this.#steps(trace.steps.slice(from), secrets, coreOf(this.#subject.pipeline.graph));
    const outcome = sourceOutcome({
      isGone: read.values === null,
      hasFailed: batches.some(({ quarantine }) => quarantine.length > 0),
      deletes: entries.some(({ operation }) => operation === "delete"),
      isFiltered: (summary?.counts.filtered ?? 0) > 0,
      hasChanges: changes.length > 0,
      hasRefusals: refused.length > 0,
    });
    return { ...explained(outcome), read: read.values && secrets.values(read.values), steps, changes, refused };
  }

  async destination(sink: SinkPlan): Promise<ExplainedDestination> {
    const { trace, record, places } = this.#subject;
    const place = places.get(sink.place.id);
    const link = place?.link ?? null;
    const references = await this.#references(sink);
    const from = trace.steps.length;
    const run = await dryRunSink(this.#means(), sink.place.id, { record, link, references });
    this.taken = edgesTaken(run.summary);
    const steps = trace.steps.slice(from);
    const hasArrived = arrivesAt(this.#subject.pipeline.graph, steps, sink.nodeId);
    const completed = steps.at(-1)?.after ?? record?.values ?? {};
    const secrets = this.#subject.pipeline.secrets.at(sink.place.id);
    const fields = record && !record.deleted ? fieldVerdicts(sink, completed, link, references) : [];
    const outcome = destinationOutcome(run, hasArrived, fields, place?.delivery?.parked ?? false);
    return {
      nodeId: sink.nodeId,
      label: sink.label,
      connectorId: sink.place.connectorId,
      connectorEntity: sink.place.entity,
      externalId: link?.externalId ?? null,
      outcome,
      message: destinationMessage(outcome, {
        place: this.#placeName(sink.place),
        count: countDiffering(fields),
        reason: place?.quarantine?.message ?? "",
        operation: operationFor(record, link),
      }),
      steps: this.#steps(steps, secrets, sink.nodeId),
      fields: fields.map((reason) => ({
        ...reason,
        // What a field pipeline made for a destination goes by that one's name.
        value: secrets.value(reason.connectorField, secrets.value(reason.coreField, reason.value)),
        message: words.field[reason.verdict],
      })),
      delivery: place?.delivery ?? null,
      quarantine: place?.quarantine ?? null,
      lastWrittenAt: link?.writtenAt ?? null,
    };
  }

  #means(): DryRunContext {
    const { pipeline } = this.#subject;
    return { pipeline, parts: this.#parts, answer: dryResults(this.#parts.needs, this.#at, pipeline) };
  }

  #references(sink: SinkPlan): ReturnType<ExplainStore["outsideIds"]> {
    const values = this.#subject.record?.values ?? {};
    const wanted = sink.mappings.flatMap(({ reference, coreField }) => {
      const recordId = values[coreField];
      return reference && typeof recordId === "string" ? [{ ...reference, recordId }] : [];
    });
    return this.#parts.known.outsideIds(this.#at, wanted);
  }

  /** The record as it stands in the source's system now; `values` null when it is gone there. */
  async #readOne(source: SourcePlan, externalId: string): Promise<ReadOne> {
    const { pipeline } = this.#subject;
    const { connectorId, id, readFields } = source.place;
    const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
    try {
      const connection = await this.#parts.needs.connectors.openConnection(this.#at, connectorId, { signal });
      try {
        const facts = pipeline.entities.get(id);
        const getByIds = facts ? singleReadsOf(connection, facts) : null;
        if (!getByIds) return { state: "no_single_read", reason: "" };
        const request = { entity: schemaAt(pipeline, id), fields: [...readFields], ids: [externalId] };
        const [found] = await getByIds(request);
        return { state: "read", values: found && !found.deleted ? found.values : null };
      } finally {
        await connection.close();
      }
    } catch (error) {
      return { state: "unreadable", reason: systemFailure(error).message };
    }
  }

  #steps(steps: readonly TraceStep[], secrets: SecretFields, goal: string): ExplainedStep[] {
    return steps.map((step) => {
      const node = this.#nodeOf(step.nodeId);
      return {
        nodeId: step.nodeId,
        label: node?.label || node?.name || (node?.apiName ?? ""),
        apiName: node?.apiName ?? "",
        changes: secrets.changes(changesAt(step)),
        route: step.route,
        ends: endsAt(this.#subject.pipeline.graph, step, goal),
        failure: step.failure,
        warnings: step.warnings,
      };
    });
  }

  #nodeOf(nodeId: string): GraphNode | undefined {
    return this.#subject.pipeline.graph.nodes.find(({ id }) => id === nodeId);
  }

  #placeName({ connectorId, entity }: { connectorId: string; entity: string }): string {
    return `${this.#subject.pipeline.connectors.get(connectorId)?.name ?? connectorId} ${entity}`;
  }
}
