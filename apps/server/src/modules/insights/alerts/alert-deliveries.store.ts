/** What alerts that were crossed still have to send. Only the run that holds the lease of a message ends it. */
import type { Id } from "@accord/contracts";
import { sql } from "kysely";
import { z } from "zod";
import type { Db } from "../../../platform/db/db.ts";

type InstanceId = Id<"instance">;

/** A mail, but for whom it is for. */
const Content = z.strictObject({ subject: z.string(), text: z.string() });
export type DeliveryContent = z.output<typeof Content>;

export interface Delivery {
  instanceId: InstanceId;
  /** The mail's own: it is written once, however often it is sent. */
  id: Id<"mail">;
  userId: Id<"user">;
  content: DeliveryContent;
  runId: string;
}

/** A run that is silent for so long is lost. */
const LEASE_SECONDS = 60;

export async function addDelivery(
  db: Db,
  instanceId: InstanceId,
  one: Pick<Delivery, "id" | "userId" | "content"> & { alertId: Id<"cardAlert">; now: string },
): Promise<void> {
  await sql`INSERT INTO card_alert_delivery (instance_id, id, alert_id, user_id, content, next_at)
    VALUES (${instanceId}, ${one.id}, ${one.alertId}, ${one.userId}, ${JSON.stringify(one.content)}::jsonb, ${one.now})`.execute(
    db,
  );
}

/** The message that has been due for the longest time; null when none is. */
export async function claimDelivery(db: Db, runId: string, now: string): Promise<Delivery | null> {
  const { rows } = await sql<{ instance_id: InstanceId; id: Id<"mail">; user_id: Id<"user">; content: unknown }>`
    UPDATE card_alert_delivery SET run_id = ${runId}, lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE id = (
      SELECT id FROM card_alert_delivery WHERE next_at <= ${now} AND (lease_until IS NULL OR lease_until < now())
      ORDER BY next_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING instance_id, id, user_id, content`.execute(db);
  const [row] = rows;
  if (!row) return null;
  return { instanceId: row.instance_id, id: row.id, userId: row.user_id, content: Content.parse(row.content), runId };
}

export async function endDelivery(db: Db, { instanceId, id, runId }: Delivery): Promise<void> {
  await sql`DELETE FROM card_alert_delivery
    WHERE instance_id = ${instanceId} AND id = ${id} AND run_id = ${runId}`.execute(db);
}

/** It could not be sent: it is due again later. */
export async function postponeDelivery(db: Db, { instanceId, id, runId }: Delivery, until: string): Promise<void> {
  await sql`UPDATE card_alert_delivery
    SET attempts = attempts + 1, next_at = ${until}, run_id = NULL, lease_until = NULL
    WHERE instance_id = ${instanceId} AND id = ${id} AND run_id = ${runId}`.execute(db);
}
