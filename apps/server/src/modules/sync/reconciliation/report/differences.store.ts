/** Differences that reconciliations found: stored with their report, read page by page and chosen for repairs. */
import type { Value } from "@accord/contracts/data/values";
import type { DifferenceKind, DifferenceReason } from "@accord/contracts/sync/reconciliation";
import type { QueryResultRow } from "pg";
import { type BoundedPage, boundedPage, shortJson, takePage } from "../../../../platform/db/bounded-page.ts";
import { instanceSchema, type Pool } from "../../../../platform/db/db.ts";
import { storableJson, storableText } from "../../../../platform/db/storable-json.ts";
import { exactValueTypes } from "../../../../platform/db/value-types.ts";
import { quoteIdentifier } from "../../../data/schema/index.ts";
import { inOrder } from "../../runs/index.ts";
import type { FoundDifference } from "../comparison/subjects.ts";
import type { WorkKey } from "../comparison/work.store.ts";

/** What a repair needs to know of one. */
export interface StoredDifference {
  number: string;
  kind: DifferenceKind;
  reason: DifferenceReason;
  placeId: number;
  externalId: string | null;
  recordId: string | null;
  field: string | null;
  connectorField: string | null;
  signature: string | null;
  isUnread: boolean;
  repairRequestedAt: string | null;
}

export interface DifferenceRow extends StoredDifference {
  outsideValue: Value;
  coreValue: Value;
}

export interface DifferenceChoice {
  kind?: DifferenceKind | undefined;
  reason?: DifferenceReason | undefined;
  numbers?: readonly string[] | undefined;
}

const DIFFERENCE_COLUMNS = [
  ...["number", "kind", "reason", "place", "external_id", "record_id", "field", "connector_field"],
  ...["signature", "is_unread", "repair_requested_at"],
];
const LARGE_COLUMNS = {
  outside_value: { short: shortJson("outside_value", "jsonb") },
  core_value: { short: shortJson("core_value", "jsonb") },
};

/** `reads`: for what people look through page by page. */
export function differencesStore(pool: Pool, reads: Pool) {
  const differences = (instanceId: string): string =>
    `${quoteIdentifier(instanceSchema(instanceId))}.reconciliation_difference`;

  return {
    async addDifferences(
      { instanceId, id }: WorkKey,
      placeId: number,
      found: readonly FoundDifference[],
    ): Promise<void> {
      if (found.length === 0) return;
      await pool.query(
        `INSERT INTO ${differences(instanceId)} (reconciliation_id, place, kind, reason, external_id, record_id, field,
           connector_field, outside_value, core_value, signature, is_unread)
         SELECT $1, $2, d.* FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
           $9::jsonb[], $10::jsonb[], $11::text[], $12::boolean[]) AS d`,
        [
          id,
          placeId,
          found.map(({ kind }) => kind),
          found.map(({ reason }) => reason),
          found.map(({ externalId }) => externalId && storableText(externalId)),
          found.map(({ recordId }) => recordId),
          found.map(({ field }) => field),
          found.map(({ connectorField }) => connectorField),
          found.map(({ outsideValue }) => storableJson(outsideValue)),
          found.map(({ coreValue }) => storableJson(coreValue)),
          found.map(({ signature }) => signature),
          found.map(({ isUnread }) => isUnread),
        ],
      );
    },

    /** How many are stored: `kind reason` → count. */
    async storedCounts({ instanceId, id }: WorkKey): Promise<Map<string, number>> {
      const { rows } = await pool.query(
        `SELECT kind || ' ' || reason AS key, count(*)::int AS count FROM ${differences(instanceId)}
         WHERE reconciliation_id = $1 GROUP BY kind, reason`,
        [id],
      );
      return new Map(rows.map(({ key, count }) => [key, count]));
    },

    /** In the order in which they were found. */
    async differences(
      { instanceId, id }: WorkKey,
      choice: DifferenceChoice,
      page: { from: string | null; direction: "next" | "previous"; count: number },
    ): Promise<BoundedPage<DifferenceRow>> {
      const values: unknown[] = [id];
      const bind = (value: unknown): string => `$${values.push(value)}`;
      const conditions = conditionsOf(choice, bind);
      const isForward = page.direction === "next";
      if (page.from !== null) conditions.push(`number ${isForward ? ">" : "<"} ${bind(page.from)}`);
      const order = `number ${isForward ? "ASC" : "DESC"}`;
      const picked = `SELECT * FROM ${differences(instanceId)} WHERE ${conditions.join(" AND ")}
         ORDER BY ${order} LIMIT ${bind(page.count + 1)}`;
      const { rows } = await reads.query({
        types: exactValueTypes,
        text: boundedPage(picked, { order, columns: DIFFERENCE_COLUMNS, large: LARGE_COLUMNS }),
        values,
      });
      return inOrder(takePage(rows, page.count, readDifference), page.direction);
    },

    /** All that are chosen, without their values. */
    async chosen({ instanceId, id }: WorkKey, choice: DifferenceChoice): Promise<StoredDifference[]> {
      const values: unknown[] = [id];
      const conditions = conditionsOf(choice, (value) => `$${values.push(value)}`);
      const { rows } = await pool.query(
        `SELECT ${DIFFERENCE_COLUMNS.join(", ")} FROM ${differences(instanceId)}
         WHERE ${conditions.join(" AND ")} ORDER BY number`,
        values,
      );
      return rows.map(readStored);
    },

    /** Signatures that one unlinked external record and one undelivered core record of a system have in common, with that record. */
    async lostLinks({ instanceId, id }: WorkKey): Promise<Map<string, string>> {
      const { rows } = await pool.query(
        `SELECT place, signature, min(record_id) FILTER (WHERE kind = 'not_delivered') AS record_id
         FROM ${differences(instanceId)} WHERE reconciliation_id = $1 AND signature IS NOT NULL
         GROUP BY place, signature
         HAVING count(*) FILTER (WHERE kind = 'unlinked') = 1 AND count(*) FILTER (WHERE kind = 'not_delivered') = 1`,
        [id],
      );
      return new Map(rows.map((row) => [`${row.place} ${row.signature}`, row.record_id]));
    },

    async noteRepair({ instanceId, id }: WorkKey, numbers: readonly string[]): Promise<void> {
      await pool.query(
        `UPDATE ${differences(instanceId)} SET repair_requested_at = now()
         WHERE reconciliation_id = $1 AND number = ANY($2::bigint[])`,
        [id, numbers],
      );
    },
  };
}

/** Of the report that `$1` names. */
function conditionsOf({ kind, reason, numbers }: DifferenceChoice, bind: (value: unknown) => string): string[] {
  const conditions = ["reconciliation_id = $1"];
  if (kind) conditions.push(`kind = ${bind(kind)}`);
  if (reason) conditions.push(`reason = ${bind(reason)}`);
  if (numbers) conditions.push(`number = ANY(${bind(numbers)}::bigint[])`);
  return conditions;
}

const readDifference = (row: QueryResultRow): DifferenceRow => ({
  ...readStored(row),
  outsideValue: row["outside_value"],
  coreValue: row["core_value"],
});

const readStored = (row: QueryResultRow): StoredDifference => ({
  number: String(row["number"]),
  kind: row["kind"],
  reason: row["reason"],
  placeId: row["place"],
  externalId: row["external_id"],
  recordId: row["record_id"],
  field: row["field"],
  connectorField: row["connector_field"],
  signature: row["signature"],
  isUnread: row["is_unread"],
  repairRequestedAt: row["repair_requested_at"],
});
