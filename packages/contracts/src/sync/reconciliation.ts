/** Reconciliation: a pipeline's systems, its links and the core compared record by record, and what is done about it. */
import { z } from "zod";
import { Value } from "../data/values.ts";
import { endpoint } from "../endpoint.ts";
import { event } from "../event.ts";
import { id } from "../ids.ts";
import { cursorQuery, PageInfo } from "../paging.ts";

export const DIFFERENCE_KINDS = [
  /** A system lists it, and no record of the core stands behind it. */
  "unlinked",
  /** A link says it is alive, and the system does not have it. */
  "missing",
  /** A field's value differs. */
  "different",
  /** Two outside records of one system, or two core records, for one thing. */
  "doubled",
  /** A destination that should hold the record has none. */
  "not_delivered",
  /** Deleted in the core and alive in the system. */
  "not_deleted",
] as const;
export const DifferenceKind = z.enum(DIFFERENCE_KINDS);
export type DifferenceKind = z.output<typeof DifferenceKind>;

export const DIFFERENCE_REASONS = [
  /** Nothing explains it: the engine takes both sides as equal. */
  "unexplained",
  /** The pipeline has not read the system since. */
  "waiting_to_read",
  /** A filter of the system's source keeps the record from being read. */
  "held_back",
  /** A delivery is outstanding. */
  "waiting_to_send",
  /** Authority keeps the system's value out of the core. */
  "kept_out",
  /** Quarantined on its way in or out. */
  "quarantined",
  /** A later value of another system or person counts. */
  "superseded",
  /** The pipeline's settings do not allow the change. */
  "not_allowed",
  /** Somebody deleted it in the system, and the destination's setting "recreate" is off. */
  "deleted_there",
  /** A person deleted the record in Accord and kept its copies in the systems. */
  "kept_there",
  /** Names a record that is not known yet. */
  "reference_pending",
  /** The system stores the value it was sent in a spelling of its own. */
  "respelled",
  /** The system was sent the value, and shows another one. */
  "not_taken",
  /** There before the pipeline was published, and not brought in by choice. */
  "not_brought_in",
  /** Merged in the core: both outside records stand for one record. */
  "merged",
  /** Equal values under two ids: perhaps one thing. */
  "same_values",
  /** Kept changing while it was compared. */
  "unsettled",
] as const;
export const DifferenceReason = z.enum(DIFFERENCE_REASONS);
export type DifferenceReason = z.output<typeof DifferenceReason>;

export const RECONCILIATION_PHASES = ["waiting", "reading", "matching", "settling", "checking"] as const;

/** One system as it was compared. */
const ReconciledSystem = z.strictObject({
  connectorId: z.string(),
  connectorName: z.string(),
  entityName: z.string(),
  isSource: z.boolean(),
  isDestination: z.boolean(),
  listed: z.int().nonnegative(),
  /** Records that the pipeline filters out, on their way in or out. */
  filtered: z.int().nonnegative(),
  /** Records of a system that is only written to which the pipeline does not know. */
  unknown: z.int().nonnegative(),
  /** Records the connector could not read. */
  unreadable: z.int().nonnegative(),
  /** Why it was not compared; null when it was. */
  problem: z.string().nullable(),
  /** It could not be read this time. */
  isFailed: z.boolean(),
});
export type ReconciledSystem = z.output<typeof ReconciledSystem>;

export const Reconciliation = z.strictObject({
  id: id("reconciliation"),
  entityId: id("entity"),
  versionNumber: z.int().nonnegative(),
  status: z.enum(["WAITING", "RUNNING", "FINISHED", "CANCELLED", "FAILED"]),
  requestedBy: z.string(),
  requestedAt: z.iso.datetime(),
  beganAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  phase: z.enum(RECONCILIATION_PHASES),
  /** Records read so far, and about how many there are; null when nobody knows. */
  listed: z.int().nonnegative(),
  expected: z.int().nonnegative().nullable(),
  /** What looks different so far and is looked at again. */
  suspects: z.int().nonnegative(),
  /** Alive core records. */
  coreRecords: z.int().nonnegative(),
  systems: z.array(ReconciledSystem),
  counts: z.array(
    z.strictObject({
      kind: DifferenceKind,
      reason: DifferenceReason,
      count: z.int().nonnegative(),
      /** Of these, how many are kept to look at: beyond the limit only the number is known. */
      stored: z.int().nonnegative(),
    }),
  ),
  unexplained: z.int().nonnegative(),
  problem: z.string().nullable(),
});
export type Reconciliation = z.output<typeof Reconciliation>;

export const Difference = z.strictObject({
  /** Number within its report. */
  number: z.string(),
  kind: DifferenceKind,
  reason: DifferenceReason,
  connectorId: z.string(),
  connectorName: z.string(),
  entityName: z.string(),
  externalId: z.string().nullable(),
  recordId: z.string().nullable(),
  /** Core field; null where the whole record is meant. */
  field: z.string().nullable(),
  connectorField: z.string().nullable(),
  /** What the system holds. */
  outsideValue: Value,
  /** What it should hold by the core (destinations), or what the core holds (sources). */
  coreValue: Value,
  repairRequestedAt: z.iso.datetime().nullable(),
});
export type Difference = z.output<typeof Difference>;

