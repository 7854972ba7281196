/** Telling a destination: what to send for each record it still has to hear of, and what its answers mean. */
import type { SourceRecord, WriteOperation, WriteOutcome } from "@accord/connector-sdk";
import type { Value, Values } from "@accord/contracts/data/values";
import type { RunEnv } from "../functions/run-env.ts";
import type { Answer } from "../functions/questions.ts";
import { type FlowRecord, newFlowRecord } from "../functions/flow.ts";
import {
  REMOVED_BY_US,
  fieldOf,
  hashText,
  hashValue,
  isKnown,
  replaceFields,
  writtenFingerprint,
} from "./fingerprint.ts";
import { Inconvertible, type SinkMapping, type SinkPlan } from "./plan.ts";
import type { Trip } from "./road.ts";
import { DELIVERY_ATTEMPTS, deliveryDelay } from "./retry.ts";
import type {
  Claimed,
  ClaimedDelivery,
  ClaimRequest,
  Intent,
  LinkWrite,
  Settlement,
  WaitingReference,
} from "./storage.ts";

/** One operation on its way to a destination. */
export interface Parcel {
  delivery: ClaimedDelivery;
  operation: "create" | "update" | "delete";
  /** Outside record; null until created or found. */
  externalId: string | null;
  /** Values to send, by connector field. */
  values: Values;
  /** Fingerprint (destination fields) of `values`. */
  written: string;
  waits?: WaitingReference[];
}

/** What became of claimed deliveries before anything is sent. */
export interface Packed {
  parcels: Parcel[];
  /** Needs no telling, or can't be told. */
  settled: Settlement[];
}

export function claimRequest(sink: SinkPlan): ClaimRequest {
  const references = sink.mappings.flatMap(({ coreField, reference }) =>
    reference ? [{ coreField, ...reference }] : [],
  );
  return { placeId: sink.place.id, limit: sink.writeBatchSize, references };
}

/** Claimed records on the destination's road. */
export interface Packing {
  claimed: Claimed;
  packed: Packed;
  living: readonly ClaimedDelivery[];
  trip: Trip;
}

/** Sends claimed records down the destination's road. */
export function beginPacking(sink: SinkPlan, claimed: Claimed, env: RunEnv): Packing {
  const packed: Packed = { parcels: [], settled: [] };
  const living: ClaimedDelivery[] = [];
  for (const delivery of claimed.deliveries) {
    if (delivery.attempts >= DELIVERY_ATTEMPTS && !delivery.record?.deleted) packed.settled.push(givenUp(delivery));
    else if (delivery.record && !delivery.record.deleted) living.push(delivery);
    else packDeletion(packed, sink, delivery, claimed, env.now);
  }
  return {
    claimed,
    packed,
    living,
    trip: sink.road(
      living.map((delivery) => flowOf(sink, delivery)),
      env,
    ),
  };
}

/** The same with the answers that the road waited for. */
export const goOnPacking = (packing: Packing, answers: readonly Answer[]): Packing =>
  packing.trip.state === "asking" ? { ...packing, trip: packing.trip.resume(answers) } : packing;

/** Keeps of what arrived that which differs from what the place holds. */
export function endPacking(sink: SinkPlan, { claimed, packed, living, trip }: Packing): Packed {
  if (trip.state === "asking") throw new Error("the records are still on their road");
  const waiting = new Map(living.map((delivery) => [delivery.recordId, delivery]));
  for (const flow of trip.arrived) {
    const delivery = waiting.get(flow.recordId ?? "");
    if (!delivery) continue;
    waiting.delete(delivery.recordId);
    if (flow.failure) packed.settled.push(failed(delivery, flow));
    else packValues(packed, sink, delivery, flow.values, claimed);
  }
  // What did not arrive was filtered out on the way: nothing to tell.
  for (const delivery of waiting.values()) packed.settled.push(settlement(delivery, "done"));
  return packed;
}

function flowOf(sink: SinkPlan, delivery: ClaimedDelivery): FlowRecord {
  const version = delivery.record?.version ?? 0;
  const isThere = sink.isActionsOnly ? version > FIRST_VERSION : delivery.link !== null && !delivery.link.dead;
  return newFlowRecord({
    values: delivery.record?.values ?? {},
    source: null,
    recordId: delivery.recordId,
    before: null,
    change: isThere ? "update" : "insert",
    occasion: String(version),
  });
}

/** Version of a record that was just created. */
const FIRST_VERSION = 1;

