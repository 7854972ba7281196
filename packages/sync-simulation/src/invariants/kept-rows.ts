/** Rows in systems where nothing is deleted on account of others: some go on standing for a deleted record. */
import type { Values } from "@accord/contracts/data/values";
import type { FinalState } from "./final-state.ts";

/** Rows of a contact in the system of this name; null: things are deleted there, or it is the core. */
export function rowsWithoutDeletions(
  { systems, store, scenario }: FinalState,
  holder: string,
  email: string,
): { values: Values; isOfDeleted: boolean }[] | null {
  const index = systems.findIndex(({ name }) => name === holder);
  if (!scenario.noDeleteSystems.some(({ system }) => system === index)) return null;
  const rows = systems[index]?.rows().filter(({ values }) => values["email"] === email) ?? [];
  return rows.map(({ id, values }) => {
    const recordId = store.recordAt(index + 1, id);
    return { values, isOfDeleted: recordId !== null && store.records.get(recordId)?.deleted === true };
  });
}

/**
 * Where nothing is looked up before it is created, the row of a record that was found later stands beside what was left
 * for the deleted one. Null: there is none.
 */
export function rowsBesideKept(judged: FinalState, holder: string, email: string): Values[] | null {
  const standing = (rowsWithoutDeletions(judged, holder, email) ?? []).filter(({ isOfDeleted }) => !isOfDeleted);
  return standing.length === 0 ? null : standing.map(({ values }) => values);
}
