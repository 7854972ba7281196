/** Duplicates in memory: who may be one, where merged records went, merges as part of a page, and taking them back. */
import type { Values } from "@accord/contracts/data/values";
import { sameValue } from "@accord/expressions";
import {
  MAX_MATCHES_OF_KEY,
  type FoundDuplicates,
  type MatchKeys,
  type MergeBatch,
  type MergeWrite,
  type Origin,
  type StoredRecord,
} from "@accord/sync-engine/run";
import { boundedMatches } from "./bounded-matches.ts";
import { at, type MemoryTables } from "./memory-tables.ts";

export interface MergeFaults {
  leavesLinks?: boolean;
  leavesReferences?: boolean;
  keepsLosers?: boolean;
  forgetsUndone?: boolean;
  ignoresMerges?: boolean;
  followsNobody?: boolean;
  undoForgetsLinks?: boolean;
  leavesDoubts?: boolean;
}

/** A merge as it was done, kept to take it back. */
export interface KeptMerge {
  mergeId: string;
  status: "MERGED" | "REPORTED" | "TOO_MANY" | "UNDONE";
  winnerId: string;
  loserIds: readonly string[];
  before: ReadonlyMap<string, StoredRecord>;
  changes: MergeWrite["changes"];
  origin: Origin;
  moved: { placeId: number; externalId: string; from: string }[];
  repointed: { recordId: string; field: string; from: string; to: string }[];
}

interface MergedRecord {
  loserId: string;
  winnerId: string;
  mergeId: string;
  undone: boolean;
}

export class MemoryMerges {
  readonly #tables: MemoryTables;
  readonly #faults: MergeFaults;
  readonly kept: KeptMerge[] = [];
  readonly merged: MergedRecord[] = [];
  /** Fields that hold ids of records. */
  readonly #references: readonly string[];

  constructor(tables: MemoryTables, references: readonly string[], faults: MergeFaults) {
    this.#tables = tables;
    this.#references = references;
    this.#faults = faults;
  }

