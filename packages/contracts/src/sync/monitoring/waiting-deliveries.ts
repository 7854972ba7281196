/** Records that destinations still have to be sent, one by one: what "to send" counts. */
import { z } from "zod";
import { endpoint } from "../../endpoint.ts";
import { id } from "../../ids.ts";
import { cursorQuery, PageInfo } from "../../paging.ts";
import { LowerBound } from "./health.ts";

/**
 * `pause`: the pipeline is paused · `system`: the destination fails, or asked for time · `quarantine`: the record there is
 * in quarantine as it was read · `answer`: the last attempt has no answer, and is not repeated before its effect would
 * show · `retry`: tried again after a while · `cycle`: sent by the cycle under way or the next.
 */
export const WAITING_FOR = ["pause", "system", "quarantine", "answer", "retry", "cycle"] as const;

export const WaitingDelivery = z.strictObject({
  recordId: id("record"),
  /** What people call it; null where it has no name, or is deleted. */
  recordName: z.string().nullable(),
  /** Its record there; null while it has none. */
  externalId: z.string().nullable(),
  /** Destination; null where the published graph has none at this place any more. */
  nodeId: z.string().nullable(),
  connectorId: z.string(),
  connectorEntity: z.string(),
  /** Null for what an older version enqueued. */
  since: z.iso.datetime().nullable(),
  attempts: z.int().nonnegative(),
  /** Null while it is due, and where no cycle begins by itself. */
  nextTryAt: z.iso.datetime().nullable(),
  waitsFor: z.enum(WAITING_FOR),
  /** It is sent without references whose targets are not known there yet, and again with them. */
  lacksReference: z.boolean(),
  /** What the system answered last. */
  lastError: z.string().nullable(),
});
export type WaitingDelivery = z.output<typeof WaitingDelivery>;

export const WaitingDestination = z.strictObject({
  nodeId: z.string().nullable(),
  /** As people call the node; null where there is none. */
  name: z.string().nullable(),
  connectorId: z.string(),
  connectorEntity: z.string(),
  /** As health counts them. */
  count: z.int().nonnegative(),
  isLowerBound: LowerBound,
});
export type WaitingDestination = z.output<typeof WaitingDestination>;

export const listWaitingDeliveries = endpoint({
  name: "listWaitingDeliveries",
  method: "GET",
  path: "/pipelines/:entityId/waiting-deliveries",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Records that destinations still have to be sent, what is due first first, with what each waits for.",
  params: z.strictObject({ entityId: id("entity") }),
  query: cursorQuery({ count: 50, max: 200 }).extend({ nodeId: z.string().max(64).optional() }),
  reply: z.strictObject({
    deliveries: z.array(WaitingDelivery),
    /** All at which something waits, whatever the list is narrowed to, and the one that it is narrowed to. */
    destinations: z.array(WaitingDestination),
    page: PageInfo,
  }),
});
