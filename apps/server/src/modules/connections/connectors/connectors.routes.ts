/** Endpoints of connectors. */
import { getEntityChanges } from "@accord/contracts/connections/change-detection";
import * as api from "@accord/contracts/connections/connectors";
import { describeConnectorManifest } from "@accord/contracts/connections/manifest-facts";
import { route, type Route } from "../../../platform/module.ts";
import type { ConnectorUseCases } from "./connectors.service.ts";
import { manifestFacts } from "./manifest-facts.ts";
import type { EntityUseCases } from "./entities/entities.service.ts";

export function connectorRoutes(service: ConnectorUseCases, entities: EntityUseCases): Route[] {
  return [
    route(api.listConnectorTypes, async ({ instanceId }) => service.types(instanceId)),
    route(api.listConnectors, async ({ instanceId }) => ({ connectors: await service.list(instanceId) })),
    route(api.getConnector, ({ instanceId }, { params }) => service.detail(instanceId, params.connectorId)),
    route(api.createConnector, (ctx, { body }) => service.create(ctx, body)),
    route(api.updateConnector, ({ instanceId }, { params, body }) =>
      service.update(instanceId, params.connectorId, body),
    ),
    route(api.deleteConnector, async ({ instanceId }, { params }) => {
      await service.remove(instanceId, params.connectorId);
      return { id: params.connectorId };
    }),
    route(api.testConnection, ({ instanceId }, { body: { connectorId, ...input } }) =>
      service.test(instanceId, input, connectorId),
    ),
    route(api.testConnector, ({ instanceId }, { params }) => service.testSaved(instanceId, params.connectorId)),
    route(api.authenticateConnector, ({ instanceId }, { params }) =>
      service.authenticate(instanceId, params.connectorId),
    ),
    route(api.activateConnector, ({ instanceId }, { params }) => service.activate(instanceId, params.connectorId)),
    route(api.deactivateConnector, ({ instanceId }, { params }) => service.deactivate(instanceId, params.connectorId)),
    route(api.refreshConnectorSchema, ({ instanceId }, { params, body }) =>
      service.refreshSchema(instanceId, params.connectorId, body.only),
    ),
    route(api.listConnectorEntities, async ({ instanceId }, { params }) => ({
      entities: await entities.list(instanceId, params.connectorId),
    })),
    route(api.getConnectorEntity, ({ instanceId }, { params }) =>
      entities.detail(instanceId, params.connectorId, params.entityApiName),
    ),
    route(api.updateConnectorEntity, ({ instanceId }, { params, body }) =>
      entities.chooseFields(instanceId, params.connectorId, params.entityApiName, body),
    ),
    route(api.getSampleRecords, ({ instanceId }, { params, query }) =>
      entities.sample(instanceId, params.connectorId, params.entityApiName, query.count),
    ),
    route(getEntityChanges, ({ instanceId }, { params, query }) =>
      entities.changes(instanceId, params.connectorId, params.entityApiName, query),
    ),
    route(describeConnectorManifest, async (_, { body }) => manifestFacts(body)),
    route(api.previewHttpEntity, ({ instanceId }, { body: { connectorId, ...input } }) =>
      service.preview(instanceId, input, connectorId),
    ),
  ];
}
