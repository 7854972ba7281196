/** What storage in memory consists of: the tables of PostgreSQL as maps, and what can be asked of them. */
import type { Cursor } from "@accord/connector-sdk";
import type { Value } from "@accord/contracts/data/values";
import { sameValue } from "@accord/expressions";
import {
  linkAfterReturn,
  type ConflictWrite,
  type LedgerEntry,
  type MatchKeys,
  type PendingReference,
  type QuarantineWrite,
  type ReturnedRecord,
  type StoredLink,
  type StoredRecord,
  type Unanswered,
} from "@accord/sync-engine/run";

export interface Delivery {
  /** Names the reason to tell, over all deliveries ever. */
  reason: number;
  wanted: number;
  attempts: number;
  nextAt: number;
  isParked: boolean;
  unanswered: Unanswered | null;
  /** What another record has that this one was to get: what its creation was answered with, or (no key) was only found. */
  taken?: { externalId: string; key: string | null };
  takenTimes?: number;
  /** Why it was parked last. */
  parkedAs?: string | null;
  /** What the destination's fields took when values of the record did not fit. */
  unfit?: string | null;
}

export const at = (placeId: number, id: string): string => `${placeId}|${id}`;

/** Place and id that a key was made of. */
export function placeOf(key: string): [placeId: number, id: string] {
  const [placeId, id = ""] = key.split("|");
  return [Number(placeId), id];
}

export const sameText = (left: Value, right: Value): boolean =>
  sameValue(
    typeof left === "string" ? left.toLowerCase() : left,
    typeof right === "string" ? right.toLowerCase() : right,
  );

/** Whether the record has one of the keys in its field. */
export const hasKey = ({ values }: StoredRecord, fields: readonly MatchKeys[]): boolean =>
  fields.some(({ field, keys }) => keys.some((key) => sameText(values[field] ?? null, key)));

export interface TableFaults {
  linksAnybody?: boolean;
  keepsOldSeen?: boolean;
  parksForGood?: boolean;
}

const NONE_ENDED: ReadonlySet<string> = new Set();

export class MemoryTables {
  readonly records = new Map<string, StoredRecord>();
  readonly ledger: (LedgerEntry & { epoch: number })[] = [];
  readonly quarantine: QuarantineWrite[] = [];
  readonly cursors = new Map<string, Cursor>();
  /** Sources whose last reading came to an end. */
  readonly through = new Set<string>();
  /** By place and external id. */
  readonly links = new Map<string, StoredLink>();
  /** By place and external id: when a link was last written for what was read or sent there. */
  readonly touchedAt = new Map<string, number>();
  /** By place and external id: when the place last answered a write of the record. */
  readonly writtenAt = new Map<string, number>();
  /** By place and record id: the one external id that stands for it there. */
  readonly linkOfRecord = new Map<string, string>();
  readonly deliveries = new Map<string, Delivery>();
  /** By record id and field. */
  readonly pending = new Map<string, PendingReference & { placeId: number }>();
  /** Record, place and target that a telling left out. */
  readonly waiting = new Map<string, { placeId: number; recordId: string; targetId: string }>();
  /** By place, record id and field. */
  readonly conflicts = new Map<string, ConflictWrite & { placeId: number }>();
  /** Of records that were let go. */
  readonly #lastVersions = new Map<string, number>();
  readonly #faults: TableFaults;
  #reasons = 0;

  constructor(faults: TableFaults = {}) {
    this.#faults = faults;
  }

  linkOf(placeId: number, recordId: string): StoredLink | null {
    const externalId = this.linkOfRecord.get(at(placeId, recordId));
    return externalId === undefined ? null : (this.links.get(at(placeId, externalId)) ?? null);
  }

  /** External ids that are alive at the place, of these records or of all. */
  liveLinks(placeId: number): StoredLink[] {
    return [...this.links].flatMap(([key, link]) => (placeOf(key)[0] === placeId && !link.dead ? [link] : []));
  }

  livePlaces(recordId: string): number[] {
    return [...this.links].flatMap(([key, link]) =>
      link.recordId === recordId && !link.dead ? [placeOf(key)[0]] : [],
    );
  }

