/** What destinations have yet to be told, in memory: claimed in turn, announced, settled by what they answered. */
import {
  fieldOf,
  freedByWritten,
  writtenBeforeStray,
  type ClaimRequest,
  type Claimed,
  type ClaimedDelivery,
  type DeliveryResult,
  type FreedRecord,
  type IntendResult,
  type Intent,
  type LinkWrite,
} from "@accord/sync-engine/run";
import type { MemoryQuarantine } from "./memory-quarantine.ts";
import type { MemoryMerges } from "./memory-merges.ts";
import type { MemoryReferences } from "./memory-references.ts";
import { at, type Delivery, type MemoryTables, placeOf } from "./memory-tables.ts";

export interface OutboxFaults {
  forgetsIntent?: boolean;
  settlesAnyWanted?: boolean;
  ignoresReplay?: boolean;
  claimsWhatIsHeld?: boolean;
  forgetsHold?: boolean;
  writesOverPending?: boolean;
  writesOverQuarantined?: boolean;
  linksAnybody?: boolean;
  /** What waits for another record's external record waits for a person though none has it any more. */
  leavesHeld?: boolean;
}

interface OutboxParts {
  tables: MemoryTables;
  merges: MemoryMerges;
  references: MemoryReferences;
  quarantineEntries: MemoryQuarantine;
  placeOf: (connectorId: string) => number;
}

export class MemoryOutbox {
  readonly #tables: MemoryTables;
  readonly #merges: MemoryMerges;
  readonly #references: MemoryReferences;
  readonly #quarantineEntries: MemoryQuarantine;
  readonly #placeOf: (connectorId: string) => number;
  readonly #faults: OutboxFaults;

  constructor({ tables, merges, references, quarantineEntries, placeOf: numberOf }: OutboxParts, faults: OutboxFaults) {
    this.#tables = tables;
    this.#merges = merges;
    this.#references = references;
    this.#quarantineEntries = quarantineEntries;
    this.#placeOf = numberOf;
    this.#faults = faults;
  }

