/** JSON as a form: `application/x-www-form-urlencoded`, with names that say where a value stands. */
import { isExactNumber } from "@accord/contracts/data/exact-number";
import type { Value } from "@accord/contracts/data/values";

/**
 * `address[city]=Kiel` for what is inside an object, `tags[0]=a` for what is in a list. Nothing is an empty value, which
 * is how such APIs are asked to clear a field; so is an empty list or object, since a form has no other way to say it.
 */
export function formOf(json: Value): string {
  const form = new URLSearchParams();
  for (const [name, value] of entriesOf(json) ?? []) append(form, name, value);
  return form.toString();
}

function append(form: URLSearchParams, name: string, value: Value): void {
  const members = entriesOf(value);
  if (members === null) form.append(name, textOf(value));
  else if (members.length === 0) form.append(name, "");
  else for (const [inner, member] of members) append(form, `${name}[${inner}]`, member);
}

/** null for a value without members. */
const entriesOf = (value: Value): [string, Value][] | null =>
  typeof value !== "object" || value === null || isExactNumber(value) ? null : Object.entries(value);

const textOf = (value: Value): string => (value === null ? "" : isExactNumber(value) ? value.rawJSON : String(value));