  /** An external record or a core record's place that already belongs to somebody else alive. */
  isTaken(placeId: number, link: StoredLink, ended: ReadonlySet<string> = NONE_ENDED): boolean {
    if (this.#faults.linksAnybody) return false;
    const there = this.links.get(at(placeId, link.externalId));
    if (there && (there.recordId !== link.recordId || !there.dead)) return true;
    const own = this.linkOfRecord.get(at(placeId, link.recordId));
    if (own === undefined || own === link.externalId || ended.has(own)) return false;
    return this.links.get(at(placeId, own))?.dead === false;
  }

  /** `now`: it is written for what was read or sent. */
  putLink(placeId: number, link: StoredLink, now?: number): void {
    const key = at(placeId, link.recordId);
    if (now !== undefined) this.touchedAt.set(at(placeId, link.externalId), now);
    const before = this.linkOfRecord.get(key);
    if (before !== undefined && before !== link.externalId) this.links.delete(at(placeId, before));
    const old = this.links.get(at(placeId, link.externalId));
    if (!old) this.writtenAt.delete(at(placeId, link.externalId));
    if (old && old.recordId !== link.recordId) this.linkOfRecord.delete(at(placeId, old.recordId));
    const { externalId, recordId, lastWritten, refused, respelled, modifiedAt, dead, heldBack = null } = link;
    const seen = this.#faults.keepsOldSeen && old ? old.seen : link.seen;
    const row = { externalId, recordId, seen, lastWritten, refused, respelled, modifiedAt, dead };
    this.links.set(at(placeId, externalId), heldBack ? { ...row, heldBack } : row);
    this.linkOfRecord.set(key, externalId);
  }

  want(placeId: number, recordId: string, onlyIfOutstanding: boolean, now: number): void {
    const key = at(placeId, recordId);
    const delivery = this.deliveries.get(key);
    this.#reasons += 1;
    const reason = this.#reasons;
    if (delivery && !(this.#faults.parksForGood && delivery.isParked)) {
      // While an attempt is in doubt, a new reason to write does not bring the next one forward.
      const nextAt = delivery.unanswered ? delivery.nextAt : now;
      Object.assign(delivery, {
        reason,
        wanted: delivery.wanted + 1,
        attempts: 0,
        nextAt,
        isParked: false,
        unfit: null,
      });
    }
    if (!delivery && !onlyIfOutstanding) {
      const fresh = { reason, wanted: reason, attempts: 0, nextAt: now, isParked: false, unanswered: null };
      this.deliveries.set(key, fresh);
    }
  }

  /** Writes a record's next version. */
  change(recordId: string, changed: Partial<Pick<StoredRecord, "values" | "origin" | "deleted">>): void {
    const record = this.records.get(recordId);
    if (record) this.records.set(recordId, { ...record, ...changed, version: record.version + 1 });
  }

  /** A record goes while its copies stay: all that is known of it but their ties, and creations without an answer. */
  letGo({ recordId, version }: StoredRecord): void {
    this.records.delete(recordId);
    this.#lastVersions.set(recordId, version);
    for (const [key, { unanswered }] of this.deliveries) {
      if (placeOf(key)[1] === recordId && unanswered?.intent !== "create") this.deliveries.delete(key);
    }
    for (const [key, conflict] of this.conflicts) if (conflict.recordId === recordId) this.conflicts.delete(key);
  }

  /** Copies of such a record belong to whoever finds them. */
  isReleased(recordId: string): boolean {
    return this.#lastVersions.has(recordId) && !this.records.has(recordId);
  }

  versionOfNew(recordId: string): number {
    return (this.#lastVersions.get(recordId) ?? 0) + 1;
  }

  /** What the other copies of a returned record say is open again. */
  openCopies({ recordId, others }: ReturnedRecord): void {
    for (const other of others) {
      const link = this.linkOf(other.placeId, recordId);
      if (link && !link.dead) this.putLink(other.placeId, linkAfterReturn(link, other));
    }
  }

  note(entry: Omit<LedgerEntry, "externalId" | "refused">, epoch: number): void {
    this.ledger.push({ externalId: null, refused: null, ...entry, epoch });
  }
}
