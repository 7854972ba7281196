/** Watches what pages make of records: whose value may replace whose, and that each refusal is told with its reason. */
import { isBlank, sameValue } from "@accord/expressions";
import { changesOf, type CommitBatch, type Origin, type StoredRecord } from "@accord/sync-engine/run";
import { moment } from "../systems/system-clock.ts";
import type { FinalState } from "./final-state.ts";

/** A decision on one field: the claim that stood and the one that stands now. */
type Claim = Origin[string];

export class AuthorityInvariants {
  readonly #judged: FinalState;
  readonly #broken: (rule: string) => void;
  /** Rank of whoever last changed a field to what it says, as pages told; kept apart from what records say of it. */
  readonly #setters = new Map<string, number>();
  /** The page's records as they stood before it. */
  #before = new Map<string, StoredRecord>();

  constructor(judged: FinalState, broken: (rule: string) => void) {
    this.#judged = judged;
    this.#broken = broken;
  }

  /** 0: the most trusted. People rank with it. */
  #rankOf(by: string): number {
    if (by === "user") return 0;
    const rank = this.#judged.systems.findIndex(({ name }) => by.startsWith(`${name}/`));
    return rank < 0 ? this.#judged.systems.length : rank;
  }

  /** A page is about to be committed. */
  deciding({ updates, conflicts = [] }: CommitBatch): void {
    const { records } = this.#judged.store;
    const touched = [...updates, ...conflicts].map(({ recordId }) => recordId);
    this.#before = new Map(touched.flatMap((id) => records.get(id) ?? []).map((record) => [record.recordId, record]));
    // What is entered again after its deletion is as new.
    for (const { recordId, deleted } of updates) {
      const before = this.#before.get(recordId);
      if (!before?.deleted || deleted) continue;
      this.#before.set(recordId, { ...before, values: {}, origin: {} });
      this.#forget(recordId);
    }
  }

  /** The page was committed: what it did to records, and what it kept out. */
  decided(batch: CommitBatch): void {
    for (const { recordId, values, origin } of batch.updates) this.#replaced(recordId, { values, origin });
    this.#refused(batch);
    this.#overtaken(batch);
    this.#changed(batch);
  }

  /**
   * Where the latest change counts, no edit of a system without times of change goes over what a person saved here after
   * it was made there: each text is entered once, so that its first moment there is that of the edit.
   */
  #overtaken({ placeId, ledger }: CommitBatch): void {
    const system = this.#judged.systems[placeId - 1];
    if (this.#judged.authority !== "LATEST" || !system || system.traits.reportsModifiedAt) return;
    for (const entry of ledger) {
      const stood = this.#before.get(entry.recordId)?.origin;
      for (const [field, [, to]] of Object.entries(changesOf(entry))) {
        const set = stood?.[field];
        const enteredAt = system.history.firstHeld(entry.externalId ?? "", field, to);
        if (set?.by !== "user" || enteredAt === null || isBlank(to)) continue;
        if (moment(enteredAt) < set.at) this.#broken("an edit went over what a person saved here after it");
      }
    }
  }

  /** Under ranks, no page of a source changes what a better one has set, in whatever cycle that was. */
  #changed({ placeId, ledger, mergeBatch }: CommitBatch): void {
    if (this.#judged.authority !== "RANKED") return;
    for (const entry of ledger) {
      const { recordId } = entry;
      for (const [field, [from, to]] of Object.entries(changesOf(entry))) {
        const key = `${recordId}|${field}`;
        const rank = this.#setters.get(key) ?? placeId;
        const isStill = this.#before.get(recordId)?.origin[field]?.by !== "user";
        if (rank < placeId && isStill && !isBlank(from)) this.#broken("a less trusted source changed a value");
        if (isBlank(to)) this.#setters.delete(key);
        else this.#setters.set(key, placeId);
      }
    }
    for (const { winner } of mergeBatch?.merges ?? []) this.#forget(winner.recordId);
  }

  /** From now on it is unknown who set the record's values. */
  #forget(recordId: string): void {
    for (const key of this.#setters.keys()) if (key.startsWith(`${recordId}|`)) this.#setters.delete(key);
  }

  #replaced(recordId: string, after: Pick<StoredRecord, "values" | "origin">): void {
    const before = this.#before.get(recordId);
    if (!before) return;
    for (const field in after.values) {
      const [old, value] = [before.values[field], after.values[field]];
      if (sameValue(old, value) || isBlank(old)) continue;
      const [stood, stands] = [before.origin[field], after.origin[field]];
      if (isBlank(value)) this.#broken("a blank replaced a value");
      else if (stood && stands && this.#isWorse(stands, stood)) {
        this.#broken(`${this.#judged.authority}: ${stands.by} replaced what ${stood.by} had set`);
      }
    }
  }

  /** Whether authority should have kept the new claim out. */
  #isWorse(claim: Claim, stood: Claim): boolean {
    const isLower = this.#rankOf(claim.by) > this.#rankOf(stood.by);
    if (this.#judged.authority === "RANKED") return isLower;
    return this.#judged.authority === "LATEST" && (claim.at < stood.at || (claim.at === stood.at && isLower));
  }

  #refused({ placeId, conflicts = [], ledger, updates }: CommitBatch): void {
    const name = this.#judged.systems[placeId - 1]?.name ?? "";
    for (const { recordId, field, value, at, reason } of conflicts) {
      // What nothing proves to be an edit is kept out whoever set the field, and in the ledger as its system shows it.
      const isUnproven = reason === "unconfirmed" || reason === "stale_read";
      const isReported = ledger.some(({ recordId: id, refused }) => {
        const kept = refused?.[field];
        const isSame = kept !== undefined && (isUnproven || sameValue(kept[0], value)) && kept[1] === reason;
        return id === recordId && isSame;
      });
      if (!isReported) this.#broken("a refusal is not in the ledger with its reason");
      if (isUnproven) continue;
      const record = updates.find((update) => update.recordId === recordId) ?? this.#before.get(recordId);
      const stood = record?.origin[field];
      const claim = { by: `${name}/contact`, at };
      // Refusals carry no version: somebody may have edited by hand since the page was decided.
      if (stood?.by === "user") continue;
      if (!stood || isBlank(record.values[field]) || !this.#isWorse(claim, stood)) {
        this.#broken(`${this.#judged.authority}: ${name} was refused though nobody better had said anything`);
      }
    }
    for (const { refused } of ledger) {
      for (const field in refused) {
        const [value, reason] = refused[field] ?? [];
        if (reason === "empty_rejected" && !isBlank(value)) this.#broken("a value was refused as if it were blank");
      }
    }
  }
}