/** Began more often than allowed without anybody learning how it ended, as when each attempt takes the worker down. */
const givenUp = (delivery: ClaimedDelivery): Settlement => ({
  ...settlement(delivery, "parked"),
  answered: false,
  quarantine: {
    direction: "destination",
    externalId: delivery.link?.externalId ?? null,
    recordId: delivery.recordId,
    nodeId: null,
    code: "gave_up",
    message: "Writing this record was begun several times and never ended.",
    payload: delivery.record?.values ?? null,
  },
});

function packDeletion(packed: Packed, sink: SinkPlan, delivery: ClaimedDelivery, claimed: Claimed, now: number): void {
  const { link, unanswered, attempts, record } = delivery;
  if (delivery.isMerged && !sink.delete) {
    // Its outside record lives on as a second one of the record it was merged into.
    packed.settled.push(settlement(delivery, "done"));
  } else if (link && !link.dead) {
    packed.parcels.push({ delivery, operation: "delete", externalId: link.externalId, values: {}, written: "" });
  } else if (unanswered?.intent === "create" && record && canFindOwn(sink)) {
    // Nobody reads there: its id is learned as that of a creation would be, and then it is deleted.
    const values = project(sink, record.values, claimed, { told: null, isUpdate: false, open: [] });
    const written = writtenFingerprint(sink.place.toldFields, values);
    packed.parcels.push({ delivery, operation: "create", externalId: null, values, written });
  } else if (unanswered?.intent === "create" && attempts < DELIVERY_ATTEMPTS) {
    // It may exist there without our knowing its id: reading will find it, then it can be deleted.
    const nextAt = now + Math.max(deliveryDelay(attempts), sink.readDelayMs);
    packed.settled.push({ ...settlement(delivery, "again"), answered: false, attempts: attempts + 1, nextAt });
  } else {
    packed.settled.push(settlement(delivery, "done"));
  }
}

/** Whether a place that is only written can say what became of a creation. */
const canFindOwn = ({ place, matchOn, canLookup, idempotentCreate }: SinkPlan): boolean =>
  place.readFields.length === 0 && (idempotentCreate || (canLookup && matchOn !== null));

function packValues(packed: Packed, sink: SinkPlan, delivery: ClaimedDelivery, core: Values, claimed: Claimed): void {
  const { link } = delivery;
  const isThere = link !== null && !link.dead;
  // What we removed there ourselves comes back with its record; what others removed only by permission.
  const isGone = link?.dead === true && link.told !== REMOVED_BY_US;
  const isAllowed = isThere ? sink.update : sink.create && (sink.recreate || !isGone);
  if (!isAllowed) {
    packed.settled.push(settlement(delivery, "done"));
    return;
  }
  const open = delivery.open ?? [];
  const values = project(sink, core, claimed, { told: isThere ? (link.told ?? null) : null, isUpdate: isThere, open });
  const waits = waitsOf(sink, core, claimed);
  if (isThere && Object.keys(values).length === 0) {
    packed.settled.push({ ...settlement(delivery, "done"), waits });
    return;
  }
  packed.parcels.push({
    delivery,
    waits,
    operation: isThere ? "update" : "create",
    externalId: isThere ? link.externalId : null,
    values,
    written: writtenFingerprint(sink.place.toldFields, values),
  });
}

/** Connector values of a record; on an update those that differ from what the place was told, or all if one does. */
function project(
  sink: SinkPlan,
  core: Values,
  claimed: Claimed,
  { told, isUpdate, open }: { told: string | null; isUpdate: boolean; open: readonly string[] },
): Values {
  const values: Values = {};
  let differs = false;
  for (const mapping of sink.mappings) {
    if ((isUpdate && mapping.createOnly) || open.includes(mapping.coreField)) continue;
    // A field pipeline that let nothing through says nothing about its field.
    if (mapping.isComputed && !(mapping.coreField in core)) continue;
    const value = valueFor(mapping, core[mapping.coreField] ?? null, claimed);
    if (value === undefined || (!isUpdate && value === null)) continue;
    const isTold = told !== null && fieldOf(told, mapping.toldIndex) === hashValue(value);
    if (isTold && sink.onlyChangedFields) continue;
    if (!isTold) differs = true;
    values[mapping.connectorField] = value;
  }
  return isUpdate && !differs ? {} : values;
}

