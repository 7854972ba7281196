/** What storage is asked for so that a page's attach and duplicate rules can be judged. */
import type { Value } from "@accord/contracts/data/values";
import { sameValue } from "@accord/expressions";
import type { RunEnv } from "../../../functions/run-env.ts";
import type { ProcessedPage } from "../../source/page/process-page.ts";
import type { MergePlan } from "./merge-plan.ts";
import type { Plan, SourcePlan } from "../../plan/plan.ts";
import { maySeekHolders } from "../reinserted-rows.ts";
import type { MatchKeys, MatchRequest } from "../../protocol/match-requests.ts";
import { type Lookup, lookupsOf, withoutOthers } from "./lookups.ts";

/** What to ask for so that attach and duplicate rules can be judged; null when no record needs it. */
export function matchRequest(plan: Plan, source: SourcePlan, page: ProcessedPage, env: RunEnv): MatchRequest | null {
  const { fields, takers } = attachKeys(source, page);
  const duplicates = plan.merge ? duplicateKeys(plan.merge, page, env) : [];
  if (fields.length + duplicates.length === 0) return null;
  const { id: placeId } = source.place;
  return {
    placeId,
    fields,
    ...(takers > 0 ? { takers } : {}),
    ...(duplicates.length > 0 ? { duplicates } : {}),
    ...(fields.length > 0 && maySeekHolders(source) ? { withHolders: true } : {}),
  };
}

/** What a record will be compared by: authority may yet keep each stored value, so all that may come of it is asked for. */
function duplicateKeys({ match, skips }: MergePlan, page: ProcessedPage, env: RunEnv): MatchKeys[] {
  const keys = new KeySets();
  for (const { inbound, flow } of page.completed) {
    if (skips?.(flow, env)) continue;
    const own = match.keysOf(flow, env);
    const stored = inbound.stored?.values;
    const kept = stored ? match.keysOf({ ...flow, values: { ...flow.values, ...stored } }, env) : own;
    const mixes = mixesOf(own, kept);
    for (const mix of mixes ?? [own, kept]) keys.add(lookupsOf(mixes ? match : withoutOthers(match), mix));
  }
  return keys.list();
}

/** Each key from either side; null where that comes to too many. */
function mixesOf(own: readonly Value[], kept: readonly Value[]): Value[][] | null {
  const differing = own.flatMap((key, index) => (sameValue(key, kept[index] ?? null) ? [] : [index]));
  if (differing.length > MAX_MIXED) return null;
  return Array.from({ length: 2 ** differing.length }, (_, mix) =>
    own.map((key, index) => {
      const bit = differing.indexOf(index);
      return bit !== -1 && (mix >> bit) & 1 ? (kept[index] ?? null) : key;
    }),
  );
}

const MAX_MIXED = 3;

/** Look-ups by the fields that they compare, each once. */
class KeySets {
  readonly #entries = new Map<string, { fields: readonly string[]; lookups: Map<Value, Lookup> }>();

  add(lookups: readonly Lookup[]): void {
    for (const lookup of lookups) {
      const { field, key, also } = lookup;
      const fields = [field, ...also.map((other) => other.field)];
      const name = JSON.stringify(fields);
      const entry = this.#entries.get(name) ?? { fields, lookups: new Map<Value, Lookup>() };
      this.#entries.set(name, entry);
      entry.lookups.set(also.length === 0 ? key : JSON.stringify([key, ...also.map((other) => other.key)]), lookup);
    }
  }

  list(): MatchKeys[] {
    return [...this.#entries.values()].map(({ fields: [field = "", ...others], lookups }) => {
      const all = [...lookups.values()];
      const keys = all.map(({ key }) => key);
      if (others.length === 0) return { field, keys };
      const also = others.map((name, index) => ({ field: name, keys: all.map((one) => one.also[index]?.key ?? "") }));
      return { field, keys, also };
    });
  }
}

function attachKeys(source: SourcePlan, page: ProcessedPage): { fields: MatchKeys[]; takers: number } {
  const keys = new KeySets();
  let takers = 0;
  if (source.attach.length === 0) return { fields: [], takers };
  for (const { inbound, flow } of page.completed) {
    if (inbound.stored) continue;
    const lookups = flow.attach.flatMap((intent) => {
      const rule = source.attach.find((candidate) => candidate.nodeId === intent.nodeId);
      return rule ? lookupsOf(rule, intent.keys) : [];
    });
    keys.add(lookups);
    if (lookups.length > 0) takers += 1;
  }
  return { fields: keys.list(), takers };
}
