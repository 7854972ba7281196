/** Schema of the unified model: the module, and what other modules may call and know. */
import type { Deps } from "../../../platform/deps.ts";
import type { Module } from "../../../platform/module.ts";
import type { ConnectorsService } from "../../connections/connectors/index.ts";
import { schemaRoutes } from "./schema.routes.ts";
import { schemaService, type SchemaService } from "./schema.service.ts";

export type { FindUses, SchemaService } from "./schema.service.ts";
export * from "./record-columns.ts";
export { asName, nameFieldOf } from "./record-names.ts";
export { readRecordNames } from "./record-names.store.ts";
export * from "./record-table.ts";
export { cacheBySchema } from "./remembered-schema.ts";

export function schemaModule(
  deps: Deps,
  needs: { connectors: Pick<ConnectorsService, "entitySchema"> },
): Module & { service: SchemaService } {
  const service = schemaService(deps);
  return {
    name: "data/schema",
    service,
    routes: schemaRoutes(service, needs.connectors),
    start: () => service.repairTables(),
  };
}
