/** Endpoints of the unified model's schema. */
import * as api from "@accord/contracts/data/core-schema";
import { coreEntityFrom } from "@accord/contracts/data/from-connector";
import type { Id } from "@accord/contracts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { Ctx } from "../../../platform/ctx.ts";
import { route, type Route } from "../../../platform/module.ts";
import type { ConnectorsService } from "../../connections/connectors/index.ts";
import type { VersionChoice } from "./entity-view.ts";
import type { SchemaService } from "./schema.service.ts";

export function schemaRoutes(service: SchemaService, connectors: Pick<ConnectorsService, "entitySchema">): Route[] {
  const author = ({ instanceId, actor }: Ctx) => ({
    instanceId,
    by: `${actor.firstName} ${actor.lastName}`.trim() || actor.email,
  });
  const get = async (ctx: Ctx, entityId: Id<"entity">, version: VersionChoice) => {
    const entity = await service.getEntity(ctx.instanceId, entityId, version);
    if (!entity) throw new AppError("not_found", { what: "Entity" });
    return entity;
  };

  return [
    route(api.listEntities, async (ctx, { query }) => ({
      entities: await service.listEntities(ctx.instanceId, query.version),
    })),
    route(api.getEntity, (ctx, { params, query }) => get(ctx, params.entityId, query.version)),
    route(api.listEntityFields, async (ctx, { params, query }) => ({
      fields: (await get(ctx, params.entityId, query.version)).fields,
    })),
    route(api.listEntityVersions, async (ctx, { params }) => ({
      versions: await service.listVersions(ctx.instanceId, params.entityId),
    })),
    route(api.createEntity, (ctx, { body }) => service.createEntity(author(ctx), body)),
    route(api.createEntityFromConnector, async (ctx, { body }) => {
      const { connectorId, entityApiName, publish, ...wanted } = body;
      const found = await connectors.entitySchema(ctx.instanceId, connectorId, entityApiName);
      if (!found) throw new AppError("not_found", { what: "Entity" });
      const existing = await service.listEntities(ctx.instanceId, "draft");
      const made = coreEntityFrom({ connectorId, entity: found.schema, existing, ...wanted });
      return service.createEntity(author(ctx), { ...made, publish }, { connectorId, entityApiName });
    }),
    route(api.saveEntity, (ctx, { params, body }) => service.saveEntity(author(ctx), params.entityId, body)),
    route(api.deleteEntity, async (ctx, { params }) => {
      await service.deleteEntity(author(ctx), params.entityId);
      return {};
    }),
    route(api.createEntityDraft, (ctx, { params }) => service.createDraft(author(ctx), params.entityId)),
    route(api.discardEntityDraft, async (ctx, { params }) => ({
      entity: await service.discardDraft(author(ctx), params.entityId),
    })),
    route(api.publishEntity, (ctx, { params, body }) => service.publish(author(ctx), params.entityId, body.revision)),
    route(api.createField, (ctx, { params, body }) => service.createField(author(ctx), params.entityId, body)),
    route(api.saveField, (ctx, { params, body }) =>
      service.saveField(author(ctx), params.entityId, params.fieldId, body),
    ),
    route(api.deleteField, (ctx, { params }) => service.deleteField(author(ctx), params.entityId, params.fieldId)),
    route(api.listEntityUses, async (ctx, { params, query }) => ({
      uses: await service.usesOf(ctx.instanceId, params.entityId, query.fieldId),
    })),
  ];
}
