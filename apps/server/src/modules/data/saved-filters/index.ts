/** Saved filters of the data studio: the module. */
import type { Deps } from "../../../platform/deps.ts";
import type { Module } from "../../../platform/module.ts";
import type { SchemaService } from "../schema/index.ts";
import { savedFiltersRoutes } from "./saved-filters.routes.ts";
import { savedFiltersService } from "./saved-filters.service.ts";

export function savedFiltersModule(deps: Deps, needs: { schema: SchemaService }): Module {
  return { name: "data/saved-filters", routes: savedFiltersRoutes(savedFiltersService(deps, needs.schema)) };
}
