/** Invariant: a list that nobody edits is everywhere as it was entered: empty, null, with blank items, null ones and lists. */
import { sameValue } from "@accord/expressions";
import type { Judged } from "./judged.ts";
import { LIST_FIELD, listOf } from "./typed-values.ts";

/** Contacts of which core or systems hold another list. */
export function bentLists({ systems, store, story }: Pick<Judged, "systems" | "store" | "story">): string[] {
  if (!story.types) return [];
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
