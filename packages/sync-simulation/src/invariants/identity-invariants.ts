/** Watches merges, links and references: what must hold after every step of a history in which one thing is there twice. */
import type { Values } from "@accord/contracts/data/values";
import type { CommitBatch } from "@accord/sync-engine/run";
import type { KeptMerge } from "../memory/memory-merges.ts";
import { at, placeOf } from "../memory/memory-tables.ts";
import type { FinalState } from "./final-state.ts";
import { REFERENCE_FIELD } from "../scenario/pipeline-fixture.ts";

export class IdentityInvariants {
  readonly #judged: FinalState;
  readonly #broken: (rule: string) => void;
  /** Pairs whose merge was undone. */
  readonly #separated = new Set<string>();
  readonly #merged = new Set<string>();
  /** The page about to be committed ties an external record to a younger record than it should. */
  #hasPassedOver = false;

  constructor(judged: FinalState, broken: (rule: string) => void) {
    this.#judged = judged;
    this.#broken = broken;
  }

  /** A page is about to be committed: of several records that match, the oldest free one is to be taken. */
  deciding(batch: CommitBatch): void {
    this.#hasPassedOver = this.#passesOver(batch);
  }

  #passesOver({ placeId, ledger, links }: CommitBatch): boolean {
    const { store } = this.#judged;
    const tied = new Set(links.map(({ recordId }) => recordId));
    return ledger.some(({ recordId, operation }) => {
      const chosen = store.records.get(recordId);
      const isOwn = store.deliveries.get(at(placeId, recordId))?.unanswered?.intent === "create";
      if (operation !== "attach" || !chosen || isOwn) return false;
      return [...store.records.values()].some(
        (record) =>
          record.recordId < recordId &&
          !record.deleted &&
          !tied.has(record.recordId) &&
          record.values["email"] === chosen.values["email"] &&
          store.linkOf(placeId, record.recordId)?.dead !== false,
      );
    });
  }

  decided(batch: CommitBatch): void {
    if (this.#hasPassedOver) this.#broken("of several records that match, not the oldest was taken");
    this.#attached(batch);
    this.#agreed(batch);
    const { mergeBatch } = batch;
    if (!mergeBatch) return;
    const { duplicates } = this.#judged.scenario;
    if (duplicates?.reportOnly && mergeBatch.merges.length > 0)
      this.#broken("merged though it was to be reported only");
    for (const { winner, losers } of mergeBatch.merges) {
      if (losers.length > (duplicates?.most ?? 0)) this.#broken("more duplicates than allowed were merged");
      const emails = new Set([winner, ...losers].map(({ values }) => String(values["email"]).toLowerCase()));
      if (emails.size > 1 || emails.has("")) this.#broken("two different things were merged");
      const ids = [winner, ...losers].map(({ recordId }) => recordId);
      for (const one of ids) {
        if (ids.some((other) => this.#separated.has(`${one} ${other}`)))
          this.#broken("an undone pair was merged again");
      }
      for (const { recordId } of losers) this.#lost(recordId, winner.recordId);
    }
    for (const { loserIds, winnerId } of mergeBatch.reports) {
      const { ledger, updates } = batch;
      const isTouched = [winnerId, ...loserIds].some((id) =>
        ledger.some(({ recordId, operation }) => recordId === id && (operation === "merge" || operation === "delete")),
      );
      if (isTouched || updates.some(({ recordId, deleted }) => deleted && loserIds.includes(recordId))) {
        this.#broken("a report changed records");
      }
    }
  }

  /** A merge happened: the loser is gone, and its external records are at the winner or with it, never both. */
  #lost(loserId: string, winnerId: string): void {
    const { store } = this.#judged;
    if (this.#merged.has(loserId)) this.#broken("one record was merged away twice");
    this.#merged.add(loserId);
    if (store.records.get(loserId)?.deleted !== true) this.#broken("a record that was merged away is not deleted");
    for (const placeId of store.livePlaces(loserId)) {
      const own = store.linkOf(placeId, winnerId);
      const begun = store.deliveries.get(`${placeId}|${winnerId}`)?.unanswered?.intent === "create";
      if ((!own || own.dead) && !begun) this.#broken("an outside record stayed with a record that was merged away");
    }
  }

  /** Two external records of one place never come to one record, but by a merge. */
  #attached({ placeId, links }: CommitBatch): void {
    const seen = new Set<string>();
    for (const { recordId, dead } of links) {
      if (dead) continue;
      if (seen.has(recordId)) this.#broken("two outside records of one place came to one record");
      seen.add(recordId);
    }
    const { store } = this.#judged;
    for (const [key, { recordId, dead, externalId }] of store.links) {
      if (dead || placeOf(key)[0] !== placeId) continue;
      if (store.linkOf(placeId, recordId)?.externalId !== externalId)
        this.#broken("one record has two links at a place");
    }
  }

  undone({ winnerId, loserIds, moved }: KeptMerge, epochBefore: number): void {
    const { store } = this.#judged;
    const isLeft = moved.some(({ placeId, externalId }) => store.recordAt(placeId, externalId) === winnerId);
    if (isLeft) this.#broken("an undone merge left outside records with its winner");
    if (store.lease.epoch <= epochBefore) this.#broken("an undone merge left the run before in charge");
    for (const loserId of loserIds) {
      this.#separated.add(`${winnerId} ${loserId}`).add(`${loserId} ${winnerId}`);
      this.#merged.delete(loserId);
      if (store.records.get(loserId)?.deleted !== false) this.#broken("an undone merge left its loser deleted");
    }
  }

  /** What must hold of every history once it is over. */
  conclude(): void {
    const { store } = this.#judged;
    const losers = new Set(store.merges.merged.flatMap(({ loserId, undone }) => (undone ? [] : [loserId])));
    for (const { recordId, deleted, values } of store.records.values()) {
      const boss = values[REFERENCE_FIELD];
      if (!deleted && typeof boss === "string" && losers.has(boss)) this.#broken("somebody refers to a merged record");
      if (!deleted && losers.has(recordId)) this.#broken("a merged record lives on");
    }
    for (const { recordId, placeId, connectorId, externalId } of store.pending.values()) {
      const target = this.#judged.systems.findIndex(({ name }) => name === connectorId) + 1;
      const isThere = store.links.get(`${target}|${externalId}`)?.dead === false;
      const isAlive = store.records.get(recordId)?.deleted === false;
      if (isThere && isAlive && placeId > 0) this.#broken("a reference is pending though its target is known");
    }
  }

  /** A name that people gave there, and that nobody can follow yet, is not theirs to lose: it may never be found. */
  updating(placeId: number, recordId: string, values: Values): void {
    const open = this.#judged.store.pending.get(`${recordId}|${REFERENCE_FIELD}`);
    if (REFERENCE_FIELD in values && open?.placeId === placeId)
      this.#broken("a place was told over a reference that it has left open");
  }

  /** A conflict is over when its place comes round. */
  #agreed({ placeId, agreed = [], conflicts = [] }: CommitBatch): void {
    for (const { recordId, field } of agreed) {
      const isAnew = conflicts.some((conflict) => conflict.recordId === recordId && conflict.field === field);
      const isOpen = this.#judged.store.conflicts.has(`${placeId}|${recordId}|${field}`);
      if (isOpen && !isAnew) this.#broken("a conflict outlives its agreement");
    }
  }
}
