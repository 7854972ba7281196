/** Invariant: a first load without edits writes to no row that was there: whoever holds a contact is left alone. */
import type { FakeSystem } from "../systems/fake-system.ts";

/** `before`: ids of the rows that were there, by system. */
export function firstLoadWrites(
  systems: readonly FakeSystem[],
  before: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  return systems.flatMap(({ name, overwritten }) =>
    overwritten.filter((id) => before.get(name)?.has(id)).map((id) => `a first load without edits wrote to ${id}`),
  );
}
