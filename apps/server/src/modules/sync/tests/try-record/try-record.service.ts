/** Use cases of trying one record on a graph as it is being edited: a run in memory that reads what is stored, and writes nothing. */
import { pipelineTests as words } from "@accord/contracts/messages/en/sync/pipeline-tests";
import { fill } from "@accord/contracts/messages/fill";
import type { Id } from "@accord/contracts";
import type { Values } from "@accord/contracts/data/values";
import type { Graph } from "@accord/contracts/sync/graph";
import {
  TRY_RECORD_LIMITS as LIMITS,
  type TriedRecord,
  type TryRecordBody,
} from "@accord/contracts/sync/tests/try-record";
import { isEmptyFieldGraph } from "@accord/sync-engine/graph";
import { SecretFields } from "@accord/expressions";
import type { SourcePlan } from "@accord/sync-engine/run";
import type { Ctx } from "../../../../platform/ctx.ts";
import type { Deps } from "../../../../platform/deps.ts";
import { AppError, invalidField } from "../../../../platform/http/app-error.ts";
import { readRecordNames } from "../../../data/schema/index.ts";
import {
  dryResults,
  isQueryTimeout,
  type RunsDependencies,
  schemaAt,
  StoredState,
  storedStateStore,
  type TestNeeds,
  type TestPipeline,
} from "../../runs/index.ts";
import type { TestedVersion } from "../../pipelines/index.ts";
import { bytesOf, newBudget } from "../test-run/budget.ts";
import { resultTrace } from "../test-run/result-trace.ts";
import { isJudged, runToNode, type Tried, withoutSources } from "./run-to-node.ts";
import { emptyRecord, seeded, simulate } from "../test-run/simulate.ts";
import { storedSourceRecord } from "./stored-source-record.ts";
import type { Context, Owner, TestedPipelines } from "../tested-pipelines.ts";
import { triedResults } from "./tried-results.ts";
import { tryTurns } from "./try-turns.ts";

export interface TryRecordParts {
  deps: Pick<Deps, "clock" | "newId" | "dataReads">;
  needs: TestNeeds & Pick<RunsDependencies, "answers" | "schema">;
  tested: TestedPipelines;
}

type SourceInput = TriedRecord["record"];

export function tryRecordService({ deps, needs, tested: pipelines }: TryRecordParts) {
  const turns = tryTurns();

  /** Null: the entity was never published, so that nothing is stored of it. */
  async function storedOf({ instanceId, pipelineId }: Owner) {
    const entity = await needs.schema.getEntity(instanceId, pipelineId);
    return entity && { entity, state: await StoredState.read(deps.dataReads, instanceId, entity) };
  }

  async function run(owner: Owner, body: TryRecordBody, signal: AbortSignal): Promise<TriedRecord> {
    const { instanceId } = owner;
    const stored = (await storedOf(owner))?.state ?? null;
    if (body.record.kind === "stored") await requireRecord(stored, body.record.recordId);
    const whole = triedVersion(owner, await pipelines.versionOf(owner, body.graphVersion), body.graph);
    const part = await runOf(owner, whole, body);
    const graphs = await pipelines.graphsOf(owner);
    const trace = resultTrace(signal);
    const { isJudged: judged } = part;
    const compiling = { graphs, stored: stored ?? undefined, observe: trace.observe, isJudged: judged };
    const pipeline = await pipelines.compiled(owner, part.tested, compiling);
    const source = requireSource(pipeline, body.nodeId);
    const record = await inputOf(pipeline, source, body.record, stored);
    const budget = newBudget();
    const answer = dryResults(needs, instanceId, pipeline);
    const tried = await simulate(
      { deps, pipeline, trace, answer, signal, random: seeded, ...(stored ? { stored } : {}) },
      {
        sourceNodeId: source.nodeId,
        id: record.externalId,
        values: { ...emptyRecord(pipeline, source.nodeId), ...record.values },
      },
      budget.left,
    );
    const { notRun } = part;
    const parts = { pipeline, graph: body.graph, field: whole.field, notRun, tried };
    return { record, ...triedResults(parts, budget, signal) };
  }

  /** The whole graph, or what leads to one node of it. */
  async function runOf(owner: Owner, whole: Tried, { graph, nodeId, untilNodeId }: TryRecordBody) {
    if (untilNodeId === undefined) return { tested: whole.tested, notRun: [], isJudged: undefined };
    const run = runToNode(whole, nodeId, untilNodeId);
    const broken = run.besideIds.length > 0 ? await pipelines.brokenNodes(owner, run.tested) : new Set<string>();
    const { tested, nodeIds } = withoutSources(run, new Set(run.besideIds.filter((id) => broken.has(id))));
    const notRun = graph.nodes.map(({ id }) => id).filter((id) => !nodeIds.has(id));
    return { tested, notRun, isJudged: isJudged(run, whole, untilNodeId) };
  }

  async function tryOn(ctx: Ctx, context: Context, body: TryRecordBody): Promise<TriedRecord> {
    demandSize(body);
    const owner = await pipelines.ownerOf(ctx, context);
    const trier = { instanceId: ctx.instanceId, userId: ctx.actor.userId, signal: ctx.exchange.signal };
    return turns.run(trier, (signal) => run(owner, body, signal));
  }

  return {
    tryRecord: (ctx: Ctx, id: Id<"entity">, body: TryRecordBody) => tryOn(ctx, { kind: "entity", id }, body),
    tryFieldRecord: (ctx: Ctx, id: Id<"field">, body: TryRecordBody) => tryOn(ctx, { kind: "field", id }, body),

    async listRecords(
      ctx: Pick<Ctx, "instanceId">,
      entityId: Id<"entity">,
      { connectorId, entityApiName, search }: { connectorId: string; entityApiName: string; search: string },
    ) {
      const owner = await pipelines.ownerOf(ctx, { kind: "entity", id: entityId });
      const { instanceId } = owner;
      const stored = await storedOf(owner);
      const place = stored?.state.placeOf({ connectorId, entity: entityApiName });
      if (!stored || !place) return { records: [] };
      const { entity } = stored;
      const table = { apiName: entity.apiName, fields: entity.fields.filter(({ status }) => status === "ACTIVE") };
      const wanted = { placeId: place.id, entity: table, text: search, count: LIMITS.found };
      const records = await storedStateStore(deps.dataReads)
        .search(instanceId, wanted)
        .catch((error: unknown) => {
          throw isQueryTimeout(error) ? new AppError("query_timeout", {}, { cause: error }) : error;
        });
      const ids = records.map(({ recordId }) => recordId);
      const names = await readRecordNames(deps.dataReads, instanceId, entity, ids);
      return { records: records.map((record) => ({ ...record, name: names.get(record.recordId) ?? null })) };
    },
  };

  async function inputOf(
    pipeline: TestPipeline,
    source: SourcePlan,
    record: TryRecordBody["record"],
    stored: StoredState | null,
  ): Promise<SourceInput> {
    const secrets = pipeline.secrets.at(source.place.id);
    if (record.kind === "values") {
      demandKnownFields(pipeline, source, record.values);
      return { externalId: record.externalId, values: secrets.values(record.values), assumed: [] };
    }
    const found = stored && (await storedInput(pipeline, source, record, stored));
    if (found) return found;
    const facts = { source: source.label, id: record.kind === "external" ? record.externalId : "" };
    throw record.kind === "external"
      ? invalidField("record.externalId", fill(words.unknownThere, facts))
      : invalidField("record.recordId", fill(words.notLinked, facts));
  }

  /** Null where Accord knows no such record at the source. */
  async function storedInput(
    pipeline: TestPipeline,
    source: SourcePlan,
    record: Exclude<TryRecordBody["record"], { kind: "values" }>,
    stored: StoredState,
  ): Promise<SourceInput | null> {
    const { place, mappings } = source;
    const link =
      record.kind === "stored"
        ? ((await stored.links(record.recordId)).get(place.id) ?? null)
        : await stored.linkAt(place.id, record.externalId);
    const externalId = link?.externalId ?? (record.kind === "external" ? record.externalId : null);
    if (externalId === null) return null;
    const payload = await stored.quarantined(place.id, externalId);
    if (!link && !payload) return null;
    const [core] = link ? await stored.storage(pipeline.secretNames).readRecords([link.recordId]) : [];
    const values = core?.values ?? {};
    const references = await stored.references({ mappings }, values);
    const secrets = SecretFields.named(pipeline.secretNames);
    const parts = { seen: link?.seen ?? null, core: values, payload, secrets, references };
    return { externalId, ...storedSourceRecord(source, parts) };
  }
}

