/** Published versions of a pipeline: listed, opened, restored into the draft. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { Value } from "../data/values.ts";
import { Graph, GraphEdge, GraphGroup, GraphNote } from "./graph.ts";
import { OpenedGraph, Person } from "./pipelines.ts";

const entityParams = z.strictObject({ entityId: id("entity") });

export const VersionRow = z.strictObject({
  id: id("pipelineVersion"),
  number: z.int().positive(),
  name: z.string(),
  summary: z.string(),
  publishedAt: z.iso.datetime(),
  publishedBy: Person.nullable(),
  /** The one that runs now. */
  current: z.boolean(),
});
export type VersionRow = z.output<typeof VersionRow>;

export const listPipelineVersions = endpoint({
  name: "listPipelineVersions",
  method: "GET",
  path: "/pipelines/:entityId/versions",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Published versions, newest first.",
  params: entityParams,
  reply: z.strictObject({ versions: z.array(VersionRow) }),
});

const versionParams = entityParams.extend({ versionId: id("pipelineVersion") });

export const getPipelineVersion = endpoint({
  name: "getPipelineVersion",
  method: "GET",
  path: "/pipelines/:entityId/versions/:versionId",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "One published version with its graph.",
  params: versionParams,
  reply: VersionRow.extend({ graph: Graph }),
});

export const restorePipelineVersion = endpoint({
  name: "restorePipelineVersion",
  method: "POST",
  path: "/pipelines/:entityId/versions/:versionId/restore",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Copies a version into the draft, replacing it; the running version is not touched.",
  params: versionParams,
  body: z.strictObject({}),
  reply: OpenedGraph,
});

const ComparedNode = z.strictObject({ nodeId: z.string(), label: z.string() });

/** What the second version has otherwise than the first. Where nodes stand is no difference. */
export const VersionComparison = z.strictObject({
  before: VersionRow,
  after: VersionRow,
  added: z.array(ComparedNode),
  changed: z.array(
    ComparedNode.extend({
      aspects: z.array(z.enum(["label", "description", "settings", "group", "bypassed"])),
      /** Null: there is none on that side. */
      settings: z.array(z.strictObject({ name: z.string(), before: Value, after: Value })),
    }),
  ),
  removed: z.array(ComparedNode),
  addedEdges: z.array(GraphEdge),
  removedEdges: z.array(GraphEdge),
  addedGroups: z.array(GraphGroup),
  changedGroups: z.array(z.strictObject({ before: GraphGroup, after: GraphGroup })),
  removedGroups: z.array(GraphGroup),
  addedNotes: z.array(GraphNote),
  changedNotes: z.array(z.strictObject({ before: GraphNote, after: GraphNote })),
  removedNotes: z.array(GraphNote),
});
export type VersionComparison = z.output<typeof VersionComparison>;

export const comparePipelineVersions = endpoint({
  name: "comparePipelineVersions",
  method: "GET",
  path: "/pipelines/:entityId/versions/:versionId/compare/:otherVersionId",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "What the second version has otherwise than the first, each setting before and after.",
  params: versionParams.extend({ otherVersionId: id("pipelineVersion") }),
  reply: VersionComparison,
});
