/** Use cases of running pipelines: state, pause, resume, resync, quarantine, history, and changes by hand. */
import type { Id } from "@accord/contracts";
import type {
  Cycle,
  QuarantineEntry,
  ResyncRequest,
  RunProblem,
  SyncState,
  Transaction,
} from "@accord/contracts/sync/runs";
import { resyncStatusUpdate } from "@accord/contracts/sync/runs";
import { recordsChanged } from "@accord/contracts/data/records";
import { SourceConfiguration } from "@accord/contracts/sync/graph";
import type { Deps } from "../../../platform/deps.ts";
import type { Caller } from "../../../platform/ctx.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { RecordChanger, RecordHistory } from "../../data/records/index.ts";
import type { PipelineRuns } from "../pipelines/index.ts";
import { changeByHand } from "./manual-changes.store.ts";
import type { RunsNeeds } from "./plans.ts";
import type { CycleRow, Keyset, LedgerFilter, LedgerRow, QuarantineRow, RunsStore } from "./runs.store.ts";
import type { PipelineRow, ResyncRow, ScheduleStore } from "./schedule.store.ts";
import { grouped, syncState } from "./sync-state.ts";

type InstanceId = Id<"instance">;
type EntityId = Id<"entity">;

interface PageQuery {
  cursor?: string | undefined;
  count: number;
  direction: "next" | "previous";
}

export interface ServiceParts {
  deps: Pick<Deps, "clock" | "newId" | "realtime" | "dataPool">;
  needs: RunsNeeds;
  schedule: ScheduleStore;
  store: RunsStore;
}

export type RunsService = ReturnType<typeof runsService>;

