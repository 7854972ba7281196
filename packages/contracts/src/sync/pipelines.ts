/** Entity pipelines: their drafts, rows of the Pipeline Details table and everything done to them. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { event } from "../event.ts";
import { id } from "../ids.ts";
import { FieldChoice, FieldDraftRevisions } from "./field-choice.ts";
import { Graph } from "./graph.ts";
import { PipelineHealth } from "./monitoring/health.ts";
import { PipelineSort } from "./pipeline-sort.ts";

/** How a graph is addressed; `approved` is the same as `published`, `new` the draft of a never-published pipeline. */
export const GraphVersion = z.enum(["draft", "published", "approved", "new"]);
export type GraphVersion = z.infer<typeof GraphVersion>;

export const PIPELINE_STATUSES = ["UNMAPPED", "DRAFT", "PUBLISHED", "PUBLISHED_WITH_DRAFT"] as const;
export const PipelineStatus = z.enum(PIPELINE_STATUSES);
export type PipelineStatus = z.infer<typeof PipelineStatus>;

export const SYNC_STATUSES = [
  "RUNNING",
  "QUEUED",
  "PAUSING",
  "PAUSED",
  "ERROR",
  "STALLED",
  "UNPUBLISHED",
  "TEST",
  "RESYNCING",
  "RETRYING",
] as const;
export const SyncStatus = z.enum(SYNC_STATUSES);
export type SyncStatus = z.infer<typeof SyncStatus>;

/** What a status tag says and how it is coloured. */
export const STATUS_TAGS = ["Unmapped", "Draft", "Published"] as const;
export const STATE_TAGS = ["Running", "Queued", "Resyncing", "Pausing", "Paused", "Error", "Warning"] as const;
export const StatusTag = z.enum(STATUS_TAGS);
export const StateTag = z.enum(STATE_TAGS);
export type StatusTag = z.infer<typeof StatusTag>;
export type StateTag = z.infer<typeof StateTag>;

export const ResyncDetails = z.strictObject({
  status: z.enum(["NEW", "PROCESSING", "CANCEL_REQUESTED"]).nullable(),
  syncStatus: SyncStatus.nullable(),
  startTime: z.iso.datetime().nullable(),
  lastResyncTime: z.iso.datetime().nullable(),
  /** 0–100 while it runs and the total is known. */
  progressPercentage: z.number().min(0).max(100).nullable(),
  recordsRead: z.int().nonnegative(),
});
export type ResyncDetails = z.infer<typeof ResyncDetails>;

/** How one of the latest cycles went: records that it created, updated and deleted, and whether it ended as it should. */
export const RecentCycle = z.strictObject({
  startedAt: z.iso.datetime(),
  changed: z.int().nonnegative(),
  isFailed: z.boolean(),
});
export type RecentCycle = z.output<typeof RecentCycle>;

/** Most cycles of one pipeline in a list. */
export const MAX_RECENT_CYCLES = 12;

export const Person = z.strictObject({ firstName: z.string(), lastName: z.string() });

export const PipelinePlace = z.strictObject({
  connectorName: z.string(),
  connectorId: z.string(),
  connectorType: z.string(),
  entityName: z.string(),
  /** Api name of the connector's entity. */
  entityId: z.string(),
});

export const MAX_LOGGED_NODES = 100;

export const PipelineSettings = z.strictObject({
  realtimePipeline: z.boolean().default(false),
  /** Publishing runs all tests first, and is refused while one fails. */
  testBeforePublish: z.boolean().default(false),
  /** Nodes whose records are counted in the pipeline's log, cycle by cycle. */
  loggedNodes: z.array(z.string().max(64)).default([]),
});
export type PipelineSettings = z.output<typeof PipelineSettings>;

/** Of a pipeline that nobody has set anything of. */
export const DEFAULT_SETTINGS: PipelineSettings = PipelineSettings.parse({});

export const MergeConfig = z.strictObject({
  retainFields: z.array(z.string()).default([]),
  dependentPicklists: z.array(z.strictObject({ controlling: z.string(), dependent: z.string() })).default([]),
});

export type MergeConfig = z.output<typeof MergeConfig>;