/** A saved version with the graph as it stands on screen. */
function triedVersion({ fieldId }: Owner, saved: TestedVersion, graph: Graph): Tried {
  const { entity, version } = saved;
  if (fieldId === "") return { field: undefined, tested: { ...saved, version: { ...version, graph } } };
  const field = entity.fields.find(({ id }) => id === fieldId)?.apiName;
  if (field === undefined) throw new AppError("not_found", { what: "Field" });
  const { [field]: _saved, ...others } = version.fieldGraphs ?? {};
  const fieldGraphs = isEmptyFieldGraph(graph) ? others : { ...others, [field]: graph };
  return { field, tested: { ...saved, version: { ...version, fieldGraphs } } };
}

export type TryRecordService = ReturnType<typeof tryRecordService>;

function demandSize({ record }: TryRecordBody): void {
  const bytes = record.kind === "values" ? bytesOf(record.values) : 0;
  if (bytes > LIMITS.recordBytes)
    throw invalidField("record.values", fill(words.recordTooLarge, { bytes, limit: LIMITS.recordBytes }));
}

async function requireRecord(stored: StoredState | null, recordId: string): Promise<void> {
  const records = (await stored?.storage([]).readRecords([recordId])) ?? [];
  if (records.length === 0) throw new AppError("not_found", { what: "Record" });
}

function requireSource({ plan }: TestPipeline, nodeId: string): SourcePlan {
  const source = plan.sources.find((one) => one.nodeId === nodeId);
  if (source) return source;
  const sources = plan.sources.map((one) => one.nodeId).join(", ");
  throw invalidField("nodeId", fill(words.unknownSource, { nodeId, sources }));
}

function demandKnownFields(pipeline: TestPipeline, { place }: SourcePlan, values: Values): void {
  const known = new Set(schemaAt(pipeline, place.id).fields.map(({ apiName }) => apiName));
  const connector = pipeline.connectors.get(place.connectorId)?.name ?? "";
  const errors = Object.keys(values)
    .filter((field) => !known.has(field))
    .map((field) => ({
      path: `record.values.${field}`,
      message: fill(words.unknownSourceField, { field, entity: place.entity, connector }),
    }));
  if (errors.length > 0) throw new AppError("validation_failed", {}, { errors });
}
