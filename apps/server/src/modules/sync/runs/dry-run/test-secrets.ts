/** Fields whose values test runs neither show nor store: passwords, and what is moved to or from one, or was in any version. */
import type { Id } from "@accord/contracts";
import { type GraphNode, SinkConfiguration, SourceConfiguration } from "@accord/contracts/sync/graph";
import { isSecretField } from "@accord/expressions";
import type { ConnectorsService } from "../../../connections/connectors/index.ts";
import type { SchemaService } from "../../../data/schema/index.ts";
import type { PublishedVersion } from "../../pipelines/index.ts";
import { fieldGraphsOf } from "../secrets/pipeline-secrets.ts";

export interface TestSecretNeeds {
  schema: Pick<SchemaService, "listEntities">;
  connectors: Pick<ConnectorsService, "findPlaces" | "secretFieldsOf">;
}
export type TestGraphs = Pick<PublishedVersion, "graph" | "fieldGraphs">;

interface TestSecrets {
  core: Set<string>;
  /** By `connectorId/entity`. */
  connectors: Map<string, Set<string>>;
}

/** A field that a source or destination maps. */
interface MappedField {
  endpoint: string;
  isRead: boolean;
  connectorField: string;
  coreField: string;
}

/** Graphs of drafts may be incomplete. */
export async function testSecrets(
  needs: TestSecretNeeds,
  instanceId: Id<"instance">,
  entityId: string,
  versions: readonly TestGraphs[],
): Promise<TestSecrets> {
  const entities = await entitiesOf(needs, instanceId);
  const passwords = entities.filter(({ id }) => id === entityId).flatMap(({ fields }) => fields.filter(isSecretField));
  const secrets: TestSecrets = { core: new Set(passwords.map(({ apiName }) => apiName)), connectors: new Map() };
  const endpoints = versions.flatMap(endpointsOf);
  const found = await needs.connectors.findPlaces(instanceId, endpoints);
  for (const [index, { connectorId, entity }] of endpoints.entries()) {
    const key = `${connectorId}/${entity}`;
    if (secrets.connectors.has(key)) continue;
    const typed = found[index]?.facts?.schema.fields.filter(isSecretField) ?? [];
    const mapped = await needs.connectors.secretFieldsOf(instanceId, connectorId, entity);
    secrets.connectors.set(key, new Set([...mapped, ...typed.map(({ apiName }) => apiName)]));
  }
  spreadSecrets(secrets, versions);
  return secrets;
}

/** As published and as drafted: what is a password in either is one. */
export const entitiesOf = async ({ schema }: Pick<TestSecretNeeds, "schema">, instanceId: Id<"instance">) => [
  ...(await schema.listEntities(instanceId)),
  ...(await schema.listEntities(instanceId, "draft")),
];

export const secretNames = ({ core, connectors }: TestSecrets): Set<string> =>
  new Set([...core, ...[...connectors.values()].flatMap((names) => [...names])]);

/** Marks the fields that secret values are moved to and on from there, until there are no more. */
export function spreadSecrets({ core, connectors }: TestSecrets, versions: readonly TestGraphs[]): void {
  const fields = versions.flatMap(mappedFields);
  let isChanged = true;
  const add = (names: Set<string>, name: string): void => {
    isChanged ||= !names.has(name);
    names.add(name);
  };
  while (isChanged) {
    isChanged = false;
    for (const { endpoint, isRead, connectorField, coreField } of fields) {
      const outside = connectors.get(endpoint) ?? new Set();
      connectors.set(endpoint, outside);
      if (core.has(coreField)) add(outside, connectorField);
      if (isRead && outside.has(connectorField)) add(core, coreField);
    }
  }
}

const endpointOf = ({ configuration }: GraphNode) => ({
  connectorId: configuration.connectorId ?? "",
  entity: configuration.entityDefinition ?? "",
});

function endpointsOf({ graph, fieldGraphs }: TestGraphs) {
  const graphs = [graph, ...fieldGraphsOf({ fieldGraphs }).values()];
  return graphs.flatMap(({ nodes }) => nodes.map(endpointOf)).filter((one) => one.connectorId && one.entity);
}

function mappedFields({ graph, fieldGraphs }: TestGraphs): MappedField[] {
  const ofEntity = graph.nodes.flatMap((node): MappedField[] => {
    const isRead = node.nodeType === "ENTITY_SOURCE";
    if (!isRead && node.nodeType !== "ENTITY_SINK") return [];
    const read = (isRead ? SourceConfiguration : SinkConfiguration).safeParse(node.configuration);
    if (!read.success) return [];
    const { connectorId, entityDefinition, fieldMappings } = read.data;
    return fieldMappings.map((mapping) => ({ endpoint: `${connectorId}/${entityDefinition}`, isRead, ...mapping }));
  });
  const ofFields = [...fieldGraphsOf({ fieldGraphs })].flatMap(([coreField, { nodes }]) =>
    nodes.flatMap((node): MappedField[] => {
      const { connectorId, entity } = endpointOf(node);
      const connectorField = node.configuration.attributeDefinition;
      if (!node.nodeType.startsWith("ATTRIBUTE_") || !connectorField) return [];
      const isRead = node.nodeType === "ATTRIBUTE_SOURCE";
      return [{ endpoint: `${connectorId}/${entity}`, isRead, connectorField, coreField }];
    }),
  );
  return [...ofEntity, ...ofFields];
}
