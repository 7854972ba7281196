/**
 * Storage in memory with the meaning of the commands in PostgreSQL: each one happens whole or not at all, and those that
 * write are refused once the epoch is not the living one. The same commands are replayed against both.
 */
import type { Cursor } from "@accord/connector-sdk";
import type { Values } from "@accord/contracts/data/values";
import {
  MAX_MATCHES_OF_KEY,
  changesOf,
  freedByPage,
  isExpectation,
  maxHolders,
  type ClaimRequest,
  type Claimed,
  type CommitBatch,
  type CommitResult,
  type CycleSummary,
  type DeliveryResult,
  type FoundCandidates,
  type FoundDuplicates,
  type IntendResult,
  type Intent,
  type LedgerEntry,
  type LostFields,
  type MatchKeys,
  type MatchRequest,
  type Position,
  type ResolveRequest,
  type Resolved,
  type ResolvedReference,
  type ResyncStart,
  type RunStart,
  type SettleResult,
  type Signal,
  type StoredLink,
  type StoredRecord,
  type Unanswered,
} from "@accord/sync-engine/run";
import { boundedMatches } from "./bounded-matches.ts";
import { type MergeFaults, MemoryMerges } from "./memory-merges.ts";
import { MemoryQuarantine } from "./memory-quarantine.ts";
import { MemoryOutbox, type OutboxFaults } from "./memory-outbox.ts";
import { MemoryReferences, type ReferenceFaults } from "./memory-references.ts";
import { at, hasKey, MemoryTables, placeOf, type TableFaults } from "./memory-tables.ts";

/** Faults to build into storage on purpose, to see that the simulation finds them. */
export interface StoreFaults extends TableFaults, MergeFaults, ReferenceFaults, OutboxFaults {
  ignoresEpoch?: boolean;
  ignoresVersion?: boolean;
  cursorBeforeCommit?: boolean;
  intendsUnderAnyEpoch?: boolean;
  settlesUnderAnyEpoch?: boolean;
  keepsEpoch?: boolean;
  hidesNewVersion?: boolean;
  forgetsDoubts?: boolean;
  undoKeepsEpoch?: boolean;
  keepsConflicts?: boolean;
  adoptsTwice?: boolean;
  undoFreesLease?: boolean;
  showsStaged?: boolean;
  stagedUnderAnyEpoch?: boolean;
  stagedUnchecked?: boolean;
}

/** How the pipeline's storage is laid out. */
export interface StoreLayout {
  /** Number of each connector's place. */
  places: ReadonlyMap<string, number>;
  /** Fields that hold ids of records. */
  references: readonly string[];
}

const LEASE_MS = 10_000;
const DAY = 86_400_000;

export class MemoryStore extends MemoryTables {
  /** Each position ever written, to see that none moves back. */
  readonly positions: { nodeId: string; cursor: Cursor }[] = [];
  /** By place: fields that it has lost so far. */
  readonly lostFields = new Map<number, LostFields>();
  /** By source: what changed there before this moment has been read. */
  readonly knownUntil = new Map<string, string>();
  readonly merges: MemoryMerges;
  readonly quarantineEntries = new MemoryQuarantine();
  readonly #references: MemoryReferences;
  readonly #outbox: MemoryOutbox;
  readonly #places: ReadonlyMap<string, number>;
  readonly #faults: StoreFaults;
  /** Pages that are written ahead of their turn. */
  readonly #staged = new WeakSet<CommitBatch>();
  /** `wasHeld`: it was taken from somebody who had not given it back. */
  lease: { owner: string | null; epoch: number; until: number; version: number; wasHeld: boolean } = {
    owner: null,
    epoch: 0,
    until: 0,
    version: 1,
    wasHeld: false,
  };
  signal: Signal = "none";
  /** Number of the published version. */
  version = 1;
  resync: ResyncStart | null = null;
  failures: RunStart["failures"] = {};

  constructor({ places, references }: StoreLayout, faults: StoreFaults = {}) {
    super(faults);
    this.#faults = faults;
    this.#places = places;
    this.merges = new MemoryMerges(this, references, faults);
    this.#references = new MemoryReferences(this, this.merges, faults);
    const parts = {
      tables: this,
      merges: this.merges,
      references: this.#references,
      quarantineEntries: this.quarantineEntries,
    };
    this.#outbox = new MemoryOutbox({ ...parts, placeOf: (connectorId) => this.#placeOf(connectorId) }, faults);
  }

  // Lease

