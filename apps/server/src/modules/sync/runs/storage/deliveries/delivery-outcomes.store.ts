/** Deliveries under way: intents before anything is sent, and what became of it. */
import {
  freedByWritten,
  type IntendResult,
  type Intent,
  type LedgerEntry,
  type SettleResult,
  type DeliveryResult,
} from "@accord/sync-engine/run";
import type { PoolClient } from "pg";
import { prepared } from "../../../../../platform/db/prepared.ts";
import { transaction } from "../../../../../platform/db/transaction.ts";
import { RENEW_DELIVERY_SQL } from "./enqueue-deliveries.store.ts";
import { releaseFreed } from "./freed-records.store.ts";
import { GUARD, type LeaseGuard, refusal, type RunIdentity } from "../lease-guard.store.ts";
import type { pageWrites } from "../pages/page-writes.store.ts";
import type { pendingReferences } from "../pages/pending-references.store.ts";
import { quarantineRecords } from "./quarantine-writes.store.ts";
import type { StoredRows } from "../stored-rows.store.ts";
import { takenRecords } from "./claimed-externals.store.ts";
import { writtenLinks } from "./written-links.store.ts";

/** What settling shares with other writes. */
export interface OutcomeParts {
  guard: LeaseGuard;
  references: Pick<ReturnType<typeof pendingReferences>, "writeWaiting">;
  dropDeadTwins: ReturnType<typeof pageWrites>["dropDeadTwins"];
  writeLedger: (client: PoolClient, run: RunIdentity, placeId: number, entries: LedgerEntry[]) => Promise<void>;
}