  find(keys: readonly MatchKeys[]): FoundDuplicates {
    const living = [...this.#tables.records.values()].filter((record) => !record.deleted);
    const { records, cut, isFull } = boundedMatches(living, keys, MAX_MATCHES_OF_KEY);
    const ids = new Set(records.map(({ recordId }) => recordId));
    const undone = this.#faults.forgetsUndone ? [] : this.merged.filter((row) => row.undone && ids.has(row.loserId));
    return {
      records,
      places: new Map(records.map(({ recordId }) => [recordId, this.#tables.livePlaces(recordId)])),
      separated: undone.map(({ loserId, winnerId }) => [loserId, winnerId] as const),
      cut,
      isFull,
    };
  }

  /** Who stands for a merged record at the end of the chain; undefined when it was not merged. */
  winnerOf(recordId: string): string | undefined {
    const winnerId = this.#faults.followsNobody ? undefined : this.directWinnerOf(recordId);
    return winnerId === undefined ? undefined : (this.winnerOf(winnerId) ?? winnerId);
  }

  directWinnerOf(recordId: string): string | undefined {
    return this.merged.find(({ loserId, undone }) => loserId === recordId && !undone)?.winnerId;
  }

  /** Everybody that the record was merged into, one after the other. */
  winnersOver(recordId: string): string[] {
    const winnerId = this.directWinnerOf(recordId);
    return winnerId === undefined ? [] : [winnerId, ...this.winnersOver(winnerId)];
  }

  /** Whether a person took a merge of this record into another one back. */
  wasSeparated(recordId: string): boolean {
    return this.merged.some(({ loserId, undone }) => loserId === recordId && undone);
  }

  /** Whether external records of merged ones still stand for this record. */
  isAliased(recordId: string): boolean {
    return this.merged.some(
      ({ loserId, winnerId, undone }) =>
        winnerId === recordId && !undone && this.#tables.livePlaces(loserId).length > 0,
    );
  }

  /** False, with nothing written, when a record moved on meanwhile. */
  fits({ merges }: MergeBatch, ownVersions: ReadonlyMap<string, number>): boolean {
    return merges.every(({ winner, losers }) =>
      [winner, ...losers].every(
        ({ recordId, version }) =>
          (ownVersions.get(recordId) ?? this.#tables.records.get(recordId)?.version) === version,
      ),
    );
  }

  write(mergeBatch: MergeBatch, epoch: number, now: number): void {
    for (const { mergeId, winnerId, loserIds, why } of mergeBatch.reports) {
      const status = why === "tooMany" ? "TOO_MANY" : "REPORTED";
      if (this.#isReported(winnerId, loserIds)) continue;
      const nothing = { before: new Map(), changes: {}, origin: {}, moved: [], repointed: [] };
      this.kept.push({ mergeId, status, winnerId, loserIds, ...nothing });
    }
    // All records first: what one merge takes away, another one's winner may name.
    for (const { winner, values, origin, changes, losers } of mergeBatch.merges) {
      this.#tables.change(winner.recordId, { values, origin });
      this.#tables.note({ recordId: winner.recordId, operation: "merge", changes }, epoch);
      for (const { recordId } of this.#faults.keepsLosers ? [] : losers) {
        this.#tables.change(recordId, { deleted: true });
        this.#tables.note({ recordId, operation: "delete", changes: {} }, epoch);
      }
    }
    for (const merge of mergeBatch.merges) this.#join(merge, mergeBatch, epoch, now);
  }

  /** The same duplicates are reported once. */
  #isReported(winnerId: string, loserIds: readonly string[]): boolean {
    return this.kept.some(
      (one) =>
        (one.status === "REPORTED" || one.status === "TOO_MANY") &&
        one.winnerId === winnerId &&
        sameValue([...one.loserIds], [...loserIds]),
    );
  }

  #join(
    { mergeId, winner, origin, changes, losers }: MergeWrite,
    mergeBatch: MergeBatch,
    epoch: number,
    now: number,
  ): void {
    const { recordId: winnerId } = winner;
    const loserIds = losers.map(({ recordId }) => recordId);
    const before = new Map([winner, ...losers].map((record) => [record.recordId, record]));
    const moved = this.#faults.leavesLinks ? [] : this.#moveLinks(winnerId, loserIds);
    const repointed = this.#faults.leavesReferences ? [] : this.#repoint(winnerId, loserIds, epoch, now);
    for (const loserId of loserIds) this.merged.push({ loserId, winnerId, mergeId, undone: false });
    this.kept.push({ mergeId, status: "MERGED", winnerId, loserIds, before, changes, origin, moved, repointed });
    if (!this.#faults.ignoresMerges) this.#enqueueDeliveries(winnerId, loserIds, mergeBatch, now);
    if (!this.#faults.leavesDoubts) for (const { placeId, from } of moved) this.#handDoubtOn(placeId, from, winnerId);
  }

  /** What a write to a loser's external record did is in doubt: whoever stands for that record now has it read first. */
  #handDoubtOn(placeId: number, fromId: string, toId: string): void {
    const before = this.#tables.deliveries.get(at(placeId, fromId));
    const delivery = this.#tables.deliveries.get(at(placeId, toId));
    if (!before?.unanswered || before.unanswered.intent === "delete" || !delivery) return;
    const { intent = "update", written = [] } = delivery.unanswered ?? {};
    delivery.unanswered = { intent, written: [...written, ...before.unanswered.written] };
    delivery.nextAt = Math.max(delivery.nextAt, before.nextAt);
  }

  /** External records follow to the winner, one a place; the others stay with the losers. */
  #moveLinks(winnerId: string, loserIds: readonly string[]): KeptMerge["moved"] {
    const moved: KeptMerge["moved"] = [];
    for (const loserId of [...loserIds].sort()) {
      for (const placeId of this.#tables.livePlaces(loserId)) {
        const link = this.#tables.linkOf(placeId, loserId);
        const own = this.#tables.linkOf(placeId, winnerId);
        const begun = this.#tables.deliveries.get(at(placeId, winnerId))?.unanswered?.intent === "create";
        if (!link || (own && !own.dead) || begun) continue;
        // What a write under way has left there is unknown: the winner then says everything anew.
        const isInFlight = Boolean(this.#tables.deliveries.get(at(placeId, loserId))?.unanswered);
        this.#tables.putLink(placeId, {
          ...link,
          recordId: winnerId,
          lastWritten: isInFlight ? null : link.lastWritten,
        });
        moved.push({ placeId, externalId: link.externalId, from: loserId });
      }
    }
    return moved;
  }

  #repoint(winnerId: string, loserIds: readonly string[], epoch: number, now: number): KeptMerge["repointed"] {
    const repointed: KeptMerge["repointed"] = [];
    for (const { recordId, values } of this.#tables.records.values()) {
      for (const field of this.#references) {
        const from = values[field];
        if (typeof from !== "string" || !loserIds.includes(from)) continue;
        this.#point({ recordId, field, from, to: winnerId }, epoch, now);
        repointed.push({ recordId, field, from, to: winnerId });
      }
    }
    return repointed;
  }

  #point({ recordId, field, from, to }: KeptMerge["repointed"][number], epoch: number, now: number): void {
    const record = this.#tables.records.get(recordId);
    if (!record) return;
    this.#tables.change(recordId, { values: { ...record.values, [field]: to } });
    this.#tables.note({ recordId, operation: "update", changes: { [field]: [from, to] } }, epoch);
    for (const placeId of this.#tables.livePlaces(recordId)) this.#tables.want(placeId, recordId, false, now);
  }

  /** Winners everywhere; losers where they may be deleted, and wherever something of theirs is still outstanding. */
  #enqueueDeliveries(
    winnerId: string,
    loserIds: readonly string[],
    { notifySinkIds, deleteAt }: MergeBatch,
    now: number,
  ): void {
    for (const placeId of notifySinkIds) this.#tables.want(placeId, winnerId, false, now);
    for (const loserId of loserIds) {
      for (const placeId of notifySinkIds) this.#tables.want(placeId, loserId, true, now);
      for (const placeId of this.#tables.livePlaces(loserId)) {
        const isWanted = this.#tables.deliveries.has(at(placeId, loserId));
        if (deleteAt.includes(placeId) && !isWanted) this.#tables.want(placeId, loserId, false, now);
      }
    }
  }

  /** Takes a merge back; false when it can't be, as the winner was merged on. */
  undo(mergeId: string, placeIds: readonly number[], now: number): boolean {
    const merge = this.kept.find((candidate) => candidate.mergeId === mergeId);
    if (merge?.status !== "MERGED" || this.winnerOf(merge.winnerId) !== undefined) return false;
    merge.status = "UNDONE";
    this.#restoreWinner(merge);
    for (const recordId of merge.loserIds) {
      if (!this.#tables.records.get(recordId)?.deleted) continue;
      this.#tables.change(recordId, { deleted: false });
      this.#tables.note({ recordId, operation: "restore", changes: {} }, 0);
    }
    for (const { placeId, externalId, from } of this.#faults.undoForgetsLinks ? [] : merge.moved) {
      const link = this.#tables.links.get(at(placeId, externalId));
      if (link?.recordId === merge.winnerId) this.#tables.putLink(placeId, { ...link, recordId: from });
    }
    for (const { recordId, field, from, to } of merge.repointed) {
      if (this.#tables.records.get(recordId)?.values[field] !== to) continue;
      this.#point({ recordId, field, from: to, to: from }, 0, now);
    }
    for (const row of this.merged) if (row.mergeId === mergeId) row.undone = true;
    for (const recordId of [merge.winnerId, ...merge.loserIds]) {
      for (const placeId of placeIds) this.#tables.want(placeId, recordId, false, now);
    }
    if (!this.#faults.leavesDoubts)
      for (const { placeId, from } of merge.moved) this.#handDoubtOn(placeId, merge.winnerId, from);
    return true;
  }

  /** Values that somebody changed since the merge stay as they are. */
  #restoreWinner({ winnerId, before, changes, origin: merged }: KeptMerge): void {
    const record = this.#tables.records.get(winnerId);
    if (!record) return;
    const values: Values = { ...record.values };
    const undone: MergeWrite["changes"] = {};
    for (const [field, [from, to]] of Object.entries(changes)) {
      if (!sameValue(record.values[field] ?? null, to)) continue;
      values[field] = from;
      undone[field] = [to, from];
    }
    const origin: Origin = { ...record.origin };
    const originBefore = before.get(winnerId)?.origin ?? {};
    for (const field of new Set([...Object.keys(merged), ...Object.keys(originBefore)])) {
      const isAsMerged = sameValue({ ...origin[field] }, { ...merged[field] });
      if (!isAsMerged || (field in changes && !(field in undone))) continue;
      const claim = originBefore[field];
      if (claim) origin[field] = claim;
      else delete origin[field];
    }
    this.#tables.change(winnerId, { values, origin });
    const hasChanged = Object.keys(undone).length > 0;
    if (hasChanged) this.#tables.note({ recordId: winnerId, operation: "update", changes: undone }, 0);
  }
}
