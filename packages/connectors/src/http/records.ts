/** Maps JSON of an API to records and back, by the paths of an entity's fields. */
import {
  compileSelector,
  conformer,
  ConnectorError,
  Misfit,
  parseSelector,
  type BadRecord,
  type Selector,
  type SourceRecord,
} from "@accord/connector-sdk";
import type { HttpEntityConfig, HttpField } from "@accord/contracts/connections/http-entity";
import type { EntitySchema } from "@accord/contracts/data/schema";
import { EntitySchema as EntitySchemaParser, FieldSchema } from "@accord/contracts/data/schema";
import type { Value, Values } from "@accord/contracts/data/values";

const pathOf = (field: HttpField): string => (field.path === "" ? childOf(field.apiName) : field.path);
/** A bare name may hold dots: it is one key, not a path. */
const childOf = (name: string): string => (/^[\w-]+$/.test(name) ? name : `["${name}"]`);

/** The entity as the engine sees it: what is configured, less what only this connector needs. */
export function schemaOf(entity: HttpEntityConfig): EntitySchema {
  return EntitySchemaParser.parse({
    apiName: entity.apiName,
    displayName: entity.displayName,
    readOnly: !entity.create && !entity.update && !entity.delete,
    fields: entity.fields.map((field) => ({
      ...FieldSchema.strip().parse(field),
      isIdField: field.apiName === entity.idField,
      unique: field.unique || field.apiName === entity.idField,
      isWatermarkField: field.apiName === entity.watermarkField,
      isUpdatedAtField: field.isUpdatedAtField || field.apiName === entity.watermarkField,
    })),
  });
}

export interface RecordMap {
  /** Records and those that can't be used, in the order of the list. */
  read(list: readonly Value[]): { records: SourceRecord[]; bad: BadRecord[] };
  /** JSON of a record to send: each value at its field's path. */
  write(values: Values): Value;
  idOf(record: Value | undefined): string | null;
}

/** `schema` decides which fields are id and watermark: a person may have chosen others than the configuration. */
export function mapRecords(entity: HttpEntityConfig, schema: EntitySchema, wanted: readonly string[]): RecordMap {
  const idField = schema.fields.find((field) => field.isIdField)?.apiName ?? entity.idField;
  const watermarkField = schema.fields.find((field) => field.isWatermarkField)?.apiName ?? entity.watermarkField;
  const byName = new Map(entity.fields.map((field) => [field.apiName, field]));
  const idPath = byName.get(idField);
  if (!idPath)
    throw new ConnectorError("configuration", `${entity.displayName} has no field ${idField}.`, {
      hint: "Choose the field that identifies a record.",
    });
  const readId = compileSelector(pathOf(idPath));
  const idOf = (record: Value | undefined): string | null => {
    const id = readId(record);
    return id === null || id === undefined || id === "" || typeof id === "object" ? null : String(id);
  };
  const names = new Set([...wanted, idField, watermarkField, entity.deletedField]);
  const readers = entity.fields
    .filter((field) => names.has(field.apiName))
    .map((field) => ({
      name: field.apiName,
      label: field.displayName,
      get: compileSelector(pathOf(field)),
      conform: conformer(field),
    }));
  const isDeleted = deletion(entity);
  return {
    idOf,
    write: (values) => writeRecord(byName, values),
    read(list) {
      // What none of them has is not there any more: that is no blank.
      const told = readers.filter(({ get }) => list.some((json) => get(json) !== undefined));
      const records: SourceRecord[] = [];
      const bad: BadRecord[] = [];
      const seen = new Set<string>();
      list.forEach((json, at) => {
        const id = idOf(json);
        if (id === null) {
          bad.push(badRecord(`record ${at + 1} of the page`, `It has no ${idPath.displayName}.`, json));
        } else if (seen.has(id)) bad.push(badRecord(`id ${id}`, "The same id appears twice on one page.", json));
        else {
          seen.add(id);
          const values: Values = {};
          const misfit = readValues(json, told, values);
          if (misfit) bad.push({ ...badRecord(`id ${id}`, misfit, json), id });
          else records.push(sourceRecord(id, values, watermarkField, isDeleted(values)));
        }
      });
      return { records, bad };
    },
  };
}

function readValues(
  json: Value,
  readers: readonly {
    name: string;
    label: string;
    get(value: Value): Value | undefined;
    conform(value: Value | undefined): Value;
  }[],
  values: Values,
): string | null {
  for (const { name, label, get, conform } of readers) {
    try {
      values[name] = conform(get(json));
    } catch (error) {
      if (error instanceof Misfit) return `${label}: ${error.message}.`;
      throw error;
    }
  }
  return null;
}

function sourceRecord(
  id: string,
  values: Values,
  watermark: string | null | undefined,
  deleted: boolean,
): SourceRecord {
  const record: SourceRecord = { id, values };
  const modifiedAt = watermark ? values[watermark] : null;
  if (typeof modifiedAt === "string") record.modifiedAt = modifiedAt;
  if (deleted) record.deleted = true;
  return record;
}

function deletion(entity: HttpEntityConfig): (values: Values) => boolean {
  const { deletedField, deletedValue } = entity;
  if (!deletedField) return () => false;
  return (values) => {
    const value = values[deletedField];
    if (deletedValue !== "") return String(value) === deletedValue;
    return value !== null && value !== undefined && value !== false && value !== 0 && value !== "";
  };
}

const badRecord = (place: string, message: string, json: Value): BadRecord => ({
  place,
  message,
  excerpt: JSON.stringify(json).slice(0, 300),
});

function writeRecord(fields: ReadonlyMap<string, HttpField>, values: Values): Value {
  const record: Values = {};
  for (const [name, value] of Object.entries(values)) {
    const field = fields.get(name);
    put(record, field ? parseSelector(pathOf(field)) : [{ kind: "key", key: name }], value);
  }
  return record;
}

/** Sets a value at a path of names; other kinds of steps can only be read. */
function put(record: Values, path: Selector, value: Value): void {
  let target = record;
  for (const [at, step] of path.entries()) {
    if (step.kind !== "key") return;
    if (at === path.length - 1) target[step.key] = value;
    else {
      const inner = target[step.key];
      const next: Values = typeof inner === "object" && inner !== null && !Array.isArray(inner) ? inner : {};
      target[step.key] = next;
      target = next;
    }
  }
}
