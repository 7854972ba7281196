/** Evaluations of alerts: which are due, who works on them, and what they came to. Only the run with the lease writes its end. */
import type { Id } from "@accord/contracts";
import { AlertCondition, type AlertValue, AlertWatch } from "@accord/contracts/insights/card-alerts";
import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";
import type { Latch, Outcome } from "./alerts.store.ts";

type InstanceId = Id<"instance">;
type CardId = Id<"dataCard">;

/** An alert that this run alone evaluates. */
export interface ClaimedAlert {
  instanceId: InstanceId;
  cardId: CardId;
  id: Id<"cardAlert">;
  runId: string;
  /** Null: the owner is deleted. */
  ownerId: Id<"user"> | null;
  name: string;
  watch: AlertWatch;
  condition: AlertCondition;
  recipients: Id<"user">[];
  sendsMail: boolean;
  /** An address is called as well. */
  hasWebhook: boolean;
}

/** A run that is silent for so long is lost: its server ended. An evaluation ends long before. */
const LEASE_SECONDS = 90;

/** What nobody works on, of alerts and of their deliveries. */
export const due = (now: string) => sql`next_at <= ${now} AND (lease_until IS NULL OR lease_until < now())`;

export async function findDueInstances(db: Db, now: string): Promise<InstanceId[]> {
  const { rows } = await sql<{ instance_id: InstanceId }>`
    SELECT DISTINCT instance_id FROM card_alert JOIN instance i ON i.id = instance_id AND i.status = 'ACTIVE'
    WHERE ${due(now)}`.execute(db);
  return rows.map((row) => row.instance_id);
}

/** The card whose alert has been due for the longest time; null when none is. */
export async function findDueCard(db: Db, instanceId: InstanceId, now: string): Promise<CardId | null> {
  const { rows } = await sql<{ card_id: CardId }>`SELECT card_id FROM card_alert
    WHERE instance_id = ${instanceId} AND ${due(now)} ORDER BY next_at, id LIMIT 1`.execute(db);
  return rows[0]?.card_id ?? null;
}

/** All alerts of a card that are due, but those that another run takes in this moment. */
export async function claimDue(
  db: Db,
  instanceId: InstanceId,
  { cardId, runId, now }: { cardId: CardId; runId: string; now: string },
): Promise<ClaimedAlert[]> {
  const { rows } = await sql<{
    id: Id<"cardAlert">;
    owner_id: Id<"user"> | null;
    name: string;
    watch: unknown;
    condition: unknown;
    recipients: Id<"user">[];
    sends_mail: boolean;
    has_webhook: boolean;
  }>`UPDATE card_alert SET run_id = ${runId}, lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE instance_id = ${instanceId} AND id IN (
      SELECT id FROM card_alert WHERE instance_id = ${instanceId} AND card_id = ${cardId} AND ${due(now)}
      ORDER BY id FOR UPDATE SKIP LOCKED)
    RETURNING id, owner_id, name, watch, condition, recipients, sends_mail, webhook IS NOT NULL AS has_webhook`.execute(
    db,
  );
  return rows.map((row) => ({
    ...{ instanceId, cardId, id: row.id, runId, ownerId: row.owner_id, name: row.name },
    watch: AlertWatch.parse(row.watch),
    condition: AlertCondition.parse(row.condition),
    recipients: row.recipients,
    sendsMail: row.sends_mail,
    hasWebhook: row.has_webhook,
  }));
}

/** Gives back what a run has claimed: due at once, or at the given time. */
export async function releaseClaims(
  db: Db,
  instanceId: InstanceId,
  runId: string,
  nextAt: string | null = null,
): Promise<void> {
  await sql`UPDATE card_alert SET
      run_id = NULL, lease_until = NULL, next_at = coalesce(${nextAt}::timestamptz, next_at)
    WHERE instance_id = ${instanceId} AND run_id = ${runId}`.execute(db);
}

/** How an alert stood before an evaluation. */
export interface Standing {
  latch: Latch;
  failures: number;
  notices: number;
}

/** Null when it is no longer this run's: changed or deleted meanwhile, or begun anew by another server. */
export async function lockClaimed(db: Db, { instanceId, id, runId }: ClaimedAlert): Promise<Standing | null> {
  const { rows } = await sql<Standing>`SELECT latch, failures, notices FROM card_alert
    WHERE instance_id = ${instanceId} AND id = ${id} AND run_id = ${runId} FOR UPDATE`.execute(db);
  return rows[0] ?? null;
}

/** What an evaluation came to. */
export interface Ended extends Standing {
  outcome: Outcome;
  /** Undefined: the last one found stays in sight. */
  value?: AlertValue | undefined;
  problem: string | null;
  hasCrossed: boolean;
  now: string;
}

/** Ends the lease; the next evaluation is due after the alert's interval. */
export async function saveEnd(db: Db, { instanceId, id }: ClaimedAlert, end: Ended): Promise<void> {
  const { value } = end;
  await sql`UPDATE card_alert SET
      latch = ${end.latch}, outcome = ${end.outcome}, problem = ${end.problem}, failures = ${end.failures},
      notices = ${end.notices}, checked_at = ${end.now},
      crossed_at = CASE WHEN ${end.hasCrossed}::boolean THEN ${end.now}::timestamptz ELSE crossed_at END,
      value = CASE WHEN ${value !== undefined}::boolean THEN ${value?.value ?? null}::double precision ELSE value END,
      value_text = CASE WHEN ${value !== undefined}::boolean THEN ${value?.text ?? null}::text ELSE value_text END,
      mark = CASE WHEN ${value !== undefined}::boolean THEN ${value?.mark ?? null}::text ELSE mark END,
      next_at = ${end.now}::timestamptz + make_interval(mins => every_minutes), run_id = NULL, lease_until = NULL
    WHERE instance_id = ${instanceId} AND id = ${id}`.execute(db);
}
