/** What publishing the draft would change: draft and published version run over stored records. Stores nothing and asks nothing outside. */
import { z } from "zod";
import { Value } from "../../data/values.ts";
import { endpoint } from "../../endpoint.ts";
import { id } from "../../ids.ts";
import { FieldChoice } from "../field-choice.ts";

export const PUBLISH_DIFF_LIMITS = {
  /** Records of one call. */
  records: 100,
  /** After so long a call answers with what it has compared. */
  seconds: 4,
  /** Waiting for other calls included: nothing is answered after it. */
  totalSeconds: 30,
  /** Bytes of values in one answer; records beyond are counted only. */
  bytes: 512 * 1024,
  /** Longer texts are shortened. */
  text: 300,
} as const;

export const DIFF_ORDERS = ["latest", "spread"] as const;

/** What becomes of a record at a destination, where that differs between the versions. */
export const DESTINATION_CHANGES = [
  "created",
  "updated",
  "deleted",
  /** It holds already what the draft would write, and not what the published version would. */
  "left",
  /** The record, or some of its fields, is not written there any more. */
  "noLongerSent",
  /** From now on it is, and the destination holds it already. */
  "newlySent",
  /** It can't be written there. */
  "refused",
] as const;
export type DestinationChange = (typeof DESTINATION_CHANGES)[number];

/** What becomes of a record before the destinations, where that differs between the versions. */
export const CORE_CHANGES = [
  /** Values of the core record. */
  "values",
  /** It is merged with another one, or no longer is. */
  "merged",
  /** Read for the first time, it would be attached to another record, or no longer be. */
  "attached",
  /** A filter of a source keeps it from the core, or no longer does. */
  "heldBack",
  /** It fails on its way, or a value of it is kept out. */
  "refused",
  /** Actions are performed for it, or no longer are. */
  "actions",
] as const;
export type CoreChange = (typeof CORE_CHANGES)[number];

const Count = z.int().nonnegative();
const counts = <Kind extends string>(kinds: readonly [Kind, ...Kind[]]) => z.record(z.enum(kinds), Count);

/** `before`: under the published version. */
const Changed = z.strictObject({ before: Value, after: Value });

const DiffField = Changed.extend({
  field: z.string(),
  /** Whether the destination is known to hold `before`. */
  isHeld: z.boolean(),
  /** The published version, or the draft, does not write the field. */
  mapped: z.enum(["both", "draft", "published"]),
});
export type DiffField = z.output<typeof DiffField>;

const DiffDestination = z.strictObject({
  /** Index among the destinations of the answer. */
  destination: Count,
  change: z.enum(DESTINATION_CHANGES),
  /** Whether it happens once what exists is brought in; else only once the record changes. */
  isDue: z.boolean(),
  /** Why it can't be written; null: it can. */
  message: z.string().nullable(),
  fields: z.array(DiffField),
});
export type DiffDestination = z.output<typeof DiffDestination>;

/** At which source, and which records by their ids; null: none. */
const DiffAttach = z.strictObject({ source: z.string(), before: z.string().nullable(), after: z.string().nullable() });
/** What a version does not let through, in words; null where it does. */
const DiffRefusal = z.strictObject({
  source: z.string(),
  /** Null: the whole record. */
  field: z.string().nullable(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});

export const DiffRecord = z.strictObject({
  recordId: id("record"),
  /** Null where the entity has no name field, or the record no name. */
  name: z.string().nullable(),
  changes: z.array(z.enum(CORE_CHANGES)),
  values: z.array(Changed.extend({ field: z.string() })),
  /** Ids of the records that it would be merged with. */
  merged: z.strictObject({ before: z.string().nullable(), after: z.string().nullable() }).nullable(),
  attached: z.array(DiffAttach),
  /** Labels of sources. */
  heldBack: z.array(z.strictObject({ source: z.string(), isByDraft: z.boolean() })),
  refused: z.array(DiffRefusal),
  actions: z.strictObject({ before: z.array(z.string()), after: z.array(z.string()) }).nullable(),
  destinations: z.array(DiffDestination),
  /** More fields, texts or actions differ than are listed. */
  isCut: z.boolean(),
});
export type DiffRecord = z.output<typeof DiffRecord>;

export const PublishDiff = z.strictObject({
  /** Another value: the draft or what is published changed since. */
  versions: z.string(),
  /** Null: nothing is published, so that there is nothing to compare with. */
  published: z.strictObject({ number: Count, name: z.string() }).nullable(),
  /** Core fields whose own pipelines go along. */
  fieldPipelines: z.array(
    z.strictObject({ field: z.string(), label: z.string(), change: z.enum(["added", "changed", "removed"]) }),
  ),
  /** Records that were compared. */
  compared: Count,
  /** Records that were compared in which something differs. */
  differing: Count,
  /** Goes on after these records; null: there are no more. */
  cursor: z.string().nullable(),
  counts: counts(CORE_CHANGES),
  destinations: z.array(
    z.strictObject({
      /** Of the draft; of the published version where the draft has none. */
      nodeId: z.string(),
      label: z.string(),
      version: z.enum(["both", "draft", "published"]),
      counts: counts(DESTINATION_CHANGES),
      /** Records among them of which that happens only once they change. */
      notDue: Count,
    }),
  ),
  /** Those that the other version does not have: nothing of them can be compared. */
  sources: z.array(z.strictObject({ label: z.string(), version: z.enum(["draft", "published"]) })),
  /** Those in which something differs, as far as they fit. */
  records: z.array(DiffRecord),
  /** Source fields whose values Accord does not hold, and of how many records. `isAssumed`: the core's stands in for it. */
  unknown: z.array(z.strictObject({ source: z.string(), field: z.string(), isAssumed: z.boolean(), records: Count })),
  /** Records for which another system would have been asked: nothing was, and nothing was found. */
  unasked: Count,
  /** Records that could not be compared, and why. */
  failed: z.array(z.strictObject({ recordId: id("record"), message: z.string() })),
});
export type PublishDiff = z.output<typeof PublishDiff>;

export const diffBeforePublish = endpoint({
  name: "diffBeforePublish",
  method: "POST",
  path: "/test/entityPipeline/:id/diff",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary:
    "What differs between draft and published version for stored records: core values, matching, merging and what each destination would be sent. Stores nothing and asks nothing outside. Answers for as many records as it has compared within its time; its cursor goes on after them.",
  params: z.strictObject({ id: id("entity") }),
  body: z.strictObject({
    records: z.int().min(1).max(PUBLISH_DIFF_LIMITS.records).default(PUBLISH_DIFF_LIMITS.records),
    /** The records changed last first, or spread over all there are. */
    order: z.enum(DIFF_ORDERS).default("latest"),
    fieldPipelines: FieldChoice.default("all"),
    /** Of an earlier answer, in the same order. */
    cursor: z.string().max(120).optional(),
  }),
  reply: PublishDiff,
  errors: ["pipeline_invalid", "test_failed"],
});
