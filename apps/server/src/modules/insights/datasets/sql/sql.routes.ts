/** The calls of the SQL editor. */
import * as api from "@accord/contracts/insights/dataset-sql";
import type { Config } from "../../../../config.ts";
import { route } from "../../../../platform/module.ts";
import { demandSqlMode, queryCaller } from "../../engine/index.ts";
import { mustWriteSql } from "../datasets.service.ts";
import type { StoredDatasets } from "../stored-datasets.ts";
import type { BasicMode } from "./basic-mode.ts";
import type { WrittenDatasets } from "./written-datasets.ts";

export const sqlRoutes = (
  config: Pick<Config, "sqlMode">,
  stored: StoredDatasets,
  written: WrittenDatasets,
  modes: BasicMode,
) => [
  route(api.checkDatasetSql, async (ctx, { body: { datasetConfig, datasetId } }) => {
    mustWriteSql(ctx, config);
    if (datasetId) await stored.read(ctx.instanceId, datasetId);
    return written.check(datasetConfig, { instanceId: ctx.instanceId, datasetId, caller: queryCaller(ctx) });
  }),
  route(api.datasetSqlNames, async (ctx, { query: { datasetId } }) => {
    demandSqlMode(config.sqlMode);
    if (datasetId) await stored.read(ctx.instanceId, datasetId);
    return written.names(ctx.instanceId, datasetId);
  }),
  route(api.datasetAsSql, async (ctx, { body: { datasetConfig, datasetId } }) => {
    demandSqlMode(config.sqlMode);
    if (datasetId) await stored.read(ctx.instanceId, datasetId);
    return modes.asSql(ctx.instanceId, datasetConfig, datasetId);
  }),
  route(api.datasetFromSql, async (ctx, { body: { datasetConfig, datasetId } }) => {
    demandSqlMode(config.sqlMode);
    if (datasetId) await stored.read(ctx.instanceId, datasetId);
    return modes.asBasic(ctx.instanceId, datasetConfig, datasetId);
  }),
];
