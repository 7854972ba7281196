/** What has to be known beside a graph to compile it. */
import type { EntitySchema, FieldSchema } from "@accord/contracts/data/schema";
import type { GraphNode } from "@accord/contracts/sync/graph";
import type { CompiledNode, NodeContext } from "../../functions/define.ts";
import type { Remapped } from "../merge/authority/authority.ts";
import type { MergePolicy } from "../merge/duplicates/merge-plan.ts";
import type { FieldGraphs } from "./endpoints.ts";

/** What a connector's entity is and can, as far as the engine needs it. */
export interface EndpointSchema {
  /** Number storage gave this place of this pipeline. */
  id: number;
  connectorId: string;
  connectorName: string;
  schema: EntitySchema;
  /** Fields read and told there, in the order of the fingerprints: grows at the end only. */
  readFields: readonly string[];
  writeFields: readonly string[];
  writeBatchSize: number;
  readDelayMs: number;
  idempotentCreate: boolean;
  canLookup: boolean;
  /** Its records can be read one by one, by their ids. */
  canGetById: boolean;
  /** It can't say what changed: each reading brings all records. */
  listsAll: boolean;
}

export interface CompileInput {
  pipelineId: string;
  versionId: string;
  versionNumber: number;
  pipelineName: string;
  instanceName: string;
  timeZone: string;
  coreFields: readonly FieldSchema[];
  places: readonly EndpointSchema[];
  /** Names of secret fields of the instance's entities, by entity. */
  secretFieldsOf?: ReadonlyMap<string, readonly string[]>;
  /** Names of further fields, in the core and in systems, whose values are secret. */
  secretNames?: Iterable<string>;
  /** Wraps each node that records go through, to see what goes in and comes out. */
  observe?: ObserveNode;
  /** Of the pipeline's row; nothing retained when absent. */
  mergePolicy?: MergePolicy;
  fieldGraphs?: FieldGraphs;
  /** Places whose sources map core fields to other columns than an earlier version did, and since when. */
  remapped?: Remapped;
}

/** Called once for each compiled node; what it answers runs in its place and must answer the same routes. */
export type ObserveNode = (node: GraphNode, run: CompiledNode, context: NodeContext) => CompiledNode;
