/** Endpoints of the data studio's records. */
import * as api from "@accord/contracts/data/records";
import { route, type Route } from "../../../platform/module.ts";
import type { RecordsService } from "./records.service.ts";

export function recordsRoutes(service: RecordsService): Route[] {
  return [
    route(api.listRecords, (ctx, { params, query }) => service.list(ctx, params.entityId, query, "")),
    route(api.searchRecords, (ctx, { params, query, body }) => service.list(ctx, params.entityId, query, body)),
    route(api.countRecords, (ctx, { params, query, body }) =>
      service.count(ctx, params.entityId, { ...query, predicate: body }),
    ),
    route(api.getRecordCounts, (ctx, { query }) =>
      service.counts(ctx, query.entityApiNames === undefined ? null : query.entityApiNames.split(",").filter(Boolean)),
    ),
    route(api.getRecord, (ctx, { params }) => service.get(ctx, params.entityId, params.recordId)),
    route(api.createRecord, (ctx, { params, body }) => service.create(ctx, params.entityId, body.values)),
    route(api.saveRecord, (ctx, { params, body }) => service.save(ctx, params.entityId, params.recordId, body)),
    route(api.deleteRecord, async (ctx, { params, query }) => ({
      record: await service.remove(ctx, params.entityId, params.recordId, query.deleteInEndSystems),
    })),
    route(api.deleteRecords, async (ctx, { params, body }) => ({
      deleted: await service.removeMany(ctx, params.entityId, body.recordIds, body.deleteInEndSystems),
    })),
    route(api.restoreRecord, async (ctx, { params }) => ({
      record: await service.restore(ctx, params.entityId, params.recordId),
    })),
    route(api.getRecordLineage, (ctx, { params, query }) =>
      service.lineage(ctx, params.entityId, params.recordId, query),
    ),
    route(api.saveRecordColumns, async (ctx, { params, body }) => ({
      selectedColumns: await service.saveColumns(ctx, params.entityId, body.columns),
    })),
  ];
}
