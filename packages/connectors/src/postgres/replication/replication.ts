/**
 * Logical replication of one table for one reader: a publication and a slot, both by the reader's name. Says what keeps a
 * table from being replicated, and whether a slot still holds all that a reader has not read.
 */
import { ConnectorError, type ReaderState } from "@accord/connector-sdk";
import type { ReplicationProblem } from "@accord/contracts/connections/change-detection";
import { z } from "zod";
import { databaseErrorOf, type PostgresClient } from "../client.ts";
import type { PostgresConfig } from "../config.ts";
import { lsnOf } from "./pgoutput.ts";
import { quoteName } from "../quote-name.ts";
import type { Source } from "../reading/source.ts";

const MEGABYTE = 1_000_000;

/** Whether the user may; managed services grant it by membership. */
export const MAY_REPLICATE = `
  EXISTS (SELECT FROM pg_roles r WHERE r.rolname = current_user AND (r.rolreplication OR r.rolsuper))
  OR EXISTS (SELECT FROM pg_roles r WHERE r.rolname = 'rds_replication' AND pg_has_role(r.oid, 'MEMBER'))`;

/** `$1`, `$2`: schema and table; `$3`: name of publication and slot. */
const STATUS = `
  SELECT json_build_object(
    'oid', c.oid::text, 'kind', c.relkind,
    'version', current_setting('server_version_num')::int, 'walLevel', current_setting('wal_level'),
    'isStandby', pg_is_in_recovery(), 'role', current_user,
    'mayReplicate', ${MAY_REPLICATE},
    'mayPublish', pg_has_role(c.relowner, 'USAGE') AND has_database_privilege(current_database(), 'CREATE'),
    'identity', c.relreplident,
    'identityColumns', COALESCE((
      SELECT json_agg(a.attname) FROM pg_attribute a LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisvalid
        AND CASE c.relreplident WHEN 'd' THEN i.indisprimary WHEN 'i' THEN i.indisreplident ELSE false END
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        AND (c.relreplident = 'f' OR a.attnum = ANY (i.indkey))), '[]'),
    'freeSlots', current_setting('max_replication_slots')::int - (SELECT count(*) FROM pg_replication_slots),
    'publication', (
      SELECT json_build_object('id', concat_ws('/', p.oid, r.oid), 'hasTable', t.tablename IS NOT NULL,
        'isWhole', p.pubinsert AND p.pubupdate AND p.pubdelete AND p.pubtruncate
          AND to_jsonb(r) ->> 'prqual' IS NULL AND to_jsonb(r) ->> 'prattrs' IS NULL)
      FROM pg_publication p LEFT JOIN pg_publication_rel r ON r.prpubid = p.oid AND r.prrelid = c.oid
      LEFT JOIN pg_publication_tables t ON t.pubname = p.pubname AND t.schemaname = $1 AND t.tablename = $2
      WHERE p.pubname = $3),
    'slot', (SELECT to_json(s) FROM pg_replication_slots s WHERE s.slot_name = $3 AND s.database = current_database()),
    'lsn', CASE WHEN NOT pg_is_in_recovery() THEN pg_current_wal_flush_lsn()::text END,
    'timeline', CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) END)
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relname = $2`;

const Slot = z.object({
  plugin: z.string().nullable(),
  active: z.boolean(),
  restart_lsn: z.string().nullable(),
  confirmed_flush_lsn: z.string().nullable(),
  /** From version 13, 16 and 17 on. */
  wal_status: z.string().nullish(),
  conflicting: z.boolean().nullish(),
  invalidation_reason: z.string().nullish(),
});

const Status = z.object({
  oid: z.string(),
  kind: z.string(),
  version: z.number(),
  walLevel: z.string(),
  isStandby: z.boolean(),
  role: z.string(),
  mayReplicate: z.boolean(),
  mayPublish: z.boolean(),
  identity: z.string(),
  identityColumns: z.array(z.string()),
  freeSlots: z.number(),
  publication: z.object({ id: z.string(), hasTable: z.boolean(), isWhole: z.boolean() }).nullable(),
  slot: Slot.nullable(),
  lsn: z.string().nullable(),
  timeline: z.string().nullable(),
});
export type ReplicationStatus = z.infer<typeof Status>;

/** How far a reader has read: all transactions that ended before `lsn`, and the first changes of the next one. */
export const SlotPosition = z.object({
  timeline: z.string(),
  publication: z.string(),
  oid: z.string(),
  lsn: z.string(),
  part: z.object({ commit: z.string(), changes: z.number() }).optional(),
});
export type SlotPosition = z.infer<typeof SlotPosition>;

/** One question for all that decides about a reader's next page; null when the table is gone. */
export async function replicationStatus(
  client: PostgresClient,
  { place }: Pick<Source, "place">,
  name: string,
): Promise<ReplicationStatus | null> {
  const [row] = await client.query(STATUS, [place.schema, place.table, name]);
  return row ? Status.parse(JSON.parse(row[0] ?? "null")) : null;
}

export interface SlotProblem {
  problem: ReplicationProblem;
  /** Removes it, run by somebody who may; null where nothing does. */
  sql: string | null;
}

