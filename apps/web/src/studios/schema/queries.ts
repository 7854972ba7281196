/** What the schema studio asks the server, and which pushed messages make its answers old. */
import { listConnectors, listConnectorEntities, getConnectorEntity } from "@accord/contracts/connections/connectors";
import {
  entitySchemaChanged,
  getEntity,
  listEntities,
  listEntityUses,
  listEntityVersions,
} from "@accord/contracts/data/core-schema";
import type { Id } from "@accord/contracts";
import { refreshOn, useEndpoint } from "../../app/queries.ts";

refreshOn(entitySchemaChanged, [listEntities, getEntity, listEntityVersions, listEntityUses]);

/** Replies that any change of a schema makes old. */
export const SCHEMA_READS = [listEntities, getEntity, listEntityVersions, listEntityUses] as const;

/** Drafts before published versions, so that nothing unpublished is hidden. */
export const useCoreEntities = () => useEndpoint(listEntities, { query: { version: "draft" } });
export const usePublishedEntities = () => useEndpoint(listEntities, { query: { version: "published" } });

export const useSystems = () => useEndpoint(listConnectors, {});

export const useSystemEntities = (connectorId: string | undefined) =>
  useEndpoint(
    listConnectorEntities,
    { params: { connectorId: (connectorId ?? "") as Id<"connector"> } },
    { enabled: connectorId !== undefined },
  );

export const useSystemEntity = (connectorId: string | undefined, entityApiName: string | undefined) =>
  useEndpoint(
    getConnectorEntity,
    { params: { connectorId: (connectorId ?? "") as Id<"connector">, entityApiName: entityApiName ?? "" } },
    { enabled: connectorId !== undefined && entityApiName !== undefined },
  );

export const useVersions = (entityId: Id<"entity">) => useEndpoint(listEntityVersions, { params: { entityId } });
