/** Updates of records that one page makes: merged records may have several external records at a place. */
import type { Merged } from "../merge/merge.ts";
import type { ReturnedRecord } from "../protocol/returned-records.ts";
import type { CommitBatch, NewRecord, RecordUpdate, Resolved } from "../protocol/storage.ts";
import type { StoredRecord } from "../protocol/stored.ts";

export class PageUpdates {
  readonly #batch: CommitBatch;
  readonly #byRecord = new Map<string, RecordUpdate>();
  readonly #back = new Map<string, NewRecord>();

  constructor(batch: CommitBatch) {
    this.#batch = batch;
  }

  /** The record as the page has changed it already. */
  latest(stored: StoredRecord | null, { merged }: Pick<Resolved, "merged">): StoredRecord | null {
    const update = stored && merged ? this.#byRecord.get(stored.recordId) : undefined;
    return update && stored ? { ...stored, ...update, version: update.expectedVersion } : stored;
  }

  /** A record that the page created under its former id. */
  bringBack(created: NewRecord, returned: ReturnedRecord): void {
    (this.#batch.returned ??= []).push(returned);
    this.#back.set(created.recordId, created);
  }

  /** The record with this former id, if the page has brought it back already. */
  back(formerId: string | null): StoredRecord | null {
    const created = formerId === null ? undefined : this.#back.get(formerId);
    return created ? { ...created, version: 1, deleted: false } : null;
  }

  /** Writes a record that lives. */
  write({ recordId, version }: StoredRecord, { values, origin }: Pick<Merged, "values" | "origin">): void {
    const earlier = this.#byRecord.get(recordId);
    const back = this.#back.get(recordId);
    if (back) Object.assign(back, { values, origin });
    else if (earlier) Object.assign(earlier, { values, origin, deleted: false });
    else {
      const update = { recordId, expectedVersion: version, values, origin, deleted: false };
      this.#batch.updates.push(update);
      this.#byRecord.set(recordId, update);
    }
  }

  /** What was to be told at the page's place is known there already. */
  fulfil({ recordId, version }: StoredRecord): void {
    const after = this.#byRecord.has(recordId) ? version + 1 : version;
    (this.#batch.fulfilled ??= []).push({ recordId, version: after });
  }
}
