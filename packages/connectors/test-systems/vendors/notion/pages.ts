/** The pages of the simulated Notion: how they are made, changed and moved to the trash, and how answers show them. */
import { randomUUID } from "node:crypto";
import { isObject, type Json } from "../kit.ts";
import { invalid } from "./refusals.ts";
import {
  configuration,
  fixedUuid,
  newDatabases,
  propertyNamed,
  type Database,
  type Page,
  type Property,
} from "./schema.ts";
import { readValue, segment, type ValueRules } from "./values.ts";

export const BOT_ID = fixedUuid("bot");
export const PERSON_ID = fixedUuid("person");
const MOST_LINKS = 25;

/** Times are shown rounded down to the minute. */
export const shownTime = (ms: number): string => new Date(Math.floor(ms / 60_000) * 60_000).toISOString();
const user = (id: string): Json => ({ object: "user", id });

export class NotionWorld {
  readonly tasks: Database;
  readonly projects: Database;
  readonly notes: Database;
  /** One for each source; sources of the same database have its id. */
  readonly databases: Database[];
  readonly #rules: ValueRules;
  #lastNumber = 0;

  constructor() {
    const [tasks, projects, notes, hidden] = newDatabases();
    [this.tasks, this.projects, this.notes] = [tasks, projects, notes];
    this.databases = [tasks, projects, notes, hidden];
    this.#rules = { databases: this.databases, userIds: [BOT_ID, PERSON_ID] };
  }

  /** The page with its database, in the trash or not. */
  pageWith(id: string): { page: Page; database: Database } | undefined {
    for (const database of this.databases) {
      const page = database.isShared ? database.pages.get(id) : undefined;
      if (page !== undefined) return { page, database };
    }
    return undefined;
  }

  create(database: Database, properties: Json, at = Date.now()): Page {
    const values = this.#read(database, properties);
    const state = database.properties.find(({ type }) => type === "status");
    // A status is never left open: the first option is the default.
    if (state?.options[0] !== undefined && !values.has(state.name)) values.set(state.name, { ...state.options[0] });
    const titleName = database.properties.find(({ type }) => type === "title")?.name ?? "";
    this.#lastNumber += 1;
    const page: Page = {
      id: randomUUID(),
      createdAt: at,
      editedAt: at,
      inTrash: false,
      values,
      titleName,
      number: this.#lastNumber,
    };
    database.pages.set(page.id, page);
    return page;
  }

  update(database: Database, page: Page, properties: Json, inTrash: boolean | undefined): void {
    if (page.inTrash && inTrash !== false)
      invalid("Can't edit block that is archived. You must unarchive the block before editing.");
    const values = this.#read(database, properties);
    for (const [name, value] of values) page.values.set(name, value);
    if (inTrash !== undefined) page.inTrash = inTrash;
    page.editedAt = Date.now();
  }