export function runsService(parts: ServiceParts) {
  const { deps, needs, schedule, store } = parts;

  async function rowOf(at: InstanceId, entityId: EntityId): Promise<PipelineRow> {
    const row = await schedule.find(at, entityId);
    if (row) return row;
    const entity = await needs.schema.getEntity(at, entityId);
    throw entity ? new AppError("pipeline_not_published") : new AppError("not_found", { what: "Pipeline" });
  }

  async function known(at: InstanceId, entityId: EntityId): Promise<void> {
    const entity = await needs.schema.getEntity(at, entityId);
    if (!entity && !(await schedule.find(at, entityId))) throw new AppError("not_found", { what: "Pipeline" });
  }

  async function statesOf(at: InstanceId, rows: readonly PipelineRow[]): Promise<SyncState[]> {
    if (rows.length === 0) return [];
    const now = deps.clock.now().getTime();
    const facts: StateFacts = {
      quarantined: await store.countOpenQuarantine(at),
      outstanding: await store.countOutstanding(at),
      readTimes: await store.readTimes(at),
      places: await store.places(at),
    };
    return Promise.all(rows.map((row) => toState(needs, at, row, facts, now)));
  }

  async function stateOf(at: InstanceId, entityId: EntityId): Promise<SyncState> {
    const [state] = await statesOf(at, [await rowOf(at, entityId)]);
    return state!;
  }

  const runs: PipelineRuns = {
    async published({ instanceId, entityId, versionId, bringInExisting }) {
      const version = await needs.pipelines.publishedVersion(instanceId, entityId);
      if (!version) return;
      const sources = sourceIds(version.graph.nodes);
      const resync = bringInExisting && sources.length > 0 ? newResync(deps, { scope: "all", nodeIds: sources }) : null;
      await schedule.publish({ instanceId, pipelineId: entityId, versionId, versionNumber: version.number }, resync);
    },
    unpublished: ({ instanceId, entityId }) => schedule.unpublish(instanceId, entityId),
    states: async (at) => statesOf(at, await schedule.list(at)),
  };

  const changer: RecordChanger = {
    async applyManualChange({ instanceId, entityId, actor, changes }) {
      const entity = await needs.schema.getEntity(instanceId, entityId);
      if (!entity) throw new AppError("not_found", { what: "Entity" });
      const sinkPlaces = await placesOfSinks(needs, store, instanceId, entityId);
      const fields = entity.fields.filter(({ status }) => status === "ACTIVE");
      const outcomes = await changeByHand(
        deps.dataPool,
        {
          instanceId,
          pipelineId: entityId,
          entity: { apiName: entity.apiName, fields },
          actor,
          sinkPlaces,
          now: deps.clock.now().toISOString(),
        },
        changes,
      );
      const count = outcomes.filter(({ status }) => status === "done").length;
      if (count > 0) {
        await schedule.poke(instanceId, entityId);
        await deps.realtime.publish(instanceId, recordsChanged, { entityId, count });
      }
      return outcomes;
    },
  };

  const history: RecordHistory = {
    linksOf: (at, entityId, recordIds) => store.links(at, entityId, recordIds),
    async ledgerOf(at, entityId, recordId, { cursor, count, field }) {
      const filter = { pipelineId: entityId, recordId, field };
      const rows = await store.ledger(at, filter, { from: fromCursor(cursor), direction: "next", count });
      const page = rows.slice(0, count);
      const entries = page.map((row) => ({
        ...toTransaction(row),
        pipelineVersion: row.versionNumber,
        place: row.connectorId === null ? null : placeOf(row, row.connectorId),
      }));
      return { entries, nextCursor: rows.length > count ? String(page.at(-1)!.number) : null };
    },
  };

  return {
    ...runs,
    ...changer,
    ...history,

    stateOf: (ctx: Caller, entityId: EntityId) => stateOf(ctx.instanceId, entityId),

    listStates: async (ctx: Caller) => ({ statuses: await runs.states(ctx.instanceId) }),

    async pause(ctx: Caller, entityId: EntityId): Promise<SyncState> {
      const { firstName, lastName } = ctx.actor;
      await rowOf(ctx.instanceId, entityId);
      await schedule.pause(ctx.instanceId, entityId, `${firstName} ${lastName}`.trim());
      return stateOf(ctx.instanceId, entityId);
    },

    async resume(ctx: Caller, entityId: EntityId): Promise<SyncState> {
      await rowOf(ctx.instanceId, entityId);
      await schedule.resume(ctx.instanceId, entityId);
      return stateOf(ctx.instanceId, entityId);
    },

    async runNow(ctx: Caller, entityId: EntityId): Promise<SyncState> {
      const row = await rowOf(ctx.instanceId, entityId);
      if (row.isPaused) throw new AppError("resync_on_paused");
      await schedule.poke(ctx.instanceId, entityId);
      return stateOf(ctx.instanceId, entityId);
    },

    async startResync(ctx: Caller, entityId: EntityId, request: ResyncRequest): Promise<SyncState> {
      const at = ctx.instanceId;
      const row = await rowOf(at, entityId);
      if (row.isPaused) throw new AppError("resync_on_paused");
      const now = deps.clock.now().toISOString();
      for (const path of ["from", "to"] as const) {
        const date = request[path];
        if (date && date > now) throw invalid(path, "must not be in the future");
      }
      const version = await needs.pipelines.publishedVersion(at, entityId);
      const sources = version ? sourceIds(version.graph.nodes) : [];
      const unknown = request.sourceEntityIds.find((id) => !sources.includes(id));
      if (unknown !== undefined) throw invalid("sourceEntityIds", `names no source of this pipeline: ${unknown}`);
      const resync = newResync(deps, {
        scope: request.scope,
        nodeIds: request.sourceEntityIds,
        since: request.scope === "all" ? null : (request.from ?? null),
        until: request.scope === "between" ? (request.to ?? null) : null,
      });
      const started = await schedule.startResync(at, entityId, resync);
      if (!started) throw new AppError("resync_running");
      const state = await stateOf(at, entityId);
      await deps.realtime.publish(at, resyncStatusUpdate, { entityId, resync: state.resync });
      return state;
    },

    async cancelResync(ctx: Caller, entityId: EntityId): Promise<SyncState> {
      const at = ctx.instanceId;
      await rowOf(at, entityId);
      if (!(await schedule.cancelResync(at, entityId))) throw new AppError("invalid_state");
      const state = await stateOf(at, entityId);
      await deps.realtime.publish(at, resyncStatusUpdate, { entityId, resync: state.resync });
      return state;
    },

    async cycles(ctx: Caller, entityId: EntityId, query: PageQuery) {
      await known(ctx.instanceId, entityId);
      const rows = await store.cycles(ctx.instanceId, entityId, keyset(query));
      const names = await nodeNames(store, needs, ctx.instanceId, entityId);
      const [page, info] = cut(rows, query, (row) => String(row.number));
      return { cycles: page.map((row) => toCycle(row, names)), page: info };
    },

    async errors(ctx: Caller, entityId: EntityId, filter: { nodeId?: string; targetId?: string; search?: string }) {
      const row = await schedule.find(ctx.instanceId, entityId);
      if (!row) {
        await known(ctx.instanceId, entityId);
        return { error: [], warnings: [] };
      }
      const { errors, warnings } = syncState(row);
      return { error: errors.filter(matches(filter)), warnings: warnings.filter(matches(filter)) };
    },

    async quarantine(ctx: Caller, entityId: EntityId, query: PageQuery & { status?: string | undefined }) {
      const at = ctx.instanceId;
      await known(at, entityId);
      const { count, direction, status, cursor } = query;
      const rows = await store.quarantine(at, entityId, { status, direction, count, from: cursor ?? null });
      const [page, info] = cut(rows, query, ({ id }) => id);
      const open = (await store.countOpenQuarantine(at)).get(entityId) ?? 0;
      return { entries: page.map((row) => toQuarantine(row, entityId)), open, page: info };
    },

    async replay(ctx: Caller, entityId: EntityId, ids: string[] | undefined) {
      const at = ctx.instanceId;
      await rowOf(at, entityId);
      const replayed = await store.replay(at, entityId, ids ?? null);
      if (ids && replayed === 0) throw new AppError("not_found", { what: "Quarantine entry" });
      await schedule.poke(at, entityId);
      return { replayed };
    },

    async transactions(
      ctx: Caller,
      query: PageQuery & Omit<LedgerFilter, "pipelineId" | "cycleNumber"> & { entityId?: string; cycleId?: string },
    ) {
      const { entityId, cycleId, recordId, operation, from, to } = query;
      const at = ctx.instanceId;
      if (entityId) await known(at, entityId as EntityId);
      const cycleNumber = cycleId === undefined ? undefined : Number.parseInt(cycleId, 16);
      if (cycleNumber !== undefined && !(await store.hasCycle(at, cycleNumber))) throw missing("Cycle");
      if (recordId && !(await store.hasRecord(at, recordId))) throw missing("Record");
      const filter = { pipelineId: entityId, recordId, operation, from, to, cycleNumber };
      const rows = await store.ledger(ctx.instanceId, filter, keyset(query));
      const [page, info] = cut(rows, query, (row) => String(row.number));
      return { transactions: page.map(toTransaction), page: info };
    },
  };
}

