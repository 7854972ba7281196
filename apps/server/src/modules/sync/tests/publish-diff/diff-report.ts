/** Adds up what differs between two versions of a pipeline, record by record, and keeps what fits into an answer. */
import {
  type DiffRecord,
  PUBLISH_DIFF_LIMITS as LIMITS,
  type PublishDiff,
} from "@accord/contracts/sync/tests/publish-diff";
import type { Value } from "@accord/contracts/data/values";
import { textOf } from "@accord/expressions";
import { bytesOf } from "../test-run/budget.ts";
import type { compareResults, EitherDestination } from "./compare-results.ts";
import type { VersionResult } from "./run-version.ts";

type Compared = NonNullable<ReturnType<typeof compareResults>>;
type Report = Omit<PublishDiff, "versions" | "published" | "fieldPipelines" | "cursor" | "sources">;

/** Of one list in one record. */
const MAX_LISTED = 50;

export class DiffReport {
  #compared = 0;
  #differing = 0;
  #unasked = 0;
  #left: number = LIMITS.bytes;
  readonly #counts = noCoreChanges();
  readonly #destinations: PublishDiff["destinations"];
  readonly #records: DiffRecord[] = [];
  readonly #failed: PublishDiff["failed"] = [];
  readonly #unknown = new Map<string, PublishDiff["unknown"][number]>();

  constructor(destinations: readonly EitherDestination[]) {
    this.#destinations = destinations.map(({ nodeId, label, version }) => ({
      nodeId,
      label,
      version,
      counts: noDestinationChanges(),
      notDue: 0,
    }));
  }

  add(
    record: Pick<DiffRecord, "recordId" | "name">,
    results: readonly VersionResult[],
    compared: Compared | null,
  ): void {
    this.#compared += 1;
    this.#noteUnknown(results);
    if (results.some(({ hasAsked }) => hasAsked)) this.#unasked += 1;
    if (!compared) return;
    this.#differing += 1;
    for (const change of compared.changes) this.#counts[change] += 1;
    for (const { destination, change, isDue } of compared.destinations) {
      const counted = this.#destinations[destination];
      if (!counted) continue;
      counted.counts[change] += 1;
      if (!isDue) counted.notDue += 1;
    }
    this.#keep({ ...record, ...shortened(compared) });
  }

  fail(recordId: DiffRecord["recordId"], message: string): void {
    this.#failed.push({ recordId, message });
  }

  result(): Report {
    return {
      compared: this.#compared,
      differing: this.#differing,
      counts: this.#counts,
      destinations: this.#destinations,
      records: this.#records,
      unknown: [...this.#unknown.values()],
      unasked: this.#unasked,
      failed: this.#failed,
    };
  }

  #keep(record: DiffRecord): void {
    const bytes = bytesOf(record);
    if (bytes > this.#left) return;
    this.#left -= bytes;
    this.#records.push(record);
  }

  /** Once for each record, whichever version wanted it. */
  #noteUnknown(results: readonly VersionResult[]): void {
    const noted = new Set<string>();
    for (const { sources } of results) {
      for (const { label, assumed, unknown } of sources.values()) {
        for (const [fields, isAssumed] of [
          [assumed, true],
          [unknown, false],
        ] as const) {
          for (const field of fields) {
            const key = `${label}\n${field}`;
            if (noted.has(key)) continue;
            noted.add(key);
            const entry = this.#unknown.get(key) ?? { source: label, field, isAssumed, records: 0 };
            this.#unknown.set(key, { ...entry, records: entry.records + 1 });
          }
        }
      }
    }
  }
}

const noCoreChanges = (): PublishDiff["counts"] => ({
  values: 0,
  merged: 0,
  attached: 0,
  heldBack: 0,
  refused: 0,
  actions: 0,
});

const noDestinationChanges = (): PublishDiff["destinations"][number]["counts"] => ({
  created: 0,
  updated: 0,
  deleted: 0,
  left: 0,
  noLongerSent: 0,
  newlySent: 0,
  refused: 0,
});

/** Long lists and texts end early, and the record says so. */
function shortened(compared: Compared): Omit<DiffRecord, "recordId" | "name"> {
  let isCut = false;
  const list = <Item>(items: readonly Item[]): Item[] => {
    isCut ||= items.length > MAX_LISTED;
    return items.slice(0, MAX_LISTED);
  };
  const text = (long: string): string => {
    if (long.length <= LIMITS.text) return long;
    isCut = true;
    return `${long.slice(0, LIMITS.text).toWellFormed()}…`;
  };
  const orNull = (long: string | null): string | null => (long === null ? null : text(long));
  const value = (held: Value): Value =>
    typeof held === "string" || bytesOf(held) > LIMITS.text ? text(textOf(held)) : held;
  const changed = <Pair extends { before: Value; after: Value }>(pair: Pair): Pair => ({
    ...pair,
    before: value(pair.before),
    after: value(pair.after),
  });
  const { actions } = compared;
  const short = {
    ...compared,
    values: list(compared.values).map(changed),
    attached: list(compared.attached),
    refused: list(compared.refused).map((one) => ({ ...one, before: orNull(one.before), after: orNull(one.after) })),
    actions: actions && { before: list(actions.before).map(text), after: list(actions.after).map(text) },
    destinations: compared.destinations.map((one) => ({
      ...one,
      message: orNull(one.message),
      fields: list(one.fields).map(changed),
    })),
  };
  return { ...short, isCut };
}
