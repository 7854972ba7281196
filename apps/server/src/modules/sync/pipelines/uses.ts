/** Which pipelines use a connector or a field, so that what is in use is not deleted and what is secret not shown. */
import type { SchemaUse } from "@accord/contracts/data/core-schema";
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { Graph } from "@accord/contracts/sync/graph";
import { isSecretField } from "@accord/expressions";
import { tokensOf } from "@accord/sync-engine/functions";
import { secretConnectorFields } from "@accord/sync-engine/run";
import type { PipelineDependencies } from "./needs.ts";
import type { PipelineService } from "./pipelines.service.ts";

export function registerUses(service: PipelineService, needs: PipelineDependencies): void {
  registerSecretFields(service, needs);
  needs.schema.addUses(async (at, entity, field): Promise<SchemaUse[]> => {
    const graphs = await service.graphsInUse(at, entity.id);
    const using = graphs.filter(({ graph }) => field === undefined || namesField(graph, field.apiName));
    return [...new Set(using.map(({ published }) => published))].map((published) => ({
      kind: "pipeline",
      name: `Pipeline ${entity.apiName} (${published ? "published" : "draft"})`,
      href: `/sync-studio/entity/${entity.id}/pipeline/${published ? "published" : "draft"}`,
    }));
  });
  needs.connectors.registerUses(async (at, connectorId) => {
    const graphs = await service.graphsInUse(at);
    const outsideOf = ({ nodes }: Graph): string[] =>
      nodes.flatMap(({ configuration }) =>
        configuration.connectorId === connectorId ? String(configuration["entityDefinition"] ?? "") : [],
      );
    const using = graphs.filter(({ graph }) => outsideOf(graph).length > 0);
    const names = new Map(
      (await needs.schema.listEntities(at, "draft")).map((entity: CoreEntity) => [entity.id, entity]),
    );
    const once = new Map(using.map((one) => [`${one.entityId} ${one.published}`, one]));
    return [...once.values()].map(({ entityId, published }) => ({
      entityId,
      name: names.get(entityId)?.displayName ?? entityId,
      published,
      outside: using
        .filter((one) => one.entityId === entityId && one.published === published)
        .flatMap(({ graph }) => outsideOf(graph)),
    }));
  });
}

/**
 * Fields of systems that pipelines move to or from password fields, or did once: what such a system sent meanwhile is
 * kept when a pipeline is deleted or drawn anew.
 */
function registerSecretFields(service: PipelineService, { schema, connectors }: PipelineDependencies): void {
  connectors.registerSecretFields(async (at, connectorId, entityApiName) => {
    const entities = [...(await schema.listEntities(at)), ...(await schema.listEntities(at, "draft"))];
    const secret = new Map<string, Set<string>>();
    for (const { id, fields } of entities)
      for (const { apiName } of fields.filter(isSecretField))
        secret.set(id, (secret.get(id) ?? new Set()).add(apiName));
    if (secret.size === 0) return new Set();
    const coreFields = [...secret].flatMap(([entityId, names]) => [...names].map((field) => ({ entityId, field })));
    const past = await service.pastConnectorFields(at, { connectorId, entity: entityApiName }, coreFields);
    const names = (await service.graphsInUse(at)).flatMap(({ entityId, graph }) => {
      const field = graph.nodes.find(({ nodeType }) => nodeType === "CORE_ATTRIBUTE")?.apiName;
      const fieldGraphs = new Map(field === undefined ? [] : [[field, graph]]);
      const found = secretConnectorFields(graph, fieldGraphs, secret.get(entityId) ?? new Set());
      return [...found].flatMap(([place, fields]) =>
        (entityApiName === null ? place.startsWith(`${connectorId}/`) : place === `${connectorId}/${entityApiName}`)
          ? [...fields]
          : [],
      );
    });
    return new Set([...names, ...past]);
  });
}

/** Mapped, read or written by a node, or named by one of its tokens. */
function namesField(graph: Graph, field: string): boolean {
  return graph.nodes.some(
    (node) =>
      (node.nodeType === "CORE_ATTRIBUTE" && node.apiName === field) ||
      tokensOf(node).includes(`previous.values.${field}`) ||
      mentions(node.configuration, field),
  );
}

/** Keys under which configurations name core fields. */
const FIELD_KEYS: ReadonlySet<string> = new Set(["coreField", "field"]);

function mentions(part: unknown, field: string): boolean {
  if (Array.isArray(part)) return part.some((item) => mentions(item, field));
  if (typeof part !== "object" || part === null) return false;
  return Object.entries(part).some(
    ([key, value]) => (FIELD_KEYS.has(key) && value === field) || mentions(value, field),
  );
}