interface StateFacts {
  quarantined: ReadonlyMap<string, number>;
  outstanding: ReadonlyMap<number, number>;
  readTimes: ReadonlyMap<string, string>;
  places: readonly { id: number; pipelineId: string; connectorId: string; entity: string }[];
}

async function toState(
  needs: RunsNeeds,
  at: InstanceId,
  row: PipelineRow,
  facts: StateFacts,
  now: number,
): Promise<SyncState> {
  const { status, currentActivity, errors, warnings, resync } = syncState(row);
  const version = await needs.pipelines.publishedVersion(at, row.pipelineId as EntityId);
  const nodes = (version?.graph.nodes ?? []).filter(
    ({ nodeType }) => nodeType === "ENTITY_SOURCE" || nodeType === "ENTITY_SINK",
  );
  const places = await Promise.all(
    nodes.map(async (node) => {
      const connectorId = node.configuration.connectorId ?? "";
      const entityName = node.configuration.entityDefinition ?? "";
      const place = facts.places.find(
        (known) =>
          known.pipelineId === row.pipelineId && known.connectorId === connectorId && known.entity === entityName,
      );
      const isSink = node.nodeType === "ENTITY_SINK";
      const entity = isSink ? await needs.connectors.entitySchema(at, connectorId, entityName) : null;
      const isSafe = entity?.capabilities.some((capability) => SAFE.has(capability)) ?? true;
      return {
        isSink,
        status: {
          nodeId: node.id,
          connectorId,
          entityName,
          lastReadAt: isSink ? null : (facts.readTimes.get(node.id) ?? null),
          outstanding: isSink && place ? (facts.outstanding.get(place.id) ?? 0) : 0,
          atLeastOnce: isSink && !isSafe,
        },
      };
    }),
  );
  const counts = row.lastCycle?.counts;
  return {
    entityId: row.pipelineId as EntityId,
    status,
    currentActivity,
    errorCount: errors.length,
    warningCount: warnings.length,
    errorDetails: errors,
    lagTimeInSeconds: row.lastFinishedAt === null ? null : Math.max(0, (now - Date.parse(row.lastFinishedAt)) / 1000),
    lastSyncTime: row.lastFinishedAt,
    lastCycleMs: row.lastCycleMs,
    transactionsInLastCycle: counts ? counts.created + counts.updated + counts.deleted : 0,
    nextAt: row.isPaused ? null : row.dueAt,
    pausedBy: row.pausedBy,
    quarantined: facts.quarantined.get(row.pipelineId) ?? 0,
    resync,
    sources: places.filter(({ isSink }) => !isSink).map((place) => place.status),
    destinations: places.filter(({ isSink }) => isSink).map((place) => place.status),
  };
}

/** Either makes a repeated creation harmless. */
const SAFE: ReadonlySet<string> = new Set(["idempotentCreate", "lookup"]);

const sourceIds = (nodes: readonly { id: string; nodeType: string }[]): string[] =>
  nodes.filter(({ nodeType }) => nodeType === "ENTITY_SOURCE").map(({ id }) => id);

function newResync(
  deps: Pick<Deps, "clock" | "newId">,
  wish: { scope: ResyncRow["scope"]; nodeIds: string[]; since?: string | null; until?: string | null },
): ResyncRow {
  return {
    resyncId: deps.newId(),
    status: "NEW",
    scope: wish.scope,
    nodeIds: wish.nodeIds,
    since: wish.since ?? null,
    until: wish.until ?? null,
    cursors: {},
    finished: [],
    requestedAt: deps.clock.now().toISOString(),
    recordsRead: 0,
  };
}

