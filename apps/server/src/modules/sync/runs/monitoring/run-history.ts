/** Use cases that look back: cycles, their problems, transactions, and what a record's page shows of its history. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { Cycle, RunProblem } from "@accord/contracts/sync/monitoring/runs";
import type { ListedTransaction, Transaction } from "@accord/contracts/sync/monitoring/transactions";
import { SecretFields } from "@accord/expressions";
import type { Caller } from "../../../../platform/ctx.ts";
import type { RecordHistory } from "../../../data/records/index.ts";
import { asName, nameFieldOf, readRecordNames } from "../../../data/schema/index.ts";
import { cursors, fromCursor, keyset, missing, type PageQuery } from "../keyset-paging.ts";
import { demandPipeline, type EntityId, type InstanceId, type ServiceContext } from "../published-pipelines.ts";
import type { CycleRow, LedgerFilter, LedgerRow } from "./runs.store.ts";
import { ledgerId, runId } from "../run-ids.ts";
import { causeReasons, type SecretParts } from "../quarantine/quarantine-causes.ts";
import { loadProblemFacts, type ProblemFacts, type Problems, problemsOf, warningsOf } from "./standing-problems.ts";
import { grouped } from "./sync-state.ts";

export function runHistory(parts: ServiceContext & SecretParts) {
  const { schedule, store } = parts;

  return {
    async cycles(ctx: Caller, entityId: EntityId, query: PageQuery) {
      await demandPipeline(parts, ctx.instanceId, entityId);
      const page = await store.cycles(ctx.instanceId, entityId, keyset(query));
      const names = await nodeNames(parts, ctx.instanceId, entityId);
      const cycles = page.rows.map((row) => toCycle(row, names));
      return { cycles, page: cursors(page, query, (row) => String(row.number)) };
    },

    async errors(ctx: Caller, entityId: EntityId, filter: { nodeId?: string; targetId?: string; search?: string }) {
      const row = await schedule.find(ctx.instanceId, entityId);
      if (!row) {
        await demandPipeline(parts, ctx.instanceId, entityId);
        return { error: [], warnings: [] };
      }
      const version = await parts.needs.pipelines.publishedVersion(ctx.instanceId, entityId);
      const facts = await loadProblemFacts(parts, ctx.instanceId, [row]);
      const found = problemsOf(row, version?.graph.nodes ?? [], facts, parts.deps.clock.now().getTime());
      const quarantined = await inWords(parts, ctx.instanceId, entityId, found, facts);
      return {
        error: found.errors.filter(matches(filter)),
        warnings: warningsOf({ ...found, quarantined }).filter(matches(filter)),
      };
    },

    async transactions(
      ctx: Caller,
      query: PageQuery & Omit<LedgerFilter, "pipelineId" | "cycleNumber"> & { entityId?: EntityId; cycleId?: string },
    ) {
      const { entityId, cycleId, recordId, operation, from, to } = query;
      const at = ctx.instanceId;
      if (entityId) await demandPipeline(parts, at, entityId);
      const cycleNumber = cycleId === undefined ? undefined : Number.parseInt(cycleId, 16);
      if (cycleNumber !== undefined && !(await store.hasCycle(at, cycleNumber))) throw missing("Cycle");
      if (recordId && !(await store.hasRecord(at, recordId))) throw missing("Record");
      const filter = { pipelineId: entityId, recordId, operation, from, to, cycleNumber };
      const page = await store.ledger(ctx.instanceId, filter, keyset(query));
      const entities = new Map((await parts.needs.schema.listEntities(at)).map((entity) => [entity.id, entity]));
      const names = await namesByRecord(parts, at, entities, page.rows);
      const transactions = page.rows.map((row): ListedTransaction => {
        const entity = entities.get(row.pipelineId);
        const transaction = toTransaction(row, SecretFields.of(entity?.fields));
        return { ...transaction, recordName: names.get(row.recordId) ?? nameInChanges(transaction, entity) };
      });
      return { transactions, page: cursors(page, query, (row) => String(row.number)) };
    },
  };
}

/** What a record's page shows of it. */
export function recordHistory({ store }: Pick<ServiceContext, "store">): RecordHistory {
  return {
    linksOf: (at, entityId, recordIds) => store.links(at, entityId, recordIds),
    async ledgerOf(at, entity, recordId, { cursor, count, field }) {
      const secrets = SecretFields.of(entity.fields);
      const filter = { pipelineId: entity.id, recordId, field };
      const { rows, isMore } = await store.ledger(at, filter, { from: fromCursor(cursor), direction: "next", count });
      const entries = rows.map((row) => ({
        ...toTransaction(row, secrets),
        pipelineVersion: row.versionNumber,
        place: row.connectorId === null ? null : placeOf(row, row.connectorId),
      }));
      return { entries, nextCursor: isMore ? String(rows.at(-1)?.number) : null };
    },
  };
}

