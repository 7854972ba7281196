/** Uploaded files: their endpoints, and the job that deletes abandoned ones. */
import * as api from "@accord/contracts/connections/connector-files";
import { z } from "zod";
import { defineJob } from "../../../../platform/jobs/jobs.ts";
import { route, type Route } from "../../../../platform/module.ts";
import type { FilesUseCases } from "./files.service.ts";

export { configureFiles } from "./configure-files.ts";
export { filesService } from "./files.service.ts";
export { deleteFilesOf } from "./files.store.ts";
export { uploadedFiles } from "./stored-file.ts";

export const tidyFilesJob = defineJob({ name: "connectors.files.tidy", data: z.strictObject({}), retries: 0 });

export const fileRoutes = (service: FilesUseCases): Route[] => [
  route(api.listConnectorFiles, ({ instanceId }, { params }) => service.list(instanceId, params.connectorId)),
  route(api.beginFileUpload, (ctx, { params, body }) => service.begin(ctx, params.connectorId, body)),
  route(api.sendFilePiece, ({ instanceId }, { params: { connectorId, fileId, number }, body }) =>
    service.take({ instanceId, connectorId, id: fileId }, number, body.piece),
  ),
  route(api.previewConnectorFile, ({ instanceId, exchange }, { params: { connectorId, fileId }, body }) =>
    service.preview({ instanceId, connectorId, id: fileId }, body.chosen, exchange.signal),
  ),
  route(api.saveConnectorFile, ({ instanceId }, { params: { connectorId, fileId }, body }) =>
    service.save({ instanceId, connectorId, id: fileId }, body.settings),
  ),
  route(api.deleteConnectorFile, async ({ instanceId }, { params: { connectorId, fileId } }) => {
    await service.remove({ instanceId, connectorId, id: fileId });
    return {};
  }),
];
