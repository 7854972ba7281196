/** Endpoints of saved filters. */
import * as api from "@accord/contracts/data/saved-filters";
import { route, type Route } from "../../../platform/module.ts";
import type { SavedFiltersService } from "./saved-filters.service.ts";

export function savedFiltersRoutes(service: SavedFiltersService): Route[] {
  return [
    route(api.listSavedFilters, (ctx, { query }) => service.list(ctx, query)),
    route(api.createSavedFilter, (ctx, { body }) => service.create(ctx, body)),
    route(api.saveSavedFilter, (ctx, { params, body }) => service.save(ctx, params.filterId, body)),
    route(api.deleteSavedFilter, async (ctx, { params }) => {
      await service.remove(ctx, params.filterId);
      return {};
    }),
    route(api.bookmarkSavedFilter, (ctx, { params, body }) => service.bookmark(ctx, params.filterId, body)),
  ];
}