/** Causes of quarantine with the reason of one entry, without values of secret fields. */
async function inWords(
  parts: ServiceContext & SecretParts,
  at: InstanceId,
  entityId: EntityId,
  { quarantined }: Pick<Problems, "quarantined">,
  { causes }: Pick<ProblemFacts, "causes">,
): Promise<RunProblem[]> {
  const own = causes.filter(({ pipelineId }) => pipelineId === entityId);
  const reasons = await causeReasons(parts, at, entityId, own);
  return quarantined.map(({ sampleId, ...problem }) => ({
    ...problem,
    errorMessage: reasons.get(sampleId ?? "") ?? problem.errorMessage,
  }));
}

/** Node ids of destinations by place number, so that cycles name nodes. */
export async function nodeNames(
  { store, needs }: ServiceContext,
  at: InstanceId,
  entityId: EntityId,
): Promise<ReadonlyMap<string, string>> {
  const version = await needs.pipelines.publishedVersion(at, entityId);
  const names = new Map<string, string>();
  for (const place of await store.places(at)) {
    if (place.pipelineId !== entityId) continue;
    const node = version?.graph.nodes.find(
      ({ nodeType, configuration }) =>
        nodeType === "ENTITY_SINK" &&
        configuration.connectorId === place.connectorId &&
        configuration.entityDefinition === place.entity,
    );
    names.set(String(place.id), node?.id ?? `${place.connectorId}/${place.entity}`);
  }
  return names;
}

export function toCycle(row: CycleRow, names: ReadonlyMap<string, string>): Cycle {
  const { counts } = row;
  const problems = (severity: "error" | "warning"): RunProblem[] =>
    grouped(row.problems.filter((problem) => problem.severity === severity));
  return {
    id: runId(row.number),
    kind: row.isResync ? "resync" : "cycle",
    startedAt: row.beganAt,
    finishedAt: row.finishedAt,
    outcome: row.outcome,
    versionNumber: row.versionNumber,
    read: counts.read,
    delivered: Object.fromEntries(
      Object.entries(counts.delivered).map(([place, count]) => [names.get(place) ?? place, count]),
    ),
    created: counts.created,
    updated: counts.updated,
    deleted: counts.deleted,
    unchanged: counts.absorbed,
    filtered: counts.filtered,
    refused: counts.refused,
    quarantined: counts.quarantined,
    errors: problems("error"),
    warnings: problems("warning"),
  };
}

/** What records are called now; transactions may be of any entity of the instance. */
async function namesByRecord(
  { deps }: Pick<ServiceContext, "deps">,
  at: InstanceId,
  entities: ReadonlyMap<EntityId, CoreEntity>,
  rows: readonly LedgerRow[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const [entityId, ofEntity] of Map.groupBy(rows, ({ pipelineId }) => pipelineId)) {
    const entity = entities.get(entityId);
    if (!entity) continue;
    const ids = [...new Set(ofEntity.map(({ recordId }) => recordId))];
    for (const [recordId, name] of await readRecordNames(deps.dataPool, at, entity, ids)) names.set(recordId, name);
  }
  return names;
}

/** The name that a deleted record had, where the transaction itself says so. */
function nameInChanges({ changes }: Transaction, entity: CoreEntity | undefined): string | null {
  const field = entity && nameFieldOf(entity);
  const change = changes.find((one) => one.field === field);
  return change ? (asName(change.to) ?? asName(change.from)) : null;
}

export function toTransaction(row: LedgerRow, secrets: SecretFields): Transaction {
  return {
    id: ledgerId(row.number),
    at: row.at,
    entityId: row.pipelineId,
    recordId: row.recordId,
    operation: row.operation,
    actor: actorOf(row),
    cycleId: row.cycleNumber === null ? null : runId(row.cycleNumber),
    versionNumber: row.versionNumber,
    changes: secrets.changes(row.changes),
    refused: secrets.refused(row.refused),
  };
}

export function actorOf(row: LedgerRow): Transaction["actor"] {
  if (row.userId !== null) return { kind: "user", userId: row.userId, name: row.userName ?? "" };
  if (row.connectorId === null || row.operation === "write") return { kind: "system" };
  const { connectorId, connectorEntity, externalId } = row;
  return { kind: "source", connectorId, connectorEntity: connectorEntity ?? "", externalId };
}

const placeOf = ({ connectorEntity, externalId }: LedgerRow, connectorId: string) => ({
  connectorId,
  connectorEntity: connectorEntity ?? "",
  externalId,
});

const matches =
  ({ nodeId, targetId, search }: { nodeId?: string; targetId?: string; search?: string }) =>
  (problem: RunProblem): boolean => {
    if (nodeId && problem.nodeId !== nodeId) return false;
    if (targetId && problem.targetId !== targetId) return false;
    const text = `${problem.errorMessage}\n${problem.errorDetail}`.toLowerCase();
    return !search || text.includes(search.toLowerCase());
  };
