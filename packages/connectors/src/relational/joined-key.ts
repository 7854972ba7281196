/**
 * Several columns as the id of a row. Together they are a field of their own, made by us: its name is the JSON list of
 * the columns, its value the JSON list of their texts.
 */
import { titleOf } from "@accord/connector-sdk";
import { FieldSchema } from "@accord/contracts/data/schema";

export const joinedName = (columns: readonly string[]): string => JSON.stringify(columns);

/** Longest name of a field. */
const MAX_NAME_LENGTH = 200;

/** Several columns whose names together are not too long for the name of a field. */
export const canJoin = (columns: readonly string[]): boolean =>
  columns.length > 1 && joinedName(columns).length <= MAX_NAME_LENGTH;

/** The columns that a field stands for: those of a joined key, or its own. */
export function columnsOf(field: Pick<FieldSchema, "apiName" | "calculated">): readonly string[] {
  return (field.calculated && textsOf(field.apiName)) || [field.apiName];
}

/** The texts of the key's columns in an id; null when it is no id of such rows. */
export function partsOf(columns: readonly string[], id: string): string[] | null {
  if (columns.length === 1) return [id];
  const texts = textsOf(id);
  return texts?.length === columns.length ? texts : null;
}

function textsOf(json: string): string[] | null {
  if (!json.startsWith("[")) return null;
  try {
    const list: unknown = JSON.parse(json);
    return Array.isArray(list) && list.every((item) => typeof item === "string") ? list : null;
  } catch {
    return null;
  }
}

/** A field that is no column: Accord knows a row by one text. */
export function describeJoinedKey(columns: readonly string[]): FieldSchema {
  return FieldSchema.parse({
    apiName: joinedName(columns),
    displayName: columns.map(titleOf).join(" + ").slice(0, 120),
    description: "The columns of the primary key together.",
    dataType: "string",
    nillable: false,
    initializable: false,
    updateable: false,
    calculated: true,
    unique: true,
    isIdField: true,
  });
}

/** Names that columns with times of change, and of creation, usually have. */
export const UPDATED = /^(updated|modified|changed|last_?(updated|modified|changed))(_?(at|on|date|time))?$/i;
export const CREATED = /^(created|inserted)(_?(at|on|date|time))?$/i;
