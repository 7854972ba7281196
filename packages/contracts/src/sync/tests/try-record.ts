/** Trying one record on a graph as it is being edited: what each node does with it. Nothing is stored, and nothing outside is asked. */
import { z } from "zod";
import { Values } from "../../data/values.ts";
import { endpoint } from "../../endpoint.ts";
import { id } from "../../ids.ts";
import { DESTINATION_OUTCOMES } from "../monitoring/explain.ts";
import { Graph } from "../graph.ts";
import { NodeResult } from "./pipeline-tests.ts";

export const TRY_RECORD_LIMITS = {
  /** Bytes of pasted values as JSON. */
  recordBytes: 256 * 1024,
  seconds: 10,
  /** Records that a search answers. */
  found: 20,
} as const;

/** Id in the source's system. */
const ExternalRecordId = z.string().min(1).max(200);

/** `stored`, `external`: a record as Accord has stored it, by either of its ids. `values`: what the source might send. */
export const RecordToTry = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("stored"), recordId: id("record") }),
  z.strictObject({ kind: z.literal("external"), externalId: ExternalRecordId }),
  z.strictObject({ kind: z.literal("values"), externalId: ExternalRecordId, values: Values }),
]);
export type RecordToTry = z.output<typeof RecordToTry>;

export const TryRecordBody = z.strictObject({
  graph: Graph,
  /** The source of the entity pipeline whose record it is. */
  nodeId: z.string().min(1).max(64),
  record: RecordToTry,
  /** Whose field pipelines and settings go with the graph; without it the draft's where there is one. */
  graphVersion: z.enum(["draft", "published"]).optional(),
  /** Runs what leads to this node and no more: the rest of the graph need not be complete. */
  untilNodeId: z.string().min(1).max(64).optional(),
});
export type TryRecordBody = z.output<typeof TryRecordBody>;

/** `none`: the record does not reach the core. */
const CORE_OUTCOMES = ["created", "updated", "merged", "unchanged", "none"] as const;

export const TriedRecord = z.strictObject({
  /** What the source sent. */
  record: z.strictObject({
    externalId: z.string(),
    values: Values,
    /** Fields of which the source's own value is not stored: the core's stands in for it. */
    assumed: z.array(z.string()),
  }),
  nodes: z.array(NodeResult),
  /** Ids of nodes that were left out, since the run ended before them. */
  notRun: z.array(z.string()),
  /** Ids of the edges that it took. */
  edges: z.array(z.string()),
  core: z.strictObject({
    outcome: z.enum(CORE_OUTCOMES),
    /** Of the record that stands there already. */
    recordId: z.string().nullable(),
    /** What it holds now; null where there is none. */
    before: Values.nullable(),
    /** What it would hold; null where nothing arrives. */
    after: Values.nullable(),
    /** Why nothing arrives, where something failed. */
    message: z.string().nullable(),
  }),
  destinations: z.array(
    z.strictObject({
      nodeId: z.string(),
      label: z.string(),
      outcome: z.enum(DESTINATION_OUTCOMES),
      message: z.string(),
      /** What would be sent; null: nothing. */
      values: Values.nullable(),
    }),
  ),
});
export type TriedRecord = z.output<typeof TriedRecord>;

const PATH = "/test/entityPipeline/:id";
const params = z.strictObject({ id: id("entity") });

export const tryRecord = endpoint({
  name: "tryRecord",
  method: "POST",
  path: `${PATH}/try`,
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "What each node of the graph that is sent does with one record. Stores nothing and asks nothing outside.",
  params,
  body: TryRecordBody,
  reply: TriedRecord,
  errors: ["pipeline_invalid", "test_failed"],
});

export const tryFieldRecord = endpoint({
  name: "tryFieldRecord",
  method: "POST",
  path: "/test/fieldPipeline/:id/try",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary:
    "What each node of a field pipeline does with that field of one record. Its source is one of the entity pipeline. Stores nothing and asks nothing outside.",
  params: z.strictObject({ id: id("field") }),
  body: TryRecordBody,
  reply: TriedRecord,
  errors: ["pipeline_invalid", "test_failed"],
});

export const listRecordsToTry = endpoint({
  name: "listRecordsToTry",
  method: "GET",
  path: `${PATH}/records`,
  access: "WRITE_STUDIO",
  scope: "instance",
  summary:
    "Records that are known in a source's system, those found by their words or their id there, the newest first.",
  params,
  query: z.strictObject({
    connectorId: z.string().min(1).max(64),
    /** Api name of the connector's entity. */
    entityApiName: z.string().min(1).max(200),
    search: z.string().trim().max(200).default(""),
  }),
  reply: z.strictObject({
    records: z.array(
      z.strictObject({
        recordId: id("record"),
        externalId: z.string(),
        /** Null where the entity has no name field, or the record no name. */
        name: z.string().nullable(),
      }),
    ),
  }),
});