/** References left out, since their targets are not at the destination yet. */
function waitsOf(sink: SinkPlan, core: Values, claimed: Claimed): WaitingReference[] {
  const waits: WaitingReference[] = [];
  for (const mapping of sink.mappings) {
    const { reference, coreField } = mapping;
    const target = core[coreField] ?? null;
    if (reference && target !== null && valueFor(mapping, target, claimed) === undefined) {
      waits.push({ ...reference, targetId: String(target) });
    }
  }
  return waits;
}

/** undefined: nothing that could be sent. */
function valueFor(mapping: SinkMapping, value: Value, claimed: Claimed): Value | undefined {
  if (mapping.reference) {
    if (value === null) return null;
    return claimed.references.get(`${mapping.reference.connectorId}/${mapping.reference.entity}`)?.get(String(value));
  }
  const converted = mapping.convert(value);
  return converted instanceof Inconvertible ? undefined : converted;
}

/** What to look up before creating: null when nothing has to be, or can be. */
export function lookupOf(sink: SinkPlan, parcels: readonly Parcel[]): { field: string; values: Value[] } | null {
  if (!sink.matchOn || !sink.canLookup) return null;
  const values = parcels
    .filter((parcel) => parcel.operation === "create")
    .map((parcel) => parcel.values[sink.matchOn!]);
  const keys = values.filter((value) => value !== undefined && value !== null && value !== "") as Value[];
  return keys.length > 0 ? { field: sink.matchOn, values: [...new Set(keys)] } : null;
}

/**
 * Creations whose record turned out to exist. Where nobody reads, they become updates of it. A place that is also read
 * is only tied: the next cycle reads what stands there before anything is written over it.
 */
export function adoptFound(sink: SinkPlan, packed: Packed, found: readonly SourceRecord[], now: number): Packed {
  const byKey = new Map<string, SourceRecord>();
  for (const record of found) {
    const key = keyOf(record.values[sink.matchOn ?? ""]);
    if (!byKey.has(key) && !record.deleted) byKey.set(key, record);
  }
  const adopted: Packed = { parcels: [], settled: [...packed.settled] };
  for (const parcel of packed.parcels) {
    const match = parcel.operation === "create" ? byKey.get(keyOf(parcel.values[sink.matchOn ?? ""])) : undefined;
    // What was to be deleted there is not there.
    const isGone = parcel.operation === "create" && parcel.delivery.record?.deleted === true;
    if (!match && isGone) adopted.settled.push(settlement(parcel.delivery, "done"));
    else if (!match) adopted.parcels.push(parcel);
    else if (sink.place.readFields.length > 0) adopted.settled.push(tie(sink, parcel, match, now));
    else adopted.parcels.push({ ...parcel, operation: "update", externalId: match.id });
  }
  return adopted;
}

/** Time for the next cycle to read before the delivery is due again. */
const READ_FIRST_MS = 2_000;

/** Waits for a cycle that reads the place. */
export const readFirst = (delivery: ClaimedDelivery, now: number): Settlement => ({
  ...settlement(delivery, "again"),
  answered: delivery.unanswered === null,
  nextAt: now + READ_FIRST_MS,
});

/** Whether the parcel would overwrite something that was never seen. */
export function isUnread(sink: SinkPlan, { operation, values, delivery }: Parcel): boolean {
  if (operation !== "update" || !delivery.link) return false;
  const { seen } = delivery.link;
  return sink.place.shared.some(
    ({ read, told }) =>
      values[sink.place.toldFields[told] ?? ""] !== undefined && (seen === null || !isKnown(fieldOf(seen, read))),
  );
}

function tie(sink: SinkPlan, parcel: Parcel, match: SourceRecord, now: number): Settlement {
  const { delivery } = parcel;
  const written = delivery.unanswered?.written ?? [];
  const told = writtenFingerprint(sink.place.toldFields, match.values);
  // Only what we may have written ourselves counts as seen; everything else there is news when it is read.
  const own = new Map<number, string>();
  for (const { read, told: toldIndex } of sink.place.shared) {
    const part = fieldOf(told, toldIndex);
    if (written.some((attempt) => fieldOf(attempt, toldIndex) === part)) own.set(read, part);
  }
  const link: LinkWrite = {
    externalId: match.id,
    recordId: delivery.recordId,
    seen: replaceFields(null, sink.place.readFields.length, own),
    told,
    refused: null,
    modifiedAt: null,
    dead: false,
    isNew: true,
  };
  const nextAt = now + READ_FIRST_MS + sink.readDelayMs;
  return { ...settlement(delivery, "again"), answered: delivery.unanswered === null, link, nextAt };
}

