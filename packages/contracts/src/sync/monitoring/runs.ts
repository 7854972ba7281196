/** Running pipelines: what they are doing, what they did, and stopping and starting them. */
import { z } from "zod";
import { endpoint } from "../../endpoint.ts";
import { event } from "../../event.ts";
import { id } from "../../ids.ts";
import { cursorQuery, PageInfo } from "../../paging.ts";
import { LowerBound, PipelineHealth } from "./health.ts";
import { MAX_RECENT_CYCLES, RecentCycle, ResyncDetails, SyncStatus } from "../pipelines.ts";

const entityParams = z.strictObject({ entityId: id("entity") });

/** An error or warning that leads to its node; `targetId` is the core field it concerns, when it concerns one. */
export const RunProblem = z.strictObject({
  nodeId: z.string().nullable(),
  targetId: z.string().nullable(),
  code: z.string(),
  errorMessage: z.string(),
  errorDetail: z.string(),
  /** Records it happened to in the last cycle, or that wait for it now. */
  count: z.int().positive(),
  isLowerBound: LowerBound,
  /** Where the records or the cycle that `count` is about are listed; absent where they are not. */
  listedIn: z.enum(["quarantine", "cycle"]).optional(),
  /** The cycle that counted so many; present where `listedIn` is `cycle`. */
  cycleId: id("run").optional(),
});
export type RunProblem = z.output<typeof RunProblem>;

export const SyncPlaceStatus = z.strictObject({
  nodeId: z.string(),
  connectorId: z.string(),
  /** `postgres`, `http`; empty when the connector is gone. */
  connectorType: z.string(),
  entityName: z.string(),
  lastReadAt: z.iso.datetime().nullable(),
  /** Deliveries still to be made (destinations), exact up to `COUNTED_UP_TO`. */
  outstanding: z.int().nonnegative(),
  /** The connector can neither repeat a creation safely nor look records up: a lost answer may create one twice. */
  atLeastOnce: z.boolean(),
});

/** What a pipeline is doing now and how its last cycle went. */
export const SyncState = z.strictObject({
  entityId: id("entity"),
  status: SyncStatus,
  health: PipelineHealth.nullable(),
  currentActivity: z.string(),
  errorCount: z.int().nonnegative(),
  warningCount: z.int().nonnegative(),
  errorDetails: z.array(RunProblem),
  /** Seconds since the last completed cycle; null before the first. */
  lagTimeInSeconds: z.number().nullable(),
  lastSyncTime: z.iso.datetime().nullable(),
  lastCycleMs: z.int().nonnegative().nullable(),
  transactionsInLastCycle: z.int().nonnegative(),
  /** The latest ones that are kept, the oldest first. */
  recentCycles: z.array(RecentCycle).max(MAX_RECENT_CYCLES),
  nextAt: z.iso.datetime().nullable(),
  pausedBy: z.string().nullable(),
  quarantined: z.int().nonnegative(),
  resync: ResyncDetails.nullable(),
  sources: z.array(SyncPlaceStatus),
  destinations: z.array(SyncPlaceStatus),
});
export type SyncState = z.output<typeof SyncState>;

export const getSyncStatus = endpoint({
  name: "getSyncStatus",
  method: "GET",
  path: "/pipelines/:entityId/status",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "What one pipeline is doing, with its sources and destinations.",
  params: entityParams,
  reply: SyncState,
});

export const listSyncStatuses = endpoint({
  name: "listSyncStatuses",
  method: "GET",
  path: "/sync-statuses",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "What every published pipeline is doing.",
  reply: z.strictObject({ statuses: z.array(SyncState) }),
});

export const pausePipeline = endpoint({
  name: "pausePipeline",
  method: "POST",
  path: "/pipelines/:entityId/pause",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Stops a pipeline after the page it is on; its positions are kept.",
  params: entityParams,
  body: z.strictObject({}),
  reply: SyncState,
  errors: ["pipeline_not_published"],
});

export const resumePipeline = endpoint({
  name: "resumePipeline",
  method: "POST",
  path: "/pipelines/:entityId/resume",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Lets a paused pipeline go on where it stopped, at once.",
  params: entityParams,
  body: z.strictObject({}),
  reply: SyncState,
  errors: ["pipeline_not_published"],
});

