/** What flows through a published graph: counts on nodes and edges, and the records behind the count of an edge. */
import { z } from "zod";
import { Value } from "../../data/values.ts";
import { endpoint } from "../../endpoint.ts";
import { event } from "../../event.ts";
import { id } from "../../ids.ts";
import { Cycle } from "./runs.ts";

const CountById = z.record(z.string(), z.int().nonnegative());

/** Of one cycle. What nothing happened at is left out. */
export const PipelineFlowCounts = z.strictObject({
  /** Records read, by source node. */
  read: CountById,
  /** Records created, changed or deleted in the core. */
  changed: z.int().nonnegative(),
  /** Records written, by destination node. */
  written: CountById,
  /** Records that passed, by edge. */
  passed: CountById,
  /** Records that a node let go no further, by node. */
  ended: CountById,
  /** Records quarantined, by node. */
  failed: CountById,
});
export type PipelineFlowCounts = z.output<typeof PipelineFlowCounts>;

export const getPipelineFlow = endpoint({
  name: "getPipelineFlow",
  method: "GET",
  path: "/pipelines/:entityId/flow",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Counts on nodes and edges of the published graph, of its last cycle in which records passed.",
  params: z.strictObject({ entityId: id("entity") }),
  reply: z.strictObject({
    versionNumber: z.int().nonnegative(),
    /** Null where no record has passed since this version was published. */
    cycle: Cycle.pick({ id: true, kind: true, startedAt: true, finishedAt: true, outcome: true })
      .extend({ counts: PipelineFlowCounts })
      .nullable(),
  }),
  errors: ["pipeline_not_published"],
});

/** Sums of a cycle while it runs. Graphs with so many counts that a message can't hold them show those of the last cycle. */
export const flowCounted = event({
  name: "flowCounted",
  channel: "instance",
  access: "READ_STUDIO",
  payload: z.strictObject({
    entityId: id("entity"),
    versionNumber: z.int().nonnegative(),
    counts: PipelineFlowCounts,
  }),
});

const Changes = z.array(z.strictObject({ field: z.string(), from: Value, to: Value }));

/** A record that takes an edge. */
export const EdgeRecord = z.strictObject({
  recordId: id("record"),
  /** What people call it; null where its name is secret or empty. */
  name: z.string().nullable(),
  /** Its last change in the core: when it was, and what it changed. */
  at: z.iso.datetime(),
  lastChange: Changes,
  /** What the nodes before the edge make of its values: as it sets out on that side, and as it is there. */
  changes: Changes,
});
export type EdgeRecord = z.output<typeof EdgeRecord>;

export const listEdgeRecords = endpoint({
  name: "listEdgeRecords",
  method: "GET",
  path: "/pipelines/:entityId/edges/:edgeId/records",
  access: "VIEW_TRANSACTIONS",
  scope: "instance",
  summary:
    "Of the records changed last those that take an edge as things stand, with values before and after. Changes nothing.",
  params: z.strictObject({ entityId: id("entity"), edgeId: z.string().min(1).max(64) }),
  reply: z.strictObject({
    records: z.array(EdgeRecord),
    /** Records that were looked at. */
    examined: z.int().nonnegative(),
  }),
  errors: ["pipeline_not_published"],
});
