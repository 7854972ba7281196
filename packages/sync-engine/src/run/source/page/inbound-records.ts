/** A record of a page that is new or changed, with its values in the core's fields. */
import type { SourceRecord } from "@accord/connector-sdk";
import type { Value } from "@accord/contracts/data/values";
import { storable } from "@accord/expressions";
import { type FlowRecord, newFlowRecord } from "../../../functions/flow.ts";
import { ConversionError, type SourceMapping, type SourcePlan } from "../../plan/plan.ts";
import type { InboundRecord } from "../../protocol/inbound-record.ts";
import { NONE_LATE } from "../../merge/late-fields.ts";
import type { Resolved } from "../../protocol/storage.ts";
import { isLeftOut } from "../../state/fields/missing-fields.ts";
import { returnedFields } from "../../state/fields/returned-fields.ts";
import { isReleased } from "../../state/links/released-links.ts";
import { creationsOfOthers } from "../../state/unconfirmed/unconfirmed-creations.ts";

/** What most records have none of. */
const NONE: readonly never[] = [];
const NONE_RETURNED: InboundRecord["returned"] = new Map();

export function toInboundRecord(
  source: SourcePlan,
  record: SourceRecord,
  {
    shown,
    link,
    own,
    isBack,
    late,
  }: Pick<InboundRecord, "link" | "isBack" | "late"> & { shown: string; own: string | null },
  resolved: Resolved,
): InboundRecord {
  const recordId = link?.recordId ?? own;
  const survivor = link && resolved.merged?.get(link.recordId);
  const unanswered = recordId === null ? undefined : resolved.unanswered.get(recordId)?.written;
  const ofOthers = link ? creationsOfOthers(source, record, { shown, link }, resolved) : NONE;
  const inbound: InboundRecord = {
    record,
    seen: shown,
    link,
    isBack,
    stored: resolved.records.get(survivor ?? recordId ?? "") ?? null,
    isAlias: survivor !== undefined && survivor !== null,
    formerId: link && isReleased(link, resolved) ? (survivor ?? link.recordId) : null,
    written: unanswered ? [...unanswered, ...ofOthers] : ofOthers,
    mapped: {},
    refusedFields: NONE,
    pending: NONE,
    renamed: NONE,
    returned: NONE_RETURNED,
    late: late ?? NONE_LATE,
    writtenAt: resolved.writtenAt?.get(record.id),
    spelling: null,
  };
  for (const mapping of source.mappings) mapField(mapping, inbound, resolved);
  inbound.returned = returnedFields(source, inbound);
  return inbound;
}

function mapField(mapping: SourceMapping, inbound: InboundRecord, resolved: Resolved): void {
  const { values, badFields = NONE } = inbound.record;
  // Most records have none, and a search of its own for each field of each record costs more than the field.
  const bad = badFields.length > 0 ? badFields.find(({ field }) => field === mapping.connectorField) : undefined;
  if (bad) {
    if (!mapping.isProvisional) refuse(inbound, mapping, storable(bad.excerpt ?? bad.message));
    return;
  }
  if (isLeftOut(inbound, mapping.readIndex) || inbound.late?.has(mapping.readIndex)) {
    // What others on the path make of the field they make of what the core holds.
    const { stored } = inbound;
    if (stored) inbound.mapped[mapping.coreField] = stored.values[mapping.coreField] ?? null;
    return;
  }
  const value = values[mapping.connectorField] ?? null;
  if (mapping.reference && value !== null && value !== "") {
    const externalId = String(value);
    const key = `${mapping.reference.connectorId}/${mapping.reference.entity}`;
    const recordId = resolved.references.get(key)?.get(externalId);
    if (recordId === undefined) {
      const pending = { ...mapping.reference, field: mapping.coreField, externalId };
      inbound.pending = [...inbound.pending, pending];
    }
    inbound.mapped[mapping.coreField] = recordId ?? null;
    if (resolved.renamed?.has(externalId)) inbound.renamed = [...inbound.renamed, mapping.coreField];
    return;
  }
  const converted = mapping.convert(value);
  if (!(converted instanceof ConversionError)) inbound.mapped[mapping.coreField] = converted;
  else if (!mapping.isProvisional) refuse(inbound, mapping, value);
}

function refuse(inbound: InboundRecord, { coreField, connectorField }: SourceMapping, value: Value): void {
  const named = connectorField === coreField ? {} : { connectorField };
  inbound.refusedFields = [...inbound.refusedFields, { field: coreField, value, ...named }];
}

/** The record as it enters the source's path, as the one of that number. */
export function flowOf(inbound: InboundRecord, rowIndex: number): FlowRecord {
  return newFlowRecord({
    values: inbound.mapped,
    source: { externalId: inbound.record.id, values: inbound.record.values },
    recordId: inbound.stored?.recordId ?? null,
    before: inbound.stored?.values ?? null,
    change: inbound.stored ? "update" : "insert",
    occurrenceKey: inbound.seen,
    rowIndex,
  });
}
