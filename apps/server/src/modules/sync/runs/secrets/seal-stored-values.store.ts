/** Seals what an older version stored of secret fields as it came: records, ledger, merges, conflicts, quarantine. */
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { Value, Values } from "@accord/contracts/data/values";
import { isSecretField, SecretFields } from "@accord/expressions";
import type { LedgerEntry } from "@accord/sync-engine/run";
import type { Client, Pool } from "../../../../platform/db/db.ts";
import { instanceSchema, instancesIn } from "../../../../platform/db/db.ts";
import { transaction } from "../../../../platform/db/transaction.ts";
import { SealedValues } from "../../../../platform/secrets/sealed-values.ts";
import type { Secrets } from "../../../../platform/secrets/secrets.ts";
import { fieldColumn, quoteIdentifier, recordTable } from "../../../data/schema/index.ts";

const BATCH = 1_000;

type ListEntities = (instanceId: Id<"instance">) => Promise<readonly CoreEntity[]>;

interface Sealing {
  pool: Pool;
  schema: string;
  entity: CoreEntity;
  names: string[];
  seals: SealedValues;
}

/** Instances that are not sealed yet, one after the other. What is sealed already stays as it is, so it can be repeated. */
export async function sealStoredValues(pool: Pool, secrets: Secrets, listEntities: ListEntities): Promise<void> {
  const { rows } = await pool.query<{ id: string }>("SELECT instance_id AS id FROM sealed_instance");
  const sealed = new Set(rows.map(({ id }) => id));
  for (const id of await instancesIn(pool)) {
    if (sealed.has(id)) continue;
    for (const entity of await listEntities(id)) {
      const names = entity.fields.filter(isSecretField).map(({ apiName }) => apiName);
      if (names.length === 0) continue;
      const seals = new SealedValues(secrets, id, SecretFields.named(names));
      const sealing = { pool, schema: quoteIdentifier(instanceSchema(id)), entity, names, seals };
      await sealRecords(sealing, recordTable(id, entity.apiName));
      await sealHistory(sealing);
      await sealConflicts(sealing);
      await sealQuarantine(sealing, new SealedValues(secrets, id, SecretFields.of(null)));
    }
    await pool.query("INSERT INTO sealed_instance (instance_id) VALUES ($1) ON CONFLICT DO NOTHING", [id]);
  }
}

async function sealRecords({ pool, names, seals }: Sealing, table: string): Promise<void> {
  const columns = names.map((apiName) => fieldColumn({ apiName }));
  const hasAny = columns.map((column) => `${column} IS NOT NULL`).join(" OR ");
  await inBatches<{ key: string; [field: string]: Value }>(
    pool,
    `SELECT accord_id AS key, ${columns.join(", ")} FROM ${table} WHERE (${hasAny})`,
    "accord_id",
    {
      async write(client, row) {
        const values = names.map((name) => seals.seal(name, row[name] ?? null));
        const sets = columns.map((column, index) => `${column} = $${index + 2}`).join(", ");
        await client.query(`UPDATE ${table} SET ${sets} WHERE accord_id = $1`, [row.key, ...values]);
      },
    },
  );
}

async function sealHistory({ pool, schema, entity, names, seals }: Sealing): Promise<void> {
  const ledger = `SELECT number AS key, at, changes, refused FROM ${schema}.ledger
    WHERE entity = (SELECT number FROM ${schema}.sync_entity WHERE pipeline_id = $2)
      AND (changes::jsonb ?| $3::text[] OR refused::jsonb ?| $3::text[])`;
  await inBatches<LedgerRow>(pool, ledger, "number", {
    params: [entity.id, names],
    async write(client, { key, at, changes, refused }) {
      await client.query(`UPDATE ${schema}.ledger SET changes = $3, refused = $4 WHERE number = $1 AND at = $2`, [
        key,
        at,
        JSON.stringify(seals.sealChanges(changes)),
        refused === null ? null : JSON.stringify(seals.sealRefused(refused)),
      ]);
    },
  });
  await inBatches<MergeRow>(
    pool,
    `SELECT id AS key, before, changes FROM ${schema}.merge WHERE pipeline_id = $2`,
    "id",
    {
      params: [entity.id],
      async write(client, { key, before, changes }) {
        const images = Object.entries(before).map(([recordId, image]) => [
          recordId,
          { ...image, values: seals.sealAll(image.values) },
        ]);
        await client.query(`UPDATE ${schema}.merge SET before = $2, changes = $3 WHERE id = $1`, [
          key,
          JSON.stringify(Object.fromEntries(images)),
          JSON.stringify(seals.sealChanges(changes)),
        ]);
      },
    },
  );
}

type Changes = { [field: string]: [Value, Value] };
type LedgerRow = { key: string; at: string; changes: Changes; refused: LedgerEntry["refused"] };
type MergeRow = { key: string; before: { [recordId: string]: { values: Values } }; changes: Changes };

async function sealConflicts({ pool, schema, entity, names, seals }: Sealing): Promise<void> {
  const { rows } = await pool.query<{ record_id: string; field: string; place: number; value: Value }>(
    `SELECT record_id, field, place, value FROM ${schema}.conflict WHERE pipeline_id = $1 AND field = ANY($2::text[])`,
    [entity.id, names],
  );
  for (const { record_id, field, place, value } of rows)
    await pool.query(`UPDATE ${schema}.conflict SET value = $4 WHERE record_id = $1 AND field = $2 AND place = $3`, [
      record_id,
      field,
      place,
      JSON.stringify(seals.seal(field, value)),
    ]);
}

/** By whichever names: the version of the pipeline that put them there may be gone. */
async function sealQuarantine({ pool, schema, entity }: Sealing, all: SealedValues): Promise<void> {
  const quarantineEntries = `SELECT id AS key, payload FROM ${schema}.quarantine WHERE pipeline_id = $2 AND payload IS NOT NULL`;
  await inBatches<{ key: string; payload: Values }>(pool, quarantineEntries, "id", {
    params: [entity.id],
    async write(client, { key, payload }) {
      const sealed = JSON.stringify(all.sealAll(payload));
      await client.query(`UPDATE ${schema}.quarantine SET payload = $2 WHERE id = $1`, [key, sealed]);
    },
  });
}

/** `select` gives `key`; more conditions follow it, `$1` is where the last batch ended. */
async function inBatches<Row extends { key: unknown }>(
  pool: Pool,
  select: string,
  key: string,
  work: { params?: unknown[]; write(client: Client, row: Row): Promise<void> },
): Promise<void> {
  for (let after: unknown = null, isComplete = false; !isComplete;) {
    await transaction(pool, async ({ client }) => {
      const { rows } = await client.query<Row>(
        `${select} AND ($1::text IS NULL OR ${key} > $1::text${key === "number" ? "::bigint" : ""}) ORDER BY ${key} LIMIT ${BATCH} FOR UPDATE`,
        [after, ...(work.params ?? [])],
      );
      for (const row of rows) await work.write(client, row);
      after = rows.at(-1)?.key ?? null;
      isComplete = rows.length < BATCH;
    });
  }
}
