/** Saved filters of the data studio: a named predicate on one entity's records, bookmarked per person. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { cursorQuery, PageInfo } from "../paging.ts";
import { Predicate } from "./predicate.ts";

export const SavedFilter = z.strictObject({
  id: id("savedFilter"),
  name: z.string(),
  description: z.string(),
  criteria: Predicate,
  accordEntityId: id("entity"),
  tags: z.array(z.string()),
  /** By the person who asks. */
  bookmarked: z.boolean(),
  /** Sent back on a save. */
  version: z.int(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  updatedBy: z.string(),
  updatedAt: z.iso.datetime(),
});
export type SavedFilter = z.output<typeof SavedFilter>;

const FilterPath = z.strictObject({ filterId: id("savedFilter") });

const FilterProperties = z.strictObject({
  name: z.string().trim().min(1).max(120),
  description: z.string().max(1000).default(""),
  criteria: Predicate,
  tags: z.array(z.string().trim().min(1).max(40)).max(20).default([]),
});

export const listSavedFilters = endpoint({
  name: "listSavedFilters",
  method: "GET",
  path: "/filters",
  access: "READ_DATA_STUDIO",
  scope: "instance",
  summary: "Saved filters by name, of one entity when given.",
  query: cursorQuery({ count: 100, max: 500 }).extend({
    entityId: id("entity").optional(),
    bookmarked: z.stringbool().optional(),
  }),
  reply: z.strictObject({ filters: z.array(SavedFilter), pageInfo: PageInfo }),
});

export const createSavedFilter = endpoint({
  name: "createSavedFilter",
  method: "POST",
  path: "/filters",
  access: "WRITE_DATA_STUDIO",
  scope: "instance",
  creates: true,
  summary: "Saves a filter for everybody in the instance.",
  body: FilterProperties.extend({ accordEntityId: id("entity"), bookmarked: z.boolean().default(false) }),
  reply: SavedFilter,
  errors: ["name_taken"],
});

export const saveSavedFilter = endpoint({
  name: "saveSavedFilter",
  method: "PUT",
  path: "/filters/:filterId",
  access: "WRITE_DATA_STUDIO",
  scope: "instance",
  summary: "Changes a saved filter.",
  params: FilterPath,
  body: FilterProperties.extend({ version: z.int() }),
  reply: SavedFilter,
  errors: ["name_taken", "stale_version"],
});

export const deleteSavedFilter = endpoint({
  name: "deleteSavedFilter",
  method: "DELETE",
  path: "/filters/:filterId",
  access: "WRITE_DATA_STUDIO",
  scope: "instance",
  summary: "Deletes a saved filter, bookmarks included.",
  params: FilterPath,
  reply: z.strictObject({}),
});

export const bookmarkSavedFilter = endpoint({
  name: "bookmarkSavedFilter",
  method: "POST",
  path: "/filters/:filterId/bookmark",
  access: "READ_DATA_STUDIO",
  scope: "instance",
  summary: "Bookmarks a filter for oneself, or takes the bookmark away.",
  params: FilterPath,
  body: z.boolean(),
  reply: SavedFilter,
});
