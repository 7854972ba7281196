/** What the ledger says of edits: each value that ever came in, and each one that was refused. */
import type { Value } from "@accord/contracts/data/values";
import type { LedgerEntry } from "@accord/sync-engine/run";
import { editKey } from "../systems/text-rewriting.ts";
import { enteredValue, type TypedValues } from "../systems/typed-values.ts";

export interface LedgerEdits {
  /** With the records into which each of them came. */
  accepted: ReadonlyMap<string, ReadonlySet<string>>;
  refused: ReadonlySet<string>;
  /** Came back when a person took a merge back. */
  restored: ReadonlySet<string>;
}

/** Epoch of what no run wrote. */
const BY_PERSON = 0;

/** As edits are compared: systems may store them in a way of their own. */
export const editOf = (types: TypedValues | null, field: string, value: Value | undefined): string =>
  editKey(enteredValue(types, field, value ?? null));

export function editsInLedger(
  ledger: readonly (LedgerEntry & { epoch: number })[],
  types: TypedValues | null,
): LedgerEdits {
  const accepted = new Map<string, Set<string>>();
  const refused = new Set<string>();
  const restored = new Set<string>();
  const current = new Map<string, Map<string, string>>();
  for (const { recordId, operation, changes, refused: refusals, epoch } of ledger) {
    if (operation === "write") continue;
    const values = current.get(recordId) ?? new Map<string, string>();
    current.set(recordId, values);
    for (const field in changes) {
      const edit = editOf(types, field, changes[field]?.[1]);
      if (epoch === BY_PERSON && accepted.has(edit)) restored.add(edit);
      accepted.set(edit, (accepted.get(edit) ?? new Set()).add(recordId));
      values.set(field, edit);
    }
    if (operation === "restore") for (const edit of values.values()) restored.add(edit);
    for (const field in refusals) refused.add(editOf(types, field, refusals[field]?.[0]));
  }
  return { accepted, refused, restored };
}
