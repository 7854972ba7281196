/** By which values of a record stored ones are looked up for a rule, and for which of them more are stored than were found. */
import type { Value } from "@accord/contracts/data/values";
import { foldText, isBlank, numberText, textOf } from "@accord/expressions";
import type { AttachPlan } from "../../plan/plan.ts";
import type { CutKey, MatchKeys } from "../../protocol/match-requests.ts";

export interface Lookup {
  field: string;
  key: Value;
  also: readonly { field: string; key: string }[];
}

/** Values that compare as equal share a key; some that don't may too. */
export const keyOf = (value: Value): string => numberText(value) ?? foldText(textOf(value));

/** Look-ups that together find all that the rule can hold for; a blank finds nothing, and nothing else is as long as one is. */
export function lookupsOf({ equalities }: Pick<AttachPlan, "equalities">, keys: readonly Value[]): Lookup[] {
  return equalities.flatMap(({ field, keyIndex, also = [] }) => {
    const key = keys[keyIndex] ?? null;
    const others = also.map((other) => ({ field: other.field, key: keys[other.keyIndex] ?? null }));
    if (isBlank(key) || others.some((other) => isBlank(other.key))) return [];
    return [{ field, key, also: others.flatMap((other) => (isText(other.key) ? { ...other, key: other.key } : [])) }];
  });
}

/** A text that storage can compare with others. */
const isText = (value: Value): value is string => typeof value === "string" && !value.includes("\0");

/** The rule with its first equalities alone: what it finds so holds all that it finds with the others. */
export const withoutOthers = <Rule extends Pick<AttachPlan, "equalities">>(rule: Rule): Rule => ({
  ...rule,
  equalities: rule.equalities.map(({ field, keyIndex }) => ({ field, keyIndex })),
});

/** Where what a rule finds ends: all records up to `lastId` were found, none where it is null. */
export interface LookupEnd {
  lastId: string | null;
}

/** The look-ups of a page of which storage found the oldest records only. */
export class CutLookups {
  readonly #asked = new Set<string>();
  readonly #lastIds = new Map<string, string | null>();

  constructor(asked: readonly MatchKeys[], cut: readonly CutKey[]) {
    if (cut.length === 0) return;
    asked.forEach((entry) => entry.keys.forEach((_, index) => this.#asked.add(idOf(lookupAt(entry, index)))));
    for (const { entry, key, lastId } of cut) {
      const keys = asked[entry];
      if (keys) this.#add(idOf(lookupAt(keys, key)), lastId);
    }
  }

  get isEmpty(): boolean {
    return this.#lastIds.size === 0;
  }

  /** Null where all was found that the rule can hold for. */
  endOf(rule: Pick<AttachPlan, "equalities">, keys: readonly Value[]): LookupEnd | null {
    if (this.isEmpty) return null;
    const ends = lookupsOf(rule, keys).flatMap((lookup): LookupEnd[] => {
      const own = idOf(lookup);
      const id = this.#asked.has(own) ? own : idOf({ ...lookup, also: [] });
      const lastId = this.#lastIds.get(id);
      return lastId === undefined ? [] : [{ lastId }];
    });
    if (ends.length === 0) return null;
    return ends.reduce((one, other) => ({ lastId: older(one.lastId, other.lastId) }));
  }

  #add(id: string, lastId: string | null): void {
    const known = this.#lastIds.get(id);
    this.#lastIds.set(id, known === undefined ? lastId : older(known, lastId));
  }
}

/** Ids grow with age; null stands before all of them. */
const older = (one: string | null, other: string | null): string | null =>
  one === null || other === null ? null : one < other ? one : other;

const lookupAt = ({ field, keys, also = [] }: MatchKeys, index: number): Lookup => ({
  field,
  key: keys[index] ?? null,
  also: also.map((other) => ({ field: other.field, key: textOf(other.keys[index]) })),
});

const idOf = ({ field, key, also }: Lookup): string =>
  JSON.stringify([field, keyOf(key), ...also.flatMap((other) => [other.field, foldText(other.key)])]);
