/** What may be placed in a pipeline, and the tokens that its nodes may use. */
import { z } from "zod";
import { InputDefinition } from "../config/inputs.ts";
import { DataType } from "../data/values.ts";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { Graph } from "./graph.ts";
import { GraphVersion } from "./pipelines.ts";

const entityParams = z.strictObject({ entityId: id("entity") });

/** Sections of the palette, in their order. */
export const FUNCTION_FAMILIES = [
  "flow",
  "record",
  "lookup",
  "text",
  "list",
  "logic",
  "math",
  "date",
  "convert",
  "enrich",
] as const;

/** Actions stand in a section of their own. */
export const PALETTE_FAMILIES = [...FUNCTION_FAMILIES, "action"] as const;

/** A function or action as the palette and the configuration panel need it. */
export const FunctionDescription = z.strictObject({
  id: z.string(),
  name: z.string(),
  label: z.string(),
  family: z.enum(PALETTE_FAMILIES),
  helpSummary: z.string(),
  /** A page with more about it. */
  helpLink: z.url().optional(),
  iconPath: z.string(),
  kind: z.enum(["FUNCTION", "ACTION"]),
  levels: z.array(z.enum(["entity", "field"])),
  edgeTypes: z.array(z.string()).nullable(),
  inputs: z.array(InputDefinition),
});
export type FunctionDescription = z.output<typeof FunctionDescription>;

export const getPipelinePalette = endpoint({
  name: "getPipelinePalette",
  method: "GET",
  path: "/pipelines/:entityId/palette",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Functions and actions that may be placed in this pipeline.",
  params: entityParams,
  query: z.strictObject({ level: z.enum(["entity", "field"]).default("entity") }),
  reply: z.strictObject({ functions: z.array(FunctionDescription), actions: z.array(FunctionDescription) }),
});

export const getGraphPalette = endpoint({
  name: "getGraphPalette",
  method: "GET",
  path: "/pipelines/:entityId/graph/:graphVersion/palette",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Functions and actions that the nodes of a graph use.",
  params: entityParams.extend({ graphVersion: GraphVersion }),
  reply: z.strictObject({ functions: z.array(FunctionDescription), actions: z.array(FunctionDescription) }),
});

export const Token = z.strictObject({
  token: z.string(),
  label: z.string(),
  shortLabel: z.string(),
  group: z.string(),
  datatype: z.union([DataType, z.string()]),
  value: z.string(),
});
export type Token = z.output<typeof Token>;

export const lookUpTokens = endpoint({
  name: "lookUpTokens",
  method: "POST",
  path: "/token/:nodeId",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Tokens that a node of this (unsaved) graph may use, grouped.",
  params: z.strictObject({ nodeId: z.string().min(1).max(64) }),
  body: z.strictObject({ entityId: id("entity"), nodes: Graph.shape.nodes, edges: Graph.shape.edges }),
  reply: z.strictObject({ groups: z.array(z.strictObject({ group: z.string(), tokens: z.array(Token) })) }),
});