/** What keeps this table from being replicated for this reader, and the SQL that changes it; null when nothing does. */
export function replicationProblem(
  status: ReplicationStatus,
  { relation, key }: Pick<Source, "relation" | "key">,
  name: string,
): SlotProblem | null {
  const as = (problem: ReplicationProblem, sql: string | null = null): SlotProblem => ({ problem, sql });
  if (status.kind !== "r" && (status.kind !== "p" || status.version < 130_000)) return as("notATable");
  if (status.isStandby) return as("standby");
  if (status.walLevel !== "logical") return as("walLevel", "ALTER SYSTEM SET wal_level = 'logical';");
  if (!status.mayReplicate) return as("role", `ALTER ROLE ${quoteName(status.role)} WITH REPLICATION;`);
  if (key.columns.some((column) => !status.identityColumns.includes(column)))
    return as("replicaIdentity", `ALTER TABLE ${relation} REPLICA IDENTITY FULL;`);
  if (!isPublished(status) && !status.mayPublish) return as("publication", publicationSql(status, relation, name));
  if (!status.slot && status.freeSlots <= 0) return as("noFreeSlot", "ALTER SYSTEM SET max_replication_slots = 30;");
  return null;
}

/** Why a slot may not hold all changes after a position; null when it does. */
export function slotLoss(status: ReplicationStatus, position: SlotPosition): string | null {
  const { slot, publication } = status;
  if (!slot || slot.plugin !== "pgoutput" || !slot.confirmed_flush_lsn) return "the slot is gone";
  if (slot.wal_status === "lost" || slot.conflicting || slot.invalidation_reason)
    return "the server has discarded what the slot retained";
  if (status.oid !== position.oid) return "the table was made anew";
  if (status.timeline !== position.timeline || lsnOf(status.lsn ?? "0/0") < lsnOf(position.lsn))
    return "another server has taken over";
  if (lsnOf(slot.confirmed_flush_lsn) > lsnOf(position.lsn)) return "somebody else has moved the slot on";
  if (!isPublished(status) || publication?.id !== position.publication) return "the publication was changed";
  return null;
}

const isPublished = ({ publication }: ReplicationStatus): boolean =>
  publication !== null && publication.hasTable && publication.isWhole;

function publicationSql({ publication, version }: ReplicationStatus, relation: string, name: string): string {
  const drop = publication ? `DROP PUBLICATION ${quoteName(name)}; ` : "";
  const root = version >= 130_000 ? ", publish_via_partition_root = true" : "";
  return `${drop}CREATE PUBLICATION ${quoteName(name)} FOR TABLE ${relation} WITH (publish = 'insert, update, delete, truncate'${root});`;
}

/** Makes publication and slot anew: the slot retains all transactions that end from now on. */
export async function beginReplication(
  client: PostgresClient,
  source: Source,
  name: string,
  status: ReplicationStatus,
): Promise<SlotPosition> {
  await dropSlot(client, name);
  // The order counts: what is written before the publication is there can't be read from the slot.
  if (!isPublished(status)) await client.query(publicationSql(status, source.relation, name));
  await client.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [name]);
  const made = await replicationStatus(client, source, name);
  if (!made?.slot?.confirmed_flush_lsn || !made.publication || !made.timeline)
    throw new ConnectorError("unavailable", `The replication slot ${name} vanished while it was made.`);
  return {
    timeline: made.timeline,
    publication: made.publication.id,
    oid: made.oid,
    lsn: made.slot.confirmed_flush_lsn,
  };
}

/** Bytes behind which a slot is moved on: moving it costs the server a look through them. */
const MIN_ADVANCE = 65_536n;

/** Lets the server discard what is before a position that is stored for good. */
export async function advanceSlot(
  client: PostgresClient,
  name: string,
  { slot }: ReplicationStatus,
  { lsn }: SlotPosition,
): Promise<void> {
  const [confirmed, retainedFrom] = [slot?.confirmed_flush_lsn ?? lsn, slot?.restart_lsn ?? lsn];
  // What is retained begins before what was confirmed, and follows it only when it is moved on again.
  if (lsnOf(lsn) <= lsnOf(confirmed) || lsnOf(lsn) - lsnOf(retainedFrom) < MIN_ADVANCE) return;
  await client.query("SELECT pg_replication_slot_advance($1, $2::pg_lsn)", [name, lsn]);
}

const dropSlot = (client: PostgresClient, name: string) =>
  client.query(
    "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1 AND database = current_database()",
    [name],
  );

/** Removes a reader's slot, and its publication where this user may; without either, nothing happens. */
export async function endReplication(client: PostgresClient, name: string): Promise<void> {
  await dropSlot(client, name);
  await client.query(`DROP PUBLICATION IF EXISTS ${quoteName(name)}`).catch((error: ConnectorError) => {
    if (databaseErrorOf(error)?.code !== "42501") throw error;
  });
}

/** Slots of this database whose names begin alike, with what they retain. One that the server has given up is of no use. */
export async function listReaders(
  client: PostgresClient,
  { retainedWarningMb, retainedMaxMb }: PostgresConfig,
  prefix: string,
): Promise<ReaderState[]> {
  const levelOf = (bytes: number): ReaderState["level"] => {
    if (bytes > retainedMaxMb * MEGABYTE) return "tooMuch";
    return bytes > retainedWarningMb * MEGABYTE ? "much" : "ok";
  };
  const rows = await client.query(
    `SELECT s.slot_name, s.active::text, COALESCE(to_jsonb(s) ->> 'wal_status', ''),
       CASE WHEN NOT pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_current_wal_lsn(), s.restart_lsn) END::text
     FROM pg_replication_slots s WHERE starts_with(s.slot_name, $1) AND s.database = current_database() ORDER BY 1`,
    [prefix],
  );
  return rows.map(([name, active, walStatus, retained]) => ({
    name: name ?? "",
    isActive: active === "true",
    level: walStatus === "lost" ? "tooMuch" : levelOf(Number(retained ?? 0)),
    retainedBytes: retained === null || retained === undefined ? null : Number(retained),
  }));
}
