/** Use cases of exports: start, list, cancel, delete and download one's own. */
import { Readable } from "node:stream";
import type { Id } from "@accord/contracts";
import { type DatasetExport, EXPORT_LIMITS, type ExportFormat } from "@accord/contracts/insights/dataset-exports";
import type { VariableValues } from "@accord/contracts/insights/variables";
import type { Ctx } from "../../../../platform/ctx.ts";
import type { Deps } from "../../../../platform/deps.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import { Download } from "../../../../platform/http/download.ts";
import type { AuditLog } from "../../../operations/audit/index.ts";
import { authorName } from "../../author.ts";
import type { StoredDatasets } from "../stored-datasets.ts";
import type { CompileExport } from "./compile-export.ts";
import { expiryFrom } from "./export-runner.ts";
import * as store from "./exports.store.ts";

type ExportId = Id<"datasetExport">;

export interface ExportsParts {
  deps: Pick<Deps, "appDb" | "clock" | "newId">;
  stored: StoredDatasets;
  compile: CompileExport;
  audit: AuditLog;
  /** Has a worker look for exports of the instance. */
  wake(instanceId: Id<"instance">): Promise<void>;
}

const CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  CSV: "text/csv; charset=utf-8",
  XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};
const MAX_NAME = 80;

export function exportsService({ deps, stored, compile, audit, wake }: ExportsParts) {
  const { appDb, clock } = deps;
  const ownerOf = (ctx: Ctx): store.Owner => ({ userId: ctx.actor.userId, now: clock.now().toISOString() });

  async function get(ctx: Ctx, id: ExportId): Promise<DatasetExport> {
    const found = await store.findExport(appDb, ctx.instanceId, { ...ownerOf(ctx), id });
    if (!found) throw new AppError("not_found", { what: "Export" });
    return found;
  }

  return {
    get,

    async create(
      ctx: Ctx,
      datasetId: Id<"dataset">,
      { format, variablesMap }: { format: ExportFormat; variablesMap: VariableValues },
    ): Promise<DatasetExport> {
      const { instanceId } = ctx;
      // What can't run is refused now, not by a failed export.
      const { dataset } = await compile(instanceId, datasetId, variablesMap);
      const { stored: count, bytes } = await store.readUsage(appDb, instanceId);
      if (count >= EXPORT_LIMITS.stored || bytes >= EXPORT_LIMITS.storedBytes) throw new AppError("too_many_exports");
      const id = deps.newId<"datasetExport">();
      const owner = ownerOf(ctx);
      await store.insertExport(appDb, instanceId, {
        ...{ id, datasetId, format, variablesMap, ...owner },
        fileName: fileNameOf(dataset.displayName, owner.now, format),
        createdBy: authorName(ctx),
        expiresAt: expiryFrom(clock),
      });
      await audit.record(
        ctx,
        "createDatasetExport",
        { kind: "dataset", id: datasetId, name: dataset.displayName },
        { exportId: id, format },
      );
      await wake(instanceId);
      return get(ctx, id);
    },

    async list(ctx: Ctx, datasetId: Id<"dataset">): Promise<{ exports: DatasetExport[] }> {
      await stored.read(ctx.instanceId, datasetId);
      return { exports: await store.readExports(appDb, ctx.instanceId, { ...ownerOf(ctx), datasetId }) };
    },

    async cancel(ctx: Ctx, id: ExportId): Promise<DatasetExport> {
      const { userId } = ctx.actor;
      await get(ctx, id);
      if (!(await store.cancelExport(appDb, ctx.instanceId, { id, userId, expiresAt: expiryFrom(clock) })))
        throw new AppError("invalid_state", { reason: "This export has ended already." });
      return get(ctx, id);
    },

    async remove(ctx: Ctx, id: ExportId): Promise<void> {
      const isDeleted = await store.deleteExport(appDb, ctx.instanceId, { id, userId: ctx.actor.userId });
      if (!isDeleted) throw new AppError("not_found", { what: "Export" });
    },

    async download(ctx: Ctx, id: ExportId): Promise<Download> {
      const found = await get(ctx, id);
      if (found.status !== "COMPLETED")
        throw new AppError("invalid_state", { reason: "This export has no file: only a completed one has." });
      const { fileName, format, bytes, datasetId } = found;
      await audit.record(
        ctx,
        "downloadDatasetExport",
        { kind: "dataset", id: datasetId, name: fileName },
        { exportId: id },
      );
      const chunks = async function* (): AsyncGenerator<Buffer> {
        let sent = 0;
        for (let number = 0; sent < bytes; number += 1) {
          const chunk = await store.readChunk(appDb, ctx.instanceId, id, number);
          // Deleted meanwhile: the download fails, rather than be cut.
          if (!chunk) throw new Error("the file of the export is gone");
          sent += chunk.length;
          yield chunk;
        }
      };
      return new Download({ fileName, contentType: CONTENT_TYPES[format], content: Readable.from(chunks()) });
    },
  };
}

/** `Deals by month 2026-11-21 0915 UTC.csv`, of characters that every system takes. */
function fileNameOf(displayName: string, now: string, format: ExportFormat): string {
  const words = displayName
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim()
    .slice(0, MAX_NAME)
    .trim();
  const time = `${now.slice(0, 10)} ${now.slice(11, 13)}${now.slice(14, 16)} UTC`;
  return `${words || "Dataset"} ${time}.${format.toLowerCase()}`;
}
