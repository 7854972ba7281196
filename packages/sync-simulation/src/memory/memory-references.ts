/** References whose targets are missing, in memory: kept with their pages, found when the targets appear. */
import { REMOVED_BY_US, type CommitBatch, type DeliveryResult, type ResolvedReference } from "@accord/sync-engine/run";
import type { MemoryMerges } from "./memory-merges.ts";
import { at, type MemoryTables } from "./memory-tables.ts";

export interface ReferenceFaults {
  forgetsPending?: boolean;
  keepsPending?: boolean;
  forgetsWaiting?: boolean;
}

export class MemoryReferences {
  readonly #tables: MemoryTables;
  readonly #merges: MemoryMerges;
  readonly #faults: ReferenceFaults;

  constructor(tables: MemoryTables, merges: MemoryMerges, faults: ReferenceFaults) {
    this.#tables = tables;
    this.#merges = merges;
    this.#faults = faults;
  }

  /** Pending references whose targets are known now. */
  findResolved(placeOf: (connectorId: string) => number): ResolvedReference[] {
    return [...this.#tables.pending.values()].flatMap(
      ({ recordId, field, connectorId, externalId, placeId, at: since }) => {
        const record = this.#tables.records.get(recordId);
        const targetId = this.recordBehind(placeOf(connectorId), externalId);
        if (!record || record.deleted || targetId === null) return [];
        return [{ record, field, targetId, placeId, at: since }];
      },
    );
  }

  /**
   * The record that an external id stands for; that of a merged one is its winner, even once the external record is gone.
   * What we removed for a merge that was undone since stands for its own record again: who named it meant that one.
   */
  recordBehind(placeId: number, externalId: string): string | null {
    const link = this.#tables.links.get(at(placeId, externalId));
    if (!link) return null;
    const isLost = link.dead && !(link.lastWritten === REMOVED_BY_US && this.#merges.wasSeparated(link.recordId));
    return this.#merges.winnerOf(link.recordId) ?? (isLost ? null : link.recordId);
  }

  /** Whether a place that names this external record has to learn of another one: it was merged away, or is gone. */
  isRenamed(placeId: number, externalId: string, recordId: string): boolean {
    const link = this.#tables.links.get(at(placeId, externalId));
    return link !== undefined && (link.dead || link.recordId !== recordId);
  }

  /**
   * Outside ids of a place by record. A record that has none there is there as one of those merged into it, unless the
   * place has yet to learn of that one: it may be about to be deleted.
   */
  namesAt(placeId: number): Map<string, string> {
    const links = this.#tables.liveLinks(placeId);
    const names = new Map(links.map(({ recordId, externalId }) => [recordId, externalId]));
    const inTurn = [...links].sort((left, right) => (left.externalId < right.externalId ? -1 : 1));
    for (const { recordId, externalId } of inTurn) {
      if (this.#tables.deliveries.has(at(placeId, recordId))) continue;
      for (const winnerId of this.#merges.winnersOver(recordId)) {
        if (!names.has(winnerId)) names.set(winnerId, externalId);
      }
    }
    return names;
  }

  /** Destinations that were notified of a record without a reference learn of it again once its target, or its winner, is there. */
  renewWaiting(placeIds: readonly number[], now: number): void {
    const names = new Map(placeIds.map((placeId) => [placeId, this.namesAt(placeId)]));
    for (const [key, { placeId, recordId, targetId }] of this.#tables.waiting) {
      if (!names.get(placeId)?.has(this.#merges.winnerOf(targetId) ?? targetId)) continue;
      this.#tables.waiting.delete(key);
      this.#tables.want(placeId, recordId, false, now);
    }
  }

  /** Fields for which the place itself named a record that nobody knows yet. */
  openAt(placeId: number, recordId: string): string[] {
    const all = [...this.#tables.pending.values()];
    return all.flatMap((one) => (one.placeId === placeId && one.recordId === recordId ? [one.field] : []));
  }

  write({ placeId, pending, clearedPending = [], resolvedPending = [] }: CommitBatch): void {
    for (const { recordId, field, isEverywhere } of clearedPending) {
      const key = `${recordId}|${field}`;
      if (isEverywhere || this.#tables.pending.get(key)?.placeId === placeId) this.#tables.pending.delete(key);
    }
    for (const { recordId, field } of this.#faults.keepsPending ? [] : resolvedPending) {
      this.#tables.pending.delete(`${recordId}|${field}`);
    }
    for (const reference of this.#faults.forgetsPending ? [] : pending) {
      this.#tables.pending.set(`${reference.recordId}|${reference.field}`, { ...reference, placeId });
    }
  }

  writeWaiting(placeId: number, { recordId, waits = [] }: DeliveryResult): void {
    for (const { targetId } of this.#faults.forgetsWaiting ? [] : waits) {
      this.#tables.waiting.set(`${placeId}|${recordId}|${targetId}`, { placeId, recordId, targetId });
    }
  }
}
