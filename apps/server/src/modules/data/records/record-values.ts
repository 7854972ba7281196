/** What a person entered for a record: converted to the fields' types, or refused field by field with the reason. */
import type { CoreField } from "@accord/contracts/data/entities";
import { PASSWORD_MASK, type FieldErrors } from "@accord/contracts/data/records";
import type { Values } from "@accord/contracts/data/values";
import { convertValue, isBlank, sameValue, type Conversion } from "@accord/expressions";
import { cannotStore } from "../schema/index.ts";

export interface Entered {
  /** Converted; only the fields that change. */
  values: Values;
  errors: FieldErrors;
}

/** `before` is the stored record on an edit, null on a create. Nothing may be stored while `errors` has an entry. */
export function checkValues(
  fields: readonly CoreField[],
  entered: Values,
  { before, timeZone }: { before: Values | null; timeZone: string },
): Entered {
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
    errors[name] = conversionMessage(converted, field);
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

function conversionMessage({ code, facts }: Extract<Conversion, { ok: false }>, field: CoreField): string {
  const name = field.displayName;
  switch (code) {
    case "not_an_integer":
    case "fraction_in_integer":
      return `${name} must be a whole number, such as 42`;
    case "not_a_number":
      return `${name} must be a number, such as 12.5`;
    case "number_too_large":
      return `${name} is too large a number`;
    case "too_long":
      return `${name} may hold ${facts.limit ?? field.length ?? "fewer"} characters at most`;
    case "not_a_boolean":
      return `${name} must be yes or no`;
    case "not_a_date":
      return `${name} must be a date, such as 2026-03-31`;
    case "not_a_datetime":
      return `${name} must be a date and time, such as 2026-03-31T14:30:00Z`;
    case "not_an_option":
      return `${name} must be one of: ${(field.picklist ?? []).map((option) => option.label).join(", ")}`;
    case "not_a_reference":
      return `${name} must point to a record that exists`;
    case "not_an_object":
      return `${name} must be an object, such as {"key": "value"}`;
    case "not_single":
      return `${name} holds one value only`;
    case "not_text":
      return `${name} must be text`;
  }
}