  claim(request: ClaimRequest, now: number): Claimed {
    const deliveries: ClaimedDelivery[] = [];
    const references = new Map<string, Map<string, string>>();
    let nextAt: number | null = null;
    for (const { connectorId, entity } of request.references) {
      references.set(`${connectorId}/${entity}`, this.#references.namesAt(this.#placeOf(connectorId)));
    }
    for (const [key, delivery] of this.#inTurn()) {
      const [placeId, recordId] = placeOf(key);
      if (placeId !== request.placeId || delivery.isParked) continue;
      if (delivery.nextAt > now && !this.#faults.claimsWhatIsHeld) {
        nextAt = Math.min(nextAt ?? delivery.nextAt, delivery.nextAt);
        continue;
      }
      if (deliveries.length >= request.limit) continue;
      const link = this.#tables.linkOf(placeId, recordId);
      if (request.onlyLinked && !link) {
        nextAt = Math.min(nextAt ?? now, now);
        continue;
      }
      if (link && this.#quarantineEntries.has(placeId, link.externalId) && !this.#faults.writesOverQuarantined)
        continue;
      const { wanted, attempts, unanswered, takenTimes } = delivery;
      const record = this.#tables.records.get(recordId) ?? null;
      const isMerged = record?.deleted === true && this.#merges.winnerOf(recordId) !== undefined;
      const dueForMs = now - delivery.nextAt;
      const writtenAt = link ? this.#tables.writtenAt.get(at(placeId, link.externalId)) : undefined;
      const writtenForMs = writtenAt === undefined ? null : now - writtenAt;
      const open = this.#faults.writesOverPending ? [] : this.#references.openAt(placeId, recordId);
      const claimed = { recordId, wanted, attempts, unanswered, dueForMs, writtenForMs, record, isMerged, open };
      const taken = this.#stillTaken(placeId, recordId, delivery.taken);
      deliveries.push({ ...claimed, link: link ? { ...link } : null, ...taken, ...(takenTimes ? { takenTimes } : {}) });
    }
    return { deliveries, references, nextAt: deliveries.length < request.limit ? nextAt : null };
  }

  /** Deliveries by when they are due, then by record. */
  #inTurn(): [string, Delivery][] {
    return [...this.#tables.deliveries].sort(
      ([left, { nextAt }], [right, other]) => nextAt - other.nextAt || (placeOf(left)[1] < placeOf(right)[1] ? -1 : 1),
    );
  }

  holdUnanswered(placeId: number, holdMs: number, now: number): void {
    if (this.#faults.forgetsHold) return;
    for (const [key, delivery] of this.#tables.deliveries) {
      if (placeOf(key)[0] === placeId && delivery.unanswered) delivery.nextAt = Math.max(delivery.nextAt, now + holdMs);
    }
  }

  /** What did not fit is due again where the place takes something else by now. */
  retryUnfit(placeId: number, fits: string, now: number): number {
    const due = [...this.#tables.deliveries].filter(
      ([key, { unfit }]) => placeOf(key)[0] === placeId && typeof unfit === "string" && unfit !== fits,
    );
    for (const [key] of due) this.#tables.want(placeId, placeOf(key)[1], true, now);
    return due.length;
  }

  intend(placeId: number, intents: readonly Intent[], now: number): Extract<IntendResult, { status: "done" }> {
    const standing = new Set<string>();
    const taken = new Set<string>();
    for (const { recordId, wanted, intent, written, holdMs, adopts } of intents) {
      const delivery = this.#tables.deliveries.get(at(placeId, recordId));
      const holder = adopts === null ? undefined : this.#tables.links.get(at(placeId, adopts));
      if (holder && holder.recordId !== recordId && !this.#tables.isReleased(holder.recordId)) {
        taken.add(recordId);
        continue;
      }
      if (!delivery || delivery.wanted !== wanted) continue;
      standing.add(recordId);
      if (this.#faults.forgetsIntent) continue;
      delivery.attempts += 1;
      delivery.unanswered = { intent, written };
      delivery.nextAt = now + holdMs;
    }
    return { status: "done", standing, taken };
  }

  settle(epoch: number, placeId: number, settlements: readonly DeliveryResult[], now: number): void {
    const refused: DeliveryResult[] = [];
    for (const deliveryResult of settlements) {
      const key = at(placeId, deliveryResult.recordId);
      const delivery = this.#tables.deliveries.get(key);
      const { ledger, quarantine, ifTaken } = deliveryResult;
      const link = this.#isMaybeOthers(placeId, deliveryResult) ? null : deliveryResult.link;
      const isTaken = link !== null && this.#isTakenByOther(placeId, link, deliveryResult.takesOver !== undefined);
      const isRepetition = !isTaken && this.#takeOverDead(placeId, deliveryResult);
      if (link && !isTaken && !isRepetition) {
        const before = this.#tables.links.get(at(placeId, link.externalId));
        // Whether it is held back is known by reading alone.
        const heldBack = before?.recordId === link.recordId ? (before.heldBack ?? null) : null;
        this.#tables.putLink(placeId, { ...link, heldBack }, now);
        this.#tables.writtenAt.set(at(placeId, link.externalId), now);
      }
      if (ledger && !isTaken && !isRepetition) this.#tables.ledger.push({ ...ledger, epoch });
      if (quarantine) this.#tables.quarantine.push(quarantine);
      this.#references.writeWaiting(placeId, deliveryResult);
      if (!delivery) continue;
      if (deliveryResult.answered) delivery.unanswered = null;
      const isOld = delivery.wanted !== deliveryResult.wanted && !this.#faults.settlesAnyWanted;
      const nextAt = Math.max(now, Math.round(deliveryResult.nextAt));
      const soonest = delivery.unanswered ? nextAt : now;
      if (isTaken && (ifTaken?.answered || !isOld)) refused.push(deliveryResult);
      if (isOld) Object.assign(delivery, { attempts: 0, nextAt: soonest, isParked: false });
      else if (isRepetition) Object.assign(delivery, { attempts: deliveryResult.attempts, nextAt: now });
      else if (!isTaken && deliveryResult.result === "done") this.#tables.deliveries.delete(key);
      else {
        const isFound = isTaken && ifTaken !== undefined && !ifTaken.answered;
        const isParked = (isTaken || deliveryResult.result === "parked") && !isFound;
        const quarantineEntries = isTaken ? ifTaken?.quarantine : quarantine;
        if (isTaken && isParked && quarantineEntries) this.#tables.quarantine.push(quarantineEntries);
        Object.assign(delivery, { attempts: deliveryResult.attempts, nextAt });
        const unfit = isTaken ? null : (deliveryResult.unfit ?? null);
        if (isParked) Object.assign(delivery, { isParked, parkedAs: quarantineEntries?.code ?? null, unfit });
      }
    }
    for (const deliveryResult of refused) this.#noteTaken(placeId, deliveryResult, now);
    this.#noteWaits(placeId, settlements);
    this.releaseFreed(placeId, freedByWritten(settlements), now);
  }

  /** What was parked for one of these external records, which no other record has now or has another key, is tried again. */
  releaseFreed(placeId: number, freed: readonly FreedRecord[], now: number): void {
    if (this.#faults.leavesHeld || freed.length === 0) return;
    const byId = new Map(freed.map((record) => [record.externalId, record]));
    for (const [key, delivery] of this.#tables.deliveries) {
      const [place, recordId] = placeOf(key);
      const { isParked, parkedAs, taken } = delivery;
      if (place !== placeId || !isParked || parkedAs !== "already_linked" || !taken) continue;
      const record = byId.get(taken.externalId);
      const isHeld = record?.rekeyedForMs === undefined && this.#isHeld(placeId, recordId, taken.externalId);
      if (!record || isHeld) continue;
      this.#tables.want(placeId, recordId, true, now);
      delivery.nextAt = Math.max(delivery.nextAt, now + (record.rekeyedForMs ?? 0));
      delete delivery.taken;
    }
  }

  /** Whether the external record is another living record's. */
  #isHeld(placeId: number, recordId: string, externalId: string): boolean {
    const holder = this.#tables.links.get(at(placeId, externalId));
    return (
      holder !== undefined && !holder.dead && holder.recordId !== recordId && !this.#tables.isReleased(holder.recordId)
    );
  }

  /** What is parked for another record's external record is to be found again once that one has it no more. */
  #noteWaits(placeId: number, settlements: readonly DeliveryResult[]): void {
    for (const { recordId, waitsFor } of settlements) {
      const delivery = this.#tables.deliveries.get(at(placeId, recordId));
      if (waitsFor && delivery?.isParked) this.#noteWait(delivery, waitsFor.externalId);
    }
  }

  #noteWait(delivery: Delivery, externalId: string): void {
    if (delivery.taken?.externalId !== externalId) delivery.taken = { externalId, key: null };
  }

  /** Nothing more is created meanwhile; what was sent may stand in the copy of the record that it belongs to. */
  #noteTaken(placeId: number, { recordId, link, ifTaken }: DeliveryResult, now: number): void {
    const delivery = this.#tables.deliveries.get(at(placeId, recordId));
    if (delivery && link && ifTaken && !ifTaken.answered) {
      const isHeld = this.#isHeld(placeId, recordId, link.externalId);
      if (!isHeld && !this.#faults.leavesHeld) return;
      Object.assign(delivery, { isParked: true, parkedAs: ifTaken.quarantine.code });
      this.#tables.quarantine.push(ifTaken.quarantine);
      this.#noteWait(delivery, link.externalId);
      return;
    }
    const holder = link && this.#tables.links.get(at(placeId, link.externalId));
    if (!holder || !delivery || !ifTaken?.answered || holder.recordId === recordId) return;
    const { key, written } = ifTaken.answered;
    delivery.taken = { externalId: holder.externalId, key };
    delivery.takenTimes = (delivery.takenTimes ?? 0) + 1;
    if (!written || holder.dead) return;
    holder.lastWritten = writtenBeforeStray(holder.lastWritten, written.fields);
    this.#tables.want(placeId, holder.recordId, false, now);
    const other = this.#tables.deliveries.get(at(placeId, holder.recordId));
    if (!other) return;
    const { intent = "update", written: before = [] } = other.unanswered ?? {};
    other.unanswered = { intent, written: [...before, written.attempt] };
    other.nextAt = Math.max(other.nextAt, Math.round(written.nextAt));
  }

  #stillTaken(placeId: number, recordId: string, taken: Delivery["taken"]): Pick<ClaimedDelivery, "taken"> {
    if (!taken || taken.key === null || !this.#isHeld(placeId, recordId, taken.externalId)) return {};
    return { taken: { externalId: taken.externalId, key: taken.key } };
  }

  /** A link that was claimed may stand for another record by now, as after a merge. */
  #isTakenByOther(placeId: number, link: LinkWrite, takesOver: boolean): boolean {
    if (this.#faults.linksAnybody) return false;
    const there = this.#tables.links.get(at(placeId, link.externalId));
    const own = this.#tables.linkOf(placeId, link.recordId);
    const isElsewhere = own !== null && !own.dead && own.externalId !== link.externalId;
    const isFree =
      there === undefined ||
      there.recordId === link.recordId ||
      (there.dead && takesOver) ||
      this.#tables.isReleased(there.recordId);
    return !isFree || isElsewhere;
  }

  /** Whether what was found may be what the creation of another record made, which has no answer yet. */
  #isMaybeOthers(placeId: number, { recordId, foundBy }: DeliveryResult): boolean {
    if (!foundBy || this.#faults.linksAnybody) return false;
    return [...this.#tables.deliveries].some(([key, { unanswered, isParked }]) => {
      const [place, other] = placeOf(key);
      if (place !== placeId || other === recordId || unanswered?.intent !== "create" || isParked) return false;
      return unanswered.written.some((attempt) => fieldOf(attempt, foundBy.writeIndex) === foundBy.key);
    });
  }

  /** Whether the answer repeats that of a creation whose external record was deleted since for another record. */
  #takeOverDead(placeId: number, { link, takesOver }: DeliveryResult): boolean {
    if (!link || takesOver !== "ifLater") return false;
    const holder = this.#tables.links.get(at(placeId, link.externalId));
    if (!holder?.dead || holder.recordId === link.recordId) return false;
    if ((link.modifiedAt ?? "") > (holder.modifiedAt ?? "")) return false;
    this.#tables.putLink(placeId, { ...holder, recordId: link.recordId, heldBack: null });
    return true;
  }

  /** A person has quarantined work tried again. */
  replayParked(now: number): void {
    if (this.#faults.ignoresReplay) return;
    for (const [key, { isParked }] of this.#tables.deliveries) {
      const [placeId, recordId] = placeOf(key);
      if (!isParked) continue;
      this.#tables.want(placeId, recordId, false, now);
      delete this.#tables.deliveries.get(key)?.taken;
    }
  }
}