  /** The new epoch, or null while somebody else holds the lease. */
  acquire(owner: string, now: number): number | null {
    if (this.lease.owner !== null && now < this.lease.until) return null;
    if (this.#faults.forgetsDoubts) for (const delivery of this.deliveries.values()) delivery.unanswered = null;
    const epoch = this.#faults.keepsEpoch ? Math.max(1, this.lease.epoch) : this.lease.epoch + 1;
    const wasHeld = this.lease.owner !== null;
    this.lease = { owner, epoch, until: now + LEASE_MS, version: this.version, wasHeld };
    return this.lease.epoch;
  }

  renew(epoch: number, now: number): boolean {
    if (this.lease.epoch !== epoch) return false;
    this.lease.until = now + LEASE_MS;
    return true;
  }

  /** See `holdUnanswered` of the engine's storage. */
  holdUnanswered(placeId: number, holdMs: number, now: number): void {
    this.#outbox.holdUnanswered(placeId, holdMs, now);
  }

  /** See `retryUnfit` of the engine's storage. */
  retryUnfit(placeId: number, fits: string, now: number): number {
    return this.#outbox.retryUnfit(placeId, fits, now);
  }

  #holds(epoch: number, fault = false): boolean {
    return fault || this.#faults.ignoresEpoch === true || this.lease.epoch === epoch;
  }

