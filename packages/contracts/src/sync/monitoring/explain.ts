/** Why a value is, or is not, where one expects it: a record's way through its pipeline, node by node, and its past. */
import { z } from "zod";
import { Value, Values } from "../../data/values.ts";
import { endpoint } from "../../endpoint.ts";
import { id } from "../../ids.ts";
import { ResyncRequest } from "./runs.ts";
import { LedgerActor, Transaction } from "./transactions.ts";

const recordParams = z.strictObject({ entityId: id("entity"), recordId: id("record") });

const Reason = z.strictObject({ code: z.string(), message: z.string() });

/** One node on the record's way. */
export const ExplainedStep = z.strictObject({
  nodeId: z.string(),
  label: z.string(),
  /** Registered name of the function or action. */
  apiName: z.string(),
  /** What the node changed. */
  changes: z.array(z.strictObject({ field: z.string(), from: Value, to: Value })),
  /** What the node decided: the type of the edge it leaves by; null where it goes no further. */
  route: z.string().nullable(),
  /** No connection of that type leads on to the core or the destination. */
  ends: z.boolean(),
  failure: Reason.nullable(),
  warnings: z.array(Reason),
});
export type ExplainedStep = z.output<typeof ExplainedStep>;

export const SOURCE_OUTCOMES = [
  "changes",
  "unchanged",
  "refused",
  "filtered",
  "failed",
  "deletes",
  "gone",
  "unreadable",
  "no_single_read",
] as const;

/** What reading the record again from one source would do. */
export const ExplainedSource = z.strictObject({
  nodeId: z.string(),
  label: z.string(),
  connectorId: z.string(),
  connectorEntity: z.string(),
  externalId: z.string(),
  outcome: z.enum(SOURCE_OUTCOMES),
  /** In words. */
  message: z.string(),
  /** As it stands there now; null when it could not be read. */
  read: Values.nullable(),
  steps: z.array(ExplainedStep),
  changes: z.array(z.strictObject({ field: z.string(), from: Value, to: Value })),
  refused: z.array(z.strictObject({ field: z.string(), value: Value, reason: z.string(), message: z.string() })),
});
export type ExplainedSource = z.output<typeof ExplainedSource>;

export const DESTINATION_OUTCOMES = [
  "create",
  "update",
  "delete",
  "up_to_date",
  "filtered",
  "failed",
  "not_allowed",
  "put_aside",
] as const;

/** What one destination would be told now, and how telling it has gone. */
export const ExplainedDestination = z.strictObject({
  nodeId: z.string(),
  label: z.string(),
  connectorId: z.string(),
  connectorEntity: z.string(),
  externalId: z.string().nullable(),
  outcome: z.enum(DESTINATION_OUTCOMES),
  message: z.string(),
  steps: z.array(ExplainedStep),
  fields: z.array(
    z.strictObject({
      coreField: z.string(),
      connectorField: z.string(),
      value: Value,
      verdict: z.string(),
      message: z.string(),
    }),
  ),
  /** Outstanding news of this record; null when there is none. */
  delivery: z
    .strictObject({
      attempts: z.int(),
      nextAt: z.iso.datetime(),
      /** Waits for a change or another try. */
      parked: z.boolean(),
      /** Sent, but nobody knows how it ended. */
      isAnswerMissing: z.boolean(),
    })
    .nullable(),
  quarantine: z.strictObject({ code: z.string(), message: z.string(), at: z.iso.datetime() }).nullable(),
  lastWrittenAt: z.iso.datetime().nullable(),
});
export type ExplainedDestination = z.output<typeof ExplainedDestination>;

export const explainRecord = endpoint({
  name: "explainRecord",
  method: "GET",
  path: "/pipelines/:entityId/records/:recordId/explain",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Says node by node what happens to a record and why values are, or are not, written. Changes nothing.",
  params: recordParams,
  query: z.strictObject({
    /** Node id of one destination; all of them when absent. */
    destination: z.string().max(64).optional(),
    /** A field's api name: only what concerns it. */
    field: z.string().max(60).optional(),
  }),
  reply: z.strictObject({
    recordId: id("record"),
    deleted: z.boolean(),
    sources: z.array(ExplainedSource),
    destinations: z.array(ExplainedDestination),
    /** What was refused, and when, the newest first. */
    refusals: z.array(Transaction),
  }),
  errors: ["pipeline_not_published"],
});

/** What would change, counted before anything is written. */
export const previewResync = endpoint({
  name: "previewResync",
  method: "POST",
  path: "/pipelines/:entityId/resync/preview",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Reads what a resync would read, for up to 20 seconds, and counts what it would change. Writes nothing.",
  params: z.strictObject({ entityId: id("entity") }),
  body: ResyncRequest,
  reply: z.strictObject({
    read: z.int(),
    created: z.int(),
    updated: z.int(),
    deleted: z.int(),
    unchanged: z.int(),
    filtered: z.int(),
    refused: z.int(),
    quarantined: z.int(),
    /** Records that destinations would be told about, by node id. */
    told: z.record(z.string(), z.int()),
    /** False: there is more than was read in this time. */
    complete: z.boolean(),
    /** Problem that ended it early, in words. */
    problem: z.string().nullable(),
    samples: z.array(
      z.strictObject({
        recordId: z.string(),
        externalId: z.string().nullable(),
        operation: Transaction.shape.operation,
        changes: Transaction.shape.changes,
        refused: Transaction.shape.refused,
      }),
    ),
  }),
  errors: ["pipeline_not_published", "resync_on_paused"],
});

/** Who set a value, and when. */
const SetBy = z.strictObject({ at: z.iso.datetime(), actor: LedgerActor, transactionId: id("ledgerEntry") });

export const getRecordAsOf = endpoint({
  name: "getRecordAsOf",
  method: "GET",
  path: "/entities/:entityId/records/:recordId/as-of",
  access: "READ_DATA_STUDIO",
  scope: "instance",
  summary: "A record as it was at a time: each field with its value, who set it and when; or one field.",
  params: recordParams,
  query: z.strictObject({ at: z.iso.datetime(), field: z.string().max(60).optional() }),
  reply: z.strictObject({
    recordId: id("record"),
    at: z.iso.datetime(),
    /** `unborn`: it did not exist yet; `deleted`: it was deleted at that time. */
    state: z.enum(["unborn", "live", "deleted"]),
    fields: z.array(z.strictObject({ field: z.string(), value: Value, setBy: SetBy.nullable() })),
    /** The ledger is whole from the record's creation to that time: values without `setBy` are then surely empty. */
    complete: z.boolean(),
  }),
});
