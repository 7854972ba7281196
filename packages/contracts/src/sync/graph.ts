/** A pipeline graph as the editor shows it, the API stores it and the engine compiles it. */
import { z } from "zod";
import { Value } from "../data/values.ts";
import { SourceSchedule } from "./schedules.ts";
import { Authority, FieldAuthority, MergeRules } from "./matching.ts";

export const NODE_TYPES = [
  "ENTITY_SOURCE",
  "ENTITY_SINK",
  "ATTRIBUTE_SOURCE",
  "ATTRIBUTE_SINK",
  "FUNCTION",
  "ACTION",
  "CORE_ENTITY",
  "CORE_ATTRIBUTE",
  "CONNECTOR_ENTITY",
  "CONNECTOR_ATTRIBUTE",
  "CUSTOM_GROUP",
] as const;
export type NodeType = (typeof NODE_TYPES)[number];

/** The lower camel form some views use, accepted and stored as the upper-case one. */
export const NodeType = z.preprocess(
  (value) => (typeof value === "string" ? value.replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase() : value),
  z.enum(NODE_TYPES),
);

export const Port = z.strictObject({
  portType: z.enum(["INPUT", "OUTPUT"]),
  maxConnections: z.int().default(1),
  datatype: z.enum(["object", "string"]).default("object"),
});

/** Ids inside a graph are made by the editor: at least 12 characters, exempt from the 24-character rule. */
export const GraphElementId = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9_-]+$/, "may hold letters, digits, - and _ only");

/** Edges out of a predicate carry `true` or `false`, out of a case the case's name; all others `default`. */
export const EDGE_TYPE_DEFAULT = "default";

export const NodeConfiguration = z.looseObject({
  configId: z.string().optional(),
  connectorId: z.string().optional(),
  /** Api name of the connector's entity (sources and sinks). */
  entityDefinition: z.string().optional(),
  /** Api name of the connector's field (field pipelines). */
  attributeDefinition: z.string().optional(),
  loopStart: z.boolean().optional(),
  targetId: z.string().optional(),
  graphVersion: z.string().optional(),
  nodeLabel: z.string().optional(),
});
export type NodeConfiguration = z.infer<typeof NodeConfiguration>;

/** Far beyond what anybody scrolls to. Where numbers lose their last digits, nodes could not be moved apart. */
const Coordinate = z.number().min(-1_000_000, "must be -1,000,000 at least").max(1_000_000, "may be 1,000,000 at most");

/** Rules a node out while another node of this type has this value, in its settings or itself, under this key. */
export const DisabledCriterion = z.strictObject({
  nodeType: NodeType,
  key: z.string().min(1).max(120),
  value: Value,
  /** Said at the node. */
  message: z.string().min(1).max(300),
});

export const GraphNode = z.strictObject({
  id: GraphElementId,
  /** For functions and actions: the registered name, e.g. `upperCase`. */
  apiName: z.string().max(120).default(""),
  name: z.string().max(120).default(""),
  label: z.string().max(120).default(""),
  subLabel: z.string().max(200).optional(),
  displayName: z.string().max(120).optional(),
  description: z.string().max(1000).optional(),
  status: z.string().optional(),
  groupId: GraphElementId.nullish(),
  nodeType: NodeType,
  shape: z.string().optional(),
  location: z.strictObject({ x: Coordinate, y: Coordinate }).default({ x: 600, y: 400 }),
  configuration: NodeConfiguration.default({}),
  metadata: z.record(z.string(), Value).optional(),
  connectorEntityName: z.string().optional(),
  inputPorts: z.array(Port).default([{ portType: "INPUT", maxConnections: 1, datatype: "object" }]),
  outputPorts: z.array(Port).default([{ portType: "OUTPUT", maxConnections: 1, datatype: "object" }]),
  tags: z.array(z.string()).optional(),
  disabledCriteria: z.array(DisabledCriterion).max(20).optional(),
  /** Records pass it as if it were not there. Only functions and actions with one way out obey it. */
  bypassed: z.boolean().optional(),
});
export type GraphNode = z.output<typeof GraphNode>;

const EdgeEnd = z.strictObject({ nodeId: GraphElementId, anchor: z.int().optional(), port: z.string().optional() });

export const GraphEdge = z.strictObject({
  id: z.string().max(64).default(""),
  key: z.string().max(128).optional(),
  source: EdgeEnd,
  destination: EdgeEnd,
  sourceAnchor: z.int().default(2),
  targetAnchor: z.int().nullable().default(0),
  edgeType: z.string().max(120).default(EDGE_TYPE_DEFAULT),
});
export type GraphEdge = z.output<typeof GraphEdge>;

