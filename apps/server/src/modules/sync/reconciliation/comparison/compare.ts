/** Compares external records with their links and the core: every difference there is, whatever explains it. */
import { hashValue } from "@accord/connector-sdk/fingerprint";
import type { Value, Values } from "@accord/contracts/data/values";
import { isBlank } from "@accord/expressions";
import {
  type Plan,
  REMOVED_BY_US,
  type Resolved,
  type SinkPlan,
  type SourcePlan,
  type StoredLink,
  type StoredRecord,
} from "@accord/sync-engine/run";
import { FieldComparer } from "./compare-fields.ts";
import type { ComparedSubject, RawDifference, Subject } from "./subjects.ts";
import type { ComparedSystem } from "./systems.ts";
import { type Contribution, contributionsOf, type PassContext, sinkValuesOf } from "./transformation.ts";

/** What is stored about the compared subjects. */
export interface StoredState {
  resolved: Resolved;
  /** Links and records of subjects that are named by their record. */
  linksByRecord: ReadonlyMap<string, StoredLink>;
  recordsById: ReadonlyMap<string, StoredRecord>;
  /** `connectorId/entity` → record id → external id. */
  references: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

export interface Comparison {
  compared: ComparedSubject[];
  /** Records that the pipeline filters out, and those of a system it does not read that it does not know. */
  filtered: number;
  unknown: number;
}

export async function compareSubjects(
  plan: Plan,
  system: ComparedSystem,
  subjects: readonly Subject[],
  state: StoredState,
  pass: PassContext,
): Promise<Comparison> {
  const { source, sink } = system;
  const contributions = source ? await contributionsOf(source, subjects, state.resolved, pass) : new Map();
  const holders = subjects.flatMap((subject) => {
    const { record, link } = partsOf(subject, state);
    return record && !record.deleted ? [{ record, link }] : [];
  });
  const sinkValues = sink ? await sinkValuesOf(sink, holders, pass) : new Map();
  const comparer = new Comparer(plan, system, state, contributions, sinkValues);
  const compared = subjects.map((subject) => comparer.compare(subject));
  return { compared, filtered: comparer.filtered, unknown: comparer.unknown };
}

interface Parts {
  link: StoredLink | null;
  record: StoredRecord | null;
  /** The external record of one that was merged into this record. */
  isAlias: boolean;
}

function partsOf({ externalId, recordId }: Subject, state: StoredState): Parts {
  const { resolved } = state;
  if (externalId === null) {
    const link = state.linksByRecord.get(recordId ?? "") ?? null;
    return { link, record: state.recordsById.get(recordId ?? "") ?? null, isAlias: false };
  }
  const link = resolved.links.get(externalId) ?? null;
  const survivor = link ? (resolved.merged?.get(link.recordId) ?? null) : null;
  const record = link ? (resolved.records.get(survivor ?? link.recordId) ?? null) : null;
  return { link, record, isAlias: survivor !== null };
}

class Comparer {
  filtered = 0;
  unknown = 0;
  readonly #fields: FieldComparer;
  readonly #system: ComparedSystem;
  readonly #state: StoredState;
  readonly #contributions: ReadonlyMap<string, Contribution>;
  readonly #sinkValues: ReadonlyMap<string, Values>;

  constructor(
    plan: Plan,
    system: ComparedSystem,
    state: StoredState,
    contributions: ReadonlyMap<string, Contribution>,
    sinkValues: ReadonlyMap<string, Values>,
  ) {
    this.#fields = new FieldComparer(plan, system, state.references);
    this.#system = system;
    this.#state = state;
    this.#contributions = contributions;
    this.#sinkValues = sinkValues;
  }

