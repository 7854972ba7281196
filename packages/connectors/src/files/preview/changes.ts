/** What a newer version of a file changes: rows compared by id, in memory of a few dozen bytes for each row. */
import type { SourceRecord } from "@accord/connector-sdk";
import { fingerprint, MOST_IDS } from "./ids.ts";
import { NumberTable } from "./number-table.ts";

export interface RowChanges {
  added: number;
  changed: number;
  gone: number;
}

export class VersionComparison {
  /** Of the version in use: id to values. */
  readonly #before = new NumberTable(MOST_IDS, { hasValues: true });
  #added = 0;
  #changed = 0;
  #met = 0;

  /** More rows than can be compared. */
  get isFull(): boolean {
    return this.#before.isFull;
  }

  addBefore(records: readonly SourceRecord[]): void {
    for (const { id, values } of records) this.#before.set(fingerprint(id), fingerprint(JSON.stringify(values)));
  }

  addAfter(records: readonly SourceRecord[]): void {
    for (const { id, values } of records) {
      const before = this.#before.get(fingerprint(id));
      if (before === undefined) this.#added += 1;
      else {
        this.#met += 1;
        if (before !== fingerprint(JSON.stringify(values))) this.#changed += 1;
      }
    }
  }

  result(): RowChanges {
    return { added: this.#added, changed: this.#changed, gone: this.#before.size - this.#met };
  }
}
