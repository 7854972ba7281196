/** Rows of the Pipeline Details table: a pipeline, where it stands and what it is doing. */
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { pipelines as words } from "@accord/contracts/messages/en/sync/pipelines";
import { DEFAULT_SETTINGS, type PipelineRow } from "@accord/contracts/sync/pipelines";
import type { SyncState } from "@accord/contracts/sync/monitoring/runs";
import { activity, pipelineStatus, stateTags, statusTags } from "@accord/sync-engine/lifecycle";
import type { PipelineDependencies } from "./needs.ts";
import type { Outline, Place } from "./outline.ts";
import type { PipelineHead } from "./pipelines.store.ts";

const NOTHING: Outline = { sources: [], destinations: [], fields: [] };

/** Names of connectors and their entities, as far as these pipelines use them. */
export type PlaceNames = (place: Place) => PipelineRow["sources"][number];

export async function placeNames(
  connectors: PipelineDependencies["connectors"],
  at: Id<"instance">,
  heads: readonly PipelineHead[],
): Promise<PlaceNames> {
  const used = new Set(
    heads
      .map(outlineInUse)
      .flatMap((outline) => [...outline.sources, ...outline.destinations])
      .map((place) => place.connectorId),
  );
  const all = new Map((await connectors.listConnectors(at)).map((connector) => [connector.id as string, connector]));
  const entities = new Map<string, string>();
  for (const connectorId of used) {
    if (!all.has(connectorId)) continue;
    for (const entity of await connectors.listEntities(at, connectorId))
      entities.set(`${connectorId} ${entity.apiName}`, entity.displayName);
  }
  return ({ connectorId, entity }) => ({
    connectorId,
    connectorName: all.get(connectorId)?.name ?? words.deletedConnector,
    connectorType: all.get(connectorId)?.type ?? "",
    entityId: entity,
    entityName: entities.get(`${connectorId} ${entity}`) ?? entity,
  });
}

/** The published graph says what a pipeline does; before that its draft. */
const outlineInUse = (head: PipelineHead): Outline => head.published?.outline ?? head.draft?.outline ?? NOTHING;

export function pipelineRow(
  entity: CoreEntity,
  head: PipelineHead | undefined,
  state: SyncState | undefined,
  names: PlaceNames,
): PipelineRow {
  const status = pipelineStatus({ published: Boolean(head?.published), draft: Boolean(head?.draft) });
  const outline = head ? outlineInUse(head) : NOTHING;
  const sync = syncPart(head, state);
  return {
    id: entity.id,
    name: entity.displayName,
    apiName: entity.apiName,
    pipelineStatus: status,
    pipelineStatusTagData: statusTags(status),
    ...sync,
    pipelineStateTagData: stateTags(sync),
    sources: outline.sources.map(names),
    destinations: outline.destinations.map(names),
    fieldsMapped: outline.fields.length,
    numberOfVersions: head?.versions ?? 0,
    mergeConfig: head?.mergeConfig ?? { retainFields: [], dependentPicklists: [] },
    settings: head?.settings ?? DEFAULT_SETTINGS,
    lastModifiedOn: head?.modifiedAt ?? null,
    lastModifiedBy: head ? nameOf(head.modifiedBy) : null,
    lastPublishedOn: head?.published?.publishedAt ?? null,
    lastPublishedBy: head?.published ? nameOf(head.published.publishedBy) : null,
  };
}

const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => ({ firstName, lastName });

type SyncPart = Pick<
  PipelineRow,
  | "syncStatus"
  | "health"
  | "warningCount"
  | "errorCount"
  | "currentActivity"
  | "lastCompletedSync"
  | "lagInSeconds"
  | "pausedBy"
  | "lastCycleDuration"
  | "transactionsInLastCycle"
  | "recentCycles"
  | "resyncDetails"
>;

function syncPart(head: PipelineHead | undefined, state: SyncState | undefined): SyncPart {
  const isPublished = Boolean(head?.published);
  const status = isPublished ? (state?.status ?? "QUEUED") : "UNPUBLISHED";
  const says = activity({
    isPublished,
    isPaused: status === "PAUSED",
    isRealtime: head?.settings.realtimePipeline ?? false,
    current: state?.currentActivity || null,
  });
  return {
    syncStatus: status,
    health: isPublished ? (state?.health ?? null) : null,
    warningCount: isPublished ? (state?.warningCount ?? 0) : 0,
    errorCount: isPublished ? (state?.errorCount ?? 0) : 0,
    currentActivity: "key" in says ? words.activity[says.key] : says.text,
    lastCompletedSync: state?.lastSyncTime ?? null,
    lagInSeconds: isPublished ? (state?.lagTimeInSeconds ?? null) : null,
    pausedBy: isPublished ? (state?.pausedBy ?? null) : null,
    lastCycleDuration: duration(state?.lastCycleMs ?? null),
    transactionsInLastCycle: state?.transactionsInLastCycle ?? 0,
    recentCycles: state?.recentCycles ?? [],
    resyncDetails: state?.resync ?? null,
  };
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** In the largest unit that keeps the number at one or more, with one decimal. */
function duration(ms: number | null): PipelineRow["lastCycleDuration"] {
  if (ms === null) return null;
  const inUnits = (unit: number) => Math.round((ms / unit) * 10) / 10;
  if (ms < SECOND) return { duration: ms, durationUnit: "ms" };
  return ms < MINUTE
    ? { duration: inUnits(SECOND), durationUnit: "s" }
    : { duration: inUnits(MINUTE), durationUnit: "min" };
}
