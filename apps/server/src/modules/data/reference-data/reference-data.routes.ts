/** Endpoints of reference data. */
import * as api from "@accord/contracts/data/reference-data";
import { route, type Route } from "../../../platform/module.ts";
import type { ReferenceDataService } from "./reference-data.service.ts";

export function referenceDataRoutes(service: ReferenceDataService): Route[] {
  return [
    route(api.listReferenceData, async (ctx) => ({ lists: await service.list(ctx) })),
    route(api.getReferenceData, (ctx, { params }) => service.get(ctx, params.listId)),
    route(api.previewReferenceData, (ctx, { params, query }) =>
      service.preview(ctx, params.listId, query.numberOfRows),
    ),
    route(api.createReferenceData, (ctx, { body }) => service.create(ctx, body)),
    route(api.saveReferenceData, (ctx, { params, body }) => service.save(ctx, params.listId, body)),
    route(api.deleteReferenceData, async (ctx, { params }) => {
      await service.remove(ctx, params.listId);
      return {};
    }),
    route(api.activateReferenceData, (ctx, { params }) => service.setStatus(ctx, params.listId, "ACTIVE")),
    route(api.deactivateReferenceData, (ctx, { params }) => service.setStatus(ctx, params.listId, "DEACTIVATED")),
  ];
}
