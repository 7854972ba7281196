/** Updates of records that one page makes: merged records may have several outside records at a place. */
import type { Merged } from "./merge.ts";
import type { CommitBatch, RecordUpdate, Resolved } from "./storage.ts";
import type { StoredRecord } from "./stored.ts";

export class PageUpdates {
  readonly #batch: CommitBatch;
  readonly #byRecord = new Map<string, RecordUpdate>();

  constructor(batch: CommitBatch) {
    this.#batch = batch;
  }

  /** The record as the page has changed it already. */
  latest(stored: StoredRecord | null, { merged }: Pick<Resolved, "merged">): StoredRecord | null {
    const update = stored && merged ? this.#byRecord.get(stored.recordId) : undefined;
    return update && stored ? { ...stored, ...update, version: update.expectedVersion } : stored;
  }

  /** Writes a record that lives. */
  write({ recordId, version }: StoredRecord, { values, origin }: Pick<Merged, "values" | "origin">): void {
    const earlier = this.#byRecord.get(recordId);
    if (earlier) {
      Object.assign(earlier, { values, origin, deleted: false });
      return;
    }
    const update = { recordId, expectedVersion: version, values, origin, deleted: false };
    this.#batch.updates.push(update);
    this.#byRecord.set(recordId, update);
  }

  /** What was to be told at the page's place is known there already. */
  fulfil({ recordId, version }: StoredRecord): void {
    const after = this.#byRecord.has(recordId) ? version + 1 : version;
    (this.#batch.fulfilled ??= []).push({ recordId, version: after });
  }
}
