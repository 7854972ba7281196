/**
 * Keeps the planner's statistics up with tables that grow by leaps. A place that had no rows when a table was last
 * analysed counts as nearly empty, and statements that join it read all its rows each time; autovacuum comes once a
 * minute at most, and a first load fills a place in less.
 */
import type { CommitBatch, DeliveryResult } from "@accord/sync-engine/run";
import type { StoredRows } from "./stored-rows.store.ts";

/** Rows of a place after which its tables are analysed for the first time; then each time it is so many times larger. */
const FIRST_ROWS = 500;
const GROWTH = 4;

export function tableStatistics({ pool, table, records }: StoredRows) {
  /** By what grows and the place's number: links follow long after the deliveries that ask for them. */
  const sizes = new Map<string, { rows: number; analyseAt: number }>();
  let isAnalysing = false;

  function grown(what: "link" | "delivery", placeId: number, count: number): void {
    const key = `${what} ${placeId}`;
    const size = sizes.get(key) ?? { rows: 0, analyseAt: FIRST_ROWS };
    sizes.set(key, size);
    size.rows += count;
    if (size.rows < size.analyseAt || isAnalysing) return;
    size.analyseAt = size.rows * GROWTH;
    isAnalysing = true;
    pool
      .query(`ANALYZE (SKIP_LOCKED) ${table("link")}, ${table("delivery")}, ${records}`)
      // The next leap tries again; nothing depends on it but speed.
      .catch(() => {})
      .finally(() => (isAnalysing = false));
  }

  return {
    /** A page was stored. */
    stored({ placeId, links, deliveries }: CommitBatch): void {
      grown("link", placeId, links.filter(({ isNew }) => isNew).length);
      const wanted = Map.groupBy(deliveries, (delivery) => delivery.placeId);
      for (const [destination, rows] of wanted) grown("delivery", destination, rows.length);
    },

    /** A batch of deliveries was settled. */
    settled(placeId: number, settlements: readonly DeliveryResult[]): void {
      grown("link", placeId, settlements.filter(({ link }) => link?.isNew).length);
    },
  };
}
