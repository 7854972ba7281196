/** What validation must know of the world around a graph: functions, connected entities and the core entity. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import type { EntitySchema, FieldSchema } from "@accord/contracts/data/schema";
import type { ActionVariable } from "@accord/contracts/sync/actions";
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import type { PipelineScope } from "../edit/clipboard.ts";

/** A function or action as its definition describes it. */
export interface FunctionFacts {
  label: string;
  levels: readonly PipelineScope[];
  sourceSideOnly: boolean;
  inputs: readonly InputDefinition[];
  /** Ways out of the node by edge type; null when every edge type is fine. */
  edgeTypes: readonly string[] | null;
  /** What is wrong with its configuration beyond empty required inputs: the input's name and a reason in words. */
  check(node: GraphNode, fields: readonly FieldSchema[]): { input: string; reason: string }[];
}

export interface ConnectorEntityFacts {
  connectorName: string;
  /** Status of the connector; only ACTIVE is usable. */
  status: string;
  /** null when the connector has no such entity (any more). */
  entity: EntitySchema | null;
  canCreate: boolean;
  canUpdate: boolean;
  canDelete: boolean;
  /** A creation without an answer can be made sure of: by a key that is sent along, or by looking the record up. */
  createsOnce: boolean;
  hasId: boolean;
  readsChanges: boolean;
}

/** What a custom action asks of the nodes that perform it. */
export interface CustomActionFacts {
  displayName: string;
  variables: readonly ActionVariable[];
}

export interface GraphCatalogue {
  scope: PipelineScope;
  coreEntity: { apiName: string; displayName: string; fields: readonly FieldSchema[] };
  functionFacts(apiName: string): FunctionFacts | undefined;
  connectorEntity(connectorId: string, entityApiName: string): ConnectorEntityFacts | undefined;
  /** Of the instance, by id; null where they can't be read, and nothing is said about them. */
  customActions: ReadonlyMap<string, CustomActionFacts> | null;
  /** Token names used by a node that nothing before it provides. */
  unknownTokens(graph: Graph, node: GraphNode): string[];
}
