/** Nodes that are configured in steps: which steps, what each asks for, and storing what was answered. */
import { z } from "zod";
import { InputDefinition } from "../config/inputs.ts";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { Graph, NodeConfiguration } from "./graph.ts";
import { OpenedGraph } from "./pipelines.ts";

const nodeParams = z.strictObject({ entityId: id("entity"), nodeId: z.string().min(1).max(64) });

export const NodeStep = z.strictObject({
  id: z.string(),
  title: z.string(),
  lead: z.string().default(""),
  /** How its inputs stand: below one another, or side by side where there is room. */
  layout: z.enum(["vertical", "horizontal"]).default("vertical"),
  /** Instead of the usual words. */
  buttons: z
    .strictObject({ cancel: z.string(), previous: z.string(), next: z.string(), finish: z.string() })
    .partial()
    .default({}),
  /** It only shows something: its one button closes. */
  closeOnly: z.boolean().default(false),
  /** What its own footer says, in place of Cancel. */
  footer: z.string().nullable().default(null),
});
export type NodeStep = z.output<typeof NodeStep>;

export const listNodeSteps = endpoint({
  name: "listNodeSteps",
  method: "POST",
  path: "/pipelines/:entityId/nodes/:nodeId/steps",
  access: "READ_STUDIO",
  scope: "instance",
  summary:
    "The steps that a node of this (unsaved) graph is configured in, none where it has no dynamic configuration; with the inputs of one.",
  params: nodeParams,
  body: z.strictObject({
    nodes: Graph.shape.nodes,
    /** Whose inputs are asked for; the first when absent. */
    stepId: z.string().max(64).optional(),
  }),
  reply: z.strictObject({ steps: z.array(NodeStep), inputs: z.array(InputDefinition) }),
});

export const saveNodeConfiguration = endpoint({
  name: "saveNodeConfiguration",
  method: "PUT",
  path: "/pipelines/:entityId/draft/nodes/:nodeId/configuration",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary:
    "Replaces the configuration of one node of the draft. A draft saved by somebody else meanwhile answers 409 with it.",
  params: nodeParams,
  body: z.strictObject({ configuration: NodeConfiguration, revision: z.int().nonnegative() }),
  reply: OpenedGraph,
  errors: ["stale_version", "pipeline_invalid", "pipeline_read_only"],
});
