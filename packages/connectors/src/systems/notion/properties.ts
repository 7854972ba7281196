/**
 * Properties of Notion's pages as fields, by their type: what is named here is read, and as far as Notion takes it
 * written (https://developers.notion.com/reference/page-property-values). A page keys them by their names.
 */
import type { DataType, Value } from "@accord/contracts/data/values";
import { z } from "zod";
import { READ_ONLY, type FieldInput } from "../fields.ts";

const Options = z.object({ options: z.array(z.object({ name: z.string() })) });
const Relation = z.object({ data_source_id: z.string() });

export const Property = z.looseObject({ name: z.string(), type: z.string(), description: z.string().nullish() });
export type Property = z.output<typeof Property>;

/** One text has so many characters at most; a longer one is a list of them. */
const TEXT_LENGTH = 2_000;

interface Kind {
  dataType: DataType;
  /** Where the value is inside the property. */
  path: string;
  facts?: Partial<FieldInput>;
  /** Places inside the property. */
  writePath?: string;
  clearPath?: string;
  more?: string;
}

const texts = (type: string): Kind => ({
  dataType: "string",
  path: `${type}[*].plain_text`,
  writePath: type,
  facts: { sentAs: JSON.stringify({ type: "text", text: { content: "{{value}}" } }), partLength: TEXT_LENGTH },
});
const plain = (type: string, dataType: DataType = "string"): Kind => ({ dataType, path: type });
const readOnly = (dataType: DataType, path: string, facts: Partial<FieldInput> = {}): Kind => ({
  dataType,
  path,
  facts: { ...facts, ...READ_ONLY },
});
const choice = (type: string): Kind => ({ dataType: "picklist", path: `${type}.name`, clearPath: type });
/** `has_more`: pages show the first 25 of longer lists. */
const ids = (type: string, dataType: DataType): Kind => ({
  dataType,
  path: `${type}[*].id`,
  writePath: type,
  more: "has_more",
  facts: { isMultiValueField: true, sentAs: JSON.stringify({ id: "{{value}}" }) },
});

/** By the type that Notion gives a property. */
const KINDS: Readonly<Record<string, Kind>> = {
  title: texts("title"),
  rich_text: texts("rich_text"),
  number: plain("number", "double"),
  select: choice("select"),
  status: choice("status"),
  multi_select: {
    dataType: "picklist",
    path: "multi_select[*].name",
    writePath: "multi_select",
    facts: { isMultiValueField: true, sentAs: JSON.stringify({ name: "{{value}}" }) },
  },
  // A day, or a moment. What is written replaces the whole range: of one that has an end the start is no whole value.
  date: { dataType: "string", path: "date.start", clearPath: "date", more: "date.end" },
  checkbox: { dataType: "boolean", path: "checkbox", facts: { nillable: false } },
  url: plain("url"),
  email: plain("email"),
  phone_number: plain("phone_number"),
  people: ids("people", "string"),
  relation: ids("relation", "reference"),
  files: readOnly("object", "files"),
  formula: readOnly("object", "formula", { calculated: true }),
  rollup: readOnly("object", "rollup", { calculated: true }),
  unique_id: readOnly("integer", "unique_id.number", { calculated: true }),
  created_time: readOnly("datetime", "created_time"),
  created_by: readOnly("string", "created_by.id"),
  last_edited_time: readOnly("datetime", "last_edited_time"),
  last_edited_by: readOnly("string", "last_edited_by.id"),
  verification: readOnly("object", "verification"),
  place: readOnly("object", "place"),
};

/** Beside the start of a date, all that Notion has of it. */
const RANGE = "date_range";
const RANGE_KIND = readOnly("object", "date");

/** `select.Stage`: the type is part of a field's name, since a schema that was read keeps nothing else of it. */
const nameOf = (type: string, property: string): string => `${type}.${property}`;

/** The fields of a property; none where no place in a record can be named by it, or Notion has no value for it. */
export function fieldsOf(property: Property, entityOf: (dataSourceId: string) => string): FieldInput[] {
  const { name, type } = property;
  const kind = KINDS[type];
  if (!kind || quoted(name) === null || name === "__proto__" || name.length > 180) return [];
  const field = described(nameOf(type, name), name, kind, property);
  const target = type === "relation" ? Relation.safeParse(property["relation"]).data?.data_source_id : undefined;
  const main = target === undefined ? field : { ...field, referenceTo: entityOf(target) };
  if (type !== "date") return [main];
  return [main, described(nameOf(RANGE, name), `${name.slice(0, 108)} (range)`, RANGE_KIND, property)];
}

function described(apiName: string, label: string, { dataType, facts }: Kind, property: Property): FieldInput {
  const choices = dataType === "picklist" ? choicesOf(property[property.type]) : [];
  const { isMultiValueField, nillable, initializable, updateable, calculated } = facts ?? {};
  return {
    apiName,
    displayName: label.slice(0, 120),
    dataType,
    custom: true,
    ...{ isMultiValueField, nillable, initializable, updateable, calculated },
    ...(property.description && { description: property.description.slice(0, 1000) }),
    ...(choices.length > 0 && { picklist: choices }),
  };
}

function choicesOf(settings: unknown): { id: string; label: string }[] {
  const { data } = Options.safeParse(settings);
  return (data?.options ?? []).flatMap(({ name }) => (name === "" ? [] : [{ id: name, label: name }]));
}

/** Where a field that was found before is read and sent; null: it is no property's. */
export function placesOf(apiName: string): Partial<FieldInput> | null {
  const dot = apiName.indexOf(".");
  const type = apiName.slice(0, dot);
  const kind = type === RANGE ? RANGE_KIND : KINDS[type];
  const name = quoted(apiName.slice(dot + 1));
  if (dot < 0 || !kind || name === null) return null;
  const { path, writePath = path, clearPath, more, facts } = kind;
  return {
    path: `properties[${name}].${path}`,
    writePath: `[${name}].${writePath}`,
    ...(clearPath !== undefined && { clearPath: `[${name}].${clearPath}` }),
    ...(more !== undefined && { moreSelector: `properties[${name}].${more}` }),
    ...(facts?.sentAs !== undefined && { sentAs: facts.sentAs }),
    ...(facts?.partLength !== undefined && { partLength: facts.partLength }),
  };
}

/** A name as a step of a path; null for one that holds the end of both kinds of quotes. */
function quoted(name: string): string | null {
  if (!name.includes('"')) return `"${name}"`;
  return name.includes("'") ? null : `'${name}'`;
}

/** The property that names a page. */
export const titleIn = (fields: readonly Pick<FieldInput, "apiName">[]): { field: string; property: string } | null => {
  const field = fields.find(({ apiName }) => apiName.startsWith("title."))?.apiName;
  return field === undefined ? null : { field, property: field.slice("title.".length) };
};

/** Texts of Notion are lists of parts. */
export const plainTextOf = (parts: Value | undefined): string =>
  z
    .array(z.object({ plain_text: z.string() }))
    .catch([])
    .parse(parts)
    .map(({ plain_text }) => plain_text)
    .join("");
