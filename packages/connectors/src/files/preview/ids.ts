/** How often each candidate for an id is empty or there twice, counted over a whole file in bounded memory. */
import type { Value, Values } from "@accord/contracts/data/values";
import type { SeenIds } from "../read.ts";
import { NumberTable } from "./number-table.ts";

/** Columns counted at once: each remembers a number for each of its values. */
const MOST = 4;
/** Rows whose ids are remembered: some 110 MB for all that is counted. */
export const MOST_IDS = 1_000_000;

export class IdCounts {
  readonly #seen: Map<string, { values: NumberTable; doubled: number; empty: number }>;

  constructor(columns: readonly string[], most = MOST_IDS) {
    this.#seen = new Map(
      columns
        .slice(0, MOST)
        .map((column) => [column, { values: new NumberTable(most, { hasValues: false }), doubled: 0, empty: 0 }]),
    );
  }

  /** What would be counted now could be wrong. */
  get isFull(): boolean {
    return [...this.#seen.values()].some(({ values }) => values.isFull);
  }

  add(row: Values): void {
    for (const [column, counts] of this.#seen) {
      const value = row[column];
      if (value === null || value === undefined || value === "") counts.empty += 1;
      else {
        const before = counts.values.size;
        counts.values.set(fingerprint(textOf(value)));
        if (counts.values.size === before && !counts.values.isFull) counts.doubled += 1;
      }
    }
  }

  list(): { column: string; doubled: number; empty: number }[] {
    return [...this.#seen].map(([column, { doubled, empty }]) => ({ column, doubled, empty }));
  }
}

const textOf = (value: Value): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

/** Ids of a whole file by their fingerprints. */
export class KnownIds implements SeenIds {
  readonly #ids: NumberTable;

  constructor(most = MOST_IDS) {
    this.#ids = new NumberTable(most, { hasValues: false });
  }

  get isFull(): boolean {
    return this.#ids.isFull;
  }

  has(id: string): boolean {
    return this.#ids.get(fingerprint(id)) !== undefined;
  }

  add(id: string): void {
    this.#ids.set(fingerprint(id));
  }
}

/** 53 bits: among a million values, two different ones share a number once in ten thousand files. */
export function fingerprint(text: string): number {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 2_654_435_761);
    high = Math.imul(high ^ unit, 1_597_334_677);
  }
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & (high >>> 0)) + (low >>> 0);
}
