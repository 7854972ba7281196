/** The databases of the simulated Notion: their properties of all usual types, and how the API shows them. */
import { createHash, randomUUID } from "node:crypto";
import type { Json } from "../kit.ts";

export const PROPERTY_TYPES = [
  "title",
  "rich_text",
  "number",
  "select",
  "multi_select",
  "status",
  "date",
  "people",
  "files",
  "checkbox",
  "url",
  "email",
  "phone_number",
  "formula",
  "relation",
  "rollup",
  "created_time",
  "created_by",
  "last_edited_time",
  "last_edited_by",
  "unique_id",
] as const;
export type PropertyType = (typeof PROPERTY_TYPES)[number];
export const isPropertyType = (name: string): name is PropertyType => PROPERTY_TYPES.some((one) => one === name);

export interface Option {
  id: string;
  name: string;
  color: string;
}

export interface Property {
  /** As it is in answers: percent-encoded, so that it can stand in an address. */
  id: string;
  name: string;
  type: PropertyType;
  /** Of select, multi_select and status; selects get more when a page is written. */
  options: Option[];
  /** The name of the database whose pages a relation links. */
  relatedTo: string | null;
  numberFormat: string;
}

export interface Page {
  id: string;
  /** Milliseconds; shown as whole minutes. */
  createdAt: number;
  editedAt: number;
  inTrash: boolean;
  /** By the property's name, in the form that answers have behind the type. */
  values: Map<string, unknown>;
  number: number;
  /** The name of the property that is its title. */
  titleName: string;
}

export interface Database {
  id: string;
  /** Since 2025-09-03 a database holds sources, which hold the properties and pages; here one. */
  sourceId: string;
  title: string;
  properties: Property[];
  pages: Map<string, Page>;
  editedAt: number;
  /** Of a database that is not shared with the integration nothing is shown. */
  isShared: boolean;
}

/** Ids that stay the same between runs. */
export const fixedUuid = (of: string): string =>
  createHash("sha256")
    .update(of)
    .digest("hex")
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");

const COLORS = ["gray", "brown", "orange", "yellow", "green", "blue", "purple", "pink", "red"];
export const newOption = (name: string, at: number): Option => ({
  id: randomUUID(),
  name,
  color: COLORS[at % COLORS.length] ?? "default",
});

const SHORT_IDS = [
  "%3AUPp",
  "f%5C%5C%3Ap",
  "J%40cT",
  "Z%3ClH",
  "M%3BBw",
  "%7BnqE",
  "bC_d",
  "y%5EaX",
  "%3EpZ%60",
  "q%3D%40w",
];

interface More {
  options?: string[];
  relatedTo?: string;
  numberFormat?: string;
}
type Short = [name: string, type: PropertyType, more?: More];

function databaseOf(title: string, isShared: boolean, shorts: Short[]): Database {
  const properties = shorts.map(([name, type, more = {}], at): Property => ({
    id: type === "title" ? "title" : `${SHORT_IDS[at % SHORT_IDS.length] ?? "a"}${at < SHORT_IDS.length ? "" : at}`,
    name,
    type,
    options: (more.options ?? []).map((option, place) => newOption(option, place)),
    relatedTo: more.relatedTo ?? null,
    numberFormat: more.numberFormat ?? "number",
  }));
  const [id, sourceId] = [fixedUuid(`database ${title}`), fixedUuid(`source ${title}`)];
  return { id, sourceId, title, properties, pages: new Map(), editedAt: Date.UTC(2024, 0, 1), isShared };
}

export const newDatabases = (): [tasks: Database, projects: Database, notes: Database, hidden: Database] => [
  databaseOf("Tasks", true, [
    ["Name", "title"],
    ["Notes", "rich_text"],
    ["Effort", "number"],
    ["Budget", "number", { numberFormat: "euro" }],
    ["Kind", "select", { options: ["Bug", "Feature", "Chore"] }],
    ["Tags", "multi_select", { options: ["urgent", "later"] }],
    ["State", "status", { options: ["Not started", "In progress", "Done"] }],
    ["Due date", "date"],
    ["Owners", "people"],
    ["Attachments", "files"],
    ["Billable", "checkbox"],
    ["Link", "url"],
    ["E-mail", "email"],
    ["Phone", "phone_number"],
    ["Project", "relation", { relatedTo: "Projects" }],
    ["Label", "formula"],
    ["Projects linked", "rollup"],
    ["Ticket", "unique_id"],
    ["Created", "created_time"],
    ["Created by", "created_by"],
    ["Edited", "last_edited_time"],
    ["Edited by", "last_edited_by"],
  ]),
  databaseOf("Projects", true, [
    ["Project name", "title"],
    ["Active", "checkbox"],
  ]),
  databaseOf("Notes", true, [
    ["Name", "title"],
    ["Text", "rich_text"],
  ]),
  databaseOf("Salaries", false, [["Name", "title"]]),
];

/** Another source of a database that exists, with a title alone. */
export function anotherSource(database: Database, title: string): Database {
  return { ...databaseOf(title, true, [["Name", "title"]]), id: database.id };
}

/** By name, or by id however it is encoded. */
export const propertyNamed = ({ properties }: Database, name: string): Property | undefined =>
  properties.find((one) => one.name === name) ??
  properties.find(({ id }) => id === name || decodeURIComponent(id) === name);

const GROUPS = [
  ["To-do", "gray"],
  ["In progress", "blue"],
  ["Complete", "green"],
];

/** A property as the schema shows it. */
export function configuration(
  property: Property,
  database: Database,
  databases: readonly Database[],
  isNew: boolean,
): Json {
  const { id, name, type, options, numberFormat, relatedTo } = property;
  const shared = { id, name, type, description: null };
  if (type === "number") return { ...shared, number: { format: numberFormat } };
  if (type === "select" || type === "multi_select") {
    return { ...shared, [type]: { options: options.map((option) => ({ ...option, description: null })) } };
  }
  if (type === "status") {
    const groups = GROUPS.map(([group = "", color], at) => {
      const option_ids = options.slice(at, at + 1).map((option) => option.id);
      return { id: fixedUuid(`group ${group}`), name: group, color, option_ids };
    });
    return { ...shared, status: { options: options.map((option) => ({ ...option, description: null })), groups } };
  }
  if (type === "relation") {
    const related = databases.find(({ title }) => title === relatedTo);
    const source = isNew ? { data_source_id: related?.sourceId } : {};
    return {
      ...shared,
      relation: { database_id: related?.id, ...source, type: "single_property", single_property: {} },
    };
  }
  if (type === "formula") return { ...shared, formula: { expression: 'upper(prop("Name"))' } };
  if (type === "unique_id") return { ...shared, unique_id: { prefix: "TSK" } };
  if (type !== "rollup") return { ...shared, [type]: {} };
  const names = { relation_property_name: "Project", rollup_property_name: "Project name" };
  const ids = {
    relation_property_id: database.properties.find((one) => one.name === "Project")?.id,
    rollup_property_id: "title",
  };
  return { ...shared, rollup: { ...names, ...ids, function: "count" } };
}