  /** What the run under way is told: also when a newer version was published than the one it is pinned to. */
  #asked(): Signal {
    const isOutdated = this.lease.version !== this.version && !this.#faults.hidesNewVersion;
    return this.signal === "pause" || isOutdated ? "pause" : this.signal;
  }

  /** Whether something was written to a place, or perhaps was, that nobody has read since. */
  hasUnreadWrites(placeId: number): boolean {
    const isHere = (key: string): boolean => placeOf(key)[0] === placeId;
    return (
      [...this.links].some(([key, { seen, dead }]) => isHere(key) && !dead && isExpectation(seen)) ||
      [...this.deliveries].some(
        ([key, { unanswered, isParked }]) => isHere(key) && !isParked && unanswered?.intent === "create",
      )
    );
  }

  // Reading

  resolve(request: ResolveRequest): Resolved {
    const absorbed = new Set<number>();
    const links = new Map<string, StoredLink>();
    const deadSince = new Map<string, number>();
    const writtenAt = new Map<string, number>();
    const records = new Map<string, StoredRecord>();
    const unanswered = new Map<string, Unanswered>();
    const otherPlaces = new Map<string, number[]>();
    const merged = new Map<string, string>();
    const aliased = new Set<string>();
    let hasUnlinked = false;
    const quarantined = this.quarantineEntries.among(request);
    request.records.forEach(({ externalId, seen, deleted }, index) => {
      const link = this.links.get(at(request.placeId, externalId));
      if (!link) {
        hasUnlinked = true;
        return;
      }
      if (
        request.absorb &&
        !deleted &&
        !link.dead &&
        !link.heldBack &&
        link.seen === seen &&
        !quarantined.has(externalId)
      ) {
        absorbed.add(index);
        return;
      }
      const { recordId } = link;
      links.set(externalId, { ...link });
      const touchedAt = this.touchedAt.get(at(request.placeId, externalId));
      if (link.dead && touchedAt !== undefined) deadSince.set(externalId, touchedAt);
      const toldLast = link.respelled === null ? undefined : this.writtenAt.get(at(request.placeId, externalId));
      if (toldLast !== undefined) writtenAt.set(externalId, toldLast);
      this.#putRecord(records, recordId);
      const winnerId = this.records.get(recordId)?.deleted ? this.merges.winnerOf(recordId) : undefined;
      if (winnerId !== undefined) {
        merged.set(recordId, winnerId);
        this.#putRecord(records, winnerId);
      }
      if (!deleted) return;
      const others = this.livePlaces(recordId).filter((placeId) => placeId !== request.placeId);
      if (others.length > 0) otherPlaces.set(recordId, others);
      if (this.merges.isAliased(recordId)) aliased.add(recordId);
    });
    for (const [key, { unanswered: doubt }] of this.deliveries) {
      const [placeId, recordId] = placeOf(key);
      if (placeId !== request.placeId || !doubt) continue;
      unanswered.set(recordId, this.#doubtOf(placeId, recordId, doubt));
      if (hasUnlinked && doubt.intent === "create") this.#putRecord(records, recordId);
    }
    const named = this.#resolveReferences(request);
    return {
      absorbed,
      links,
      deadSince,
      writtenAt,
      records,
      unanswered,
      otherPlaces,
      quarantined,
      ...named,
      merged,
      aliased,
    };
  }

  #doubtOf(placeId: number, recordId: string, doubt: Unanswered): Unanswered {
    const isTied = !this.#faults.adoptsTwice && this.linkOf(placeId, recordId)?.dead === false;
    return { ...doubt, isTied };
  }

  #resolveReferences(request: ResolveRequest): Pick<Resolved, "references"> & { renamed: Set<string> } {
    const references = new Map<string, Map<string, string>>();
    const renamed = new Set<string>();
    for (const { connectorId, entity, externalIds } of request.references) {
      const placeId = this.#placeOf(connectorId);
      const known = externalIds.flatMap((externalId): [string, string][] => {
        const recordId = this.#references.recordBehind(placeId, externalId);
        if (recordId === null) return [];
        if (this.#references.isRenamed(placeId, externalId, recordId)) renamed.add(externalId);
        return [[externalId, recordId]];
      });
      references.set(`${connectorId}/${entity}`, new Map(known));
    }
    return { references, renamed };
  }

  match({ placeId, fields, takers = 0 }: MatchRequest): FoundCandidates {
    const free = [...this.records.values()].filter((record) => {
      const link = this.linkOf(placeId, record.recordId);
      return !record.deleted && (!link || link.dead);
    });
    return boundedMatches(free, fields, MAX_MATCHES_OF_KEY + takers);
  }

  /** Ids of external records whose own records have one of the keys; none where they are too many. */
  findHolders({ placeId, fields }: MatchRequest): string[] {
    const ids = [...this.links.values()].flatMap(({ externalId, recordId, dead }) => {
      const record = this.records.get(recordId);
      const isHere = this.links.get(at(placeId, externalId))?.recordId === recordId;
      return isHere && !dead && record && !record.deleted && hasKey(record, fields) ? [externalId] : [];
    });
    return ids.length > maxHolders({ fields }) ? [] : ids;
  }

  findDuplicates(keys: readonly MatchKeys[]): FoundDuplicates {
    return this.merges.find(keys);
  }

  findResolved(): ResolvedReference[] {
    return this.#references.findResolved((connectorId) => this.#placeOf(connectorId));
  }

  renewWaiting(placeIds: readonly number[], now: number): void {
    this.#references.renewWaiting(placeIds, now);
  }

  // Writing

  /**
   * Writes a page ahead of its turn, in a transaction that stays open: nobody sees any of it before its commit, which
   * finds out as ever whether the lease still stands and nothing has moved.
   */
  prepare(epoch: number, batch: CommitBatch, now: number): void {
    this.#staged.add(batch);
    if (this.#faults.showsStaged) this.#showEarly(epoch, batch, now);
  }

  /** Planted: what is written ahead is committed at once. */
  #showEarly(epoch: number, batch: CommitBatch, now: number): void {
    if (this.#holds(epoch) && this.#fits(batch)) this.#apply(epoch, { ...batch, position: null }, now);
  }

  commit(epoch: number, batch: CommitBatch, now: number): CommitResult {
    if (this.#faults.cursorBeforeCommit && batch.position) this.#reach(batch.position);
    const isStaged = this.#staged.has(batch);
    if (!this.#holds(epoch, isStaged && this.#faults.stagedUnderAnyEpoch)) return { status: "lost" };
    if (!(isStaged && this.#faults.stagedUnchecked) && !this.#fits(batch)) return { status: "conflict" };
    this.#apply(epoch, batch, now);
    return { status: "done", signal: this.#asked() };
  }

  #apply(epoch: number, batch: CommitBatch, now: number): void {
    for (const { recordId, values, origin } of batch.creates) {
      this.records.set(recordId, { recordId, version: this.versionOfNew(recordId), deleted: false, values, origin });
    }
    for (const returned of batch.returned ?? []) this.openCopies(returned);
    for (const { recordId, values, origin, deleted } of batch.updates) {
      this.change(recordId, { values, origin, deleted });
    }
    for (const link of batch.links) this.putLink(batch.placeId, link, now);
    for (const entry of batch.ledger) this.ledger.push({ ...entry, changes: changesOf(entry), epoch });
    for (const { recordId, version } of batch.fulfilled ?? []) {
      const key = at(batch.placeId, recordId);
      const delivery = this.deliveries.get(key);
      const isAsSeen = this.records.get(recordId)?.version === version;
      if (delivery && isAsSeen && !delivery.unanswered && !delivery.isParked) this.deliveries.delete(key);
    }
    for (const { placeId, recordId, onlyIfOutstanding } of batch.deliveries) {
      this.want(placeId, recordId, onlyIfOutstanding, now);
    }
    for (const { placeId, recordId } of batch.lacking ?? []) {
      const isThere = this.linkOfRecord.has(at(placeId, recordId)) || this.deliveries.has(at(placeId, recordId));
      if (!isThere) this.want(placeId, recordId, false, now);
    }
    this.#outbox.releaseFreed(batch.placeId, freedByPage(batch), now);
    this.quarantine.push(...batch.quarantine);
    this.quarantineEntries.write(batch);
    this.#references.write(batch);
    this.#writeConflicts(batch);
    if (batch.mergeBatch) this.merges.write(batch.mergeBatch, epoch, now);
    if (batch.position) this.#reach(batch.position);
    if (batch.lostFields) this.lostFields.set(batch.placeId, batch.lostFields);
  }

  /** Whether nothing that the batch is based on has moved meanwhile. */
  #fits(batch: CommitBatch): boolean {
    const own = new Map(batch.creates.map(({ recordId }) => [recordId, 1]));
    for (const { recordId, expectedVersion } of batch.updates) {
      const isMoved = this.records.get(recordId)?.version !== expectedVersion;
      if (isMoved && !this.#faults.ignoresVersion) return false;
      own.set(recordId, (this.records.get(recordId)?.version ?? 0) + 1);
    }
    const fresh = batch.links.filter(({ isNew }) => isNew);
    const ended = new Set(batch.links.flatMap(({ externalId, dead }) => (dead ? [externalId] : [])));
    if (fresh.some((link) => this.isTaken(batch.placeId, link, ended))) return false;
    if (batch.creates.some(({ recordId }) => this.records.has(recordId))) return false;
    const records = new Set(fresh.map(({ recordId }) => recordId));
    if (records.size < fresh.length && !this.#faults.linksAnybody) return false;
    if (batch.standing?.some((recordId) => this.merges.directWinnerOf(recordId) !== undefined)) return false;
    return !batch.mergeBatch || this.#faults.ignoresVersion === true || this.merges.fits(batch.mergeBatch, own);
  }

  #writeConflicts({ placeId, conflicts = [], agreed = [] }: CommitBatch): void {
    const keyOf = (recordId: string, field: string): string => `${placeId}|${recordId}|${field}`;
    if (!this.#faults.keepsConflicts) {
      for (const { recordId, field } of agreed) this.conflicts.delete(keyOf(recordId, field));
    }
    for (const conflict of conflicts) {
      this.conflicts.set(keyOf(conflict.recordId, conflict.field), { ...conflict, placeId });
    }
  }

  #reach(position: Position): void {
    const { nodeId, cursor } = position;
    if (position.of === "changes") {
      this.cursors.set(nodeId, cursor);
      this.positions.push({ nodeId, cursor });
      if (position.isComplete) this.through.add(nodeId);
      else this.through.delete(nodeId);
      if (position.knownUntil) this.knownUntil.set(nodeId, position.knownUntil);
    } else if (this.resync && this.resync.resyncId === position.resyncId) {
      this.resync = { ...this.resync, cursors: { ...this.resync.cursors, [nodeId]: cursor } };
    }
  }

  claim(request: ClaimRequest, now: number): Claimed {
    return this.#outbox.claim(request, now);
  }

  intend(epoch: number, placeId: number, intents: readonly Intent[], now: number): IntendResult {
    if (!this.#holds(epoch, this.#faults.intendsUnderAnyEpoch)) return { status: "lost" };
    return this.#outbox.intend(placeId, intents, now);
  }

  settle(epoch: number, placeId: number, settlements: readonly DeliveryResult[], now: number): SettleResult {
    if (!this.#holds(epoch, this.#faults.settlesUnderAnyEpoch)) return { status: "lost" };
    this.#outbox.settle(epoch, placeId, settlements, now);
    return { status: "done", signal: this.#asked() };
  }

  finish(epoch: number, summary: CycleSummary): void {
    if (summary.outcome === "lost" || !this.#holds(epoch)) return;
    for (const position of summary.positions) if (position) this.#reach(position);
    this.failures = summary.failures;
    const isOver = summary.resync?.done && summary.resync.resyncId === this.resync?.resyncId;
    if (isOver || summary.outcome === "cancelled") this.resync = null;
    if (this.lease.epoch === epoch) this.lease.owner = null;
  }

  // People

  /** A person has quarantined work tried again. */
  replayParked(now: number): void {
    this.#outbox.replayParked(now);
    this.quarantineEntries.tryAgain();
  }

  hasParked(): boolean {
    const isForPerson = [...this.deliveries.values()].some(({ isParked, unfit }) => isParked && !unfit);
    return isForPerson || this.quarantineEntries.keys().length > 0;
  }

  /** Whether a record was given up for something that may pass. */
  waitsForPerson(): boolean {
    return [...this.deliveries].some(([key, { isParked }]) => {
      const [placeId, recordId] = placeOf(key);
      const externalId = this.linkOf(placeId, recordId)?.externalId ?? null;
      const last = this.quarantine.findLast(
        (entry) => entry.direction === "destination" && entry.recordId === recordId && entry.externalId === externalId,
      );
      return isParked && (last?.code === "gave_up" || last?.code === "no_answer");
    });
  }

  /** Why this place has to be notified of the record now; null when it needs not. */
  reasonOf(placeId: number, recordId: string): number | null {
    return this.deliveries.get(at(placeId, recordId))?.reason ?? null;
  }

  /** A person's edit: record, ledger and deliveries in one go, without the lease. */
  applyUserEdits(recordId: string, values: Values, placeIds: readonly number[], now: number): boolean {
    const record = this.records.get(recordId);
    if (!record || record.deleted) return false;
    const changes: LedgerEntry["changes"] = {};
    const origin = { ...record.origin };
    for (const field in values) {
      changes[field] = [record.values[field] ?? null, values[field] ?? null];
      origin[field] = { by: "user", at: new Date(now).toISOString() };
    }
    this.change(recordId, { values: { ...record.values, ...values }, origin });
    this.note({ recordId, operation: "update", changes }, 0);
    for (const placeId of placeIds) this.want(placeId, recordId, false, now);
    // A person is waiting: ahead of what is queued, but not of an attempt whose outcome is in doubt.
    for (const placeId of placeIds) {
      const delivery = this.deliveries.get(at(placeId, recordId));
      if (delivery && !delivery.unanswered) delivery.nextAt = now - DAY;
    }
    return true;
  }

  /** A person deletes a record here and keeps its copies. */
  removeByHand(recordId: string, now: number): boolean {
    const record = this.records.get(recordId);
    if (!record) return false;
    this.letGo(record);
    for (const placeId of this.livePlaces(recordId)) {
      const copy = this.linkOf(placeId, recordId);
      if (copy) this.#outbox.releaseFreed(placeId, [{ externalId: copy.externalId }], now);
    }
    this.note({ recordId, operation: "delete", changes: {} }, 0);
    return true;
  }

  /** A person takes a merge back. Whoever runs the pipeline has looked at records as they were: it loses its lease. */
  undoMerge(mergeId: string, placeIds: readonly number[], now: number): boolean {
    if (!this.merges.undo(mergeId, placeIds, now)) return false;
    const epoch = this.lease.epoch + (this.#faults.undoKeepsEpoch ? 0 : 1);
    // Its time stays as it is: until then the run may still be sending.
    this.lease = { ...this.lease, epoch, ...(this.#faults.undoFreesLease ? { owner: null } : {}) };
    return true;
  }

  /** The record that an external record stands for; null when it stands for none. */
  recordAt(placeId: number, externalId: string): string | null {
    return this.links.get(at(placeId, externalId))?.recordId ?? null;
  }

  /** Whether the record's duplicates were left alone, or parted from it again. */
  isTwice(recordId: string): boolean {
    return this.merges.kept.some(
      ({ status, winnerId, loserIds }) => status !== "MERGED" && (winnerId === recordId || loserIds.includes(recordId)),
    );
  }

  /** Whether a merge that this record was part of was undone. */
  isSeparated(recordId: string): boolean {
    return this.merges.kept.some(
      ({ status, winnerId, loserIds }) => status === "UNDONE" && (winnerId === recordId || loserIds.includes(recordId)),
    );
  }

  outstanding(): number {
    let count = 0;
    for (const { isParked } of this.deliveries.values()) if (!isParked) count += 1;
    return count;
  }

  #placeOf(connectorId: string): number {
    return this.#places.get(connectorId) ?? 0;
  }

  #putRecord(into: Map<string, StoredRecord>, recordId: string): void {
    const record = this.records.get(recordId);
    if (record) into.set(recordId, record);
  }
}
