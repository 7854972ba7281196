/** Field pipelines: a graph for one core field, nested in the entity pipeline, drafted by itself and published with it. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { Graph } from "./graph.ts";
import { GraphVersion, PipelineProblem } from "./pipelines.ts";

const entityParams = z.strictObject({ entityId: id("entity") });
const fieldParams = entityParams.extend({ fieldId: id("field") });

/** What a list shows of one field; fields without a field pipeline are there too. */
export const FieldPipelineRow = z.strictObject({
  id: id("field"),
  apiName: z.string(),
  displayName: z.string(),
  hasPublished: z.boolean(),
  draft: z
    .strictObject({
      /** Marked as ready to be published. */
      ready: z.boolean(),
      /** Another one: it was saved or marked since. */
      revision: z.int().nonnegative(),
      /** It differs from what is published. */
      hasChanges: z.boolean(),
      updatedAt: z.iso.datetime(),
    })
    .nullable(),
});
export type FieldPipelineRow = z.output<typeof FieldPipelineRow>;

export const listFieldPipelines = endpoint({
  name: "listFieldPipelines",
  method: "GET",
  path: "/pipelines/:entityId/fields",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Fields of the core entity with the state of their field pipelines.",
  params: entityParams,
  reply: z.strictObject({ fields: z.array(FieldPipelineRow) }),
});

export const OpenedFieldGraph = z.strictObject({
  entityId: id("entity"),
  fieldId: id("field"),
  field: z.string(),
  graphVersion: z.enum(["draft", "published"]),
  graph: Graph,
  /** Sent back with the next save; 0 for a published graph. */
  revision: z.int().nonnegative(),
  ready: z.boolean(),
  hasDraft: z.boolean(),
  hasPublished: z.boolean(),
  readOnly: z.boolean(),
  updatedAt: z.iso.datetime().nullable(),
});
export type OpenedFieldGraph = z.output<typeof OpenedFieldGraph>;

export const getFieldGraph = endpoint({
  name: "getFieldGraph",
  method: "GET",
  path: "/pipelines/:entityId/fields/:fieldId/graph/:graphVersion",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "The graph of a field pipeline in its draft or published version.",
  params: fieldParams.extend({ graphVersion: GraphVersion }),
  reply: OpenedFieldGraph,
});

export const createFieldDraft = endpoint({
  name: "createFieldDraft",
  method: "POST",
  path: "/pipelines/:entityId/fields/:fieldId/draft",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary:
    "Makes a draft of the published field pipeline (or one that begins with the direct mappings); answers the one there is.",
  params: fieldParams,
  body: z.strictObject({}),
  reply: OpenedFieldGraph,
});

export const saveFieldDraft = endpoint({
  name: "saveFieldDraft",
  method: "PUT",
  path: "/pipelines/:entityId/fields/:fieldId/draft",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary:
    "Saves the draft of a field pipeline; one without sources and destinations removes it with the next publication.",
  params: fieldParams,
  body: z.strictObject({ graph: Graph, revision: z.int().nonnegative() }),
  reply: OpenedFieldGraph,
  errors: ["stale_version", "pipeline_invalid"],
});

export const discardFieldDraft = endpoint({
  name: "discardFieldDraft",
  method: "DELETE",
  path: "/pipelines/:entityId/fields/:fieldId/draft",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Deletes the draft of a field pipeline.",
  params: fieldParams,
  reply: z.strictObject({}),
});

export const setFieldReady = endpoint({
  name: "setFieldReady",
  method: "POST",
  path: "/pipelines/:entityId/fields/:fieldId/ready",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Marks the draft of a field pipeline as ready to be published, or takes the mark back.",
  params: fieldParams,
  body: z.strictObject({
    ready: z.boolean(),
    /** The revision that was looked at; a newer draft answers 409. */
    revision: z.int().nonnegative().optional(),
  }),
  reply: OpenedFieldGraph,
  errors: ["pipeline_invalid", "stale_version"],
});

export const validateFieldPipeline = endpoint({
  name: "validateFieldPipeline",
  method: "POST",
  path: "/pipelines/:entityId/fields/:fieldId/validate",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Lists the problems of a field pipeline: of the graph sent, or of the saved draft.",
  params: fieldParams,
  body: z.strictObject({ graph: Graph.optional() }),
  reply: z.strictObject({ problems: z.array(PipelineProblem), publishable: z.boolean() }),
});
