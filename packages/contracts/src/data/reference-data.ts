/** Reference data: lookup lists from CSV files, and the standard ones that come with the product. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { upload } from "../upload.ts";

/** Most rows of one list, and most rows that a preview shows. */
export const REFERENCE_ROWS = 1_000_000;
export const PREVIEW_ROWS = 50;

export const ReferenceList = z.strictObject({
  id: id("referenceList"),
  name: z.string(),
  fileName: z.string(),
  /** A deactivated list is not offered any more; what uses it already goes on. */
  status: z.enum(["ACTIVE", "DEACTIVATED"]),
  /** Comes with the product: can't be changed or deleted. */
  standard: z.boolean(),
  columns: z.array(z.string()),
  totalRecords: z.int(),
  lastImported: z.iso.datetime().nullable(),
  /** Names of the pipelines that look something up in it. */
  usedInPipelines: z.array(z.string()),
  /** Sent back on a change. */
  version: z.int(),
});
export type ReferenceList = z.output<typeof ReferenceList>;

const ListPath = z.strictObject({ listId: id("referenceList") });
const Name = z.string().trim().min(1, "is required").max(120);

export const listReferenceData = endpoint({
  name: "listReferenceData",
  method: "GET",
  path: "/reference-data",
  access: "READ_REFERENCE_DATA",
  scope: "instance",
  summary: "Every list by name, the standard ones last.",
  reply: z.strictObject({ lists: z.array(ReferenceList) }),
});

export const getReferenceData = endpoint({
  name: "getReferenceData",
  method: "GET",
  path: "/reference-data/:listId",
  access: "READ_REFERENCE_DATA",
  scope: "instance",
  summary: "One list, without its rows.",
  params: ListPath,
  reply: ReferenceList,
});

export const previewReferenceData = endpoint({
  name: "previewReferenceData",
  method: "GET",
  path: "/reference-data/:listId/preview",
  access: "READ_REFERENCE_DATA",
  scope: "instance",
  summary: "The first rows of a list.",
  params: ListPath,
  query: z.strictObject({ numberOfRows: z.coerce.number().int().min(1).max(PREVIEW_ROWS).default(PREVIEW_ROWS) }),
  reply: z.strictObject({ headerColumns: z.array(z.string()), rows: z.array(z.array(z.string())) }),
});

export const createReferenceData = endpoint({
  name: "createReferenceData",
  method: "POST",
  path: "/reference-data",
  access: "WRITE_REFERENCE_DATA",
  scope: "instance",
  creates: true,
  summary:
    "Uploads a CSV file with a header row as a new list. Wrong rows are named by their line, and nothing is kept.",
  bodyKind: "multipart",
  body: z.strictObject({ name: Name, csvFile: upload() }),
  reply: ReferenceList,
  errors: ["name_taken"],
});

export const saveReferenceData = endpoint({
  name: "saveReferenceData",
  method: "PUT",
  path: "/reference-data/:listId",
  access: "WRITE_REFERENCE_DATA",
  scope: "instance",
  summary: "Renames a list; with a file, also replaces all its rows at once.",
  params: ListPath,
  bodyKind: "multipart",
  body: z.strictObject({ name: Name, version: z.coerce.number().int(), csvFile: upload().optional() }),
  reply: ReferenceList,
  errors: ["name_taken", "stale_version", "invalid_state"],
});

export const deleteReferenceData = endpoint({
  name: "deleteReferenceData",
  method: "DELETE",
  path: "/reference-data/:listId",
  access: "WRITE_REFERENCE_DATA",
  scope: "instance",
  summary: "Deletes a list that no pipeline uses.",
  params: ListPath,
  reply: z.strictObject({}),
  errors: ["in_use", "invalid_state"],
});

export const activateReferenceData = endpoint({
  name: "activateReferenceData",
  method: "POST",
  path: "/reference-data/:listId/activate",
  access: "WRITE_REFERENCE_DATA",
  scope: "instance",
  summary: "Offers a list to pipelines again.",
  params: ListPath,
  reply: ReferenceList,
  errors: ["invalid_state"],
});

export const deactivateReferenceData = endpoint({
  name: "deactivateReferenceData",
  method: "POST",
  path: "/reference-data/:listId/deactivate",
  access: "WRITE_REFERENCE_DATA",
  scope: "instance",
  summary: "Offers a list to pipelines no longer. What uses it already goes on.",
  params: ListPath,
  reply: ReferenceList,
  errors: ["invalid_state"],
});
