/** Drafts of webhooks' configurations, one for each. Decides nothing. */
import type { Id } from "@accord/contracts";
import type { WebhookDraft } from "@accord/contracts/connections/webhook-drafts";
import type { Values } from "@accord/contracts/data/values";
import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";
import type { WebhookPlace } from "./inbox.store.ts";

type DraftTable = {
  connector_id: Id<"connector">;
  instance_id: Id<"instance">;
  name: string;
  config: Values;
  auth_type: string;
  saved_at: string;
};

const drafts = (db: Db) => db.withTables<{ webhook_draft: DraftTable }>();

export async function findDraft(db: Db, { instanceId, connectorId }: WebhookPlace): Promise<WebhookDraft | null> {
  const row = await drafts(db)
    .selectFrom("webhook_draft")
    .select(["name", "config", "auth_type", "saved_at"])
    .where("instance_id", "=", instanceId)
    .where("connector_id", "=", connectorId)
    .executeTakeFirst();
  return row ? { name: row.name, config: row.config, authType: row.auth_type, savedAt: row.saved_at } : null;
}

/** Of all webhooks of the instance, without what they say. */
export async function readDrafts(
  db: Db,
  instanceId: Id<"instance">,
): Promise<{ connectorId: Id<"connector">; savedAt: string }[]> {
  const rows = await drafts(db)
    .selectFrom("webhook_draft")
    .select(["connector_id", "saved_at"])
    .where("instance_id", "=", instanceId)
    .orderBy("connector_id")
    .execute();
  return rows.map(({ connector_id: connectorId, saved_at: savedAt }) => ({ connectorId, savedAt }));
}

/** False where another draft is stored than the one that was saved at `seen`; null: one where none was seen. */
export async function saveDraft(
  db: Db,
  { instanceId, connectorId }: WebhookPlace,
  { name, config, authType, savedAt }: WebhookDraft,
  seen: string | null,
): Promise<boolean> {
  const changed = {
    name,
    config: sql<Values>`${JSON.stringify(config)}::jsonb`,
    auth_type: authType,
    saved_at: savedAt,
  };
  const saved =
    seen === null
      ? drafts(db)
          .insertInto("webhook_draft")
          .values({ ...changed, instance_id: instanceId, connector_id: connectorId })
          .onConflict((conflict) => conflict.column("connector_id").doNothing())
          .returning("connector_id")
      : drafts(db)
          .updateTable("webhook_draft")
          .set(changed)
          .where("instance_id", "=", instanceId)
          .where("connector_id", "=", connectorId)
          .where("saved_at", "=", seen)
          .returning("connector_id");
  return (await saved.executeTakeFirst()) !== undefined;
}

/** False where the draft that was saved at `seen` is not there. */
export async function deleteDraft(db: Db, { instanceId, connectorId }: WebhookPlace, seen: string): Promise<boolean> {
  const deleted = await drafts(db)
    .deleteFrom("webhook_draft")
    .where("instance_id", "=", instanceId)
    .where("connector_id", "=", connectorId)
    .where("saved_at", "=", seen)
    .returning("connector_id")
    .executeTakeFirst();
  return deleted !== undefined;
}