/** One row of the Pipeline Details table. `id` is the core entity's id, which addresses the pipeline everywhere. */
export const PipelineRow = z.strictObject({
  id: id("entity"),
  name: z.string(),
  apiName: z.string(),
  pipelineStatus: PipelineStatus,
  pipelineStatusTagData: z.array(StatusTag),
  pipelineStateTagData: z.array(StateTag),
  /** Absent while never published. */
  syncStatus: SyncStatus,
  /** Null while nothing is published. */
  health: PipelineHealth.nullable(),
  warningCount: z.int().nonnegative(),
  errorCount: z.int().nonnegative(),
  currentActivity: z.string(),
  lastCompletedSync: z.iso.datetime().nullable(),
  /** Seconds since the last completed cycle; null before the first, and while nothing is published. */
  lagInSeconds: z.number().nonnegative().nullable(),
  lastCycleDuration: z.strictObject({ duration: z.number(), durationUnit: z.enum(["ms", "s", "min"]) }).nullable(),
  transactionsInLastCycle: z.int().nonnegative(),
  /** The latest ones that are kept, the oldest first. */
  recentCycles: z.array(RecentCycle).max(MAX_RECENT_CYCLES),
  sources: z.array(PipelinePlace),
  destinations: z.array(PipelinePlace),
  fieldsMapped: z.int().nonnegative(),
  numberOfVersions: z.int().nonnegative(),
  mergeConfig: MergeConfig,
  settings: PipelineSettings,
  lastModifiedOn: z.iso.datetime().nullable(),
  lastModifiedBy: Person.nullable(),
  lastPublishedOn: z.iso.datetime().nullable(),
  lastPublishedBy: Person.nullable(),
  /** Name of who paused it; null unless it is paused. */
  pausedBy: z.string().nullable(),
  resyncDetails: ResyncDetails.nullable(),
});
export type PipelineRow = z.output<typeof PipelineRow>;

export const PipelineSummary = z.strictObject({
  total: z.int(),
  draft: z.int(),
  resyncing: z.int(),
  running: z.int(),
  paused: z.int(),
  error: z.int(),
  /** Counted beside their state, as drafts are. */
  warning: z.int(),
});
export type PipelineSummary = z.infer<typeof PipelineSummary>;

/** Published pipelines that wait for a person, and those that anything stands between and agreement. */
export const AGREEMENT_FILTERS = ["attention", "apart"] as const;
export type AgreementFilter = (typeof AGREEMENT_FILTERS)[number];

const list = z.string().max(4000).optional();

/** Panel filters (comma-separated lists) combine with OR; search combines with AND. */
export const listPipelines = endpoint({
  name: "listPipelines",
  method: "GET",
  path: "/pipelines",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Rows of the Pipeline Details table with their summary counts.",
  query: z.strictObject({
    search: z.string().max(200).optional(),
    pipelineState: list,
    pipelineStatus: list,
    sources: list,
    destinations: list,
    /** Of `AGREEMENT_FILTERS`. */
    agreement: list,
    /** Whether rows of entities without a pipeline are among them. */
    unmapped: z.enum(["show", "hide"]).default("show"),
    /** The order of all rows, before they are cut into pages. */
    sort: PipelineSort.default("name"),
    page: z.coerce.number().int().min(1).default(1),
    pageSize: z.coerce.number().int().min(1).max(100).default(25),
    /** Of the page that this entity is on, where it is among the rows; it shows even while unmapped. */
    focus: id("entity").optional(),
  }),
  reply: z.strictObject({
    rows: z.array(PipelineRow),
    total: z.int(),
    /** The page that the rows are of. */
    page: z.int(),
    unmapped: z.int(),
    summary: PipelineSummary,
  }),
});

const entityParams = z.strictObject({ entityId: id("entity") });

export const getPipeline = endpoint({
  name: "getPipeline",
  method: "GET",
  path: "/pipelines/:entityId",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "One pipeline as its row in the table.",
  params: entityParams,
  reply: PipelineRow,
});

/** A graph as opened in the editor. */
export const OpenedGraph = z.strictObject({
  entityId: id("entity"),
  /** The version that was opened, after resolving `approved` and `new`. */
  graphVersion: z.enum(["draft", "published"]),
  status: z.enum(["NEW", "DRAFT", "APPROVED", "APPROVED_WITH_DRAFT"]),
  graph: Graph,
  /** Grows with each save of a draft; sent back on the next, so that nobody overwrites unseen work. */
  revision: z.int().nonnegative(),
  /** Number of the published version; 0 when never published. */
  versionNumber: z.int().nonnegative(),
  versionName: z.string().nullable(),
  hasDraft: z.boolean(),
  hasPublished: z.boolean(),
  readOnly: z.boolean(),
  readOnlyReason: z.string().nullable(),
  updatedAt: z.iso.datetime().nullable(),
  updatedBy: Person.nullable(),
});
export type OpenedGraph = z.output<typeof OpenedGraph>;

export const getPipelineGraph = endpoint({
  name: "getPipelineGraph",
  method: "GET",
  path: "/pipelines/:entityId/graph/:graphVersion",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "The graph of a pipeline in its draft or published version.",
  params: entityParams.extend({ graphVersion: GraphVersion }),
  reply: OpenedGraph,
});

