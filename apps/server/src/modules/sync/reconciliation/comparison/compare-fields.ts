/** Compares the fields of one linked record: what its system holds with what the core holds, or wants there. */
import { hashValue } from "@accord/connector-sdk/fingerprint";
import type { Value, Values } from "@accord/contracts/data/values";
import { convertValue, isBlank, sameValue } from "@accord/expressions";
import {
  fieldOf,
  fieldVerdicts,
  isKnown,
  isSpellingOf,
  placeName,
  type Plan,
  readIndexOf,
  rejectionReason,
  ruleOf,
  type SinkMapping,
  type SinkPlan,
  type SourcePlan,
  type StoredLink,
  type StoredRecord,
} from "@accord/sync-engine/run";
import type { RawDifference, Subject } from "./subjects.ts";
import type { ComparedSystem } from "./systems.ts";
import type { Contribution } from "./transformation.ts";

/** A wall clock of the plan: values are compared in the form in which they are stored. */
const STORED_FORM = { timeZone: "UTC" };

/** An external record that is there, with its link and core record, and what the pipeline's paths make of both. */
export interface LinkedRecord {
  subject: Subject;
  values: Values;
  link: StoredLink;
  record: StoredRecord;
  /** Undefined: filtered out on its way in. */
  contribution: Contribution | undefined;
  /** At the destination's end of its path; undefined where it is filtered out. */
  sinkValues: Values | undefined;
}

interface FieldParts {
  subject: Subject;
  values: Values;
  link: StoredLink;
  record: StoredRecord;
  contributed: Values;
}

const NOTHING_SENT: { differences: RawDifference[]; compared: ReadonlySet<string> } = {
  differences: [],
  compared: new Set(),
};

/** Verdicts about fields that a destination does not hold by the core's word. */
const UNCOMPARED: ReadonlySet<string> = new Set(["create_only", "not_convertible", "reference_unknown"]);

export class FieldComparer {
  readonly #plan: Plan;
  readonly #system: ComparedSystem;
  readonly #references: ReadonlyMap<string, ReadonlyMap<string, string>>;

  /** `references`: `connectorId/entity` → record id → external id. */
  constructor(plan: Plan, system: ComparedSystem, references: ReadonlyMap<string, ReadonlyMap<string, string>>) {
    this.#plan = plan;
    this.#system = system;
    this.#references = references;
  }

  compare({ contribution, sinkValues, ...linked }: LinkedRecord): RawDifference[] {
    const { source, sink } = this.#system;
    const contributed = contribution?.state === "arrived" ? contribution : null;
    const parts = { ...linked, contributed: contributed?.values ?? {} };
    const sent = sink && sinkValues ? this.#sinkFields(sink, sinkValues, parts) : NOTHING_SENT;
    if (!source || !contributed) return sent.differences;
    const read = this.#sourceFields(source, parts, contributed.pending);
    return [...sent.differences, ...read.filter(({ field }) => !sent.compared.has(field ?? ""))];
  }

