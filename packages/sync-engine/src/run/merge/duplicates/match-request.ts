/** What storage is asked for so that a page's attach and duplicate rules can be judged. */
import type { Value } from "@accord/contracts/data/values";
import { isBlank } from "@accord/expressions";
import type { RunEnv } from "../../../functions/run-env.ts";
import type { ProcessedPage } from "../../source/process-page.ts";
import type { MergePlan } from "./merge-plan.ts";
import type { Plan, SourcePlan } from "../../plan/plan.ts";
import { maySeekHolders } from "../reinserted-rows.ts";
import type { MatchKeys, MatchRequest } from "../../protocol/storage.ts";

/** What to ask for so that attach and duplicate rules can be judged; null when no record needs it. */
export function matchRequest(plan: Plan, source: SourcePlan, page: ProcessedPage, env: RunEnv): MatchRequest | null {
  const fields = attachKeys(source, page);
  const duplicates = plan.merge ? duplicateKeys(plan.merge, page, env) : [];
  if (fields.length + duplicates.length === 0) return null;
  const { id: placeId } = source.place;
  return {
    placeId,
    fields,
    ...(duplicates.length > 0 ? { duplicates } : {}),
    ...(fields.length > 0 && maySeekHolders(source) ? { withHolders: true } : {}),
  };
}

/** What a record will be compared by: authority may yet keep the stored value, so both are asked for. */
function duplicateKeys(merge: MergePlan, page: ProcessedPage, env: RunEnv): MatchKeys[] {
  const keys = new KeySets();
  for (const { inbound, flow } of page.completed) {
    if (merge.skips?.(flow, env)) continue;
    const stored = inbound.stored?.values;
    const forms = stored ? [flow, { ...flow, values: { ...flow.values, ...stored } }] : [flow];
    for (const form of forms) {
      const values = merge.match.keysOf(form, env);
      for (const { field, keyIndex } of merge.match.equalities) keys.add(field, values[keyIndex]);
    }
  }
  return keys.list();
}

class KeySets {
  readonly #sets = new Map<string, Set<Value>>();

  add(field: string, key: Value | undefined): void {
    if (isBlank(key)) return;
    const set = this.#sets.get(field) ?? new Set();
    this.#sets.set(field, set.add(key ?? null));
  }

  list(): MatchKeys[] {
    return [...this.#sets].map(([field, set]) => ({ field, keys: [...set] }));
  }
}

function attachKeys(source: SourcePlan, page: ProcessedPage): MatchKeys[] {
  if (source.attach.length === 0) return [];
  const keys = new KeySets();
  for (const { inbound, flow } of page.completed) {
    if (inbound.stored) continue;
    for (const intent of flow.attach) {
      const attach = source.attach.find((candidate) => candidate.nodeId === intent.nodeId);
      for (const { field, keyIndex } of attach?.equalities ?? []) {
        keys.add(field, intent.keys[keyIndex]);
      }
    }
  }
  return keys.list();
}
