/** Moments between the address, which holds them in UTC, and an input that shows them on the reader's clock. Pure. */

/** Later than any entry of a record's history: the record as it is. */
export const LATEST = "9999-12-31T23:59:59.999Z";

const two = (number: number): string => String(number).padStart(2, "0");

/** What `<input type="datetime-local" step="1">` shows for an ISO moment; empty for none. */
export function inputOf(moment: string): string {
  const at = new Date(moment);
  if (Number.isNaN(at.getTime())) return "";
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** The ISO moment of an input; undefined while it is unfinished. The whole second counts, for entries within it. */
export function momentOf(input: string): string | undefined {
  const at = new Date(input);
  if (input === "" || Number.isNaN(at.getTime())) return undefined;
  at.setMilliseconds(999);
  return at.toISOString();
}