export const createPipelineDraft = endpoint({
  name: "createPipelineDraft",
  method: "POST",
  path: "/pipelines/:entityId/draft",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Makes a draft of the published version (or an empty one); answers the existing draft when there is one.",
  params: entityParams,
  body: z.strictObject({}),
  reply: OpenedGraph,
});

export const savePipelineDraft = endpoint({
  name: "savePipelineDraft",
  method: "PUT",
  path: "/pipelines/:entityId/draft",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary:
    "Saves the draft's graph. Refused edges answer 422; a draft saved by somebody else meanwhile answers 409 with it.",
  params: entityParams,
  body: z.strictObject({ graph: Graph, revision: z.int().nonnegative() }),
  reply: OpenedGraph,
  errors: ["stale_version", "pipeline_invalid", "pipeline_read_only"],
});

export const discardPipelineDraft = endpoint({
  name: "discardPipelineDraft",
  method: "DELETE",
  path: "/pipelines/:entityId/draft",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Deletes the draft; a published version stays as it is.",
  params: entityParams,
  reply: z.strictObject({}),
});

export const PipelineProblem = z.strictObject({
  code: z.string(),
  severity: z.enum(["error", "warning"]),
  nodeId: z.string().nullable(),
  targetId: z.string().nullable(),
  errorMessage: z.string(),
  errorDetail: z.string(),
});
export type PipelineProblem = z.infer<typeof PipelineProblem>;

export const validatePipeline = endpoint({
  name: "validatePipeline",
  method: "POST",
  path: "/pipelines/:entityId/validate",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Lists the problems of a graph: the one sent, or the saved draft.",
  params: entityParams,
  body: z.strictObject({ graph: Graph.optional() }),
  reply: z.strictObject({ problems: z.array(PipelineProblem), publishable: z.boolean() }),
});

export const publishPipeline = endpoint({
  name: "publishPipeline",
  method: "POST",
  path: "/pipelines/:entityId/publish",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Validates the draft, freezes it as the next version and lets it run.",
  params: entityParams,
  body: z.strictObject({
    versionName: z.string().trim().min(1, "is required").max(120),
    summary: z.string().max(2000).default(""),
    /** The revision that was looked at; a newer draft answers 409. */
    revision: z.int().nonnegative(),
    /** Also bring in what exists already in the sources (a resync), not only what changes from now on. */
    bringInExisting: z.boolean().default(true),
    fieldPipelines: FieldChoice.default("all"),
    /** What `fieldPipelines` was seen to take. Where it takes others by then, 409 names them as `fieldPipelines`. */
    fieldDrafts: FieldDraftRevisions.optional(),
  }),
  reply: OpenedGraph,
  errors: ["pipeline_invalid", "stale_version", "test_failed", "test_running"],
});

export const deletePublishedPipeline = endpoint({
  name: "deletePublishedPipeline",
  method: "DELETE",
  path: "/pipelines/:entityId/published",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Stops syncing and removes the published version; records and history stay.",
  params: entityParams,
  reply: z.strictObject({}),
});

/** So long that a number has room behind it, where the name is taken. */
export const MAX_CLONE_NAME = 110;

export const clonePipeline = endpoint({
  name: "clonePipeline",
  method: "POST",
  path: "/pipelines/:entityId/clone",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Makes a new core entity with a draft pipeline that is a copy of the draft or the published version.",
  params: entityParams,
  body: z.strictObject({
    version: z.enum(["draft", "published"]),
    /** Of the new entity; a number is added where it is taken. Without one it is the old name with “copy”. */
    name: z.string().trim().min(1, "is required").max(MAX_CLONE_NAME).optional(),
  }),
  reply: z.strictObject({ entityId: id("entity"), name: z.string() }),
});

export const patchPipelineSettings = endpoint({
  name: "patchPipelineSettings",
  method: "PATCH",
  path: "/pipelines/:entityId/settings",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Changes settings of a pipeline.",
  params: entityParams,
  body: z.strictObject({
    realtimePipeline: z.boolean().optional(),
    testBeforePublish: z.boolean().optional(),
    loggedNodes: z.array(z.string().min(1).max(64)).max(MAX_LOGGED_NODES).optional(),
    mergeConfig: MergeConfig.optional(),
  }),
  reply: PipelineRow,
});

/** Pushed when a draft was saved, discarded or published, so that other editors of it know. */
export const pipelineChanged = event({
  name: "pipelineChanged",
  channel: "instance",
  access: "READ_STUDIO",
  payload: z.strictObject({
    entityId: id("entity"),
    change: z.enum(["draftSaved", "draftDiscarded", "published", "unpublished", "settings"]),
    revision: z.int().nonnegative(),
    byUserId: z.string().nullable(),
  }),
});
