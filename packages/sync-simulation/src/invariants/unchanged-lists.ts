/** Invariant: a list that nobody edits is everywhere as it was entered: empty, null, with blank items, null ones and lists. */
import { sameValue } from "@accord/expressions";
import type { FinalState } from "./final-state.ts";
import { LIST_FIELD, listOf } from "../systems/typed-values.ts";

/** Contacts of which core or systems hold another list. */
export function changedLists({
  systems,
  store,
  scenario,
}: Pick<FinalState, "systems" | "store" | "scenario">): string[] {
  if (!scenario.types) return [];
  const records = [...store.records.values()].filter(({ deleted }) => !deleted);
  const holders = [
    { name: "core", rows: records },
    ...systems.map((system) => ({ name: system.name, rows: system.rows() })),
  ];
  return holders.flatMap(({ name, rows }) =>
    rows.flatMap(({ values }) => {
      const list = values[LIST_FIELD] ?? null;
      const entered = listOf(String(values["email"]));
      return sameValue(list, entered)
        ? []
        : [
            `the list of ${String(values["email"])} is ${JSON.stringify(list)} in ${name}, not ${JSON.stringify(entered)}`,
          ];
    }),
  );
}
