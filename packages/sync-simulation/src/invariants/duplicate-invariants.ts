/** What may be true in the end where one contact is several records, or several records are one contact. */
import type { FinalState } from "./final-state.ts";

/** Whether records of this contact are duplicates that are left alone. */
export const isLeftTwice = ({ store }: FinalState, email: string): boolean =>
  [...store.records.values()].some(({ recordId, values }) => values["email"] === email && store.isTwice(recordId));

/** Back after its merge was undone: what we removed of it comes back, unless its place has the other one instead. */
export function separatedAndDeleted({ systems, store }: FinalState, recordId: string): string[] {
  return systems.flatMap(({ name }, index) => {
    const link = store.linkOf(index + 1, recordId);
    const isQuarantinedRecord = store.deliveries.get(`${index + 1}|${recordId}`)?.isParked === true;
    return link?.dead && !isQuarantinedRecord ? [`${recordId} was parted again but did not come back to ${name}`] : [];
  });
}

/** Whether the place has a record that was merged into this one. */
export function isThereAsAnother({ store }: FinalState, recordId: string, placeId: number): boolean {
  return store.merges.merged.some(
    ({ loserId }) => store.merges.winnerOf(loserId) === recordId && store.linkOf(placeId, loserId)?.dead === false,
  );
}

/** One contact is one record, unless its duplicates are to be left alone: what is not so. */
export function duplicatesLeft({ systems, store, scenario }: FinalState, email: string): string[] {
  const records = [...store.records.values()].filter(({ deleted, values }) => !deleted && values["email"] === email);
  const isLeft = records.some(({ recordId }) => store.isTwice(recordId));
  const faults = records.length > 1 && !isLeft ? [`${email} is ${records.length} records`] : [];
  if (records.length === 0) faults.push(`${email} is no record any more`);
  if (isLeft || !scenario.duplicates?.deletesLosers) return faults;
  for (const system of systems) {
    const count = system.rows().filter(({ values }) => values["email"] === email).length;
    if (count > 1) faults.push(`${email} ${count} times in ${system.name}`);
  }
  return faults;
}