const keyOf = (value: Value | undefined): string => String(value ?? "").toLowerCase();

export const intentOf = (sink: SinkPlan, parcel: Parcel): Intent => ({
  holdMs: sink.readDelayMs,
  adopts: parcel.operation === "update" && !isLinked(parcel.delivery) ? parcel.externalId : null,
  recordId: parcel.delivery.recordId,
  wanted: parcel.delivery.wanted,
  intent: parcel.operation === "update" && !isLinked(parcel.delivery) ? "create" : parcel.operation,
  // Earlier attempts without an answer may still show up: all of them are remembered.
  written: [...(parcel.delivery.unanswered?.written ?? []), parcel.written].slice(-DELIVERY_ATTEMPTS),
});

const isLinked = ({ link }: ClaimedDelivery): boolean => link !== null && !link.dead;

/**
 * The same key for each attempt at the same thing: a destination that knows it does it once. Not for a change in doubt
 * at a place that was read since and still shows something else: somebody may have undone it, and it is told anew.
 */
export function operationOf(sink: SinkPlan, parcel: Parcel): WriteOperation {
  const { delivery, values } = parcel;
  const subject = `${sink.place.id}-${delivery.recordId}`;
  if (parcel.operation === "create" || parcel.externalId === null) {
    return { kind: "create", values, idempotencyKey: `${subject}-create-${delivery.link?.externalId ?? ""}` };
  }
  // Told what, over what: a destination that remembers keys must not take another write for this one.
  const { record, link, wanted, unanswered } = delivery;
  const undone = sink.place.readFields.length > 0 ? (unanswered?.written.length ?? 0) : 0;
  const about = hashText(
    `${wanted} ${record?.version} ${parcel.written} ${link?.seen} ${link?.told} ${link?.modifiedAt} ${undone}`,
  );
  const idempotencyKey = `${subject}-${parcel.operation}-${about}`;
  return parcel.operation === "delete"
    ? { kind: "delete", id: parcel.externalId, idempotencyKey }
    : { kind: "update", id: parcel.externalId, values, idempotencyKey };
}

/** What an answer means for the delivery, its link and its ledger. */
export function settle(sink: SinkPlan, parcel: Parcel, outcome: WriteOutcome, now: number): Settlement {
  const { delivery } = parcel;
  switch (outcome.status) {
    case "done":
      return told(sink, parcel, outcome, now);
    case "missing":
      return missing(sink, parcel, now);
    case "rejected":
      return parked(parcel, outcome.code, outcome.message, delivery.unanswered === null);
    case "retry": {
      const answered = delivery.unanswered === null;
      // Told when to come back: it was not judged this time.
      if (outcome.retryAfterMs !== undefined)
        return { ...settlement(delivery, "again"), answered, nextAt: now + outcome.retryAfterMs };
      if (delivery.attempts + 1 >= DELIVERY_ATTEMPTS) return parked(parcel, "gave_up", outcome.message, answered);
      const nextAt = now + deliveryDelay(delivery.attempts);
      return { ...settlement(delivery, "again"), answered, attempts: delivery.attempts + 1, nextAt };
    }
    case "unknown": {
      if (delivery.attempts + 1 >= DELIVERY_ATTEMPTS) return parked(parcel, "no_answer", outcome.message, false);
      const nextAt = now + Math.max(deliveryDelay(delivery.attempts), sink.readDelayMs);
      return { ...settlement(delivery, "again"), answered: false, attempts: delivery.attempts + 1, nextAt };
    }
  }
}

