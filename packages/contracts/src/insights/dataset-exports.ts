/** Exports of datasets: all rows as a file, made in the background, kept for a day. Everybody sees their own. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { VariableValues } from "./variables.ts";

export const EXPORT_LIMITS = {
  /** Rows below the header of an Excel sheet, which has 1,048,576. */
  xlsxRows: 1_048_575,
  /** Characters of a cell of an Excel sheet. */
  xlsxCell: 32_767,
  /** Rows of a CSV file. */
  csvRows: 20_000_000,
  /** Of one file. */
  bytes: 500_000_000,
  /** Longest an export may take. */
  ms: 600_000,
  /** Of one dataset, in its list. */
  listed: 50,
  /** Of an instance, whoever made them. */
  stored: 100,
  /** Of all files of an instance; a running export may go over it. */
  storedBytes: 2_000_000_000,
  /** For how long a file is kept after its export has ended. */
  keptMs: 86_400_000,
} as const;

export const ExportFormat = z.enum(["CSV", "XLSX"]);
export type ExportFormat = z.infer<typeof ExportFormat>;

export const ExportStatus = z.enum(["QUEUED", "RUNNING", "COMPLETED", "FAILED", "CANCELED"]);
export type ExportStatus = z.infer<typeof ExportStatus>;

export const DatasetExport = z.strictObject({
  id: id("datasetExport"),
  datasetId: id("dataset"),
  format: ExportFormat,
  status: ExportStatus,
  fileName: z.string(),
  /** The values that it was started with, to start another one alike. */
  variablesMap: VariableValues,
  /** So far; all of them once it is completed. */
  rows: z.int().nonnegative(),
  /** Null until they are counted, and where counting would take too long. */
  totalRows: z.int().nonnegative().nullable(),
  /** Of the file, so far. */
  bytes: z.int().nonnegative(),
  /** Why it failed, and what to do. */
  error: z.string().nullable(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  /** When it is deleted by itself. */
  expiresAt: z.iso.datetime(),
});
export type DatasetExport = z.infer<typeof DatasetExport>;

const ofExport = z.strictObject({ exportId: id("datasetExport") });

export const createDatasetExport = endpoint({
  name: "createDatasetExport",
  method: "POST",
  path: "/datasets/:id/exports",
  access: "EXPORT_DATASET",
  alsoNeeds: "PREVIEW_DATACARD",
  scope: "instance",
  summary:
    "Starts an export of all rows of a saved dataset. Exports of an instance run one after the other; their times are in UTC.",
  creates: true,
  params: z.strictObject({ id: id("dataset") }),
  body: z.strictObject({ format: ExportFormat, variablesMap: VariableValues.default({}) }),
  reply: DatasetExport,
  errors: ["dataset_invalid", "too_many_exports"],
});

export const listDatasetExports = endpoint({
  name: "listDatasetExports",
  method: "GET",
  path: "/datasets/:id/exports",
  access: "VIEW_EXPORT_JOBS",
  scope: "instance",
  summary: "The caller's newest exports of a dataset.",
  params: z.strictObject({ id: id("dataset") }),
  reply: z.strictObject({ exports: z.array(DatasetExport) }),
});

export const getDatasetExport = endpoint({
  name: "getDatasetExport",
  method: "GET",
  path: "/dataset-exports/:exportId",
  access: "VIEW_EXPORT_JOBS",
  scope: "instance",
  summary: "One of the caller's exports.",
  params: ofExport,
  reply: DatasetExport,
});

export const cancelDatasetExport = endpoint({
  name: "cancelDatasetExport",
  method: "POST",
  path: "/dataset-exports/:exportId/cancel",
  access: "CANCEL_EXPORT",
  scope: "instance",
  summary: "Cancels one of the caller's exports that waits or runs; its query stops.",
  params: ofExport,
  reply: DatasetExport,
  errors: ["invalid_state"],
});

export const deleteDatasetExport = endpoint({
  name: "deleteDatasetExport",
  method: "DELETE",
  path: "/dataset-exports/:exportId",
  access: "DELETE_EXPORT",
  scope: "instance",
  summary: "Deletes one of the caller's exports and its file; one that runs is stopped.",
  params: ofExport,
  reply: z.strictObject({}),
});

export const downloadDatasetExport = endpoint({
  name: "downloadDatasetExport",
  method: "GET",
  path: "/dataset-exports/:exportId/file",
  access: "DOWNLOAD_EXPORT",
  scope: "instance",
  summary: "The file of one of the caller's completed exports.",
  params: ofExport,
  reply: z.string(),
  errors: ["invalid_state"],
});