export const GraphGroup = z.strictObject({
  id: GraphElementId,
  label: z.string().max(120).default(""),
  name: z.string().max(120),
  description: z.string().max(1000).optional(),
  color: z.string().max(30).optional(),
  tags: z.array(z.string()).optional(),
  apiName: z.string().optional(),
  shape: z.string().default("customGroup"),
  nodeType: z.literal("CUSTOM_GROUP").default("CUSTOM_GROUP"),
  childNodeSummary: z.string().optional(),
  collapsed: z.boolean().default(false),
});
export type GraphGroup = z.output<typeof GraphGroup>;

export const NOTE_COLORS = ["yellow", "blue", "green", "red", "grey"] as const;
export const NoteColor = z.enum(NOTE_COLORS);
export type NoteColor = z.infer<typeof NoteColor>;

/** Pixels of the canvas at full size. */
export const NOTE_SIZE = { minWidth: 120, minHeight: 60, max: 4000, width: 240, height: 120 } as const;
export const MAX_NOTE_TEXT = 4000;

/** What somebody wrote on the canvas for whoever reads the graph. It stands behind the nodes, and nothing that runs reads it. */
export const GraphNote = z.strictObject({
  id: GraphElementId,
  text: z.string().max(MAX_NOTE_TEXT).default(""),
  color: NoteColor.default("yellow"),
  location: z.strictObject({ x: Coordinate, y: Coordinate }),
  width: z.int().min(NOTE_SIZE.minWidth).max(NOTE_SIZE.max).default(NOTE_SIZE.width),
  height: z.int().min(NOTE_SIZE.minHeight).max(NOTE_SIZE.max).default(NOTE_SIZE.height),
});
export type GraphNote = z.output<typeof GraphNote>;

/** `formatVersion` numbers the stored shape; older ones are migrated when read. */
export const Graph = z.strictObject({
  formatVersion: z.literal(1).default(1),
  nodes: z.array(GraphNode).max(1000),
  edges: z.array(GraphEdge).max(4000),
  groups: z.array(GraphGroup).max(200).default([]),
  notes: z.array(GraphNote).max(200).default([]),
});
export type Graph = z.output<typeof Graph>;

/** One row of a field mapping: what a source or sink node moves between its connector field and the core field. */
export const FieldMapping = z.strictObject({
  connectorField: z.string().min(1),
  coreField: z.string().min(1),
});
export type FieldMapping = z.infer<typeof FieldMapping>;

/** What an entity source's configuration holds beyond the general keys. */
export const SourceConfiguration = z.looseObject({
  connectorId: z.string(),
  entityDefinition: z.string(),
  fieldMappings: z.array(FieldMapping).default([]),
  acceptDeletes: z.boolean().default(true),
  /** Minutes between two looks for records that are gone, where the system only lists its ids; 0: none. */
  findDeletesMinutes: z.int().min(0).max(43_200).optional(),
  /** When more than this part of the known records is missing, nothing is deleted; 100: whatever it is. */
  mostMissingPercent: z.int().min(1).max(100).default(25),
  /** Seconds between two reads; each minute when absent. Live sources (notifying connectors) read at once. */
  scheduleSeconds: z.int().min(1).max(86_400).optional(),
  /** Precedence over `scheduleSeconds`. */
  schedule: SourceSchedule.optional(),
  /** All that changed in one cycle, or one page a cycle. */
  readMode: z.enum(["drain", "single"]).default("drain"),
});
export type SourceConfiguration = z.infer<typeof SourceConfiguration>;

/** What an entity sink's configuration holds beyond the general keys. */
export const SinkConfiguration = z.looseObject({
  connectorId: z.string(),
  entityDefinition: z.string(),
  fieldMappings: z.array(FieldMapping).default([]),
  create: z.boolean().default(true),
  update: z.boolean().default(true),
  delete: z.boolean().default(false),
  recreate: z.boolean().default(false),
  onlyChangedFields: z.boolean().default(true),
});
export type SinkConfiguration = z.infer<typeof SinkConfiguration>;

/** What the core node's configuration holds: identity and authority. */
export const CoreConfiguration = z.looseObject({
  authority: Authority.default("NONE"),
  /** Source node ids, the most trusted first; for RANKED. */
  ranking: z.array(z.string()).default([]),
  /** Source node id; for SELECTED. */
  selectedSource: z.string().optional(),
  rejectEmptyValues: z.boolean().default(true),
  /** Empty texts; as `rejectEmptyValues` when absent. */
  rejectEmptyStrings: z.boolean().optional(),
  /** Core fields, by api name, that are ruled otherwise than the entity. */
  fieldAuthority: z.record(z.string(), FieldAuthority).default({}),
  deduplicate: z.boolean().default(false),
  merge: MergeRules.prefault({}),
});
export type CoreConfiguration = z.infer<typeof CoreConfiguration>;