export function deliveryOutcomes(stored: StoredRows, { guard, references, dropDeadTwins, writeLedger }: OutcomeParts) {
  const { pool, scope, table } = stored;

  const { isReleased, writeWrittenLinks } = writtenLinks(stored, dropDeadTwins);
  const { findParked, noteTaken, noteWaits } = takenRecords(stored);

  async function intend(run: RunIdentity, placeId: number, intents: readonly Intent[]): Promise<IntendResult> {
    try {
      if (intents.every(({ adopts }) => adopts === null)) return await intendAtOnce(run, placeId, intents);
      return await transaction(pool, async ({ client }) => {
        await guard(client, run);
        const { rows } = await client.query(
          `WITH w AS (
             SELECT * FROM unnest($2::text[], $3::int[], $4::text[], $5::text[], $6::int[], $7::text[])
                      AS w(record_id, wanted, intent, written, hold_ms, adopts)
           ), free AS (
             SELECT w.*, EXISTS (SELECT FROM ${table("link")} l WHERE l.place = $1 AND l.external_id = w.adopts
                                   AND l.record_id <> w.record_id AND NOT ${isReleased}) AS taken FROM w
           ), begun AS (
             UPDATE ${table("delivery")} d SET attempts = d.attempts + 1, intent = f.intent, written = f.written,
                    next_at = now() + f.hold_ms * interval '1 millisecond'
             FROM free f WHERE d.place = $1 AND d.record_id = f.record_id AND d.wanted = f.wanted AND NOT f.taken
             RETURNING d.record_id
           )
           SELECT f.record_id, f.taken, b.record_id IS NOT NULL AS standing
           FROM free f LEFT JOIN begun b ON b.record_id = f.record_id`,
          [placeId, ...intentColumns(intents), intents.map(({ adopts }) => adopts)],
        );
        const pick = (key: "standing" | "taken"): Set<string> =>
          new Set(rows.filter((row) => row[key]).map((row) => row.record_id));
        return { status: "done" as const, standing: pick("standing"), taken: pick("taken") };
      });
    } catch (error) {
      if (refusal(error).status === "lost") return { status: "lost" };
      throw error;
    }
  }

  /**
   * In one statement, and one way there and back: the lease is checked by what writes. Where that waits for a page of
   * the same run it sees deliveries as they stand then, by their reasons. Not where something is adopted: whether that
   * has another link by then is seen only by a statement that begins once the lease is held.
   */
  async function intendAtOnce(run: RunIdentity, placeId: number, intents: readonly Intent[]): Promise<IntendResult> {
    const { rows } = await pool.query(
      prepared(
        `WITH held AS (${GUARD}), w AS (
           SELECT * FROM unnest($5::text[], $6::int[], $7::text[], $8::text[], $9::int[])
                    AS w(record_id, wanted, intent, written, hold_ms)
         ), begun AS (
           UPDATE ${table("delivery")} d SET attempts = d.attempts + 1, intent = w.intent, written = w.written,
                  next_at = now() + w.hold_ms * interval '1 millisecond'
           FROM w, held WHERE d.place = $4 AND d.record_id = w.record_id AND d.wanted = w.wanted
           RETURNING d.record_id
         )
         SELECT EXISTS (SELECT FROM held) AS is_held, ARRAY(SELECT record_id FROM begun) AS standing`,
        [scope.instanceId, scope.pipelineId, run.epoch, placeId, ...intentColumns(intents)],
        intents.length,
      ),
    );
    const [{ is_held: isHeld, standing }] = rows;
    return isHeld ? { status: "done", standing: new Set(standing), taken: new Set() } : { status: "lost" };
  }

  /**
   * Holds what was begun at a place and has no answer, until the place can show it: whoever had the lease before this
   * run, and did not give it back, may have sent it up to now. `holdMs`: how long the place takes to show a write.
   */
  async function holdUnanswered(placeId: number, holdMs: number): Promise<void> {
    await pool.query(
      `UPDATE ${table("delivery")} SET next_at = now() + $2 * interval '1 millisecond'
       WHERE place = $1 AND intent IS NOT NULL AND next_at < now() + $2 * interval '1 millisecond'`,
      [placeId, holdMs],
    );
  }

  /**
   * Records with values that did not fit are due again where the place takes something else by now. Answers how many, up
   * to a bound: there may be more. Looks at none that it leaves: a place may have very many.
   */
  async function retryUnfit(placeId: number, fits: string): Promise<number> {
    const { rowCount } = await pool.query(
      prepared(
        `UPDATE ${table("delivery")} d SET ${RENEW_DELIVERY_SQL} WHERE d.place = $1 AND d.record_id IN (
           SELECT record_id FROM ${table("delivery")} WHERE place = $1 AND unfit < $2
           UNION ALL SELECT record_id FROM ${table("delivery")} WHERE place = $1 AND unfit > $2
           LIMIT ${RETRIED_AT_ONCE})`,
        [placeId, fits],
      ),
    );
    return rowCount ?? 0;
  }

  async function settle(
    run: RunIdentity,
    placeId: number,
    settlements: readonly DeliveryResult[],
    now: number,
    newId: () => string,
  ): Promise<SettleResult> {
    try {
      const signal = await transaction(pool, async ({ client }) => {
        const asked = await guard(client, run);
        const { taken, repeated } = await writeWrittenLinks(client, placeId, settlements);
        const isUntold = (recordId: string): boolean => taken.has(recordId) || repeated.has(recordId);
        const entries = settlements.flatMap(({ ledger }) => (ledger && !isUntold(ledger.recordId) ? [ledger] : []));
        await writeLedger(client, run, placeId, entries);
        const quarantine = settlements.flatMap((deliveryResult) => deliveryResult.quarantine ?? []);
        await quarantineRecords(client, stored, { placeId, quarantine, settled: [] }, newId);
        await references.writeWaiting(client, placeId, settlements);
        const quarantineEntries = await findParked(client, placeId, settlements, taken);
        const answers = settlements.map((deliveryResult) => {
          if (quarantineEntries.has(deliveryResult.recordId))
            return { ...deliveryResult, result: "parked" as const, unfit: null };
          return repeated.has(deliveryResult.recordId)
            ? { ...deliveryResult, result: "again" as const, nextAt: now, unfit: null }
            : deliveryResult;
        });
        await settleDeliveries(client, placeId, answers, now);
        if (taken.size > 0) {
          await quarantineTaken(client, placeId, settlements, { taken: quarantineEntries, newId });
          await noteTaken(client, placeId, settlements, { taken, now });
        }
        await noteWaits(client, placeId, settlements, quarantineEntries);
        const freed = freedByWritten(settlements).map((record) => ({ placeId, ...record }));
        await releaseFreed(client, stored.schema, freed);
        return asked;
      });
      return { status: "done", signal };
    } catch (error) {
      if (refusal(error).status === "lost") return { status: "lost" };
      throw error;
    }
  }

  /** Shows people what was parked as its external record is another record's; what has news meanwhile is not parked. */
  async function quarantineTaken(
    client: PoolClient,
    placeId: number,
    settlements: readonly DeliveryResult[],
    { taken, newId }: { taken: ReadonlySet<string>; newId: () => string },
  ): Promise<void> {
    const { rows } = await client.query(
      `SELECT record_id FROM ${table("delivery")} WHERE place = $1 AND parked AND record_id = ANY($2::text[])`,
      [placeId, [...taken]],
    );
    const parked = new Set(rows.map((row) => row.record_id));
    const quarantine = settlements.flatMap(({ recordId, ifTaken }) =>
      ifTaken && parked.has(recordId) ? [ifTaken.quarantine] : [],
    );
    await quarantineRecords(client, stored, { placeId, quarantine, settled: [] }, newId);
  }

  async function settleDeliveries(
    client: PoolClient,
    placeId: number,
    settlements: readonly DeliveryResult[],
    now: number,
  ): Promise<void> {
    const values = [
      placeId,
      settlements.map(({ recordId }) => recordId),
      settlements.map(({ wanted }) => wanted),
      settlements.map(({ result }) => result),
      settlements.map(({ answered }) => answered),
      settlements.map(({ attempts }) => attempts),
      settlements.map(({ nextAt }) => Math.max(0, Math.round(nextAt - now))),
      settlements
        .filter(({ result, unfit, keepsQuarantined }) => (result === "done" || unfit) && !keepsQuarantined)
        .map(({ recordId }) => recordId),
      settlements.map(({ error }) => error ?? null),
      settlements.map(({ unfit }) => unfit ?? null),
    ];
    await client.query(
      prepared(
        `WITH w AS MATERIALIZED (
         SELECT * FROM unnest($2::text[], $3::int[], $4::text[], $5::boolean[], $6::int[], $7::bigint[], $9::text[],
                              $10::text[])
                  AS w(record_id, wanted, result, answered, attempts, delay_ms, error, unfit)
       ), told AS (
         DELETE FROM ${table("delivery")} d USING w
         WHERE d.place = $1 AND d.record_id = w.record_id AND d.wanted = w.wanted AND w.result = 'done'
       ), resolved AS (
         UPDATE ${table("quarantine")} q SET status = 'RESOLVED', resolved_at = now()
         WHERE q.place = $1 AND q.direction = 'destination' AND q.status <> 'RESOLVED' AND q.record_id = ANY($8::text[])
       )
       UPDATE ${table("delivery")} d SET
         intent = CASE WHEN w.answered THEN NULL ELSE d.intent END,
         written = CASE WHEN w.answered THEN NULL ELSE d.written END,
         attempts = CASE WHEN d.wanted = w.wanted THEN w.attempts ELSE 0 END,
         parked = d.wanted = w.wanted AND w.result = 'parked',
         unfit = CASE WHEN d.wanted = w.wanted THEN w.unfit END,
         last_error = coalesce(left(w.error, ${MAX_ERROR}), d.last_error),
         next_at = CASE WHEN d.wanted <> w.wanted AND w.answered THEN now()
                        ELSE now() + w.delay_ms * interval '1 millisecond' END
       FROM w WHERE d.place = $1 AND d.record_id = w.record_id AND NOT (d.wanted = w.wanted AND w.result = 'done')`,
        values,
        settlements.length,
      ),
    );
  }

  return { intend, holdUnanswered, retryUnfit, settle };
}

const RETRIED_AT_ONCE = 5_000;

/** Characters of what a system answered that are kept for people. */
const MAX_ERROR = 2_000;

/** Arrays of record_id, wanted, intent, written and hold_ms. */
const intentColumns = (intents: readonly Intent[]): unknown[] => [
  intents.map(({ recordId }) => recordId),
  intents.map(({ wanted }) => wanted),
  intents.map(({ intent }) => intent),
  intents.map(({ written }) => written.join(" ")),
  intents.map(({ holdMs }) => holdMs),
];
