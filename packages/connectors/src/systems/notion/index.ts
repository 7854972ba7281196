/** Notion: the databases that an integration may see, their pages as records. Written by its API reference (https://developers.notion.com/reference). */
import { ConnectorError } from "@accord/connector-sdk";
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import { z } from "zod";
import { moment, READ_ONLY, text, yesNo, type FieldInput } from "../fields.ts";
import { byToken } from "../sign-in.ts";
import { defineSystem, type FoundEntity, type SystemCalls } from "../system.ts";
import { fieldsOf, placesOf, plainTextOf, Property, titleIn } from "./properties.ts";

/** Since this version a database has one table or several, its data sources: they are what is listed and written to. */
const API_VERSION = "2025-09-03";

const Found = z.object({
  results: z.array(
    z.object({
      object: z.string(),
      id: z.string(),
      title: z.json().optional(),
      in_trash: z.boolean().nullish(),
      properties: z.record(z.string(), Property).nullish(),
    }),
  ),
  has_more: z.boolean(),
  next_cursor: z.string().nullish(),
});
type DataSource = z.output<typeof Found>["results"][number];

/** Ids may begin with a digit, names of entities don't. */
const PREFIX = "database-";
const entityOf = (id: string): string => `${PREFIX}${id}`;

/** What a page has beside its properties. */
const OWN_FIELDS: readonly FieldInput[] = [
  text("id", { displayName: "Page ID", ...READ_ONLY }),
  text("url", { displayName: "Address", ...READ_ONLY }),
  moment("created_time", { displayName: "Created", isCreatedAtField: true, ...READ_ONLY }),
  moment("last_edited_time", { displayName: "Last edited", isUpdatedAtField: true, ...READ_ONLY }),
  yesNo("in_trash", { displayName: "In the trash", ...READ_ONLY }),
];

/** Times are cut off to the minute, by which changes are asked for as well. */
const MINUTES_READ_AGAIN = 3;

const PAGES = {
  recordSelector: "results",
  paging: { kind: "cursor", cursorSelector: "next_cursor", cursorParam: "" },
  // A query shows 10,000 pages, and then says that there are no more.
  stop: { hasMoreSelector: "has_more", maxRecords: 10_000 },
  leavesOutBlank: true,
} as const;
const asked = (more: object): string => JSON.stringify({ page_size: 100, start_cursor: "{{cursor}}", ...more });

function described({ apiName, displayName, fields }: FoundEntity): HttpEntityInput {
  const id = apiName.slice(PREFIX.length);
  const query = { method: "POST", path: `/data_sources/${encodeURIComponent(id)}/query`, ...PAGES } as const;
  const one = "/pages/{{id}}";
  const title = titleIn(fields);
  return {
    apiName,
    displayName,
    idField: "id",
    watermarkField: "last_edited_time",
    deletedField: "in_trash",
    missingMeansDeleted: true,
    fields: fields.map((field) => ({ ...field, ...placesOf(field.apiName) })),
    list: {
      ...query,
      body: asked({ sorts: [{ timestamp: "created_time", direction: "ascending" }] }),
      // A wiki lists databases among its pages, which have a title of their own.
      leaveOutSelector: "title",
      watermark: { sorted: true, overlapSeconds: MINUTES_READ_AGAIN * 60 },
      changes: {
        ...query,
        body: asked({
          filter: { timestamp: "last_edited_time", last_edited_time: { on_or_after: "{{watermark.start}}" } },
          sorts: [{ timestamp: "last_edited_time", direction: "ascending" }],
        }),
      },
    },
    getById: { path: one },
    ...(title && {
      lookup: {
        field: title.field,
        method: "POST",
        path: query.path,
        body: JSON.stringify({ filter: { property: title.property, title: { equals: "{{value}}" } } }),
        recordSelector: "results",
      },
    }),
    create: {
      method: "POST",
      path: "/pages",
      recordPath: "properties",
      body: JSON.stringify({ parent: { type: "data_source_id", data_source_id: id } }),
    },
    update: { method: "PATCH", path: one, recordPath: "properties" },
    delete: { method: "PATCH", path: one, body: JSON.stringify({ in_trash: true }) },
  };
}

export const notion = defineSystem({
  type: "notion",
  displayName: "Notion",
  description: "The databases that are shared with an integration, their pages read, created and changed as records.",
  icon: "notion",
  backgroundColor: "gold",
  helpUrl: "https://developers.notion.com/reference/intro",
  inputs: {},
  inputFields: [],
  signIn: [
    byToken({
      label: "Internal integration secret",
      helpText:
        "Of an integration that may read, insert and update content. Databases have to be shared with it, under Connections in their menu.",
    }),
  ],
  api: () => ({
    baseUrl: "https://api.notion.com/v1",
    checkPath: "/users/me",
    errorSelector: "message",
    headers: [{ name: "Notion-Version", value: API_VERSION }],
    // An integration takes three calls a second in the long run.
    parallelWrites: 2,
  }),
  entities: {
    find: async (_, calls) => {
      const sources = (await dataSources(calls)).filter(({ in_trash }) => in_trash !== true);
      return sources.map(({ id, title, properties }) => {
        const known = Object.values(properties ?? {}).flatMap((property) => fieldsOf(property, entityOf));
        const displayName = plainTextOf(title).slice(0, 120) || "Untitled";
        return described({ apiName: entityOf(id), displayName, fields: [...OWN_FIELDS, ...known] });
      });
    },
    describe: described,
  },
});

const MAX_SEARCHES = 20;

/** All that the integration sees, up to two thousand. */
async function dataSources(calls: SystemCalls): Promise<DataSource[]> {
  const found: DataSource[] = [];
  let cursor: string | null = null;
  for (let search = 0; search < MAX_SEARCHES; search += 1) {
    const question = { filter: { property: "object", value: "data_source" }, page_size: 100 };
    const answer = await calls.post("/search", cursor === null ? question : { ...question, start_cursor: cursor });
    const { data } = Found.safeParse(answer);
    if (!data) throw new ConnectorError("unexpected", "The list of databases has another form than Notion documents.");
    found.push(...data.results.filter(({ object }) => object === "data_source"));
    if (!data.has_more || !data.next_cursor) return found;
    cursor = data.next_cursor;
  }
  return found;
}
