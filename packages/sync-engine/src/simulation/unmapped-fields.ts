/** Invariant: fields that no pipeline maps stay where they are. */
import type { Judged } from "./judged.ts";

/** One line for a field that was taken over or written although nobody maps it. */
export function strayFields({ systems, store, story }: Pick<Judged, "systems" | "store" | "story">): string[] {
  const field = story.newField?.field ?? story.drift?.renamedTo ?? null;
  if (field === null) return [];
  const records = [...store.records.values()].filter(({ values }) => Object.hasOwn(values, field));
  const writes = systems.flatMap(({ written }) => written.filter(({ values }) => Object.hasOwn(values, field)));
  return records.length + writes.length > 0 ? [`${field} was taken over, though nobody maps it`] : [];
}
