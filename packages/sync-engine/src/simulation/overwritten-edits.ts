/** Invariant: nothing that stood in a system is overwritten or deleted there before the engine has read it. */
import { changesOf } from "../run/stored.ts";
import type { FakeSystem } from "./fake-system.ts";
import type { MemoryStore } from "./memory-store.ts";
import { EDITED_FIELDS } from "./scenario.ts";

const keyOf = (value: unknown): string => String(value).toLowerCase();

/**
 * Values that a write of ours replaced and that no ledger entry names, neither as taken over nor as refused. Spelling
 * does not count: a system may have stored what it was given in capitals.
 */
export function overwrittenEdits(systems: readonly FakeSystem[], store: MemoryStore): string[] {
  const named = new Set<string>();
  for (const entry of store.ledger) {
    for (const [, to] of Object.values(changesOf(entry))) named.add(keyOf(to));
    for (const [value] of Object.values(entry.refused ?? {})) named.add(keyOf(value));
  }
  return systems.flatMap(({ name, replaced }) =>
    replaced
      .filter(({ field, value }) => EDITED_FIELDS.some((edited) => edited === field) && !named.has(keyOf(value)))
      .map(
        ({ id, field, value }) => `${field} ${String(value)} of ${id} in ${name} was overwritten before it was read`,
      ),
  );
}