async function placesOfSinks(
  needs: RunsNeeds,
  store: RunsStore,
  at: InstanceId,
  entityId: EntityId,
): Promise<number[]> {
  const version = await needs.pipelines.publishedVersion(at, entityId);
  if (!version) return [];
  const sinks = version.graph.nodes
    .filter(({ nodeType }) => nodeType === "ENTITY_SINK")
    .map(({ configuration }) => SourceConfiguration.parse(configuration));
  const places = await store.places(at);
  return places
    .filter(
      (place) =>
        place.pipelineId === entityId &&
        sinks.some(
          ({ connectorId, entityDefinition }) => connectorId === place.connectorId && entityDefinition === place.entity,
        ),
    )
    .map(({ id }) => id);
}

/** Node ids of destinations by place number, so that cycles name nodes. */
async function nodeNames(
  store: RunsStore,
  needs: RunsNeeds,
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

const hexId = <Kind extends "run" | "ledgerEntry">(number: number): Id<Kind> =>
  number.toString(16).padStart(24, "0") as Id<Kind>;

function toCycle(row: CycleRow, names: ReadonlyMap<string, string>): Cycle {
  const { counts } = row;
  const problems = (severity: "error" | "warning"): RunProblem[] =>
    grouped(row.problems.filter((problem) => problem.severity === severity));
  return {
    id: hexId<"run">(row.number),
    kind: row.isResync ? "resync" : "cycle",
    startedAt: row.beganAt,
    finishedAt: row.finishedAt,
    outcome: row.outcome as Cycle["outcome"],
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

function toTransaction(row: LedgerRow): Transaction {
  return {
    id: hexId<"ledgerEntry">(row.number),
    at: row.at,
    entityId: row.pipelineId as EntityId,
    recordId: row.recordId as Id<"record">,
    operation: row.operation as Transaction["operation"],
    actor: actorOf(row),
    cycleId: row.cycleNumber === null ? null : hexId<"run">(row.cycleNumber),
    versionNumber: row.versionNumber,
    changes: Object.entries(row.changes).map(([field, [from, to]]) => ({ field, from, to })),
    refused: Object.entries(row.refused ?? {}).map(([field, [value, reason]]) => ({ field, value, reason })),
  };
}

function actorOf(row: LedgerRow): Transaction["actor"] {
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

const toQuarantine = (row: QuarantineRow, entityId: EntityId): QuarantineEntry => ({
  id: row.id as Id<"quarantine">,
  entityId,
  at: row.at,
  direction: row.direction,
  status: row.status,
  connectorId: row.connectorId,
  connectorEntity: row.connectorEntity,
  externalId: row.externalId,
  recordId: row.recordId as Id<"record"> | null,
  nodeId: row.nodeId,
  code: row.code,
  message: row.message,
  attempts: row.attempts,
  payload: row.payload,
});

const fromCursor = (cursor: string | undefined): number | null => {
  if (cursor === undefined) return null;
  if (!/^\d{1,15}$/.test(cursor)) throw invalid("cursor", "is no cursor of this list");
  return Number(cursor);
};

const keyset = ({ cursor, count, direction }: PageQuery): Keyset => ({ from: fromCursor(cursor), count, direction });

/** Takes the row too many off and says whether there is more on either side. */
function cut<Row>(
  rows: readonly Row[],
  { cursor, count, direction }: PageQuery,
  key: (row: Row) => string,
): [Row[], { nextCursor: string | null; previousCursor: string | null }] {
  const hasMore = rows.length > count;
  const page = direction === "next" ? rows.slice(0, count) : rows.slice(hasMore ? 1 : 0);
  const [first, last] = [page[0], page.at(-1)];
  const isMoreAfter = direction === "next" ? hasMore : true;
  const isMoreBefore = direction === "next" ? cursor !== undefined : hasMore;
  return [
    page,
    {
      nextCursor: last && isMoreAfter ? key(last) : null,
      previousCursor: first && isMoreBefore ? key(first) : null,
    },
  ];
}

const matches =
  ({ nodeId, targetId, search }: { nodeId?: string; targetId?: string; search?: string }) =>
  (problem: RunProblem): boolean => {
    if (nodeId && problem.nodeId !== nodeId) return false;
    if (targetId && problem.targetId !== targetId) return false;
    const text = `${problem.errorMessage}\n${problem.errorDetail}`.toLowerCase();
    return !search || text.includes(search.toLowerCase());
  };

const missing = (what: string): AppError => new AppError("not_found", { what });

const invalid = (path: string, message: string): AppError =>
  new AppError("validation_failed", {}, { errors: [{ path, message }] });