  #read(database: Database, properties: Json): Map<string, unknown> {
    const found = Object.entries(properties).map(([name, sent]) => {
      const property = propertyNamed(database, name) ?? invalid(`${name} is not a property that exists.`);
      return { property, sent, place: `body.properties.${name}` };
    });
    return new Map(
      found.map(({ property, sent, place }) => [property.name, readValue(property, sent, place, this.#rules)]),
    );
  }

  valueOf(page: Page, { name, type, relatedTo }: Property): unknown {
    const held = page.values.get(name);
    if (type === "created_time") return shownTime(page.createdAt);
    if (type === "last_edited_time") return shownTime(page.editedAt);
    if (type === "created_by" || type === "last_edited_by") return user(PERSON_ID);
    if (type === "unique_id") return { prefix: "TSK", number: page.number };
    if (type === "formula") return { type: "string", string: titleOf(page).toUpperCase() || null };
    if (type === "rollup") {
      const links = page.values.get("Project");
      return { type: "number", number: Array.isArray(links) ? links.length : 0, function: "count" };
    }
    if (type === "relation") {
      const related = this.databases.find(({ title }) => title === relatedTo);
      const links: unknown[] = Array.isArray(held) ? held : [];
      return links.filter((one) => isObject(one) && related?.pages.get(String(one["id"]))?.inTrash === false);
    }
    if (type === "checkbox") return held ?? false;
    return held ?? (["title", "rich_text", "multi_select", "people", "files"].includes(type) ? [] : null);
  }

  shownProperty(page: Page, property: Property): Json {
    const { id, type } = property;
    const value = this.valueOf(page, property);
    if (type !== "relation" || !Array.isArray(value)) return { id, type, [type]: value };
    // Pages show the first links only; the rest is asked for by the property.
    return { id, type, relation: value.slice(0, MOST_LINKS), has_more: value.length > MOST_LINKS };
  }

  shownPage(database: Database, page: Page, isNew: boolean, only: readonly string[] = []): Json {
    const shown = database.properties.filter(
      ({ id }) => only.length === 0 || only.includes(id) || only.includes(decodeURIComponent(id)),
    );
    const parent = isNew
      ? { type: "data_source_id", data_source_id: database.sourceId, database_id: database.id }
      : { type: "database_id", database_id: database.id };
    return {
      object: "page",
      id: page.id,
      created_time: shownTime(page.createdAt),
      last_edited_time: shownTime(page.editedAt),
      created_by: user(PERSON_ID),
      last_edited_by: user(PERSON_ID),
      cover: null,
      icon: null,
      parent,
      archived: page.inTrash,
      in_trash: page.inTrash,
      is_locked: false,
      properties: Object.fromEntries(shown.map((one) => [one.name, this.shownProperty(page, one)])),
      url: `https://www.notion.so/${page.id.replaceAll("-", "")}`,
      public_url: null,
    };
  }

  /** As the old database, which has the properties; as the new one, which has sources; or as such a source. */
  shownDatabase(database: Database, as: "old" | "new" | "source"): Json {
    const { id, sourceId, title } = database;
    const sources = this.databases.filter((one) => one.id === id);
    const data_sources = sources.map((one) => ({ id: one.sourceId, name: one.title }));
    const workspace = { type: "workspace", workspace: true };
    const properties = Object.fromEntries(
      database.properties.map((one) => [one.name, configuration(one, database, this.databases, as === "source")]),
    );
    const kinds = {
      old: { object: "database", id, parent: workspace, properties },
      new: { object: "database", id, parent: workspace, data_sources },
      source: {
        object: "data_source",
        id: sourceId,
        parent: { type: "database_id", database_id: id },
        database_parent: workspace,
        properties,
      },
    };
    return {
      ...kinds[as],
      title: [segment(title)],
      description: [],
      cover: null,
      icon: null,
      is_inline: false,
      archived: false,
      in_trash: false,
      created_time: shownTime(database.editedAt),
      last_edited_time: shownTime(database.editedAt),
      created_by: user(PERSON_ID),
      last_edited_by: user(PERSON_ID),
      url: `https://www.notion.so/${id.replaceAll("-", "")}`,
      public_url: null,
    };
  }

  fill(seeded: number): void {
    const text = (content: string): Json => ({ rich_text: [{ text: { content } }] });
    const title = (content: string): Json => ({ title: [{ text: { content } }] });
    const projects = ["Alder", "Birch"].map((name) =>
      this.create(this.projects, { "Project name": title(name) }, Date.UTC(2024, 0, 1)),
    );
    for (let n = 1; n <= seeded; n++) {
      const bold = { text: { content: "bold" }, annotations: { bold: true } };
      const notes = n % 4 === 0 ? { rich_text: [{ text: { content: "Notes, partly " } }, bold] } : text("");
      const properties: Json = {
        Name: title(`Task ${n}`),
        Notes: notes,
        Effort: { number: n % 5 === 0 ? null : n },
        Kind: { select: n % 3 === 0 ? null : { name: n % 2 === 0 ? "Bug" : "Feature" } },
        Tags: { multi_select: n % 2 === 0 ? [{ name: "urgent" }, { name: "later" }] : [] },
        "Due date": { date: n % 3 === 1 ? { start: "2024-06-30" } : null },
        Project: { relation: projects.slice(0, n % 3).map(({ id }) => ({ id })) },
        "E-mail": { email: `task${n}@example.com` },
      };
      const page = this.create(this.tasks, properties, Date.UTC(2024, 0, 1, 0, n, 17));
      if (n % 6 === 0) page.editedAt += 3_600_000;
    }
  }
}

export function titleOf({ values, titleName }: Page): string {
  const segments = values.get(titleName);
  if (!Array.isArray(segments)) return "";
  return segments.map((one: unknown) => (isObject(one) ? String(one["plain_text"]) : "")).join("");
}
