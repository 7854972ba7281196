/**
 * Storage in memory with the meaning of the commands in PostgreSQL: each one happens whole or not at all, and those that
 * write are refused once the epoch is not the living one. The same model-based tests run against both.
 */
import type { Cursor } from "@accord/connector-sdk";
import type { Value, Values } from "@accord/contracts/data/values";
import { sameValue } from "@accord/expressions";
import type { CycleSummary, ResyncStart, RunStart } from "../run/protocol.ts";
import type {
  Claimed,
  ClaimedDelivery,
  ClaimRequest,
  CommitAnswer,
  CommitBatch,
  IntendAnswer,
  Intent,
  MatchRequest,
  QuarantineWrite,
  Resolved,
  ResolveRequest,
  SettleAnswer,
  Settlement,
  Signal,
  Unanswered,
} from "../run/storage.ts";
import type { LedgerEntry, StoredLink, StoredRecord } from "../run/stored.ts";

interface Delivery {
  /** Names the reason to tell, over all deliveries ever. */
  reason: number;
  wanted: number;
  attempts: number;
  nextAt: number;
  isParked: boolean;
  unanswered: Unanswered | null;
}

/** Faults to build into storage on purpose, to see that the simulation finds them. */
export interface StoreFaults {
  ignoresEpoch?: boolean;
  ignoresVersion?: boolean;
  cursorBeforeCommit?: boolean;
  forgetsIntent?: boolean;
  settlesAnyWanted?: boolean;
  keepsOldSeen?: boolean;
  intendsUnderAnyEpoch?: boolean;
  settlesUnderAnyEpoch?: boolean;
  keepsEpoch?: boolean;
  hidesNewVersion?: boolean;
  forgetsDoubts?: boolean;
  ignoresReplay?: boolean;
  parksForGood?: boolean;
  claimsWhatIsHeld?: boolean;
  linksAnybody?: boolean;
}

const LEASE_MS = 10_000;

export class MemoryStore {
  readonly records = new Map<string, StoredRecord>();
  readonly ledger: (LedgerEntry & { epoch: number })[] = [];
  readonly quarantine: QuarantineWrite[] = [];
  readonly cursors = new Map<string, Cursor>();
  /** Each position ever written, to see that none moves back. */
  readonly positions: { nodeId: string; cursor: Cursor }[] = [];
  readonly #links = new Map<string, StoredLink>();
  readonly #linkOfRecord = new Map<string, string>();
  readonly #deliveries = new Map<string, Delivery>();
  readonly #faults: StoreFaults;
  lease: { owner: string | null; epoch: number; until: number; version: number } = {
    owner: null,
    epoch: 0,
    until: 0,
    version: 1,
  };
  signal: Signal = "none";
  /** Number of the published version. */
  version = 1;
  #reasons = 0;
  resync: ResyncStart | null = null;
  failures: RunStart["failures"] = {};

  constructor(faults: StoreFaults = {}) {
    this.#faults = faults;
  }

  // Lease

  /** The new epoch, or null while somebody else holds the lease. */
  acquire(owner: string, now: number): number | null {
    if (this.lease.owner !== null && now < this.lease.until) return null;
    if (this.#faults.forgetsDoubts) for (const delivery of this.#deliveries.values()) delivery.unanswered = null;
    const epoch = this.#faults.keepsEpoch ? Math.max(1, this.lease.epoch) : this.lease.epoch + 1;
    this.lease = { owner, epoch, until: now + LEASE_MS, version: this.version };
    return this.lease.epoch;
  }

  renew(epoch: number, now: number): boolean {
    if (this.lease.epoch !== epoch) return false;
    this.lease.until = now + LEASE_MS;
    return true;
  }

  #holds(epoch: number, fault = false): boolean {
    return fault || this.#faults.ignoresEpoch === true || this.lease.epoch === epoch;
  }

