/** What people call a record: the value of its entity's name field, else of its first text field. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { Value } from "@accord/contracts/data/values";
import { isSecretField } from "@accord/expressions";

/** Null when the entity has no text at all. */
export const nameFieldOf = ({ nameField, fields }: Pick<CoreEntity, "nameField" | "fields">): string | null =>
  (fields.some((field) => field.apiName === nameField && !isSecretField(field)) ? nameField : null) ??
  fields.find((field) => field.dataType === "string" && !field.isMultiValueField)?.apiName ??
  null;

export const asName = (value: Value | undefined): string | null =>
  value === null || value === undefined || value === "" || typeof value === "object" ? null : String(value);
