/** Packing for a destination: its path, and of what arrives that which differs from what the place holds. */
import { runTexts } from "@accord/contracts/messages/en/sync/run/cycle";
import type { Value, Values } from "@accord/contracts/data/values";
import type { RunEnv } from "../../functions/run-env.ts";
import type { DataResult } from "../../functions/data-requests.ts";
import { type FlowRecord, newFlowRecord } from "../../functions/flow.ts";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { isInDoubt } from "../state/unconfirmed/unconfirmed-writes.ts";
import { attemptFingerprint, REMOVED_BY_US, fieldOf } from "../state/fingerprint.ts";
import { inDoubtForMs, type PreparedWrites, type PendingWrite } from "./deliveries/pending-writes.ts";
import { ConversionError, type SinkMapping, type SinkPlan } from "../plan/plan.ts";
import type { PathExecution } from "../graph/compiled-path.ts";
import { DELIVERY_ATTEMPTS, deliveryDelay } from "../protocol/retry.ts";
import { deliveryResult } from "./delivery-results.ts";
import type { Claimed, ClaimedDelivery, ClaimRequest, DeliveryResult } from "../protocol/storage.ts";
import type { WaitingReference } from "../protocol/stored-references.ts";
import { isReadNow } from "../state/fields/read-index.ts";
import { stillTaken } from "../state/unconfirmed/claimed-externals.ts";
import { isHeldAsItIs, type UnfitValues, withUnfit } from "./unfit-values.ts";
import { isOwed, isWaitedFor, waitForField } from "../state/fields/deferred-fields.ts";

/** `onlyLinked`: nothing may be created there for now. */
export function claimRequest(sink: SinkPlan, limit: number, onlyLinked: boolean): ClaimRequest {
  const references = sink.mappings.flatMap(({ coreField, reference }) =>
    reference ? [{ coreField, ...reference }] : [],
  );
  return { placeId: sink.place.id, limit, references, ...(onlyLinked ? { onlyLinked } : {}) };
}

/** Claimed records on the sink path. */
export interface WritePreparation {
  claimed: Claimed;
  /** Fields that the system refused by name in this cycle. */
  lacking: ReadonlySet<string>;
  preparedWrites: PreparedWrites;
  living: readonly ClaimedDelivery[];
  execution: PathExecution;
}

/** Sends claimed records down the sink path. */
export function beginPreparation(
  sink: SinkPlan,
  claimed: Claimed,
  env: RunEnv,
  lacking: ReadonlySet<string> = NONE_LACKING,
): WritePreparation {
  const preparedWrites: PreparedWrites = { pendingWrites: [], settled: [], waiting: [], now: env.now };
  const living: ClaimedDelivery[] = [];
  for (const delivery of claimed.deliveries) {
    if (delivery.attempts >= DELIVERY_ATTEMPTS && !delivery.record?.deleted)
      preparedWrites.settled.push(givenUp(delivery));
    else if (delivery.record && !delivery.record.deleted) living.push(delivery);
    else prepareDeletion(preparedWrites, sink, delivery, { claimed, lacking }, env.now);
  }
  return {
    claimed,
    lacking,
    preparedWrites,
    living,
    execution: sink.path(
      living.map((delivery) => flowOf(sink, delivery)),
      env,
    ),
  };
}

const NONE_LACKING: ReadonlySet<string> = new Set();

/** The same with the answers that the path waited for. */
export const resumePreparation = (preparation: WritePreparation, answers: readonly DataResult[]): WritePreparation =>
  preparation.execution.state === "suspended"
    ? { ...preparation, execution: preparation.execution.resume(answers) }
    : preparation;

