/** Records that have one of a page's keys, within the bounds that PostgreSQL keeps as well. */
import {
  MAX_MATCH_BYTES,
  MAX_MATCH_ROWS,
  type CutKey,
  type FoundCandidates,
  type MatchKeys,
  type StoredRecord,
} from "@accord/sync-engine/run";
import { sameText } from "./memory-tables.ts";

interface Pair {
  entry: number;
  key: number;
  rank: number;
  record: StoredRecord;
}

/** `limit`: records of a key. The oldest of each key come first. */
export function boundedMatches(
  records: Iterable<StoredRecord>,
  entries: readonly MatchKeys[],
  limit: number,
): FoundCandidates {
  const all = [...records].sort((left, right) => (left.recordId < right.recordId ? -1 : 1));
  const pairs = entries.flatMap((one, entry) =>
    one.keys.flatMap((_, key) =>
      all
        .filter((record) => hasAll(record, one, key))
        .slice(0, limit + 1)
        .map((record, index): Pair => ({ entry, key, rank: index + 1, record })),
    ),
  );
  pairs.sort(
    (left, right) =>
      left.rank - right.rank ||
      (left.record.recordId < right.record.recordId ? -1 : left.record === right.record ? 0 : 1),
  );
  let bytes = 0;
  const loaded = pairs.slice(0, MAX_MATCH_ROWS).filter(({ record }, index) => {
    bytes += JSON.stringify(record.values).length;
    return index === 0 || bytes <= MAX_MATCH_BYTES;
  });
  const wanted = loaded.filter(({ rank }) => rank <= limit);
  const found = new Map(wanted.map(({ record }) => [record.recordId, record]));
  const isFull = loaded.length < pairs.length;
  return {
    records: all.filter(({ recordId }) => found.has(recordId)),
    cut: cutKeys(entries, { pairs, wanted, limit, isFull }),
    isFull,
  };
}

function cutKeys(
  entries: readonly MatchKeys[],
  found: { pairs: readonly Pair[]; wanted: readonly Pair[]; limit: number; isFull: boolean },
): CutKey[] {
  return entries.flatMap(({ keys }, entry) =>
    keys.flatMap((_, key): CutKey[] => {
      const isOwn = (pair: Pair): boolean => pair.entry === entry && pair.key === key;
      const isOver = found.pairs.some((pair) => isOwn(pair) && pair.rank > found.limit);
      if (!found.isFull && !isOver) return [];
      return [{ entry, key, lastId: found.wanted.findLast(isOwn)?.record.recordId ?? null }];
    }),
  );
}

const hasAll = ({ values }: StoredRecord, { field, keys, also = [] }: MatchKeys, index: number): boolean =>
  [{ field, keys }, ...also].every((one) => sameText(values[one.field] ?? null, one.keys[index] ?? null));
