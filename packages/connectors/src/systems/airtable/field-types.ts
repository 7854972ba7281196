/** Fields of Airtable's types (https://airtable.com/developers/web/api/field-model). */
import type { DataType, Value } from "@accord/contracts/data/values";
import { READ_ONLY, type FieldInput } from "../fields.ts";

interface Column {
  id: string;
  name: string;
  type: string;
  options?: { [name: string]: Value } | null | undefined;
}

const TYPES: Record<string, DataType> = {
  singleLineText: "string",
  multilineText: "string",
  richText: "string",
  email: "string",
  url: "string",
  phoneNumber: "string",
  number: "double",
  currency: "double",
  percent: "double",
  duration: "double",
  rating: "integer",
  count: "integer",
  autoNumber: "integer",
  checkbox: "boolean",
  date: "date",
  dateTime: "datetime",
  createdTime: "datetime",
  lastModifiedTime: "datetime",
  singleSelect: "picklist",
  multipleSelects: "picklist",
  multipleRecordLinks: "reference",
};

/** Set by Airtable alone. */
const COMPUTED = new Set(
  `count autoNumber createdTime lastModifiedTime createdBy lastModifiedBy formula rollup lookup multipleLookupValues
  button aiText externalSyncSource`.split(/\s+/),
);
const LISTS = new Set(["multipleSelects", "multipleRecordLinks"]);

export function fieldOf({ id, name, type, options }: Column): FieldInput {
  const result = type === "formula" || type === "rollup" ? resultOf(options) : type;
  const dataType = TYPES[result] ?? "object";
  const table = options?.["linkedTableId"];
  return {
    apiName: id,
    displayName: name.slice(0, 120) || id,
    dataType: isWhole(result, options) ? "integer" : dataType,
    isMultiValueField: LISTS.has(result),
    ...(COMPUTED.has(type) && { ...READ_ONLY, calculated: true }),
    ...(dataType === "picklist" && { picklist: choicesOf(options) }),
    ...(typeof table === "string" && { referenceTo: table }),
  };
}

/** What a formula comes to. */
function resultOf(options: Column["options"]): string {
  const result = options?.["result"];
  const type = isObject(result) ? result["type"] : undefined;
  return typeof type === "string" ? type : "";
}

const isWhole = (type: string, options: Column["options"]): boolean =>
  (type === "number" || type === "currency") && options?.["precision"] === 0;

/** Records hold the names of choices. */
function choicesOf(options: Column["options"]): { id: string; label: string }[] {
  const choices = options?.["choices"];
  if (!Array.isArray(choices)) return [];
  return choices.flatMap((choice) => {
    const name = isObject(choice) ? choice["name"] : undefined;
    return typeof name === "string" && name !== "" ? [{ id: name, label: name }] : [];
  });
}

const isObject = (value: Value | undefined): value is { [name: string]: Value } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
