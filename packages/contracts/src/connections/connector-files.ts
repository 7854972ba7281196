/** Files that people upload for a files synapse: endpoints, and what is shown of a file before it is used. */
import { z } from "zod";
import { DataType } from "../data/values.ts";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { upload } from "../upload.ts";
import { FileSettings, PartialFileSettings } from "./file-settings.ts";

/** Bytes of each piece of a file but the last. */
export const FILE_PIECE_BYTES = 1_000_000;
/** Rows of a preview. */
export const FILE_PREVIEW_ROWS = 10;
/** Endings of the files that are read. */
export const FILE_ENDINGS = ["csv", "tsv", "jsonl", "ndjson", "xlsx"] as const;

/** RECEIVING: pieces are missing; RECEIVED: waits to be looked at and saved; READY: is read. */
export const FILE_STATES = ["RECEIVING", "RECEIVED", "READY"] as const;

export const ConnectorFile = z.strictObject({
  id: id("connectorFile"),
  name: z.string(),
  state: z.enum(FILE_STATES),
  size: z.int(),
  /** Bytes that have arrived. */
  received: z.int(),
  /** null until somebody has looked at it. */
  rows: z.int().nullable(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  /** When what is not saved by then is deleted; null for what is. */
  expiresAt: z.iso.datetime().nullable(),
});
export type ConnectorFile = z.output<typeof ConnectorFile>;

export const BegunUpload = z.strictObject({
  ...ConnectorFile.shape,
  /**
   * Of the pieces that have arrived: the SHA-256 of theirs, one behind the other, in hexadecimal digits; null for none.
   * Whoever holds another file sends it from its first piece on, and is refused at the first that differs.
   */
  arrived: z.string().nullable(),
});
export type BegunUpload = z.output<typeof BegunUpload>;

/** What one instance may store. */
export const UploadLimits = z.strictObject({ fileBytes: z.int(), files: z.int(), totalBytes: z.int() });
export type UploadLimits = z.output<typeof UploadLimits>;

export const FileTablePreview = z.strictObject({
  /** The entity that the table is. */
  entity: z.string(),
  sheet: z.string().nullable(),
  format: z.enum(["csv", "jsonl", "xlsx"]),
  /** What was chosen, and what is proposed for the rest. */
  settings: FileSettings,
  /** What can be read in two ways and was not said: by whoever uploads, not by us. */
  questions: z.array(
    z.strictObject({ setting: z.enum(["dates", "numbers"]), column: z.string(), example: z.string() }),
  ),
  columns: z.array(z.strictObject({ name: z.string(), dataType: DataType })),
  /** The first rows as they stand, and as they are read; null where a value can't be. */
  rows: z.array(z.array(z.strictObject({ written: z.string(), read: z.string().nullable() }))),
  rowCount: z.int(),
  /** Counted to the end of the file; false where that took too long. */
  isComplete: z.boolean(),
  /** Columns that may identify a row, with what speaks against them. */
  ids: z.array(z.strictObject({ column: z.string(), doubled: z.int(), empty: z.int() })),
  unreadable: z.strictObject({
    count: z.int(),
    first: z.array(z.strictObject({ place: z.string(), message: z.string() })),
  }),
  /** Columns that the version in use has and this one has not. */
  missingColumns: z.array(z.string()),
  /** Rows against the version in use, by id; null where there is none, or comparing took too long. */
  changes: z.strictObject({ added: z.int(), changed: z.int(), gone: z.int() }).nullable(),
});
export type FileTablePreview = z.output<typeof FileTablePreview>;

const at = z.strictObject({ connectorId: id("connector") });
const fileAt = z.strictObject({ connectorId: id("connector"), fileId: id("connectorFile") });
/** By entity. */
const chosen = z.record(z.string().max(200), PartialFileSettings).default({});
const settings = z.record(z.string().max(200), FileSettings);

export const listConnectorFiles = endpoint({
  name: "listConnectorFiles",
  method: "GET",
  path: "/connectors/:connectorId/files",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "The uploaded files of a synapse, unfinished ones among them, and what the instance may store.",
  params: at,
  reply: z.strictObject({
    files: z.array(ConnectorFile),
    limits: UploadLimits,
    used: z.strictObject({ files: z.int(), bytes: z.int() }),
  }),
});

export const beginFileUpload = endpoint({
  name: "beginFileUpload",
  method: "POST",
  path: "/connectors/:connectorId/files",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Makes room for a file. One that the same person began to upload and did not finish goes on where it was.",
  params: at,
  body: z.strictObject({
    name: z.string().trim().min(1, "is required").max(200),
    size: z.int().min(1, "the file is empty"),
    /** Distinguishes this file from another one of the same name and size: the browser's time of change. */
    fingerprint: z.string().max(200),
  }),
  reply: BegunUpload,
  errors: ["validation_failed", "too_many_files"],
});

export const sendFilePiece = endpoint({
  name: "sendFilePiece",
  method: "PUT",
  path: "/connectors/:connectorId/files/:fileId/pieces/:number",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary:
    "Stores the next piece of a file. A piece that is there already is taken for a repetition if it is the same.",
  params: z.strictObject({ ...fileAt.shape, number: z.coerce.number().int().min(0).max(100_000) }),
  bodyKind: "multipart",
  body: z.strictObject({ piece: upload() }),
  reply: ConnectorFile,
  errors: ["invalid_state", "validation_failed"],
});

export const previewConnectorFile = endpoint({
  name: "previewConnectorFile",
  method: "POST",
  path: "/connectors/:connectorId/files/:fileId/preview",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Looks at a whole file: how it seems to be written, what has to be asked, its first rows, what is wrong.",
  params: fileAt,
  body: z.strictObject({ chosen }),
  reply: z.strictObject({ tables: z.array(FileTablePreview) }),
  errors: ["invalid_state", "file_unreadable"],
});

export const saveConnectorFile = endpoint({
  name: "saveConnectorFile",
  method: "POST",
  path: "/connectors/:connectorId/files/:fileId/save",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Uses a file as it was looked at. A file of the same name is replaced, and read as changes.",
  params: fileAt,
  body: z.strictObject({ settings }),
  reply: ConnectorFile,
  errors: ["invalid_state", "validation_failed"],
});

export const deleteConnectorFile = endpoint({
  name: "deleteConnectorFile",
  method: "DELETE",
  path: "/connectors/:connectorId/files/:fileId",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Deletes a file, or gives up its upload. Records that were read from it stay.",
  params: fileAt,
  reply: z.strictObject({}),
});
