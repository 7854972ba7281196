/** A pipeline read as one object: its graph, its versions, and what it is doing. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { Graph, GraphGroup, GraphNote } from "./graph.ts";
import { GraphVersion, Person, PipelineStatus, StateTag, StatusTag, SyncStatus } from "./pipelines.ts";

/** One version of a pipeline's graph. */
const GraphVersionSummary = z.strictObject({
  /** Of the draft its revision, of what is published its number. */
  version: z.int().nonnegative(),
  name: z.string().nullable(),
  updatedAt: z.iso.datetime().nullable(),
  updatedBy: Person.nullable(),
});

/** A pipeline as one object: its graph, its versions, and what it is doing. */
export const EntityPipeline = z.strictObject({
  id: id("entity"),
  apiName: z.string(),
  /** The entity that its records are written to. */
  targetId: id("entity"),
  nodes: Graph.shape.nodes,
  /** Whether the graph is that of the draft. */
  draft: z.boolean(),
  graph: z.strictObject({
    nodes: Graph.shape.nodes,
    edges: Graph.shape.edges,
    groups: z.array(GraphGroup),
    notes: z.array(GraphNote),
    draft: GraphVersionSummary.nullable(),
    approved: GraphVersionSummary.nullable(),
    /** Nothing in it keeps it from running. */
    ready: z.boolean(),
  }),
  lastSyncedTime: z.iso.datetime().nullable(),
  /** Name of who paused it; null while it isn't paused. */
  pausedBy: z.string().nullable(),
  readOnlyReason: z.string().nullable(),
  syncStatus: SyncStatus,
  pipelineStatus: PipelineStatus,
  warningCount: z.int().nonnegative(),
  /** As the table shows them: those of its status, then those of its state. */
  tags: z.array(z.union([StatusTag, StateTag])),
});
export type EntityPipeline = z.output<typeof EntityPipeline>;

export const getEntityPipeline = endpoint({
  name: "getEntityPipeline",
  method: "GET",
  path: "/entity-pipelines/:entityId/:graphVersion",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "A pipeline with its graph, its versions and what it is doing.",
  params: z.strictObject({ entityId: id("entity"), graphVersion: GraphVersion }),
  reply: EntityPipeline,
});
