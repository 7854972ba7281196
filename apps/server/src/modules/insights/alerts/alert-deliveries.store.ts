/** What alerts that were crossed still have to send. Only the run that holds the lease of a message ends it. */
import type { Id } from "@accord/contracts";
import { sql } from "kysely";
import { z } from "zod";
import type { Db } from "../../../platform/db/db.ts";
import { due } from "./alert-checks.store.ts";

type InstanceId = Id<"instance">;

const Mail = z.strictObject({ subject: z.string(), text: z.string() });
export type MailContent = z.output<typeof Mail>;
/** The body of a call. */
const Body = z.record(z.string(), z.unknown());
export type CallContent = z.output<typeof Body>;

interface Message {
  instanceId: InstanceId;
  /** Of a mail its own: it is written once, however often it is sent. Of a call its idempotency key. */
  id: Id<"mail">;
  alertId: Id<"cardAlert">;
  runId: string;
  /** Failed tries until now. */
  attempts: number;
}
export type Delivery = Message &
  ({ kind: "mail"; userId: Id<"user">; content: MailContent } | { kind: "call"; content: CallContent });

/** A run that is silent for so long is lost. */
const LEASE_SECONDS = 60;

export async function addDelivery(
  db: Db,
  instanceId: InstanceId,
  one: Pick<Message, "id" | "alertId"> & { now: string } & (
      | { userId: Id<"user">; content: MailContent }
      | { userId: null; content: CallContent }
    ),
): Promise<void> {
  await sql`INSERT INTO card_alert_delivery (instance_id, id, alert_id, user_id, content, next_at)
    VALUES (${instanceId}, ${one.id}, ${one.alertId}, ${one.userId}, ${JSON.stringify(one.content)}::jsonb, ${one.now})`.execute(
    db,
  );
}

/** Mails of all instances, or the calls of one: these wait for addresses of others, and only for their own. */
export type DeliveryKind = "mail" | { callsOf: InstanceId };

/** Instances with calls that are due. */
export async function findCallingInstances(db: Db, now: string): Promise<InstanceId[]> {
  const { rows } = await sql<{ instance_id: InstanceId }>`
    SELECT DISTINCT instance_id FROM card_alert_delivery JOIN instance i ON i.id = instance_id AND i.status = 'ACTIVE'
    WHERE user_id IS NULL AND ${due(now)}`.execute(db);
  return rows.map((row) => row.instance_id);
}

/** The message of the kind that has been due for the longest time; null when none is. */
export async function claimDelivery(
  db: Db,
  kind: DeliveryKind,
  { runId, now }: { runId: string; now: string },
): Promise<Delivery | null> {
  const isOfKind = kind === "mail" ? sql`user_id IS NOT NULL` : sql`user_id IS NULL AND instance_id = ${kind.callsOf}`;
  const { rows } = await sql<{
    instance_id: InstanceId;
    id: Id<"mail">;
    alert_id: Id<"cardAlert">;
    user_id: Id<"user"> | null;
    content: unknown;
    attempts: number;
  }>`UPDATE card_alert_delivery SET run_id = ${runId}, lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE id = (
      SELECT id FROM card_alert_delivery WHERE ${isOfKind} AND ${due(now)}
      ORDER BY next_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING instance_id, id, alert_id, user_id, content, attempts`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { instance_id: instanceId, id, alert_id: alertId, user_id: userId, content, attempts } = row;
  const message = { instanceId, id, alertId, runId, attempts };
  return userId === null
    ? { ...message, kind: "call", content: Body.parse(content) }
    : { ...message, kind: "mail", userId, content: Mail.parse(content) };
}

export async function endDelivery(db: Db, { instanceId, id, runId }: Message): Promise<boolean> {
  const { rows } = await sql`DELETE FROM card_alert_delivery
    WHERE instance_id = ${instanceId} AND id = ${id} AND run_id = ${runId} RETURNING id`.execute(db);
  return rows.length > 0;
}

/** It is due again later. `attempts`: failed tries by then. */
export async function postponeDelivery(
  db: Db,
  { instanceId, id, runId }: Message,
  { attempts, until }: { attempts: number; until: string },
): Promise<void> {
  await sql`UPDATE card_alert_delivery
    SET attempts = ${attempts}, next_at = ${until}, run_id = NULL, lease_until = NULL
    WHERE instance_id = ${instanceId} AND id = ${id} AND run_id = ${runId}`.execute(db);
}

/** What an alert calls; null where it calls nothing any more. */
export interface Called {
  sealed: string;
  origin: string;
  name: string;
  cardId: Id<"dataCard">;
  ownerId: Id<"user"> | null;
}

export async function findCalled(db: Db, instanceId: InstanceId, alertId: Id<"cardAlert">): Promise<Called | null> {
  const { rows } = await sql<{
    webhook: string;
    webhook_origin: string;
    name: string;
    card_id: Id<"dataCard">;
    owner_id: Id<"user"> | null;
  }>`SELECT webhook, webhook_origin, name, card_id, owner_id FROM card_alert
    WHERE instance_id = ${instanceId} AND id = ${alertId} AND webhook IS NOT NULL`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { webhook: sealed, webhook_origin: origin, name, card_id: cardId, owner_id: ownerId } = row;
  return { sealed, origin, name, cardId, ownerId };
}

/** Why the last call of an address failed; null when it did not. Of an address that was changed meanwhile nothing is noted. */
export async function noteCall(
  db: Db,
  { instanceId, alertId, sealed }: Pick<Message, "instanceId" | "alertId"> & Pick<Called, "sealed">,
  problem: string | null,
): Promise<void> {
  await sql`UPDATE card_alert SET webhook_problem = ${problem}
    WHERE instance_id = ${instanceId} AND id = ${alertId} AND webhook = ${sealed}`.execute(db);
}
