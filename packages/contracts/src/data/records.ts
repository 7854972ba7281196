/** Data studio: pages of records, one record with its outside ids and history, edits, deletes and counts. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { event } from "../event.ts";
import { id } from "../ids.ts";
import { cursorQuery, PageInfo } from "../paging.ts";
import { CoreField } from "./entities.ts";
import { Value, Values } from "./values.ts";

const EntityPath = z.strictObject({ entityId: id("entity") });
const RecordPath = z.strictObject({ entityId: id("entity"), recordId: id("record") });

/** Most records one call deletes. */
export const BULK_DELETE_LIMIT = 500;
/** Columns shown until somebody chooses: the first fields. */
export const DEFAULT_COLUMN_COUNT = 8;
/** What stands for a stored password in `values`; sent back unchanged it changes nothing. */
export const PASSWORD_MASK = "••••••••";
/** Beside the fields, a list can be sorted by these. */
export const SYSTEM_SORTS = ["accord_id", "accord_created_at", "accord_updated_at"] as const;
export const DEFAULT_SORT = "-accord_id";

export const Record = z.strictObject({
  accordId: id("record"),
  /** By field api name, and `isDeleted`. */
  values: Values,
  deleted: z.boolean(),
  /** Grows with every change; sent back on an edit. */
  version: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Record = z.output<typeof Record>;

export const RecordMetadata = z.strictObject({
  fields: z.array(CoreField),
  /** Api names of the columns this user shows, in order. */
  selectedColumns: z.array(z.string()),
  /** Names of the records that reference fields on this page point to, by record id. */
  references: z.record(z.string(), z.strictObject({ entityId: id("entity"), name: z.string() })),
});
export type RecordMetadata = z.output<typeof RecordMetadata>;

/** What a list of records shows, in which order, from where on. */
export const RecordListQuery = cursorQuery({ count: 100, max: 500 }).extend({
  /** A field's api name or one of the system sorts; `-` before it turns the order round. */
  sort: z.string().max(60).default(DEFAULT_SORT),
  /** Words that must all occur in the record's texts. */
  search: z.string().trim().max(200).default(""),
  deleted: z.enum(["hide", "show", "only"]).default("hide"),
});
export type RecordListQuery = z.output<typeof RecordListQuery>;

export const RecordPage = z.strictObject({
  records: z.array(Record),
  pageInfo: PageInfo,
  metadata: RecordMetadata,
});
export type RecordPage = z.output<typeof RecordPage>;

/** JSON of a predicate tree, as text. Empty: no condition. */
const PredicateText = z.string().max(200_000);

export const listRecords = endpoint({
  name: "listRecords",
  method: "GET",
  path: "/entities/:entityId/records",
  access: "READ_DATA_STUDIO",
  scope: "instance",
  summary: "A page of an entity's records.",
  params: EntityPath,
  query: RecordListQuery,
  reply: RecordPage,
});

export const searchRecords = endpoint({
  name: "searchRecords",
  method: "POST",
  path: "/entities/:entityId/records",
  access: "READ_DATA_STUDIO",
  scope: "instance",
  summary: "A page of the records a predicate holds for; the predicate is JSON sent as plain text.",
  params: EntityPath,
  query: RecordListQuery,
  bodyKind: "text",
  body: PredicateText,
  reply: RecordPage,
});

/** `exact`; `estimated` from the database's statistics; `atLeast` when counting on would take long. */
export const RecordCount = z.strictObject({
  count: z.int().nonnegative(),
  precision: z.enum(["exact", "estimated", "atLeast"]),
});
export type RecordCount = z.output<typeof RecordCount>;

export const countRecords = endpoint({
  name: "countRecords",
  method: "POST",
  path: "/entities/:entityId/records/count",
  access: "READ_DATA_STUDIO",
  scope: "instance",
  summary: "How many records a predicate holds for, and how sure the number is.",
  params: EntityPath,
  query: RecordListQuery.pick({ search: true, deleted: true }),
  bodyKind: "text",
  body: PredicateText,
  reply: RecordCount,
});

const EntityTotals = z.strictObject({ active: RecordCount, deleted: RecordCount });

export const getRecordCounts = endpoint({
  name: "getRecordCounts",
  method: "GET",
  path: "/record-counts",
  access: "READ_DATA_STUDIO",
  scope: "instance",
  summary: "Record counts by entity api name, with the totals of active and deleted records.",
  query: z.strictObject({
    /** Separated by commas; all published entities when absent. */
    entityApiNames: z.string().max(10_000).optional(),
  }),
  reply: z.strictObject({
    countMap: z.record(z.string(), EntityTotals.extend({ updatedAt: z.iso.datetime().nullable() })),
    totals: EntityTotals,
  }),
});

/** One of the outside records a record stands for. */
export const ExternalId = z.strictObject({
  connectorId: id("connector"),
  connectorName: z.string(),
  icon: z.string(),
  backgroundColor: z.string(),
  connectorEntity: z.string(),
  externalId: z.string(),
  lastSeenAt: z.iso.datetime().nullable(),
  lastWrittenAt: z.iso.datetime().nullable(),
  /** `dead`: gone over there. */
  state: z.enum(["live", "dead"]),
});
export type ExternalId = z.output<typeof ExternalId>;

export const getRecord = endpoint({
  name: "getRecord",
  method: "GET",
  path: "/entities/:entityId/records/:recordId",
  access: "READ_DATA_STUDIO",
  scope: "instance",
  summary: "One record with the outside records it stands for.",
  params: RecordPath,
  reply: z.strictObject({ record: Record, metadata: RecordMetadata, externalIds: z.array(ExternalId) }),
});

/** Why a field's value was refused, by field api name. */
export const FieldErrors = z.record(z.string(), z.string());
export type FieldErrors = z.output<typeof FieldErrors>;

/** Either the stored record, or what is wrong with which field; then nothing was stored. */
export const RecordOrErrors = z.strictObject({ record: Record.nullable(), errors: FieldErrors });
export type RecordOrErrors = z.output<typeof RecordOrErrors>;

export const createRecord = endpoint({
  name: "createRecord",
  method: "POST",
  path: "/entities/:entityId/records/create",
  access: "WRITE_DATA_STUDIO",
  scope: "instance",
  creates: true,
  summary: "Makes a record, which then travels to the connected systems as any change does.",
  params: EntityPath,
  body: z.strictObject({ values: Values }),
  reply: RecordOrErrors,
});

export const saveRecord = endpoint({
  name: "saveRecord",
  method: "PUT",
  path: "/entities/:entityId/records/:recordId",
  access: "WRITE_DATA_STUDIO",
  scope: "instance",
  summary: "Changes the fields sent and leaves the others; the change travels to the connected systems.",
  params: RecordPath,
  body: z.strictObject({ values: Values, version: z.int() }),
  reply: RecordOrErrors,
  errors: ["stale_version", "record_deleted"],
});

/** Query flags are texts. */
const Flag = z.stringbool().default(false);

export const deleteRecord = endpoint({
  name: "deleteRecord",
  method: "DELETE",
  path: "/entities/:entityId/records/:recordId",
  access: "WRITE_DATA_STUDIO",
  scope: "instance",
  summary:
    "Deletes a record: with its outside records it stays, marked deleted; without them it leaves the list for good.",
  params: RecordPath,
  query: z.strictObject({ deleteInEndSystems: Flag }),
  reply: z.strictObject({ record: Record.nullable() }),
});

export const deleteRecords = endpoint({
  name: "deleteRecords",
  method: "POST",
  path: "/entities/:entityId/records/delete",
  access: "WRITE_DATA_STUDIO",
  scope: "instance",
  summary: "Deletes up to 500 records at once.",
  params: EntityPath,
  body: z.strictObject({
    recordIds: z.array(id("record")).min(1).max(BULK_DELETE_LIMIT),
    deleteInEndSystems: z.boolean().default(false),
  }),
  reply: z.strictObject({ deleted: z.int() }),
});

export const restoreRecord = endpoint({
  name: "restoreRecord",
  method: "POST",
  path: "/entities/:entityId/records/:recordId/restore",
  access: "WRITE_DATA_STUDIO",
  scope: "instance",
  summary: "Takes back the deletion of a record that is still kept.",
  params: RecordPath,
  body: z.strictObject({}),
  reply: z.strictObject({ record: Record }),
});

/** Who or what made a change. */
export const LineageActor = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("user"), userId: z.string(), name: z.string() }),
  z.strictObject({
    kind: z.literal("source"),
    connectorId: z.string(),
    connectorName: z.string(),
    icon: z.string(),
    backgroundColor: z.string(),
    connectorEntity: z.string(),
    externalId: z.string().nullable(),
  }),
  z.strictObject({ kind: z.literal("system") }),
]);
export type LineageActor = z.output<typeof LineageActor>;

