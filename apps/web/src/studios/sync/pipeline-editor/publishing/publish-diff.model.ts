/** Adds up the answers of a comparison that is computed page by page. Pure. */
import {
  type CoreChange,
  type DestinationChange,
  PUBLISH_DIFF_LIMITS,
  type PublishDiff,
} from "@accord/contracts/sync/tests/publish-diff";

export const WANTED = [10, 100, 1_000] as const;

/** Records that are kept to be listed; the others are counted. */
export const MAX_KEPT = 500;

/** So many at a time that what is done is seen to grow. */
const PAGE = Math.min(50, PUBLISH_DIFF_LIMITS.records);

/** Those that could not be compared included. */
export const doneOf = (diff: PublishDiff | null): number => (diff ? diff.compared + diff.failed.length : 0);

export const nextCount = (diff: PublishDiff | null, wanted: number): number => Math.min(PAGE, wanted - doneOf(diff));

export const isThrough = (diff: PublishDiff, wanted: number): boolean => diff.cursor === null || doneOf(diff) >= wanted;

export function joinPages(sum: PublishDiff | null, page: PublishDiff): PublishDiff {
  if (!sum) return page;
  return {
    ...page,
    compared: sum.compared + page.compared,
    differing: sum.differing + page.differing,
    counts: added(sum.counts, page.counts),
    destinations: page.destinations.map((one, index) => {
      const before = sum.destinations[index];
      return before ? { ...one, counts: added(before.counts, one.counts), notDue: before.notDue + one.notDue } : one;
    }),
    records: [...sum.records, ...page.records].slice(0, MAX_KEPT),
    unknown: joinUnknown(sum.unknown, page.unknown),
    unasked: sum.unasked + page.unasked,
    failed: [...sum.failed, ...page.failed],
  };
}

function added<Kind extends CoreChange | DestinationChange>(
  left: Record<Kind, number>,
  right: Record<Kind, number>,
): Record<Kind, number> {
  const sum = { ...left };
  for (const kind in sum) sum[kind] += right[kind];
  return sum;
}

function joinUnknown(left: PublishDiff["unknown"], right: PublishDiff["unknown"]): PublishDiff["unknown"] {
  const keyOf = ({ source, field }: PublishDiff["unknown"][number]): string => `${source}\n${field}`;
  const all = new Map(left.map((one) => [keyOf(one), one]));
  for (const one of right) {
    const before = all.get(keyOf(one));
    all.set(keyOf(one), before ? { ...before, records: before.records + one.records } : one);
  }
  return [...all.values()];
}

/** Whether all of what was run could be compared: without that, no difference says nothing of the rest. */
export const isComplete = ({ unknown, unasked, failed, sources }: PublishDiff): boolean =>
  unknown.length === 0 && unasked === 0 && failed.length === 0 && sources.length === 0;

/** What there is any of, in the order of the counts. */
export const counted = <Kind extends string>(counts: Record<Kind, number>): [Kind, number][] => {
  const found: [Kind, number][] = [];
  for (const kind in counts) if (counts[kind] > 0) found.push([kind, counts[kind]]);
  return found;
};
