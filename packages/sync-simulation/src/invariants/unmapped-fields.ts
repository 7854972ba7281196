/** Invariant: fields that no pipeline maps stay where they are. */
import type { FinalState } from "./final-state.ts";

/** One line for a field that was taken over or written although nobody maps it. */
export function strayFields({
  systems,
  store,
  scenario,
}: Pick<FinalState, "systems" | "store" | "scenario">): string[] {
  const field = scenario.newField?.field ?? scenario.drift?.renamedTo ?? null;
  if (field === null) return [];
  const records = [...store.records.values()].filter(({ values }) => Object.hasOwn(values, field));
  const writes = systems.flatMap(({ written }) => written.filter(({ values }) => Object.hasOwn(values, field)));
  return records.length + writes.length > 0 ? [`${field} was taken over, though nobody maps it`] : [];
}