/** Keeps of what arrived that which differs from what the place holds. */
export function finishPreparation(sink: SinkPlan, preparation: WritePreparation): PreparedWrites {
  const { preparedWrites, living, execution } = preparation;
  if (execution.state === "suspended") throw new Error("the records are still on their road");
  const waiting = new Map(living.map((delivery) => [delivery.recordId, delivery]));
  for (const flow of execution.completed) {
    const delivery = waiting.get(flow.recordId ?? "");
    if (!delivery) continue;
    waiting.delete(delivery.recordId);
    if (flow.failure) preparedWrites.settled.push(failed(delivery, flow));
    else prepareValues(preparation, sink, delivery, flow.values);
  }
  // What did not arrive was filtered out on the way: nothing to write.
  for (const delivery of waiting.values()) preparedWrites.settled.push(deliveryResult(delivery, "done"));
  return preparedWrites;
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
    occurrenceKey: String(version),
  });
}

/** Version of a record that was just created. */
const FIRST_VERSION = 1;

/** Began more often than allowed without anybody learning how it ended, as when each attempt takes the worker down. */
const givenUp = (delivery: ClaimedDelivery): DeliveryResult => ({
  ...deliveryResult(delivery, "parked"),
  answered: false,
  quarantine: {
    direction: "destination",
    externalId: delivery.link?.externalId ?? null,
    recordId: delivery.recordId,
    nodeId: null,
    code: "gave_up",
    message: runTexts.gaveUp,
    payload: delivery.record?.values ?? null,
  },
});

/**
 * Where deletions are switched off nothing is deleted, whatever the reason: neither what waited from before, nor what
 * was merged away (its external record lives on as a second one), nor a creation of ours that came too late.
 */
function prepareDeletion(
  preparedWrites: PreparedWrites,
  sink: SinkPlan,
  delivery: ClaimedDelivery,
  at: Pick<WritePreparation, "claimed" | "lacking">,
  now: number,
): void {
  const { link, unanswered, attempts, record } = delivery;
  const isInDoubt = unanswered?.intent === "create";
  // A record that is not there any more was deleted here only: its copies stay.
  const mayDelete = sink.delete && record !== null;
  if (link && !link.dead) {
    if (!mayDelete) preparedWrites.settled.push(deliveryResult(delivery, "done"));
    else
      preparedWrites.pendingWrites.push({
        delivery,
        operation: "delete",
        externalId: link.externalId,
        values: {},
        written: "",
      });
  } else if (isInDoubt && mayDelete && canFindOwn(sink)) {
    // Nobody reads there: its id is learned as that of a creation would be, and then it is deleted.
    const { values } = project(sink, record.values, at, { link: null, open: [], unanswered: null });
    const written = attemptFingerprint(sink.place.writeFields, values);
    preparedWrites.pendingWrites.push({ delivery, operation: "create", externalId: null, values, written });
  } else if (isInDoubt && attempts < DELIVERY_ATTEMPTS) {
    // It may exist there without our knowing its id: reading will find it, so that it is known as this record's.
    const nextAt = now + Math.max(deliveryDelay(attempts), inDoubtForMs(sink, "create"));
    preparedWrites.settled.push({
      ...deliveryResult(delivery, "again"),
      answered: false,
      attempts: attempts + 1,
      nextAt,
    });
  } else {
    preparedWrites.settled.push(deliveryResult(delivery, "done"));
  }
}

/** Whether a place that is only written can say what became of a creation. */
const canFindOwn = ({ place, matchOn, canLookup, idempotentCreate }: SinkPlan): boolean =>
  !isReadNow(place) && (idempotentCreate || (canLookup && matchOn !== null));