  #sinkFields(
    sink: SinkPlan,
    completed: Values,
    parts: FieldParts,
  ): { differences: RawDifference[]; compared: ReadonlySet<string> } {
    const compared = new Set<string>();
    const differences: RawDifference[] = [];
    const mappings = new Map(sink.mappings.map((mapping) => [mapping.connectorField, mapping]));
    for (const { coreField, connectorField, value, verdict } of fieldVerdicts(
      sink,
      completed,
      parts.link,
      this.#references,
    )) {
      const mapping = mappings.get(connectorField);
      if (!mapping || UNCOMPARED.has(verdict) || (mapping.isComputed && !(coreField in completed))) continue;
      compared.add(coreField);
      const outsideValue = parts.values[connectorField] ?? null;
      if (this.#isHeld(sink, mapping, parts, outsideValue, value)) continue;
      differences.push({
        kind: "different",
        externalId: parts.link.externalId,
        recordId: parts.record.recordId,
        field: mapping.isComputed ? null : coreField,
        connectorField,
        outsideValue,
        coreValue: value,
        reason: this.#sinkReason(sink, mapping, parts.link, outsideValue, value),
        isUnread: this.#isUnread(connectorField, parts.link, outsideValue),
        isAtSink: true,
        signature: null,
      });
    }
    return { differences, compared };
  }

  /** Whether the system holds what it should, in any form that stands for the same value. */
  #isHeld(sink: SinkPlan, mapping: SinkMapping, parts: FieldParts, outside: Value, expected: Value): boolean {
    if (hashValue(outside) === hashValue(expected) || (isBlank(outside) && isBlank(expected))) return true;
    const field = this.#system.schema.fields.find(({ apiName }) => apiName === mapping.connectorField);
    // Systems show passwords to nobody.
    if (field?.dataType === "password" && isBlank(outside)) return true;
    if (field) {
      const form = convertValue(outside, field, STORED_FORM);
      if (form.ok && hashValue(form.value) === hashValue(expected)) return true;
    }
    const { coreField } = mapping;
    const core = parts.record.values[coreField] ?? null;
    if (mapping.isComputed || mapping.reference || !sink.isPlain) return false;
    if (coreField in parts.contributed && sameValue(parts.contributed[coreField], core)) return true;
    const coreSchema = this.#plan.coreFields.get(coreField);
    const back = coreSchema && convertValue(outside, coreSchema, STORED_FORM);
    return back?.ok === true && sameValue(back.value, core);
  }

  #sinkReason(
    { place, update }: SinkPlan,
    { connectorField, writeIndex }: SinkMapping,
    link: StoredLink,
    outside: Value,
    expected: Value,
  ): RawDifference["reason"] {
    const readIndex = readIndexOf(place, connectorField);
    const isAsLastRead = link.seen !== null && readIndex >= 0 && fieldOf(link.seen, readIndex) === hashValue(outside);
    const isWritten = link.lastWritten !== null && fieldOf(link.lastWritten, writeIndex) === hashValue(expected);
    const isRejected = link.refused !== null && fieldOf(link.refused, writeIndex) === hashValue(outside);
    if (isRejected && isWritten) return "kept_out";
    if (isAsLastRead && isWritten) return isSpellingOf(expected, outside) ? "respelled" : "not_taken";
    return update ? null : "not_allowed";
  }

  #sourceFields(source: SourcePlan, parts: FieldParts, pending: ReadonlySet<string>): RawDifference[] {
    const { contributed, record, link } = parts;
    return Object.entries(contributed).flatMap(([field, value]): RawDifference[] => {
      const core = record.values[field] ?? null;
      if (!this.#plan.coreFields.has(field) || sameValue(value, core)) return [];
      if (hashValue(value) === hashValue(core) || (isBlank(value) && isBlank(core))) return [];
      const mapping = source.mappings.find(({ coreField }) => coreField === field);
      const outside = mapping ? (parts.values[mapping.connectorField] ?? null) : value;
      return [
        {
          kind: "different",
          externalId: link.externalId,
          recordId: record.recordId,
          field,
          connectorField: mapping?.connectorField ?? null,
          outsideValue: mapping?.reference ? outside : value,
          coreValue: core,
          reason: pending.has(field) ? "reference_pending" : this.#authorityReason(source, field, value ?? null, parts),
          isUnread: this.#hasUnreadFields(source, link, parts.values),
          isAtSink: false,
          signature: null,
        },
      ];
    });
  }

  #authorityReason(
    { place }: SourcePlan,
    field: string,
    value: Value,
    { record, link, subject }: FieldParts,
  ): RawDifference["reason"] {
    const rule = ruleOf(this.#plan.authority, field);
    const origin = record.origin[field];
    const timestamp = subject.modifiedAt ?? link.modifiedAt ?? "";
    const claim = { by: placeName(place), at: timestamp };
    const stored = { value: record.values[field] ?? null, set: origin };
    const refusal = rejectionReason(rule, claim, value, stored, { isFirst: false, isRepeat: true });
    if (refusal === null) return null;
    // Without a time of its own the source says nothing about who was later.
    return refusal === "older" && origin?.by === claim.by ? null : "kept_out";
  }

  #isUnread(connectorField: string, link: StoredLink, outside: Value): boolean {
    const place = this.#system.source?.place;
    const index = place ? readIndexOf(place, connectorField) : -1;
    if (index < 0) return false;
    const part = link.seen === null ? "" : fieldOf(link.seen, index);
    return !isKnown(part) || part !== hashValue(outside);
  }

  #hasUnreadFields({ place }: SourcePlan, link: StoredLink, values: Values): boolean {
    return place.readFields.some((field) => this.#isUnread(field, link, values[field] ?? null));
  }
}
