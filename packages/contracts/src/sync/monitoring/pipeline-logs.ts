/** The log of a pipeline: cycles, their problems, records quarantined, actions, and what passed nodes that are logged. */
import { z } from "zod";
import { endpoint } from "../../endpoint.ts";
import { id } from "../../ids.ts";
import { cursorQuery, PageInfo } from "../../paging.ts";
import { LogKind, LogSeverity } from "./page-filters.ts";
import { GraphVersion } from "../pipelines.ts";
import { Cycle } from "./runs.ts";

const Count = z.int().nonnegative();

export const PipelineLogEntry = z.strictObject({
  /** Entries are in its order; the same as the cursor of a page that begins behind it. */
  id: z.string(),
  timestamp: z.iso.datetime(),
  severity: LogSeverity,
  kind: LogKind,
  nodeId: z.string().nullable(),
  /** The core field it concerns, where it concerns one. */
  targetId: z.string().nullable(),
  /** The cycle that it is of, or during which it happened; null while that runs. */
  cycleId: id("run").nullable(),
  recordId: id("record").nullable(),
  externalId: z.string().nullable(),
  code: z.string().nullable(),
  /** Of a log message its text; blank where a cycle or node has nothing but counts. */
  message: z.string(),
  detail: z.string().nullable(),
  /** Records it happened to. */
  count: Count.nullable(),
  cycle: Cycle.pick({ kind: true, startedAt: true, outcome: true, versionNumber: true })
    .extend({
      /** Of all sources, and of all destinations. */
      read: Count,
      written: Count,
      created: Count,
      updated: Count,
      deleted: Count,
    })
    .nullable(),
  node: z.strictObject({ reached: Count, ended: Count, quarantined: Count }).nullable(),
});
export type PipelineLogEntry = z.output<typeof PipelineLogEntry>;

export const MAX_LOG_PAGE = 200;

/** All that is given has to hold. */
export const PipelineLogFilter = z.strictObject({
  severities: z.array(LogSeverity).max(3).optional(),
  kinds: z.array(LogKind).max(5).optional(),
  nodeId: z.string().max(64).optional(),
  /** Among messages, codes, details and ids, without regard to case. */
  text: z.string().max(200).optional(),
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
});
export type PipelineLogFilter = z.output<typeof PipelineLogFilter>;

export const listPipelineLogs = endpoint({
  name: "listPipelineLogs",
  method: "POST",
  path: "/pipelines/:entityId/logs/:graphVersion",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Entries of a pipeline's log, newest first; of a draft there are none, since it does not run.",
  params: z.strictObject({ entityId: id("entity"), graphVersion: GraphVersion }),
  query: cursorQuery({ count: 50, max: MAX_LOG_PAGE }),
  body: PipelineLogFilter,
  reply: z.strictObject({
    entries: z.array(PipelineLogEntry),
    page: PageInfo,
    /** The search stopped at this time, before a page was full: the next page goes on from there. */
    searchedTo: z.iso.datetime().nullable(),
  }),
});