function prepareValues(preparation: WritePreparation, sink: SinkPlan, delivery: ClaimedDelivery, core: Values): void {
  const { preparedWrites, claimed } = preparation;
  const { link } = delivery;
  const isThere = link !== null && !link.dead;
  // What we removed there ourselves comes back with its record; what others removed only by permission.
  const isGone = link?.dead === true && link.lastWritten !== REMOVED_BY_US;
  const isAllowed = isThere ? sink.update : sink.create && (sink.recreate || !isGone);
  if (!isAllowed) {
    // What was quarantined since it is gone there is not over because nothing may be written.
    preparedWrites.settled.push({ ...deliveryResult(delivery, "done"), ...(isGone ? { keepsQuarantined: true } : {}) });
    return;
  }
  const open = delivery.open ?? [];
  const { unanswered } = delivery;
  const { values, owed, unfit } = project(sink, core, preparation, { link: isThere ? link : null, open, unanswered });
  const waits = waitsOf(sink, core, claimed);
  if (owed.length > 0) preparedWrites.waiting.push({ delivery, owed });
  if (isThere && owed.length > 0 && Object.keys(values).length === 0) {
    preparedWrites.settled.push({ ...waitForField(delivery, preparedWrites.now), waits });
    return;
  }
  if (isThere && Object.keys(values).length === 0) {
    preparedWrites.settled.push(
      withUnfit(sink, { ...deliveryResult(delivery, "done"), waits }, unfit, link.externalId),
    );
    return;
  }
  const pendingWrite: PendingWrite = {
    delivery,
    waits,
    operation: isThere ? "update" : "create",
    externalId: isThere ? link.externalId : null,
    values,
    written: attemptFingerprint(sink.place.writeFields, values),
    ...(owed.length > 0 ? { isIncomplete: true } : {}),
    ...(unfit ? { unfit } : {}),
  };
  const quarantineEntries = stillTaken(sink, pendingWrite);
  if (quarantineEntries) preparedWrites.settled.push(quarantineEntries);
  else preparedWrites.pendingWrites.push(pendingWrite);
}

/**
 * Connector values of a record; on an update (`link`: to what is there) those that differ from what was written there,
 * or all if one does. Owed are fields that are to be written too, which the place does not have for now; unfit are values
 * that it can't take.
 */
function project(
  sink: SinkPlan,
  core: Values,
  { claimed, lacking }: Pick<WritePreparation, "claimed" | "lacking">,
  { link, open, unanswered }: Pick<ClaimedDelivery, "link" | "unanswered"> & { open: readonly string[] },
): { values: Values; owed: SinkMapping[]; unfit: UnfitValues | undefined } {
  const [lastWritten, isUpdate] = [link?.lastWritten ?? null, link !== null];
  const values: Values = {};
  const owed: SinkMapping[] = [];
  let differs = false;
  let unfit: Values | undefined;
  for (const mapping of sink.mappings) {
    if ((isUpdate && mapping.createOnly) || open.includes(mapping.coreField)) continue;
    // A field pipeline that let nothing through says nothing about its field.
    if (mapping.isComputed && !(mapping.coreField in core)) continue;
    const own = core[mapping.coreField] ?? null;
    const value = valueFor(mapping, own, claimed);
    if (value === undefined && !mapping.reference && !isHeldAsItIs(mapping, link, own))
      (unfit ??= {})[mapping.connectorField] = own;
    if (value === undefined || (!isUpdate && value === null)) continue;
    if (isWaitedFor(sink.place, mapping, link, lacking)) {
      if (isOwed(sink.place, mapping, link, hashValue(value))) owed.push(mapping);
      continue;
    }
    const hash = hashValue(value);
    const isWritten =
      lastWritten !== null &&
      fieldOf(lastWritten, mapping.writeIndex) === hash &&
      !isInDoubt(sink, mapping, unanswered, hash);
    if (isWritten && sink.onlyChangedFields) continue;
    if (!isWritten) differs = true;
    values[mapping.connectorField] = value;
  }
  return { values: isUpdate && !differs ? {} : values, owed, unfit };
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
export function valueFor(mapping: SinkMapping, value: Value, claimed: Claimed): Value | undefined {
  if (mapping.reference) {
    if (value === null) return null;
    return claimed.references.get(`${mapping.reference.connectorId}/${mapping.reference.entity}`)?.get(String(value));
  }
  const converted = mapping.convert(value);
  return converted instanceof ConversionError ? undefined : converted;
}

function failed(delivery: ClaimedDelivery, flow: FlowRecord): DeliveryResult {
  const quarantine = {
    direction: "destination" as const,
    externalId: delivery.link?.externalId ?? null,
    recordId: delivery.recordId,
    nodeId: flow.failure?.nodeId ?? null,
    code: flow.failure?.code ?? "unexpected",
    message: flow.failure?.message ?? "",
    payload: flow.values,
  };
  return { ...deliveryResult(delivery, "parked"), quarantine };
}