  /** What the run under way is told: also when a newer version was published than the one it is pinned to. */
  #asked(): Signal {
    if (this.signal !== "none") return this.signal;
    return this.lease.version === this.version || this.#faults.hidesNewVersion ? "none" : "pause";
  }

  // Reading

  resolve(request: ResolveRequest): Resolved {
    const absorbed = new Set<number>();
    const links = new Map<string, StoredLink>();
    const records = new Map<string, StoredRecord>();
    const unanswered = new Map<string, Unanswered>();
    const otherPlaces = new Map<string, number[]>();
    let hasUnlinked = false;
    request.records.forEach(({ externalId, seen, deleted }, index) => {
      const link = this.#links.get(at(request.placeId, externalId));
      if (!link) {
        hasUnlinked ||= !deleted;
        return;
      }
      if (request.absorb && !deleted && !link.dead && link.seen === seen) {
        absorbed.add(index);
        return;
      }
      links.set(externalId, { ...link });
      this.#putRecord(records, link.recordId);
      const delivery = this.#deliveries.get(at(request.placeId, link.recordId));
      if (delivery?.unanswered) unanswered.set(link.recordId, delivery.unanswered);
      if (deleted) otherPlaces.set(link.recordId, this.#livePlaces(link.recordId, request.placeId));
    });
    if (hasUnlinked) {
      for (const [key, delivery] of this.#deliveries) {
        const [placeId, recordId = ""] = key.split("|");
        if (Number(placeId) !== request.placeId || delivery.unanswered?.intent !== "create") continue;
        unanswered.set(recordId, delivery.unanswered);
        this.#putRecord(records, recordId);
      }
    }
    return { absorbed, links, records, unanswered, otherPlaces, quarantined: new Set(), references: new Map() };
  }

  match(request: MatchRequest): StoredRecord[] {
    return [...this.records.values()].filter((record) => {
      const linked = this.#linkOfRecord.get(at(request.placeId, record.recordId));
      const link = linked === undefined ? undefined : this.#links.get(at(request.placeId, linked));
      if (record.deleted || (link && !link.dead)) return false;
      return request.fields.some(({ field, keys }) => keys.some((key) => sameText(record.values[field] ?? null, key)));
    });
  }

  // Writing

  commit(epoch: number, batch: CommitBatch, now: number): CommitAnswer {
    if (this.#faults.cursorBeforeCommit) this.#reach(batch);
    if (!this.#holds(epoch)) return { status: "lost" };
    for (const { recordId, expectedVersion } of batch.updates) {
      const isMoved = this.records.get(recordId)?.version !== expectedVersion;
      if (isMoved && !this.#faults.ignoresVersion) return { status: "conflict" };
    }
    for (const link of batch.links) {
      if (link.isNew && this.#isTaken(batch.placeId, link)) return { status: "conflict" };
    }
    for (const { recordId, values, origin } of batch.creates) {
      this.records.set(recordId, { recordId, version: 1, deleted: false, values, origin });
    }
    for (const { recordId, values, origin, deleted } of batch.updates) {
      const version = (this.records.get(recordId)?.version ?? 0) + 1;
      this.records.set(recordId, { recordId, version, deleted, values, origin });
    }
    for (const link of batch.links) this.#putLink(batch.placeId, link);
    for (const entry of batch.ledger) this.ledger.push({ ...entry, epoch });
    for (const { recordId, version } of batch.fulfilled ?? []) {
      const key = at(batch.placeId, recordId);
      const delivery = this.#deliveries.get(key);
      const isAsSeen = this.records.get(recordId)?.version === version;
      if (delivery && isAsSeen && !delivery.unanswered && !delivery.isParked) this.#deliveries.delete(key);
    }
    for (const delivery of batch.deliveries) {
      this.#want(delivery.placeId, delivery.recordId, delivery.onlyIfOutstanding, now);
    }
    this.quarantine.push(...batch.quarantine);
    this.#reach(batch);
    return { status: "done", signal: this.#asked() };
  }

  #reach(batch: CommitBatch): void {
    const { position } = batch;
    if (position?.of === "changes") {
      this.cursors.set(position.nodeId, position.cursor);
      this.positions.push({ nodeId: position.nodeId, cursor: position.cursor });
    } else if (position && this.resync) {
      this.resync = { ...this.resync, cursors: { ...this.resync.cursors, [position.nodeId]: position.cursor } };
    }
  }

  claim(request: ClaimRequest, now: number): Claimed {
    const deliveries: ClaimedDelivery[] = [];
    let nextAt: number | null = null;
    for (const [key, delivery] of this.#deliveries) {
      const [placeId, recordId = ""] = key.split("|");
      if (Number(placeId) !== request.placeId || delivery.isParked) continue;
      if (delivery.nextAt > now && !this.#faults.claimsWhatIsHeld) {
        nextAt = Math.min(nextAt ?? delivery.nextAt, delivery.nextAt);
        continue;
      }
      if (deliveries.length >= request.limit) continue;
      const externalId = this.#linkOfRecord.get(key);
      const link = externalId === undefined ? undefined : this.#links.get(at(request.placeId, externalId));
      const { wanted, attempts, unanswered } = delivery;
      const record = this.records.get(recordId) ?? null;
      const dueForMs = now - delivery.nextAt;
      deliveries.push({ recordId, wanted, attempts, unanswered, dueForMs, record, link: link ? { ...link } : null });
    }
    return { deliveries, references: new Map(), nextAt };
  }

  intend(epoch: number, placeId: number, intents: readonly Intent[], now: number): IntendAnswer {
    if (!this.#holds(epoch, this.#faults.intendsUnderAnyEpoch)) return { status: "lost" };
    const standing = new Set<string>();
    const taken = new Set<string>();
    for (const { recordId, wanted, intent, written, holdMs, adopts } of intents) {
      const delivery = this.#deliveries.get(at(placeId, recordId));
      if (!delivery || delivery.wanted !== wanted) continue;
      const holder = adopts === null ? undefined : this.#links.get(at(placeId, adopts));
      if (holder && holder.recordId !== recordId) {
        taken.add(recordId);
        continue;
      }
      standing.add(recordId);
      if (this.#faults.forgetsIntent) continue;
      delivery.attempts += 1;
      delivery.unanswered = { intent, written };
      delivery.nextAt = now + holdMs;
    }
    return { status: "done", standing, taken };
  }

  settle(epoch: number, placeId: number, settlements: readonly Settlement[], now: number): SettleAnswer {
    if (!this.#holds(epoch, this.#faults.settlesUnderAnyEpoch)) return { status: "lost" };
    for (const settlement of settlements) {
      const key = at(placeId, settlement.recordId);
      const delivery = this.#deliveries.get(key);
      const { link, ledger, quarantine } = settlement;
      const isTaken = link?.isNew === true && this.#isTaken(placeId, link);
      if (link && !isTaken) this.#putLink(placeId, link);
      if (ledger && !isTaken) this.ledger.push({ ...ledger, epoch });
      if (quarantine) this.quarantine.push(quarantine);
      if (!delivery) continue;
      if (settlement.answered) delivery.unanswered = null;
      const isOld = delivery.wanted !== settlement.wanted && !this.#faults.settlesAnyWanted;
      const soonest = delivery.unanswered ? settlement.nextAt : now;
      if (isOld) Object.assign(delivery, { attempts: 0, nextAt: soonest, isParked: false });
      else if (isTaken || settlement.result === "parked") delivery.isParked = true;
      else if (settlement.result === "done") this.#deliveries.delete(key);
      else Object.assign(delivery, { attempts: settlement.attempts, nextAt: settlement.nextAt });
    }
    return { status: "done", signal: this.#asked() };
  }

  finish(epoch: number, summary: CycleSummary): void {
    if (summary.outcome === "lost" || !this.#holds(epoch)) return;
    for (const position of summary.positions) if (position) this.#reach({ position } as CommitBatch);
    this.failures = summary.failures;
    if (summary.resync?.done || summary.outcome === "cancelled") this.resync = null;
    if (this.lease.epoch === epoch) this.lease.owner = null;
  }

  /** A person has put aside work tried again. */
  replayParked(now: number): void {
    if (this.#faults.ignoresReplay) return;
    for (const [key, { isParked }] of this.#deliveries) {
      const [placeId, recordId = ""] = key.split("|");
      if (isParked) this.#want(Number(placeId), recordId, false, now);
    }
  }

  hasParked(): boolean {
    return [...this.#deliveries.values()].some(({ isParked }) => isParked);
  }

  /** Why this place has to be told of the record now; null when it needs not. */
  reasonOf(placeId: number, recordId: string): number | null {
    return this.#deliveries.get(at(placeId, recordId))?.reason ?? null;
  }

  /** A person's edit: record, ledger and deliveries in one go, without the lease. */
  changeByHand(recordId: string, values: Values | null, placeIds: readonly number[], now: number): boolean {
    const record = this.records.get(recordId);
    if (!record || record.deleted) return false;
    const changes: LedgerEntry["changes"] = {};
    for (const field in values) changes[field] = [record.values[field] ?? null, values[field] ?? null];
    this.records.set(recordId, {
      ...record,
      version: record.version + 1,
      values: { ...record.values, ...values },
      origin: Object.fromEntries([
        ...Object.entries(record.origin),
        ...Object.keys(changes).map((field) => [field, { by: "user", at: new Date(now).toISOString() }]),
      ]),
      deleted: values === null,
    });
    const operation = values === null ? "delete" : "update";
    this.ledger.push({ recordId, operation, externalId: null, changes, refused: null, epoch: 0 });
    for (const placeId of placeIds) this.#want(placeId, recordId, false, now);
    return true;
  }

  outstanding(): number {
    let count = 0;
    for (const { isParked } of this.#deliveries.values()) if (!isParked) count += 1;
    return count;
  }

  mostAttempts(): number {
    return Math.max(0, ...[...this.#deliveries.values()].map(({ attempts }) => attempts));
  }

  linkOf(placeId: number, recordId: string): StoredLink | null {
    const externalId = this.#linkOfRecord.get(at(placeId, recordId));
    return externalId === undefined ? null : (this.#links.get(at(placeId, externalId)) ?? null);
  }

  #putRecord(into: Map<string, StoredRecord>, recordId: string): void {
    const record = this.records.get(recordId);
    if (record) into.set(recordId, record);
  }

  #livePlaces(recordId: string, except: number): number[] {
    const places: number[] = [];
    for (const [key, externalId] of this.#linkOfRecord) {
      const [placeId, linked] = key.split("|");
      if (linked !== recordId || Number(placeId) === except) continue;
      if (!this.#links.get(at(Number(placeId), externalId))?.dead) places.push(Number(placeId));
    }
    return places;
  }

  /** An outside record or a core record's place that already belongs to somebody else alive. */
  #isTaken(placeId: number, link: StoredLink): boolean {
    if (this.#faults.linksAnybody) return false;
    const there = this.#links.get(at(placeId, link.externalId));
    if (there && (there.recordId !== link.recordId || !there.dead)) return true;
    const own = this.#linkOfRecord.get(at(placeId, link.recordId));
    if (own === undefined || own === link.externalId) return false;
    return this.#links.get(at(placeId, own))?.dead === false;
  }

  #putLink(placeId: number, link: StoredLink): void {
    const key = at(placeId, link.recordId);
    const before = this.#linkOfRecord.get(key);
    if (before !== undefined && before !== link.externalId) this.#links.delete(at(placeId, before));
    const old = this.#links.get(at(placeId, link.externalId));
    if (old && old.recordId !== link.recordId) this.#linkOfRecord.delete(at(placeId, old.recordId));
    const { externalId, recordId, told, refused, modifiedAt, dead } = link;
    const seen = this.#faults.keepsOldSeen && old ? old.seen : link.seen;
    this.#links.set(at(placeId, externalId), { externalId, recordId, seen, told, refused, modifiedAt, dead });
    this.#linkOfRecord.set(key, externalId);
  }

  #want(placeId: number, recordId: string, onlyIfOutstanding: boolean, now: number): void {
    const key = at(placeId, recordId);
    const delivery = this.#deliveries.get(key);
    this.#reasons += 1;
    const reason = this.#reasons;
    if (delivery && !(this.#faults.parksForGood && delivery.isParked)) {
      // While an attempt is in doubt, a new reason to tell does not bring the next one forward.
      const nextAt = delivery.unanswered ? delivery.nextAt : now;
      Object.assign(delivery, { reason, wanted: delivery.wanted + 1, attempts: 0, nextAt, isParked: false });
    }
    if (!delivery && !onlyIfOutstanding) {
      this.#deliveries.set(key, {
        reason,
        wanted: reason,
        attempts: 0,
        nextAt: now,
        isParked: false,
        unanswered: null,
      });
    }
  }
}

const at = (placeId: number, id: string): string => `${placeId}|${id}`;

const sameText = (left: Value, right: Value): boolean =>
  sameValue(
    typeof left === "string" ? left.toLowerCase() : left,
    typeof right === "string" ? right.toLowerCase() : right,
  );
