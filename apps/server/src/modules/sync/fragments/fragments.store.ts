/** Fragments of an instance, those that other instances share with it, and which of both its palettes don't offer. */
import { type Id, id as idOf } from "@accord/contracts";
import { FragmentContent, FragmentContext } from "@accord/contracts/sync/fragments";
import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

type InstanceId = Id<"instance">;
type FragmentId = Id<"fragment">;

type Tables = {
  pipeline_fragment: {
    id: string;
    instance_id: string;
    context: string;
    name: string;
    description: string;
    content: unknown;
    created_by: Author;
    created_at: string;
  };
  pipeline_fragment_share: { instance_id: string; fragment_id: string };
  pipeline_fragment_hidden: { instance_id: string; fragment_id: string };
};

/** As somebody was called when they saved it. */
export interface Author {
  userId: Id<"user">;
  firstName: string;
  lastName: string;
}

export interface StoredFragment {
  id: FragmentId;
  instanceId: InstanceId;
  context: FragmentContext;
  name: string;
  description: string;
  content: FragmentContent;
  createdBy: Author;
  createdAt: string;
}

export interface ListedFragment extends StoredFragment {
  isHidden: boolean;
  shareCount: number;
}

const fragmentIds = idOf("fragment");
const instanceIds = idOf("instance");

const tables = (db: Db) => db.withTables<Tables>();

const asFragment = (row: Tables["pipeline_fragment"]): StoredFragment => ({
  id: fragmentIds.parse(row.id),
  instanceId: instanceIds.parse(row.instance_id),
  context: FragmentContext.parse(row.context),
  name: row.name,
  description: row.description,
  content: FragmentContent.parse(row.content),
  createdBy: row.created_by,
  createdAt: row.created_at,
});

/** Own ones and shared ones. */
const visibleIn = (db: Db, instanceId: InstanceId) =>
  tables(db)
    .selectFrom("pipeline_fragment as f")
    .where((where) =>
      where.or([
        where("f.instance_id", "=", instanceId),
        where.exists(
          where
            .selectFrom("pipeline_fragment_share as s")
            .select("s.fragment_id")
            .whereRef("s.fragment_id", "=", "f.id")
            .where("s.instance_id", "=", instanceId),
        ),
      ]),
    );

export async function readFragments(db: Db, instanceId: InstanceId): Promise<ListedFragment[]> {
  const rows = await visibleIn(db, instanceId)
    .selectAll("f")
    .select((row) => [
      row
        .exists(
          row
            .selectFrom("pipeline_fragment_hidden as h")
            .select("h.fragment_id")
            .whereRef("h.fragment_id", "=", "f.id")
            .where("h.instance_id", "=", instanceId),
        )
        .as("is_hidden"),
      row
        .selectFrom("pipeline_fragment_share as s")
        .select((count) => count.fn.countAll<string>().as("count"))
        .whereRef("s.fragment_id", "=", "f.id")
        .as("share_count"),
    ])
    .orderBy(sql`lower(f.name)`)
    .orderBy("f.id")
    .execute();
  return rows.map((row) => ({
    ...asFragment(row),
    isHidden: Boolean(row.is_hidden),
    shareCount: row.instance_id === instanceId ? Number(row.share_count) : 0,
  }));
}

/** One that the instance may insert: its own or a shared one. */
export async function findFragment(
  db: Db,
  instanceId: InstanceId,
  id: FragmentId,
): Promise<StoredFragment | undefined> {
  const row = await visibleIn(db, instanceId).selectAll("f").where("f.id", "=", id).executeTakeFirst();
  return row && asFragment(row);
}

export async function insertFragment(db: Db, fragment: StoredFragment): Promise<void> {
  const { id, instanceId, context, name, description, content, createdBy, createdAt } = fragment;
  await tables(db)
    .insertInto("pipeline_fragment")
    .values({
      id,
      instance_id: instanceId,
      context,
      name,
      description,
      content: JSON.stringify(content),
      created_by: createdBy,
      created_at: createdAt,
    })
    .execute();
}

export async function removeFragment(db: Db, instanceId: InstanceId, id: FragmentId): Promise<void> {
  await tables(db).deleteFrom("pipeline_fragment").where("instance_id", "=", instanceId).where("id", "=", id).execute();
}

export async function setHidden(db: Db, instanceId: InstanceId, id: FragmentId, hidden: boolean): Promise<void> {
  if (hidden) {
    await tables(db)
      .insertInto("pipeline_fragment_hidden")
      .values({ instance_id: instanceId, fragment_id: id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return;
  }
  await tables(db)
    .deleteFrom("pipeline_fragment_hidden")
    .where("instance_id", "=", instanceId)
    .where("fragment_id", "=", id)
    .execute();
}

/** Of a fragment of the instance; none where it is another's. */
export async function readShares(db: Db, owner: InstanceId, id: FragmentId): Promise<InstanceId[]> {
  const rows = await tables(db)
    .selectFrom("pipeline_fragment_share as s")
    .innerJoin("pipeline_fragment as f", "f.id", "s.fragment_id")
    .select("s.instance_id")
    .where("f.instance_id", "=", owner)
    .where("f.id", "=", id)
    .orderBy("s.instance_id")
    .execute();
  return rows.map(({ instance_id }) => instanceIds.parse(instance_id));
}

/** Locks the fragment until the transaction ends; false where it is not one of the instance. */
export async function lockFragment(db: Db, owner: InstanceId, id: FragmentId): Promise<boolean> {
  const row = await tables(db)
    .selectFrom("pipeline_fragment")
    .select("id")
    .where("instance_id", "=", owner)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** In the transaction that has locked the fragment. */
export async function replaceShares(db: Db, id: FragmentId, instanceIds: readonly InstanceId[]): Promise<void> {
  await tables(db).deleteFrom("pipeline_fragment_share").where("fragment_id", "=", id).execute();
  if (instanceIds.length === 0) return;
  await tables(db)
    .insertInto("pipeline_fragment_share")
    .values(instanceIds.map((instanceId) => ({ instance_id: instanceId, fragment_id: id })))
    .execute();
}