  compare(subject: Subject): ComparedSubject {
    const parts = partsOf(subject, this.#state);
    const differences = subject.values ? this.#present(subject, subject.values, parts) : this.#absent(subject, parts);
    return { subject, recordId: parts.record?.recordId ?? subject.recordId, differences };
  }

  /** The system has it. */
  #present(subject: Subject, values: Values, { link, record, isAlias }: Parts): RawDifference[] {
    const { source, sink } = this.#system;
    const externalId = subject.externalId ?? "";
    const whole = { externalId, recordId: record?.recordId ?? null, isUnread: link?.seen == null };
    if (link && !link.dead && !record) return [wholeDifference("unlinked", whole, "kept_there")];
    if (!link || link.dead || !record) {
      if (link && record?.deleted && !isAlias) return [wholeDifference("not_deleted", whole, deletionReason(sink))];
      if (source) return this.#unlinked(subject, whole);
      if (link?.dead) return [wholeDifference("unlinked", whole, null)];
      this.unknown += 1;
      return [];
    }
    if (isAlias) return [wholeDifference("doubled", whole, "merged")];
    if (record.deleted) return [wholeDifference("not_deleted", whole, deletionReason(sink))];
    const contribution = this.#contributions.get(externalId);
    if (source && !contribution) this.filtered += 1;
    const sinkValues = this.#sinkValues.get(record.recordId);
    return this.#fields.compare({ subject, values, link, record, contribution, sinkValues });
  }

  #unlinked({ externalId }: Subject, whole: WholeRecord): RawDifference[] {
    const contribution = this.#contributions.get(externalId ?? "");
    if (!contribution) {
      this.filtered += 1;
      return [];
    }
    if (contribution.state === "failed")
      return [wholeDifference("unlinked", whole, FAILURES[contribution.code] ?? null)];
    return [wholeDifference("unlinked", whole, null, signatureOf(this.#system.source, contribution.values))];
  }

  /** The system does not have it. */
  #absent({ externalId, recordId }: Subject, { link, record }: Parts): RawDifference[] {
    const { source, sink } = this.#system;
    const isLinked = link !== null && !link.dead;
    const whole = { externalId, recordId: record?.recordId ?? recordId, isUnread: true };
    // Sent since it was looked for: it was not asked for by its new id.
    if (isLinked && externalId === null) return [];
    if (isLinked) {
      // Gone on both sides: nobody misses it.
      if (!record || record.deleted) return [];
      return [wholeDifference("missing", whole, source && !sink && !source.acceptDeletes ? "not_allowed" : null)];
    }
    if (externalId !== null || !record || record.deleted || !sink) return [];
    if (!this.#sinkValues.has(record.recordId)) {
      this.filtered += 1;
      return [];
    }
    return [
      wholeDifference(
        "not_delivered",
        whole,
        absenceReason(sink, link),
        signatureOf(this.#system.source, record.values),
      ),
    ];
  }
}

interface WholeRecord {
  externalId: string | null;
  recordId: string | null;
  isUnread: boolean;
}

/** Paths that ask something outside are not walked to their end: nothing is known of what they would let through. */
const FAILURES: { [code: string]: RawDifference["reason"] } = { not_done: "unsettled" };

const deletionReason = (sink: SinkPlan | null): RawDifference["reason"] => (sink?.delete ? null : "not_allowed");

/** Why a destination is not sent a record that it does not have; null where it is to be sent. */
function absenceReason(sink: SinkPlan, link: StoredLink | null): RawDifference["reason"] {
  if (!sink.create) return "not_allowed";
  const wasDeletedThere = link?.dead === true && link.lastWritten !== REMOVED_BY_US;
  return wasDeletedThere && !sink.recreate ? "deleted_there" : null;
}

const wholeDifference = (
  kind: RawDifference["kind"],
  { externalId, recordId, isUnread }: WholeRecord,
  reason: RawDifference["reason"],
  signature: string | null = null,
): RawDifference => ({
  kind,
  externalId,
  recordId,
  field: null,
  connectorField: null,
  outsideValue: null,
  coreValue: null,
  reason,
  isUnread,
  isAtSink: kind === "not_delivered" || kind === "not_deleted",
  signature,
});

/** Values by which an external record that lost its link is recognised; null when there is nothing to go by. */
function signatureOf(source: SourcePlan | null, values: Values): string | null {
  const fields = (source?.mappings ?? []).filter(({ reference }) => !reference).map(({ coreField }) => coreField);
  const entries = [...new Set(fields)].sort().map((field): Value => [field, values[field] ?? null]);
  return fields.some((field) => !isBlank(values[field])) ? hashValue(entries) : null;
}
