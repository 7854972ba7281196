/** Custom actions of an instance; their secrets stay sealed here. */
import type { Id } from "@accord/contracts";
import { CustomActionInput } from "@accord/contracts/sync/actions";
import type { Db } from "../../../../platform/db/db.ts";

type InstanceId = Id<"instance">;
type ActionId = Id<"customAction">;

type Tables = {
  custom_action: {
    id: string;
    instance_id: string;
    api_name: string;
    definition: unknown;
    secret: string | null;
    secret_host: string | null;
    revision: number;
    updated_at: string;
    created_by: Author | null;
    updated_by: Author | null;
  };
};

/** As somebody was called when they saved it. */
export interface Author {
  userId: Id<"user">;
  firstName: string;
  lastName: string;
}

const tables = (db: Db) => db.withTables<Tables>();

const Definition = CustomActionInput.omit({ secret: true });
export type Definition = typeof Definition._output;

export interface StoredAction {
  id: ActionId;
  definition: Definition;
  secret: string | null;
  secretHost: string | null;
  revision: number;
  updatedAt: string;
  createdBy: Author | null;
  updatedBy: Author | null;
}

const asAction = (row: Tables["custom_action"]): StoredAction => ({
  id: row.id as ActionId,
  definition: Definition.parse(row.definition),
  secret: row.secret,
  secretHost: row.secret_host,
  revision: row.revision,
  updatedAt: row.updated_at,
  createdBy: row.created_by,
  updatedBy: row.updated_by,
});

export async function readActionsOf(db: Db, at: InstanceId): Promise<StoredAction[]> {
  const rows = await tables(db)
    .selectFrom("custom_action")
    .selectAll()
    .where("instance_id", "=", at)
    .orderBy("api_name")
    .execute();
  return rows.map(asAction);
}

export async function findAction(db: Db, at: InstanceId, actionId: string): Promise<StoredAction | undefined> {
  const row = await tables(db)
    .selectFrom("custom_action")
    .selectAll()
    .where("instance_id", "=", at)
    .where("id", "=", actionId)
    .executeTakeFirst();
  return row && asAction(row);
}

export async function insertAction(
  db: Db,
  at: InstanceId,
  action: Omit<StoredAction, "revision" | "updatedAt" | "createdBy" | "updatedBy"> & { now: string; by: Author },
): Promise<void> {
  await tables(db)
    .insertInto("custom_action")
    .values({
      id: action.id,
      instance_id: at,
      api_name: action.definition.apiName,
      definition: JSON.stringify(action.definition),
      secret: action.secret,
      secret_host: action.secretHost,
      revision: 0,
      updated_at: action.now,
      created_by: action.by,
      updated_by: action.by,
    })
    .execute();
}

/** False when somebody else was faster. */
export async function writeAction(
  db: Db,
  at: InstanceId,
  action: Omit<StoredAction, "updatedAt" | "createdBy" | "updatedBy"> & { now: string; by: Author },
): Promise<boolean> {
  const done = await tables(db)
    .updateTable("custom_action")
    .set({
      api_name: action.definition.apiName,
      definition: JSON.stringify(action.definition),
      secret: action.secret,
      secret_host: action.secretHost,
      revision: action.revision + 1,
      updated_at: action.now,
      updated_by: action.by,
    })
    .where("instance_id", "=", at)
    .where("id", "=", action.id)
    .where("revision", "=", action.revision)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

export async function removeAction(db: Db, at: InstanceId, actionId: ActionId): Promise<void> {
  await tables(db).deleteFrom("custom_action").where("instance_id", "=", at).where("id", "=", actionId).execute();
}
