/** Endpoints of trying a record, joined with their use cases. */
import * as contract from "@accord/contracts/sync/tests/try-record";
import { type Route, route } from "../../../../platform/module.ts";
import type { TryRecordService } from "./try-record.service.ts";

export const tryRecordRoutes = (service: TryRecordService): Route[] => [
  route(contract.tryRecord, (ctx, { params, body }) => service.tryRecord(ctx, params.id, body)),
  route(contract.tryFieldRecord, (ctx, { params, body }) => service.tryFieldRecord(ctx, params.id, body)),
  route(contract.listRecordsToTry, (ctx, { params, query }) => service.listRecords(ctx, params.id, query)),
];
