/** Alerts on cards: what people made of them, and how each stands. */
import type { Id } from "@accord/contracts";
import {
  ALERT_LIMITS,
  ALERT_MINUTES,
  AlertCondition,
  type AlertInput,
  type AlertMinutes,
  type AlertState,
  AlertWatch,
  type CardAlert,
} from "@accord/contracts/insights/card-alerts";
import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

type InstanceId = Id<"instance">;
type AlertId = Id<"cardAlert">;
type CardId = Id<"dataCard">;

export type Latch = "UNKNOWN" | "OK" | "CROSSED";
export type Outcome = "VALUE" | "NO_VALUE" | "FAILED";

interface AlertRow {
  id: AlertId;
  card_id: CardId;
  owner: string;
  name: string;
  watch: unknown;
  condition: unknown;
  every_minutes: number;
  recipients: Id<"user">[];
  sends_mail: boolean;
  webhook_origin: string | null;
  webhook_problem: string | null;
  version: number;
  latch: Latch;
  outcome: Outcome | null;
  value: number | null;
  value_text: string | null;
  mark: string | null;
  problem: string | null;
  failures: number;
  checked_at: string | null;
  crossed_at: string | null;
}

/** What people read: a failure or an empty value before what held until then. */
const stateOf = ({ latch, outcome }: Pick<AlertRow, "latch" | "outcome">): AlertState =>
  outcome === "FAILED" || outcome === "NO_VALUE" ? outcome : latch;

const DEFAULT_MINUTES: AlertMinutes = 15;

const toAlert = (row: AlertRow): CardAlert => ({
  id: row.id,
  cardId: row.card_id,
  name: row.name,
  watch: AlertWatch.parse(row.watch),
  condition: AlertCondition.parse(row.condition),
  everyMinutes: ALERT_MINUTES.find((one) => one === row.every_minutes) ?? DEFAULT_MINUTES,
  recipients: row.recipients,
  sendsMail: row.sends_mail,
  webhook: row.webhook_origin,
  webhookProblem: row.webhook_problem,
  owner: row.owner,
  state: stateOf(row),
  last: row.value === null ? null : { value: row.value, text: row.value_text ?? "", mark: row.mark ?? "" },
  problem: row.problem,
  failures: row.failures,
  checkedAt: row.checked_at,
  crossedAt: row.crossed_at,
  version: row.version,
});

const ALERTS = sql`SELECT alert.*,
    coalesce(nullif(trim(concat(person.first_name, ' ', person.last_name)), ''), person.email, '') AS owner
  FROM card_alert alert LEFT JOIN app_user person ON person.id = alert.owner_id`;

/** In the order in which they were made. */
export async function readAlerts(db: Db, instanceId: InstanceId, cardId: CardId): Promise<CardAlert[]> {
  const { rows } = await sql<AlertRow>`${ALERTS}
    WHERE alert.instance_id = ${instanceId} AND alert.card_id = ${cardId}
    ORDER BY alert.id LIMIT ${ALERT_LIMITS.perCard}`.execute(db);
  return rows.map(toAlert);
}

export async function findAlert(db: Db, instanceId: InstanceId, id: AlertId): Promise<CardAlert | null> {
  const { rows } = await sql<AlertRow>`${ALERTS}
    WHERE alert.instance_id = ${instanceId} AND alert.id = ${id}`.execute(db);
  return rows[0] ? toAlert(rows[0]) : null;
}

export async function countOfCard(db: Db, instanceId: InstanceId, cardId: CardId): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM card_alert
    WHERE instance_id = ${instanceId} AND card_id = ${cardId}`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

/** Alerts of an instance are counted and inserted by one transaction at a time; it ends with the transaction. */
export async function lockAlerts(db: Db, instanceId: InstanceId): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`card alerts of ${instanceId}`}::text, 0))`.execute(db);
}

export async function countAlerts(
  db: Db,
  instanceId: InstanceId,
  cardId: CardId,
): Promise<{ ofCard: number; ofInstance: number }> {
  const { rows } = await sql<{ card: number; instance: number }>`
    SELECT count(*) FILTER (WHERE card_id = ${cardId}) AS card, count(*) AS instance
    FROM card_alert WHERE instance_id = ${instanceId}`.execute(db);
  return { ofCard: Number(rows[0]?.card ?? 0), ofInstance: Number(rows[0]?.instance ?? 0) };
}

