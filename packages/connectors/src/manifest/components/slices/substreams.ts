/** Partitions by the records of parent streams, whose pages are read one at a time and never held as a whole. */
import { ConnectorError, hashValue } from "@accord/connector-sdk";
import { isExactNumber, plainNumber } from "@accord/contracts/data/exact-number";
import type { Value, Values } from "@accord/contracts/data/values";
import { z } from "zod";
import type { Build, Draft, ParentConfig, PartitionRouter, PartitionStep } from "../model.ts";

const Held = z.strictObject({ values: z.custom<Values>(), extra: z.custom<Values>() });
const Place = z.object({
  /** Number of the parent. */
  parent: z.int(),
  /** Partitions of the parent's page that come next: a page that is read again may have moved. */
  queue: z.array(Held),
  /** Position after which the parent's next page begins; null: at its beginning. */
  at: z.custom<Value>(),
  /** Fingerprints of the partitions of that page that are behind us, where it holds more than are kept at once. */
  done: z.array(z.string()).default([]),
  isEnd: z.boolean(),
});
type Place = z.infer<typeof Place>;

/** A page that holds others each time it is read would never end; one that holds the same has 5,000 at most. */
const MAX_DONE = 6_000;
/** Partitions kept in a position, and their bytes. */
const MAX_QUEUE = 500;
const MAX_QUEUE_BYTES = 200_000;

const beginning = (parent: number): Place => ({ parent, queue: [], at: null, done: [], isEnd: false });

export class SubstreamRouter implements PartitionRouter {
  readonly #parents: readonly ParentConfig[];
  readonly #build: Build;

  constructor(parents: readonly ParentConfig[], build: Build) {
    this.#parents = parents;
    this.#build = build;
  }

  async next(
    from: Value,
    isOver: () => boolean,
    signal?: AbortSignal,
  ): Promise<PartitionStep | { later: Value } | null> {
    let place = from === null ? beginning(0) : parsePlace(from);
    for (;;) {
      const [first, ...queue] = place.queue;
      if (first) return { values: first.values, extra: first.extra, place: { ...place, queue } };
      if (place.isEnd) place = beginning(place.parent + 1);
      const parent = this.#parents[place.parent];
      if (!parent) return null;
      place = await this.#filled(parent, place, signal);
      if (place.queue.length === 0 && isOver()) return { later: place };
    }
  }

  /** The place with the next partitions of the parent in its queue. */
  async #filled(parent: ParentConfig, place: Place, signal?: AbortSignal): Promise<Place> {
    const { records, next } = await this.#build.runtime.parentPage(parent.stream, place.at, signal);
    if (place.at === null) this.#assertKey(parent, records);
    const partitions = records.flatMap((record) => this.#partitionOf(parent, record) ?? []);
    // A page that holds too many is read again for the rest, wherever on it they are now.
    const done = new Set(place.done);
    const left = partitions.filter(({ values }) => !done.has(hashValue(values)));
    const queue = fitting(left);
    if (queue.length < left.length && done.size < MAX_DONE)
      return { ...place, queue, done: [...done, ...queue.map(({ values }) => hashValue(values))] };
    return { ...place, queue, at: next, done: [], isEnd: next === null };
  }

  /** A key that none of the records has would leave the stream empty without a word. */
  #assertKey({ parentKey, stream }: ParentConfig, records: readonly Value[]): void {
    if (records.length > 0 && records.every((record) => keyOf(record, parentKey) === undefined))
      throw this.#build.problem(
        `no record of its parent stream ${String(stream["name"] ?? "")} has ${parentKey}, the parent_key of its partitions`,
      );
  }

  #partitionOf(parent: ParentConfig, record: Value): z.infer<typeof Held> | null {
    const value = keyOf(record, parent.parentKey);
    if (value === undefined || value === null) return null;
    const extra = parent.extraFields.map((path): [string, Value] => [path.join("."), valueAt(record, path) ?? null]);
    const outer = parentSlice(record);
    return { values: { [parent.partitionField]: value, parent_slice: outer }, extra: Object.fromEntries(extra) };
  }

  inject(draft: Draft, partition: Values): void {
    for (const { option, partitionField } of this.#parents) {
      const value = partition[partitionField];
      if (option && value !== undefined) option.inject(draft, value);
    }
  }
}

/** Name under which a parent's page carries the partition that each record came from. */
export const PARENT_SLICE = "\u0000slice";

const parentSlice = (record: Value): Value => (isObject(record) ? (record[PARENT_SLICE] ?? {}) : {});

const isObject = (value: Value | undefined): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);

function valueAt(record: Value, path: readonly string[]): Value | undefined {
  const found = path.reduce(
    (value: Value | undefined, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    record,
  );
  return isExactNumber(found) ? plainNumber(found) : found;
}

/** The name itself may hold slashes; else they lead into what the record holds. */
function keyOf(record: Value, key: string): Value | undefined {
  return valueAt(record, [key]) ?? valueAt(record, key.split("/"));
}

function fitting<Item>(items: readonly Item[]): Item[] {
  const chosen: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    bytes += JSON.stringify(item).length;
    if (chosen.length > 0 && (bytes > MAX_QUEUE_BYTES || chosen.length >= MAX_QUEUE)) break;
    chosen.push(item);
  }
  return chosen;
}

function parsePlace(place: Value): Place {
  const parsed = Place.safeParse(place);
  if (parsed.success) return parsed.data;
  throw new ConnectorError("configuration", "The stored reading position can't be understood.", {
    hint: "Resync this source to start from the beginning.",
  });
}
