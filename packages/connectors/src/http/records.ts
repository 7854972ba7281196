/** Maps JSON of an API to records and back, by the paths of an entity's fields. */
import {
  changeTimeOf,
  compileExactSelector,
  compileSelector,
  valueParser,
  ConnectorError,
  hasNoZone,
  TypeMismatchError,
  momentInZone,
  parseSelector,
  type BadField,
  type BadRecord,
  type Selector,
  type SourceRecord,
} from "@accord/connector-sdk";
import type { HttpEntityConfig, HttpField } from "@accord/contracts/connections/http-entity";
import type { EntitySchema } from "@accord/contracts/data/schema";
import { hasMore, joined, sentValue, withinNothing } from "./sent-values.ts";
import { EntitySchema as EntitySchemaParser, FieldSchema } from "@accord/contracts/data/schema";
import type { Value, Values } from "@accord/contracts/data/values";

export const pathOf = (field: HttpField): string => (field.path === "" ? childOf(field.apiName) : field.path);
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
  /** Records and those that can't be used, in the order of the list; less those that are left out. */
  read(list: readonly Value[]): { records: SourceRecord[]; bad: BadRecord[] };
  /** What the answer to a write says of its record: often not all of it. */
  readWritten(json: Value): SourceRecord | null;
  /** One record; null when it has no id. */
  readOne(json: Value): SourceRecord | null;
  /** JSON of a record to send: each value at its field's path. */
  write(values: Values): Value;
  idOf(record: Value | undefined): string | null;
  /** Whether it is a record of something else, listed among those of this entity. */
  isLeftOut(record: Value): boolean;
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
  const idOf = idReader(idPath);
  const names = new Set([...wanted, idField, watermarkField, entity.deletedField]);
  const readers = entity.fields
    .filter((field) => names.has(field.apiName))
    .map((field) => ({
      name: field.apiName,
      label: field.displayName,
      get: readerOf(entity, field),
      isCut: hasMore(field),
      conform: valueParser(field),
    }));
  const isDeleted = deletion(entity);
  const isLeftOut = leavingOut(entity);
  const timeOf = changeTimes(entity, readers, watermarkField);
  const recordOf = (id: string, json: Value, told: readonly FieldReader[]): SourceRecord => {
    const read = readValues(json, told);
    return sourceRecord(id, read, timeOf(json, read.values), isDeleted);
  };
  // What none of them has is not there any more: that is no blank, unless blanks are left out.
  const toldBy = (list: readonly Value[]): FieldReader[] =>
    readers.filter(({ get }) => list.some((json) => get(json) !== undefined));
  return {
    idOf,
    isLeftOut,
    write: (values) => writeRecord(byName, values, entity.blankAsText),
    readOne(json) {
      const id = idOf(json);
      return id === null ? null : recordOf(id, json, entity.leavesOutEmpty ? readers : toldBy([json]));
    },
    readWritten(json) {
      const id = idOf(json);
      return id === null ? null : recordOf(id, json, toldBy([json]));
    },
    read(page) {
      const list = page.filter((json) => !isLeftOut(json));
      const told = entity.leavesOutEmpty ? readers : toldBy(list);
      const records: SourceRecord[] = [];
      const bad: BadRecord[] = [];
      const indexes = new Map<string, number>();
      list.forEach((json, index) => {
        const id = idOf(json);
        if (id === null) {
          bad.push(badRecord(`record ${index + 1} of the page`, `It has no ${idPath.displayName}.`, json));
          return;
        }
        const record = recordOf(id, json, told);
        const earlier = indexes.get(id);
        if (earlier === undefined) indexes.set(id, records.push(record) - 1);
        else if (!isOlder(record, records[earlier])) records[earlier] = record;
      });
      return { records, bad };
    },
  };
}

function idReader(field: HttpField): (record: Value | undefined) => string | null {
  const readId = compileSelector(pathOf(field));
  return (record) => {
    const id = readId(record);
    return id === null || id === undefined || id === "" || typeof id === "object" ? null : String(id);
  };
}

/** Reads the id by which the API itself knows a record. */
export function describedId({ fields, idField }: HttpEntityConfig): (record: Value | undefined) => string | null {
  const field = fields.find(({ apiName }) => apiName === idField);
  return field ? idReader(field) : () => null;
}

function readerOf({ blankAsText }: HttpEntityConfig, field: HttpField): FieldReader["get"] {
  const path = pathOf(field);
  const get = joined(field, withinNothing(path, compileExactSelector(path)));
  return blankAsText ? blankOf(get) : get;
}

