/** Records in quarantine: of one pipeline and of all, by cause, tried again and let go. */
import { z } from "zod";
import { Value } from "../../data/values.ts";
import { endpoint } from "../../endpoint.ts";
import { id } from "../../ids.ts";
import { cursorQuery, PageInfo } from "../../paging.ts";

const entityParams = z.strictObject({ entityId: id("entity") });

export const QuarantineEntry = z.strictObject({
  id: id("quarantine"),
  entityId: id("entity"),
  at: z.iso.datetime(),
  direction: z.enum(["source", "destination"]),
  status: z.enum(["OPEN", "RETRYING", "RESOLVED"]),
  connectorId: z.string(),
  connectorEntity: z.string(),
  externalId: z.string().nullable(),
  recordId: id("record").nullable(),
  /** What people call the record; null where nothing is known of it, or its name is secret. */
  recordName: z.string().nullable(),
  nodeId: z.string().nullable(),
  code: z.string(),
  message: z.string(),
  attempts: z.int().nonnegative(),
  /** Who let it go; null when nobody did. */
  dismissedBy: z.string().nullable(),
  dismissedAt: z.iso.datetime().nullable(),
  payload: z.record(z.string(), Value).nullable(),
});
export type QuarantineEntry = z.output<typeof QuarantineEntry>;

/** Of whichever pipeline, without the values: the list shows none. */
export const SyncError = QuarantineEntry.omit({ payload: true }).extend({
  /** False: nothing is tried until its pipeline is published again, though the entry can be let go. */
  isPublished: z.boolean(),
});
export type SyncError = z.output<typeof SyncError>;

/** Entries that failed for the same reason at the same node. */
export const QuarantineCause = z.strictObject({
  code: z.string(),
  nodeId: z.string().nullable(),
  direction: z.enum(["source", "destination"]),
  /** The reason of one of them. */
  message: z.string(),
  /** Exact up to `COUNTED_UP_TO`. */
  count: z.int().positive(),
});
export type QuarantineCause = z.output<typeof QuarantineCause>;

/** What entries have in common: reason, node, side, record, and words in message, ids or values. */
export const QuarantineFilter = z.strictObject({
  recordId: id("record").optional(),
  code: z.string().max(100).optional(),
  nodeId: z.string().max(64).optional(),
  side: z.enum(["source", "destination"]).optional(),
  search: z.string().max(200).optional(),
});
export type QuarantineFilter = z.output<typeof QuarantineFilter>;

/** Chosen entries, or all that the filter holds for; all open ones when neither is given. */
const QuarantineChoice = z.strictObject({
  ids: z.array(id("quarantine")).max(500).optional(),
  filter: QuarantineFilter.optional(),
});

export const listQuarantine = endpoint({
  name: "listQuarantine",
  method: "GET",
  path: "/pipelines/:entityId/quarantine",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Records that were put aside with their reason, newest first.",
  params: entityParams,
  query: cursorQuery({ count: 100, max: 500 }).extend({
    ...QuarantineFilter.shape,
    /** `UNRESOLVED`: waiting or being tried again, as health counts them. */
    status: z.enum(["OPEN", "RETRYING", "RESOLVED", "UNRESOLVED"]).optional(),
  }),
  reply: z.strictObject({
    entries: z.array(QuarantineEntry),
    open: z.int(),
    /** Of all open entries, whatever the filter, the most frequent first. */
    causes: z.array(QuarantineCause),
    page: PageInfo,
  }),
});

export const listSyncErrors = endpoint({
  name: "listSyncErrors",
  method: "GET",
  path: "/sync-errors",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Records of all pipelines that were quarantined, with their reason, newest first.",
  query: cursorQuery({ count: 50, max: 200 }).extend({
    entityId: id("entity").optional(),
    side: QuarantineFilter.shape.side,
    search: QuarantineFilter.shape.search,
    /** `UNRESOLVED`: waiting or being tried again, as health counts them. */
    status: z.enum(["OPEN", "RETRYING", "RESOLVED", "UNRESOLVED"]).optional(),
  }),
  reply: z.strictObject({ entries: z.array(SyncError), page: PageInfo }),
});

export const replayQuarantine = endpoint({
  name: "replayQuarantine",
  method: "POST",
  path: "/pipelines/:entityId/quarantine/replay",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Tries records in quarantine again: the chosen ones, those of a filter, or all open ones.",
  params: entityParams,
  body: QuarantineChoice,
  reply: z.strictObject({
    replayed: z.int(),
    /** Entries that are over: what stood there is gone, or is read by an id of its own now. */
    cleared: z.int(),
    /** Records that their systems, asked just now, still answer in a form that can't be read. */
    unreadable: z.int(),
  }),
});

export const dismissQuarantine = endpoint({
  name: "dismissQuarantine",
  method: "POST",
  path: "/pipelines/:entityId/quarantine/dismiss",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Lets records in quarantine go: they are tried again only when they change.",
  params: entityParams,
  body: QuarantineChoice,
  reply: z.strictObject({ dismissed: z.int() }),
});