/** One entry of a record's history. */
export const LineageEntry = z.strictObject({
  id: z.string(),
  at: z.iso.datetime(),
  operation: z.string(),
  actor: LineageActor,
  /** Where the record was written to; null for what is no write. */
  writtenTo: LineageActor.options[1].nullable(),
  pipelineVersion: z.int().nullable(),
  changes: z.array(z.strictObject({ field: z.string(), from: Value, to: Value })),
  /** Values that arrived but did not win, with the reason's code. */
  refused: z.array(z.strictObject({ field: z.string(), value: Value, reason: z.string() })),
});
export type LineageEntry = z.output<typeof LineageEntry>;

export const getRecordLineage = endpoint({
  name: "getRecordLineage",
  method: "GET",
  path: "/entities/:entityId/records/:recordId/lineage",
  access: "READ_DATA_STUDIO",
  scope: "instance",
  summary: "What happened to a record, the newest first; of one field when named.",
  params: RecordPath,
  query: z.strictObject({
    field: z.string().max(60).optional(),
    cursor: z.string().max(500).optional(),
    count: z.coerce.number().int().min(1).max(200).default(50),
  }),
  reply: z.strictObject({ entries: z.array(LineageEntry), nextCursor: z.string().nullable() }),
});

export const saveRecordColumns = endpoint({
  name: "saveRecordColumns",
  method: "PUT",
  path: "/entities/:entityId/record-columns",
  access: "READ_DATA_STUDIO",
  scope: "instance",
  summary: "Keeps the columns this user shows in an entity's list of records.",
  params: EntityPath,
  body: z.strictObject({ columns: z.array(z.string().max(60)).min(1).max(200) }),
  reply: z.strictObject({ selectedColumns: z.array(z.string()) }),
});

/** Records of an entity were changed, by a cycle or by hand. Sent after commit, at most a few times a second. */
export const recordsChanged = event({
  name: "recordsChanged",
  channel: "instance",
  access: "READ_DATA_STUDIO",
  payload: z.strictObject({ entityId: id("entity"), count: z.int().nonnegative() }),
});
