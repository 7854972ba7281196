/** Invariant: nothing that stood in a system is overwritten or deleted there before the engine has read it. */
import type { Value } from "@accord/contracts/data/values";
import { changesOf } from "@accord/sync-engine/run";
import type { FinalState } from "./final-state.ts";
import { EDITED_FIELDS } from "../scenario/pipeline-fixture.ts";
import { editKey } from "../systems/text-rewriting.ts";
import { enteredValue } from "../systems/typed-values.ts";

/**
 * Values that a write of ours replaced and that no ledger entry names, neither as taken over nor as refused. Spelling
 * does not count: a system may have stored what it was given in capitals.
 */
export function overwrittenEdits({
  systems,
  store,
  scenario,
}: Pick<FinalState, "systems" | "store" | "scenario">): string[] {
  const entered = (field: string, value: Value): string => editKey(enteredValue(scenario.types, field, value));
  const named = new Set<string>();
  for (const entry of store.ledger) {
    for (const [field, [, to]] of Object.entries(changesOf(entry))) named.add(entered(field, to));
    for (const [field, [value]] of Object.entries(entry.refused ?? {})) named.add(entered(field, value));
  }
  return systems.flatMap(({ name, replaced }) =>
    replaced
      .filter(({ isHidden }) => !isHidden)
      .filter(({ field, value }) => EDITED_FIELDS.some((edited) => edited === field) && !named.has(editKey(value)))
      .map(
        ({ id, field, value }) => `${field} ${String(value)} of ${id} in ${name} was overwritten before it was read`,
      ),
  );
}
