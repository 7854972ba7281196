/** Fields of a stream from its JSON schema, its key and time of change among them. */
import { inferFields, titleOf } from "@accord/connector-sdk";
import { EntitySchema, FieldSchema } from "@accord/contracts/data/schema";
import type { DataType, Value, Values } from "@accord/contracts/data/values";
import type { Stream } from "../components/model.ts";
import { isObject } from "../document/read-yaml.ts";

/** Holds the key of streams that have none of one field. */
export const KEY_FIELD = "manifest_record_id";

/** The field that is the key by itself; null where the key is made of several, or there is none. */
export function plainKey({ primaryKey }: Stream): string | null {
  const [path] = primaryKey;
  return primaryKey.length === 1 && path?.length === 1 ? (path[0] ?? null) : null;
}

/** An exchange changes nothing, and `created_ts` is a time of creation. */
const CHANGE_NAMES = /updat|modif|(?<!ex)chang|edited|touched|last_?seen|systemmodstamp|^_ts$/i;

/**
 * Whether reading by time finds every change: its field says when a record was changed, not when it came to be. Others
 * are read completely each time.
 */
export const isTracked = ({ cursor }: Stream): boolean => cursor !== null && CHANGE_NAMES.test(cursor.field);

/** Whether a reader of this entity reads only what changed: where it knows the time of change. */
export const readsChanges = (stream: Stream, entity: EntitySchema): boolean =>
  isTracked(stream) && entity.fields.some((field) => field.isWatermarkField && field.apiName === stream.cursor?.field);

export const hasSchema = ({ schema }: Stream): boolean => Object.keys(propertiesOf(schema)).length > 0;

const propertiesOf = (schema: Values | null): Values => {
  const properties = schema?.["properties"];
  return isObject(properties) ? properties : {};
};

/** `samples`: records, for streams whose schema names no fields. */
export function entityOf(stream: Stream, samples: readonly Values[]): EntitySchema {
  const fields = hasSchema(stream)
    ? Object.entries(propertiesOf(stream.schema)).map(([name, property]) => fieldOf(name, property))
    : inferFields(samples);
  const key = plainKey(stream);
  const id = key ?? KEY_FIELD;
  const others = fields.filter(({ apiName }) => apiName !== "" && apiName.length <= 200);
  const time = isTracked(stream) ? stream.cursor?.field : undefined;
  const added = [id, ...(time === undefined || time.includes(".") ? [] : [time])];
  const missing = added.filter((name) => !others.some(({ apiName }) => apiName === name));
  const known = [...missing.map(textField), ...others];
  return EntitySchema.parse({
    apiName: stream.name.slice(0, 200),
    displayName: titleOf(stream.name),
    readOnly: true,
    fields: known.map((field) => {
      const isWatermark = field.apiName === time;
      return {
        ...field,
        // Whatever the schema calls it: its format is the manifest's.
        dataType: isWatermark && field.dataType !== "date" ? "datetime" : field.dataType,
        isMultiValueField: field.isMultiValueField && !isWatermark,
        isIdField: field.apiName === id,
        unique: field.apiName === id,
        isWatermarkField: isWatermark,
        isUpdatedAtField: isWatermark,
      };
    }),
  });
}

const textField = (apiName: string): FieldSchema =>
  FieldSchema.parse({
    apiName,
    displayName: apiName === KEY_FIELD ? "Record id" : titleOf(apiName),
    dataType: "string",
  });

function fieldOf(apiName: string, property: Value): FieldSchema {
  const schema = isObject(property) ? property : {};
  const isList = typeOf(schema) === "array";
  const items = isList && isObject(schema["items"]) ? schema["items"] : {};
  const dataType = isList ? itemType(items) : dataTypeOf(schema);
  return FieldSchema.parse({
    apiName,
    displayName: titleOf(apiName),
    dataType,
    isMultiValueField: isList && dataType !== "object",
  });
}

/** The first of the types that is not null, choices included. */
function typeOf(schema: Values): string | null {
  const own = [schema["type"]].flat().find((type) => typeof type === "string" && type !== "null");
  if (typeof own === "string") return own;
  for (const list of [schema["anyOf"], schema["oneOf"]])
    if (Array.isArray(list)) {
      const kinds = new Set(list.filter(isObject).flatMap((choice) => typeOf(choice) ?? []));
      const [kind] = kinds;
      if (kind !== undefined) return kinds.size === 1 ? kind : "object";
    }
  return null;
}

function dataTypeOf(schema: Values): DataType {
  const types = [schema["type"]].flat().filter((type) => type !== "null");
  // A field of several types keeps each as it is.
  if (types.length > 1) return types.every((type) => type === "integer" || type === "number") ? "double" : "object";
  switch (typeOf(schema)) {
    case "boolean":
      return "boolean";
    case "integer":
      return "integer";
    case "number":
      return "double";
    case "object":
    case "array":
      return "object";
    case "string":
      return schema["format"] === "date" ? "date" : schema["format"] === "date-time" ? "datetime" : "string";
    default:
      return "object";
  }
}

/** Lists of texts and numbers are fields of several values; others are kept as JSON. */
function itemType(items: Values): DataType {
  const type = dataTypeOf(items);
  return typeOf(items) === null ? "object" : type;
}
