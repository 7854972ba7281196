/** Saved filters and bookmarks. */
import type { Id } from "@accord/contracts";
import { Predicate } from "@accord/contracts/data/predicate";
import type { SavedFilter } from "@accord/contracts/data/saved-filters";
import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

type Tables = {
  saved_filter: {
    id: string;
    instance_id: string;
    entity_id: string;
    name: string;
    description: string;
    criteria: unknown;
    tags: string[];
    version: number;
    created_by_id: string;
    created_by: string;
    created_at: string;
    updated_by: string;
    updated_at: string;
  };
  saved_filter_bookmark: { filter_id: string; user_id: string };
};

type InstanceId = Id<"instance">;
type FilterId = Id<"savedFilter">;

const tables = (db: Db) => db.withTables<Tables>();

/** Saved filters as `userId` sees them: with the own bookmarks. */
const select = (db: Db, at: InstanceId, userId: Id<"user">) =>
  tables(db)
    .selectFrom("saved_filter")
    .leftJoin("saved_filter_bookmark", (join) => join.onRef("filter_id", "=", "id").on("user_id", "=", userId))
    .selectAll("saved_filter")
    .select("filter_id as bookmark")
    .where("instance_id", "=", at);

function toFilter(row: Tables["saved_filter"] & { bookmark: string | null }): SavedFilter {
  return {
    id: row.id as FilterId,
    name: row.name,
    description: row.description,
    criteria: Predicate.parse(row.criteria),
    accordEntityId: row.entity_id as Id<"entity">,
    tags: row.tags,
    bookmarked: row.bookmark !== null,
    version: row.version,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedBy: row.updated_by,
    updatedAt: row.updated_at,
  };
}

/** Name and id of the filter a page starts after. */
export interface FilterPosition {
  name: string;
  id: string;
}

export interface FilterSelection {
  entityId?: Id<"entity">;
  bookmarked?: boolean;
  from: FilterPosition | null;
  direction: "next" | "previous";
  count: number;
}

/** By name; at most `count` in `direction`, nearest first. */
export async function readFilters(
  db: Db,
  at: InstanceId,
  userId: Id<"user">,
  { entityId, bookmarked, from, direction, count }: FilterSelection,
): Promise<SavedFilter[]> {
  const way = direction === "next" ? "asc" : "desc";
  const than = sql.raw(direction === "next" ? ">" : "<");
  const rows = await select(db, at, userId)
    .$if(entityId !== undefined, (narrow) => narrow.where("entity_id", "=", entityId as string))
    .$if(bookmarked === true, (narrow) => narrow.where("filter_id", "is not", null))
    .$if(bookmarked === false, (narrow) => narrow.where("filter_id", "is", null))
    .$if(from !== null, (narrow) =>
      narrow.where(sql<boolean>`(lower(name), id) ${than} (lower(${from?.name}), ${from?.id})`),
    )
    .orderBy(sql`lower(name)`, way)
    .orderBy("id", way)
    .limit(count)
    .execute();
  return rows.map(toFilter);
}

export async function readFilter(
  db: Db,
  at: InstanceId,
  userId: Id<"user">,
  id: FilterId,
): Promise<SavedFilter | null> {
  const row = await select(db, at, userId).where("id", "=", id).executeTakeFirst();
  return row ? toFilter(row) : null;
}

/** Every filter of an entity, whoever made it. */
export const readCriteria = async (db: Db, at: InstanceId, entityId: Id<"entity">) =>
  (
    await tables(db)
      .selectFrom("saved_filter")
      .select(["name", "criteria"])
      .where("instance_id", "=", at)
      .where("entity_id", "=", entityId)
      .execute()
  ).map((row) => ({ name: row.name, criteria: Predicate.parse(row.criteria) }));

/** Whether the person has given this name already to another filter of the entity. */
export async function isNameTaken(
  db: Db,
  at: InstanceId,
  name: { text: string; entityId: Id<"entity">; creator: string; except: FilterId | null },
): Promise<boolean> {
  const row = await tables(db)
    .selectFrom("saved_filter")
    .select("id")
    .where("instance_id", "=", at)
    .where("entity_id", "=", name.entityId)
    .where("created_by_id", "=", name.creator)
    .where(sql<boolean>`lower(name) = lower(${name.text})`)
    .$if(name.except !== null, (narrow) => narrow.where("id", "!=", name.except as string))
    .executeTakeFirst();
  return row !== undefined;
}

export const creatorOf = async (db: Db, at: InstanceId, id: FilterId): Promise<string | null> =>
  (
    await tables(db)
      .selectFrom("saved_filter")
      .select("created_by_id")
      .where("instance_id", "=", at)
      .where("id", "=", id)
      .executeTakeFirst()
  )?.created_by_id ?? null;

export interface FilterText {
  name: string;
  description: string;
  criteria: Predicate;
  tags: string[];
}

export const insertFilter = (
  db: Db,
  at: InstanceId,
  filter: FilterText & { id: FilterId; entityId: Id<"entity">; creator: { id: Id<"user">; name: string }; now: string },
) =>
  tables(db)
    .insertInto("saved_filter")
    .values({
      id: filter.id,
      instance_id: at,
      entity_id: filter.entityId,
      name: filter.name,
      description: filter.description,
      criteria: JSON.stringify(filter.criteria),
      tags: filter.tags,
      version: 1,
      created_by_id: filter.creator.id,
      created_by: filter.creator.name,
      created_at: filter.now,
      updated_by: filter.creator.name,
      updated_at: filter.now,
    })
    .execute();

/** False when the stored version is another than `version`. */
export async function updateFilter(
  db: Db,
  at: InstanceId,
  id: FilterId,
  { version, by, now, criteria, ...text }: FilterText & { version: number; by: string; now: string },
): Promise<boolean> {
  const result = await tables(db)
    .updateTable("saved_filter")
    .set({ ...text, criteria: JSON.stringify(criteria), version: version + 1, updated_by: by, updated_at: now })
    .where("instance_id", "=", at)
    .where("id", "=", id)
    .where("version", "=", version)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export const deleteFilter = (db: Db, at: InstanceId, id: FilterId) =>
  tables(db).deleteFrom("saved_filter").where("instance_id", "=", at).where("id", "=", id).execute();

export async function setBookmark(db: Db, userId: Id<"user">, id: FilterId, on: boolean): Promise<void> {
  if (on)
    await tables(db)
      .insertInto("saved_filter_bookmark")
      .values({ filter_id: id, user_id: userId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  else
    await tables(db)
      .deleteFrom("saved_filter_bookmark")
      .where("filter_id", "=", id)
      .where("user_id", "=", userId)
      .execute();
}