export const runPipelineNow = endpoint({
  name: "runPipelineNow",
  method: "POST",
  path: "/pipelines/:entityId/run",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Begins the next cycle now instead of when it is due.",
  params: entityParams,
  body: z.strictObject({}),
  reply: SyncState,
  errors: ["pipeline_not_published", "resync_on_paused"],
});

/** `after` needs `from`, `between` both; no date in the future, `to` not before `from`. */
export const ResyncRequest = z
  .strictObject({
    scope: z.enum(["all", "after", "between"]),
    /** Source node ids or, as the specification has it, ids of source entities (`connectorId/entity`). */
    sourceEntityIds: z.array(z.string().min(1).max(300)).min(1, "must name at least one source"),
    from: z.iso.datetime().nullish(),
    to: z.iso.datetime().nullish(),
  })
  .superRefine((request, context) => {
    const fault = (path: string, message: string): void => {
      context.addIssue({ code: "custom", path: [path], message });
    };
    if (request.scope !== "all" && !request.from) fault("from", "is required");
    if (request.scope === "between" && !request.to) fault("to", "is required");
    if (request.from && request.to && request.to < request.from) fault("to", "must not be before the from date");
  });
export type ResyncRequest = z.output<typeof ResyncRequest>;

export const startResync = endpoint({
  name: "startResync",
  method: "POST",
  path: "/pipelines/:entityId/resync",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Reads chosen sources again, all or in a range of time, and writes what differs.",
  params: entityParams,
  body: ResyncRequest,
  reply: SyncState,
  errors: ["pipeline_not_published", "resync_on_paused", "resync_running"],
});

export const cancelResync = endpoint({
  name: "cancelResync",
  method: "POST",
  path: "/pipelines/:entityId/resync/cancel",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Ends a resync after the page it is on.",
  params: entityParams,
  body: z.strictObject({}),
  reply: SyncState,
  errors: ["invalid_state"],
});

export const Cycle = z.strictObject({
  id: id("run"),
  kind: z.enum(["cycle", "resync"]),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  outcome: z.enum(["running", "finished", "paused", "cancelled", "failed", "lost"]),
  versionNumber: z.int().nonnegative(),
  /** Records read, by source node. */
  read: z.record(z.string(), z.int()),
  /** Records told, by destination node. */
  delivered: z.record(z.string(), z.int()),
  created: z.int(),
  updated: z.int(),
  deleted: z.int(),
  unchanged: z.int(),
  filtered: z.int(),
  refused: z.int(),
  quarantined: z.int(),
  errors: z.array(RunProblem),
  warnings: z.array(RunProblem),
});
export type Cycle = z.output<typeof Cycle>;

export const listCycles = endpoint({
  name: "listCycles",
  method: "GET",
  path: "/pipelines/:entityId/cycles",
  access: "READ_STUDIO",
  scope: "instance",
  summary:
    "Cycles of a pipeline, newest first. Cycles that found nothing to do are kept only when they are the latest.",
  params: entityParams,
  query: cursorQuery({ count: 50, max: 200 }),
  reply: z.strictObject({ cycles: z.array(Cycle), page: PageInfo }),
});

export const getPipelineErrors = endpoint({
  name: "getPipelineErrors",
  method: "GET",
  path: "/pipelines/:entityId/errors",
  access: "READ_STUDIO",
  scope: "instance",
  summary:
    "What is wrong: errors, and warnings whose cause stands or that the last cycle met, the most affected records first.",
  params: entityParams,
  query: z.strictObject({
    nodeId: z.string().max(64).optional(),
    targetId: z.string().max(64).optional(),
    /** Matches message or detail, without regard to case. */
    search: z.string().max(200).optional(),
  }),
  reply: z.strictObject({ error: z.array(RunProblem), warnings: z.array(RunProblem) }),
});

/** Pushed when a pipeline's state, activity or counts change, at most a few times a second. */
export const pipelineStatusChanged = event({
  name: "pipelineStatusChanged",
  channel: "instance",
  access: "READ_STUDIO",
  payload: z.strictObject({
    entityId: id("entity"),
    syncStatus: SyncStatus,
    currentActivity: z.string(),
    read: z.int(),
    changed: z.int(),
    delivered: z.int(),
  }),
});

/** Pushed when a resync starts, moves on, is cancelled or ends. */
export const resyncStatusUpdate = event({
  name: "resyncStatusUpdate",
  channel: "instance",
  access: "READ_STUDIO",
  payload: z.strictObject({ entityId: id("entity"), resync: ResyncDetails.nullable() }),
});
