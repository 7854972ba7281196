/** The rules of graphs, as the server applies them, on what the browser knows of the connected systems. */
import type { ConnectorEntity } from "@accord/contracts/connections/connectors";
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Graph } from "@accord/contracts/sync/graph";
import type { PipelineProblem } from "@accord/contracts/sync/pipelines";
import { actionFacts } from "@accord/sync-engine/actions";
import { functionFacts, type TokenContext, unknownTokensOf } from "@accord/sync-engine/functions";
import {
  type ConnectorEntityFacts,
  type CustomActionFacts,
  type GraphCatalogue,
  isSource,
  validateFieldGraph,
  validateGraph,
} from "@accord/sync-engine/graph";
import { type Found, isAboutPlaces } from "./shown-problems.ts";

export interface KnownPlace {
  connectorName: string;
  status: string;
  entity: Pick<ConnectorEntity, "apiName" | "status" | "readOnly" | "idField" | "schema">;
}

export interface KnownWorld {
  coreEntity: { apiName: string; displayName: string; fields: readonly FieldSchema[] };
  /** By `placeKey`; null where they can't be read. */
  places: ReadonlyMap<string, KnownPlace> | null;
  /** By id; null where they can't be read. */
  customActions: ReadonlyMap<string, CustomActionFacts> | null;
  /** Of a field pipeline: its core field, and the entity pipeline it is published with. */
  ofField?: { field: FieldSchema; entityGraph: Graph } | undefined;
}

export const placeKey = (connectorId: string, entity: string): string => `${connectorId} ${entity}`;

export function checkGraph(graph: Graph, { coreEntity, places, customActions, ofField }: KnownWorld): Found {
  const tokens: TokenContext = {
    coreFields: coreEntity.fields,
    sources: [...graph.nodes, ...(ofField?.entityGraph.nodes ?? [])].filter(isSource).flatMap((node) => {
      const { connectorId = "", entityDefinition = "" } = node.configuration;
      const place = places?.get(placeKey(connectorId, entityDefinition));
      if (!place) return [];
      const { apiName: entity, schema } = place.entity;
      return [{ nodeId: node.id, connector: place.connectorName, entity, fields: schema.fields }];
    }),
  };
  const catalogue: GraphCatalogue = {
    scope: ofField ? "field" : "entity",
    coreEntity,
    functionFacts: (name) => functionFacts(name) ?? actionFacts(name),
    connectorEntity: (connectorId, entity) => factsOf(places?.get(placeKey(connectorId, entity))),
    customActions,
    unknownTokens: (current, node) => (places ? unknownTokensOf(current, node, tokens) : []),
  };
  const problems: PipelineProblem[] = ofField
    ? validateFieldGraph(graph, ofField.field, ofField.entityGraph, catalogue)
    : validateGraph(graph, catalogue);
  return {
    problems: places ? problems : problems.filter((problem) => !isAboutPlaces(problem)),
    knowsPlaces: places !== null,
    knowsActions: customActions !== null,
  };
}

/** What a system can do beyond its schema is for the server to say: nothing is found wrong with it here. */
function factsOf(place: KnownPlace | undefined): ConnectorEntityFacts | undefined {
  if (!place) return undefined;
  const { connectorName, status, entity } = place;
  return {
    connectorName,
    status,
    entity: entity.status === "ACTIVE" ? entity.schema : null,
    canCreate: !entity.readOnly,
    canUpdate: !entity.readOnly,
    canDelete: true,
    createsOnce: true,
    hasId: entity.idField !== null,
    readsChanges: true,
  };
}