/** The address that is called. */
export interface SealedAddress {
  sealed: string;
  origin: string;
}

/** Whose it becomes, and when it was saved: then it is due. */
export interface Saved {
  /** Undefined: that of before stays. */
  address: SealedAddress | null | undefined;
  ownerId: Id<"user">;
  now: string;
}

export async function insertAlert(
  db: Db,
  instanceId: InstanceId,
  one: AlertInput & Saved & { id: AlertId; cardId: CardId },
): Promise<void> {
  await sql`INSERT INTO card_alert
      (instance_id, id, card_id, owner_id, name, watch, condition, every_minutes, recipients, sends_mail, webhook,
        webhook_origin, next_at, created_at, updated_at)
    VALUES (${instanceId}, ${one.id}, ${one.cardId}, ${one.ownerId}, ${one.name}, ${JSON.stringify(one.watch)}::jsonb,
      ${JSON.stringify(one.condition)}::jsonb, ${one.everyMinutes}, ${one.recipients}::text[],
      ${one.sendsMail}, ${one.address?.sealed ?? null}, ${one.address?.origin ?? null}, ${one.now}, ${one.now},
      ${one.now})`.execute(db);
}

/**
 * False when the version is not the stored one. An evaluation that is under way counts no more; with another value or
 * condition, what was found until then says nothing.
 */
export async function updateAlert(
  db: Db,
  instanceId: InstanceId,
  one: AlertInput & Saved & { id: AlertId; version: number },
): Promise<boolean> {
  const [watch, condition] = [JSON.stringify(one.watch), JSON.stringify(one.condition)];
  const { address } = one;
  const keepsAddress = sql`${address === undefined}::boolean`;
  const isSame = sql`(watch = ${watch}::jsonb AND condition = ${condition}::jsonb)`;
  // A crossing that the former address has not taken is sent to the new one.
  const { rows } = await sql`WITH saved AS (UPDATE card_alert SET
      owner_id = ${one.ownerId}, name = ${one.name}, watch = ${watch}::jsonb, condition = ${condition}::jsonb,
      every_minutes = ${one.everyMinutes}, recipients = ${one.recipients}::text[],
      sends_mail = ${one.sendsMail}, version = version + 1,
      webhook = CASE WHEN ${keepsAddress} THEN webhook ELSE ${address?.sealed ?? null}::text END,
      webhook_origin = CASE WHEN ${keepsAddress} THEN webhook_origin ELSE ${address?.origin ?? null}::text END,
      webhook_problem = CASE WHEN ${keepsAddress} THEN webhook_problem END,
      latch = CASE WHEN ${isSame} THEN latch ELSE 'UNKNOWN' END,
      outcome = CASE WHEN ${isSame} THEN outcome END,
      value = CASE WHEN ${isSame} THEN value END,
      value_text = CASE WHEN ${isSame} THEN value_text END,
      mark = CASE WHEN ${isSame} THEN mark END,
      problem = CASE WHEN ${isSame} THEN problem END,
      failures = 0, run_id = NULL, lease_until = NULL, next_at = ${one.now}, updated_at = ${one.now}
    WHERE instance_id = ${instanceId} AND id = ${one.id} AND version = ${one.version} RETURNING id
    ), sent AS (UPDATE card_alert_delivery d SET attempts = 0, next_at = ${one.now}, run_id = NULL, lease_until = NULL
      FROM saved WHERE d.instance_id = ${instanceId} AND d.alert_id = saved.id AND d.user_id IS NULL AND NOT ${keepsAddress})
    SELECT id FROM saved`.execute(db);
  return rows.length > 0;
}

export async function deleteAlert(db: Db, instanceId: InstanceId, id: AlertId): Promise<boolean> {
  const { rows } = await sql`DELETE FROM card_alert
    WHERE instance_id = ${instanceId} AND id = ${id} RETURNING id`.execute(db);
  return rows.length > 0;
}
