/** Stored records found by the values that match rules compare, so that a page costs no more than its matches. */
import { isBlank } from "@accord/expressions";
import type { AttachIntent } from "../../../functions/flow.ts";
import type { AttachPlan } from "../../plan/plan.ts";
import type { StoredRecord } from "../../protocol/stored.ts";
import { keyOf } from "./lookups.ts";

/** Records that may match, by field and value; built field by field when first asked. */
export class CandidateIndex {
  readonly #records: readonly StoredRecord[];
  readonly #byField = new Map<string, Map<string, number[]>>();

  /** `records`: oldest first. */
  constructor(records: readonly StoredRecord[]) {
    this.#records = records;
  }

  /** Records for which the rule holds, oldest first. */
  find(rule: AttachPlan, intent: AttachIntent): StoredRecord[] {
    const found = new Set<number>();
    for (const { field, keyIndex } of rule.equalities) {
      const key = intent.keys[keyIndex];
      if (isBlank(key)) continue;
      for (const index of this.#of(field).get(keyOf(key ?? null)) ?? []) found.add(index);
    }
    return [...found]
      .sort((left, right) => left - right)
      .flatMap((index) => this.#records[index] ?? [])
      .filter((record) => rule.matches(intent, record.values));
  }

  #of(field: string): Map<string, number[]> {
    const known = this.#byField.get(field);
    if (known) return known;
    const made = new Map<string, number[]>();
    this.#records.forEach(({ values }, index) => {
      const value = values[field] ?? null;
      if (isBlank(value)) return;
      const key = keyOf(value);
      const same = made.get(key);
      if (same) same.push(index);
      else made.set(key, [index]);
    });
    this.#byField.set(field, made);
    return made;
  }
}