/** An empty text is nothing to an API that knows no other. */
const blankOf =
  (get: (value: Value) => Value | undefined): ((value: Value) => Value | undefined) =>
  (value) => {
    const found = get(value);
    return found === "" ? null : found;
  };

/** A list that moves while a page is put together may hold a record twice: the later copy counts unless it says it is older. */
const isOlder = (left: SourceRecord, right: SourceRecord | undefined): boolean =>
  left.modifiedAt !== undefined && right?.modifiedAt !== undefined && left.modifiedAt < right.modifiedAt;

interface FieldReader {
  name: string;
  label: string;
  get(value: Value): Value | undefined;
  conform(value: Value | undefined): Value;
  /** Whether the record shows but a part of the value. */
  isCut(record: Value): boolean;
}

type ReadValues = Pick<SourceRecord, "values" | "badFields">;

/** Characters told of a value that can't be used. */
const EXCERPT = 300;

/** A value that does not fit its field costs that field alone. */
function readValues(json: Value, readers: readonly FieldReader[]): ReadValues {
  const values: Values = {};
  const badFields: BadField[] = [];
  for (const { name, label, get, conform, isCut } of readers) {
    const value = get(json);
    try {
      if (isCut(json)) throw new TypeMismatchError("the system shows only a part of it");
      values[name] = conform(value);
    } catch (error) {
      if (!(error instanceof TypeMismatchError)) throw error;
      const excerpt = JSON.stringify(value ?? null).slice(0, EXCERPT);
      badFields.push({ field: name, message: `${label}: ${error.message}.`, excerpt });
    }
  }
  return badFields.length > 0 ? { values, badFields } : { values };
}

/** When a record was changed; its field keeps the time that the API shows, in whatever zone. */
function changeTimes(
  { timeZone }: HttpEntityConfig,
  readers: readonly FieldReader[],
  watermark: string | null | undefined,
): (json: Value, values: Values) => string | undefined {
  const reader = readers.find(({ name }) => name === watermark);
  if (!reader) return () => undefined;
  return (json, values) => {
    const raw = reader.get(json);
    if (timeZone === "UTC" || !hasNoZone(raw)) return changeTimeOf(values[reader.name]);
    try {
      return momentInZone(changeTimeOf(asMoment(raw)) ?? "", timeZone) || undefined;
    } catch (error) {
      if (error instanceof TypeMismatchError) return undefined;
      throw error;
    }
  };
}

const asMoment = valueParser({ dataType: "datetime", isMultiValueField: false });

function sourceRecord(
  id: string,
  read: ReadValues,
  modifiedAt: string | undefined,
  isDeleted: (values: Values) => boolean,
): SourceRecord {
  const record: SourceRecord = { id, ...read };
  if (modifiedAt !== undefined) record.modifiedAt = modifiedAt;
  if (isDeleted(read.values)) record.deleted = true;
  return record;
}

function leavingOut({ list }: HttpEntityConfig): (json: Value) => boolean {
  if (list.leaveOutSelector === "") return () => false;
  const select = compileSelector(list.leaveOutSelector);
  return (json) => {
    const value = select(json);
    return value !== undefined && value !== null && value !== false && value !== "";
  };
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
  excerpt: JSON.stringify(json).slice(0, EXCERPT),
});

function writeRecord(fields: ReadonlyMap<string, HttpField>, values: Values, blankAsText: boolean): Value {
  const record: Values = {};
  for (const [name, value] of Object.entries(values)) {
    const field = fields.get(name);
    const path = field ? sentPath(field, value) : null;
    put(
      record,
      path === null ? [{ kind: "key", key: name }] : parseSelector(path),
      value === null && blankAsText ? "" : sentValue(field, value),
    );
  }
  return record;
}

/** Where a value goes in a record that is sent. */
export const sentPath = (field: HttpField, value: Value): string =>
  (value === null && field.clearPath) || field.writePath || pathOf(field);

export const isObject = (value: Value | undefined): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Sets a value at a path of names; other kinds of steps can only be read. */
export function put(record: Values, path: Selector, value: Value): void {
  let target = record;
  for (const [at, step] of path.entries()) {
    if (step.kind !== "key") return;
    if (at === path.length - 1) target[step.key] = value;
    else {
      const inner = target[step.key];
      const next: Values = isObject(inner) ? inner : {};
      target[step.key] = next;
      target = next;
    }
  }
}
