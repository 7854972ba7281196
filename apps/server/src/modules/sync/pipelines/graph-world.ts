/** What is known of the systems and fields that a graph names: for validation and for tokens. */
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { Graph } from "@accord/contracts/sync/graph";
import { actionFacts } from "@accord/sync-engine/actions";
import { functionFacts, type TokenContext, unknownTokensOf } from "@accord/sync-engine/functions";
import {
  type ConnectorEntityFacts,
  type CustomActionFacts,
  type GraphCatalogue,
  type GraphProblem,
  isCore,
  isCustomAction,
  isSink,
  isSource,
  nodeProblem,
  validateGraph,
} from "@accord/sync-engine/graph";
import type { PipelineDependencies } from "./needs.ts";

interface GraphContext {
  catalogue: GraphCatalogue;
  tokens: TokenContext;
}

const placeKey = (connectorId: string, entity: string): string => `${connectorId} ${entity}`;

/** Reads each place of the graph once. */
export async function graphContext(
  { connectors, customActions }: Pick<PipelineDependencies, "connectors" | "customActions">,
  at: Id<"instance">,
  entity: CoreEntity,
  graph: Graph,
): Promise<GraphContext> {
  const places = await readPlaces(connectors, at, graph);
  const tokens: TokenContext = {
    coreFields: entity.fields,
    sources: graph.nodes.filter(isSource).flatMap((node) => {
      const { connectorId = "", entityDefinition = "" } = node.configuration;
      const place = places.get(placeKey(connectorId, entityDefinition));
      if (!place?.entity) return [];
      const { connectorName: connector, entity: schema } = place;
      return [{ nodeId: node.id, connector, entity: schema.apiName, fields: schema.fields }];
    }),
  };
  return {
    tokens,
    catalogue: {
      scope: "entity",
      coreEntity: entity,
      functionFacts: (name) => functionFacts(name) ?? actionFacts(name),
      connectorEntity: (connectorId, entityApiName) => places.get(placeKey(connectorId, entityApiName)),
      customActions: graph.nodes.some(isCustomAction) ? await readActions(customActions, at) : new Map(),
      unknownTokens: (current, node) => unknownTokensOf(current, node, tokens),
    },
  };
}

async function readActions(
  customActions: PipelineDependencies["customActions"],
  at: Id<"instance">,
): Promise<Map<string, CustomActionFacts>> {
  const actions = await customActions.list(at);
  return new Map(actions.map((action) => [action.id, action]));
}

async function readPlaces(
  connectors: PipelineDependencies["connectors"],
  at: Id<"instance">,
  graph: Graph,
): Promise<Map<string, ConnectorEntityFacts>> {
  const wanted = new Map<string, { connectorId: string; entity: string }>();
  for (const node of graph.nodes) {
    const { connectorId, entityDefinition } = node.configuration;
    if ((!isSource(node) && !isSink(node)) || !connectorId || !entityDefinition) continue;
    wanted.set(placeKey(connectorId, entityDefinition), { connectorId, entity: entityDefinition });
  }
  const found = new Map<string, ConnectorEntityFacts>();
  for (const [key, { connectorId, entity }] of wanted) {
    const facts = await readPlace(connectors, at, connectorId, entity);
    if (facts) found.set(key, facts);
  }
  return found;
}

async function readPlace(
  connectors: PipelineDependencies["connectors"],
  at: Id<"instance">,
  connectorId: string,
  entity: string,
): Promise<ConnectorEntityFacts | null> {
  const connector = await connectors.getConnector(at, connectorId);
  if (!connector) return null;
  const facts = await connectors.entitySchema(at, connectorId, entity);
  const able = new Set(facts?.readOnly ? [] : facts?.capabilities);
  return {
    connectorName: connector.name,
    status: connector.status,
    entity: facts?.status === "ACTIVE" ? facts.schema : null,
    canCreate: able.has("create"),
    canUpdate: able.has("update"),
    canDelete: able.has("delete"),
    createsOnce: able.has("idempotentCreate") || able.has("lookup"),
    hasId: facts?.idField != null,
    readsChanges: facts?.capabilities.includes("readChanges") === true,
  };
}

/** All problems of a graph, those of the entity itself included. */
export function problemsOf(graph: Graph, catalogue: GraphCatalogue, entity: CoreEntity): GraphProblem[] {
  const problems = validateGraph(graph, catalogue);
  const core = graph.nodes.find(isCore);
  return entity.version === 0 && core ? [nodeProblem("core_unpublished", core), ...problems] : problems;
}
