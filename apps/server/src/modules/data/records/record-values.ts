/** What a person entered for a record: converted to the fields' types, or refused field by field with the reason. */
import type { CoreField } from "@accord/contracts/data/entities";
import { PASSWORD_MASK, type FieldErrors } from "@accord/contracts/data/records";
import type { Values } from "@accord/contracts/data/values";
import { values as words } from "@accord/contracts/messages/en/values";
import { convertValue, isBlank, sameValue } from "@accord/expressions";
import { invalidField } from "../../../platform/http/app-error.ts";
import { fill } from "./fill.ts";
import { cannotStore } from "../schema/index.ts";

export interface Entered {
  /** Converted; only the fields that change. */
  values: Values;
  errors: FieldErrors;
}

/** An edit made while fields were removed names some that are gone: so many, each of them, are told one by one. */
const MAX_UNKNOWN = 100;

/**
 * `before` is the stored record on an edit, null on a create. Nothing may be stored while `errors` has an entry.
 * `validation_failed` for far more fields than the entity has.
 */
export function checkValues(
  fields: readonly CoreField[],
  entered: Values,
  { before, timeZone }: { before: Values | null; timeZone: string },
): Entered {
  const given = Object.keys(entered).length;
  if (given > fields.length + MAX_UNKNOWN)
    throw invalidField("values", `names ${given} fields, and the entity has ${fields.length}: send only fields it has`);
  const byName = new Map(fields.map((field) => [field.apiName, field]));
  const result: Entered = { values: {}, errors: {} };
  for (const [name, value] of Object.entries(entered)) {
    const field = byName.get(name);
    if (name === "isDeleted") continue;
    if (!field) result.errors[name] = "There is no such field any more: reload the record";
    else if (field.dataType === "password" && value === PASSWORD_MASK) continue;
    else if (before && sameValue(before[name] ?? null, value)) continue;
    else checkValue(field, value, { before, timeZone }, result);
  }
  if (before === null) addDefaults(fields, result);
  return result;
}

function checkValue(
  field: CoreField,
  value: Values[string],
  { before, timeZone }: { before: Values | null; timeZone: string },
  { values, errors }: Entered,
): void {
  const name = field.apiName;
  const fixed = whyFixed(field, before === null);
  if (fixed) {
    errors[name] = fixed;
    return;
  }
  const converted = convertValue(value, field, { timeZone, forgiving: true, restrictedPicklist: true });
  if (!converted.ok) {
    errors[name] = fill(words.conversion[converted.code], converted.facts);
    return;
  }
  const unstorable = cannotStore(field, converted.value);
  if (unstorable) errors[name] = `${field.displayName} ${unstorable}`;
  else if (!field.nillable && isBlank(converted.value)) errors[name] = `${field.displayName} is required`;
  else if (before === null || !sameValue(before[name] ?? null, converted.value)) values[name] = converted.value;
}

function whyFixed(field: CoreField, creating: boolean): string | null {
  if (field.calculated || field.isSystem) return `${field.displayName} is computed and cannot be edited`;
  if (creating) return field.initializable ? null : `${field.displayName} cannot be set when a record is made`;
  if (field.createOnly) return `${field.displayName} can only be set when a record is made`;
  return field.updateable ? null : `${field.displayName} is read-only`;
}

function addDefaults(fields: readonly CoreField[], { values, errors }: Entered): void {
  for (const field of fields) {
    const name = field.apiName;
    if (name in values || name in errors) continue;
    if (field.defaultValue !== undefined && field.defaultValue !== null) values[name] = field.defaultValue;
    else if (!field.nillable && !field.calculated && !field.isSystem) errors[name] = `${field.displayName} is required`;
  }
}