const ofPipeline = z.strictObject({ entityId: id("entity") });
const ofReport = z.strictObject({ reconciliationId: id("reconciliation") });

export const startReconciliation = endpoint({
  name: "startReconciliation",
  method: "POST",
  path: "/pipelines/:entityId/reconciliations",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary:
    "Compares all systems of a published pipeline with its links and the core, record by record. Writes nothing.",
  params: ofPipeline,
  body: z.strictObject({}),
  reply: Reconciliation,
  errors: ["pipeline_not_published", "reconciliation_running"],
});

export const listReconciliations = endpoint({
  name: "listReconciliations",
  method: "GET",
  path: "/pipelines/:entityId/reconciliations",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "The last reconciliations of a pipeline, the newest first.",
  params: ofPipeline,
  reply: z.strictObject({ reconciliations: z.array(Reconciliation) }),
});

export const getReconciliation = endpoint({
  name: "getReconciliation",
  method: "GET",
  path: "/reconciliations/:reconciliationId",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "One reconciliation: how far it is, what was compared, and how many differences of each kind.",
  params: ofReport,
  reply: Reconciliation,
});

export const cancelReconciliation = endpoint({
  name: "cancelReconciliation",
  method: "POST",
  path: "/reconciliations/:reconciliationId/cancel",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Ends a reconciliation after the page it is on.",
  params: ofReport,
  body: z.strictObject({}),
  reply: Reconciliation,
  errors: ["invalid_state"],
});

const DifferenceFilter = {
  kind: DifferenceKind.optional(),
  reason: DifferenceReason.optional(),
};

export const listDifferences = endpoint({
  name: "listDifferences",
  method: "GET",
  path: "/reconciliations/:reconciliationId/differences",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Differences of a report in the order in which they were found. Values of password fields stay hidden.",
  params: ofReport,
  query: cursorQuery({ count: 100, max: 500 }).extend(DifferenceFilter),
  reply: z.strictObject({ differences: z.array(Difference), page: PageInfo }),
});

export const downloadDifferences = endpoint({
  name: "downloadDifferences",
  method: "GET",
  path: "/reconciliations/:reconciliationId/differences/csv",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "The stored differences of a report as a CSV file.",
  params: ofReport,
  query: z.strictObject(DifferenceFilter),
  reply: z.string(),
});

export const REPAIR_ACTIONS = [
  /** The outside record is read again by the next cycle, as news. */
  "read",
  /** The outside record is tied to the core record that holds the same values, and read again. */
  "link",
  /** The next cycle takes the outside record as deleted. */
  "take_as_deleted",
  /** The destination is sent the record again. */
  "send",
  /** The destination creates the record again that was deleted there, though its settings would not. */
  "recreate",
  /** The destination is asked for its deletion again. */
  "send_deletion",
] as const;

/**
 * Chosen differences, or all stored ones of a kind and reason. Those without a repair are left out; what was deleted at a
 * destination that does not recreate is created again only where the differences themselves or their reason are chosen.
 */
export const RepairChoice = z
  .strictObject({
    numbers: z
      .array(z.string().regex(/^\d{1,18}$/))
      .min(1)
      .max(500)
      .optional(),
    ...DifferenceFilter,
  })
  .refine(({ numbers, kind }) => numbers !== undefined || kind !== undefined, "choose differences or a kind");
export type RepairChoice = z.output<typeof RepairChoice>;

const RepairPlan = z.strictObject({
  actions: z.array(z.strictObject({ action: z.enum(REPAIR_ACTIONS), count: z.int().nonnegative() })),
  /** Chosen differences that nothing is done about: their reason explains them, or they need a person. */
  skipped: z.int().nonnegative(),
  /** Found to be no longer so when a repair looked again; a preview does not look. */
  changed: z.int().nonnegative(),
  /** Not looked at again, and therefore left alone: no time, no answer, or a system without single reads and an old report. */
  unchecked: z.int().nonnegative(),
  /** Missing records that are not taken as deleted: more than the source's settings allow at once. */
  withheld: z.int().nonnegative(),
});
export type RepairPlan = z.output<typeof RepairPlan>;

export const previewRepair = endpoint({
  name: "previewRepair",
  method: "POST",
  path: "/reconciliations/:reconciliationId/repair/preview",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Says what a repair of the chosen differences would ask of the pipeline. Changes nothing.",
  params: ofReport,
  body: RepairChoice,
  reply: RepairPlan,
});

export const repairDifferences = endpoint({
  name: "repairDifferences",
  method: "POST",
  path: "/reconciliations/:reconciliationId/repair",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary:
    "Asks the pipeline to repair the chosen differences in its next cycles, by reading or sending again. Each is looked at once more before.",
  params: ofReport,
  body: RepairChoice,
  reply: RepairPlan,
  errors: ["pipeline_not_published", "invalid_state"],
});

/** Pushed when a reconciliation begins, moves on or ends. */
export const reconciliationChanged = event({
  name: "reconciliationChanged",
  channel: "instance",
  access: "READ_STUDIO",
  payload: z.strictObject({ entityId: id("entity"), reconciliationId: id("reconciliation") }),
});
