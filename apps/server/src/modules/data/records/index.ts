/** Records of the unified model as people browse and repair them: the module, and what it needs of others. */
import type { Deps } from "../../../platform/deps.ts";
import type { Module } from "../../../platform/module.ts";
import { recordsRoutes } from "./records.routes.ts";
import { recordsService, type RecordsNeeds, type RecordsService } from "./records.service.ts";

export type * from "./record-changer.ts";

export function recordsModule(deps: Deps, needs: RecordsNeeds): Module & { service: RecordsService } {
  const service = recordsService(deps, needs);
  return { name: "data/records", service, routes: recordsRoutes(service) };
}