function told(
  sink: SinkPlan,
  parcel: Parcel,
  outcome: Extract<WriteOutcome, { status: "done" }>,
  now: number,
): Settlement {
  const { delivery, operation } = parcel;
  // The answer to a repeated creation may speak of the first one, and of what people did to it since.
  const isRepeated = operation === "create" && delivery.unanswered?.intent === "create";
  const before = delivery.link;
  const removed = operation === "delete" ? REMOVED_BY_US : null;
  const isRenewed = before === null || before.dead;
  const link: LinkWrite = {
    externalId: outcome.id,
    recordId: delivery.recordId,
    seen: before && !isRenewed ? before.seen : null,
    told: removed ?? (before && !isRenewed ? before.told : null),
    refused: before && !isRenewed ? before.refused : null,
    modifiedAt: (isRepeated ? null : outcome.modifiedAt) ?? (isRenewed ? null : before.modifiedAt),
    dead: operation === "delete",
    isNew: isRenewed,
  };
  const sure = sureValues(sink, parcel);
  const mustGo = operation !== "delete" && delivery.record?.deleted === true;
  const isSure = !mustGo && Object.keys(sure).length === Object.keys(parcel.values).length;
  if (operation !== "delete") {
    link.told = toldAfter(sink, link.told, sure);
    if (sink.place.readFields.length > 0) {
      link.seen = seenAfter(sink, link.seen, (!isRepeated && outcome.values) || sure, sure);
    }
  }
  const changes: { [field: string]: [Value, Value] } = {};
  for (const field in parcel.values) changes[field] = [null, parcel.values[field] ?? null];
  return {
    // What an earlier attempt may have written otherwise is said once more, as an update.
    ...settlement(delivery, isSure ? "done" : "again"),
    answered: isSure,
    nextAt: isSure || sink.place.readFields.length === 0 ? now : now + READ_FIRST_MS + sink.readDelayMs,
    link,
    ...(parcel.waits ? { waits: parcel.waits } : {}),
    ledger: { recordId: delivery.recordId, operation: "write", externalId: outcome.id, changes, refused: null },
  };
}

/**
 * Values that surely stand there now. A repeated creation may have been done by an earlier attempt: then only those on
 * which all attempts agree.
 */
function sureValues(sink: SinkPlan, parcel: Parcel): Values {
  const { unanswered } = parcel.delivery;
  if (parcel.operation !== "create" || unanswered?.intent !== "create") return parcel.values;
  const sure: Values = {};
  for (const { connectorField, toldIndex } of sink.mappings) {
    const value = parcel.values[connectorField];
    const part = fieldOf(parcel.written, toldIndex);
    if (value !== undefined && unanswered.written.every((attempt) => fieldOf(attempt, toldIndex) === part)) {
      sure[connectorField] = value;
    }
  }
  return sure;
}

function toldAfter(sink: SinkPlan, before: string | null, sent: Values): string {
  const parts = new Map<number, string>();
  for (const { connectorField, toldIndex } of sink.mappings) {
    const value = sent[connectorField];
    if (value !== undefined) parts.set(toldIndex, hashValue(value));
  }
  return replaceFields(before, sink.place.toldFields.length, parts);
}

/** What a later read is expected to show: the stored spelling where the system told it, else what was sent. */
function seenAfter(sink: SinkPlan, before: string | null, stored: Values, sent: Values): string {
  const parts = new Map<number, string>();
  for (const { read, told: toldIndex } of sink.place.shared) {
    const field = sink.place.toldFields[toldIndex]!;
    const value = sent[field] === undefined ? undefined : (stored[field] ?? sent[field]);
    if (value !== undefined) parts.set(read, hashValue(value));
  }
  return replaceFields(before, sink.place.readFields.length, parts);
}

function missing(sink: SinkPlan, parcel: Parcel, now: number): Settlement {
  const { delivery } = parcel;
  const dead: LinkWrite | null = delivery.link ? { ...delivery.link, dead: true, isNew: false } : null;
  if (parcel.operation === "delete") return { ...settlement(delivery, "done"), link: dead };
  if (sink.recreate && sink.create) return { ...settlement(delivery, "again"), link: dead, nextAt: now };
  return { ...parked(parcel, "missing_there", "The record no longer exists in the destination.", true), link: dead };
}

export function parked(parcel: Parcel, code: string, message: string, answered: boolean): Settlement {
  const { delivery, externalId, values } = parcel;
  const quarantine = {
    direction: "destination" as const,
    externalId,
    recordId: delivery.recordId,
    nodeId: null,
    code,
    message,
    payload: values,
  };
  return { ...settlement(delivery, "parked"), answered, attempts: delivery.attempts + 1, quarantine };
}

function failed(delivery: ClaimedDelivery, flow: FlowRecord): Settlement {
  const quarantine = {
    direction: "destination" as const,
    externalId: delivery.link?.externalId ?? null,
    recordId: delivery.recordId,
    nodeId: flow.failure?.nodeId ?? null,
    code: flow.failure?.code ?? "unexpected",
    message: flow.failure?.message ?? "",
    payload: flow.values,
  };
  return { ...settlement(delivery, "parked"), quarantine };
}

export function settlement(delivery: ClaimedDelivery, result: Settlement["result"]): Settlement {
  return {
    recordId: delivery.recordId,
    wanted: delivery.wanted,
    result,
    answered: true,
    attempts: delivery.attempts,
    nextAt: 0,
    link: null,
    ledger: null,
    quarantine: null,
  };
}
