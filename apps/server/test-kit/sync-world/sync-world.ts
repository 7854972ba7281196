/**
 * Two systems made of tables and a pipeline between them, for tests that need real storage and real processes: the
 * tables outlive whatever is killed. Each write there is done once per idempotency key, and says when it was done.
 */
import type { Connection, SourceRecord, WriteOperation, WriteOutcome } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { Values } from "@accord/contracts/data/values";
import { DEFAULT_SETTINGS } from "@accord/contracts/sync/pipelines";
import { contactFields, contactGraph, contactSchema } from "@accord/sync-simulation";
import { createTable } from "../../src/modules/data/schema/index.ts";
import type { RunsDependencies } from "../../src/modules/sync/runs/index.ts";
import type { Pool } from "../../src/platform/db/db.ts";
import { migrateInstance } from "../../src/platform/db/migrations.ts";

export const INSTANCE = "0123456789abcdef01234567" as Id<"instance">;
export const ENTITY = "0123456789abcdef01234568" as Id<"entity">;
const VERSION = "0123456789abcdef01234569" as Id<"pipelineVersion">;
export const SYSTEMS = ["a", "b"] as const;
export type SystemName = (typeof SYSTEMS)[number];
const FIELDS = ["email", "name", "phone", "note"] as const;

/** Makes the instance, its record table and the systems' tables. */
export async function makeSyncWorld(pool: Pool): Promise<void> {
  await migrateInstance(pool, INSTANCE);
  for (const statement of createTable(INSTANCE, { apiName: "Contact", fields: contactFields })) {
    await pool.query(statement);
  }
  await pool.query("CREATE SCHEMA outside; CREATE SEQUENCE outside.change");
  for (const name of SYSTEMS) {
    await pool.query(
      `CREATE TABLE outside.${name} (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, email text, name text, phone text,
         note text, deleted boolean NOT NULL DEFAULT false, key text UNIQUE, writes int NOT NULL DEFAULT 0,
         change bigint NOT NULL DEFAULT nextval('outside.change'))`,
    );
  }
  await pool.query(
    `INSERT INTO sync_pipeline (instance_id, pipeline_id, version_id, version_number) VALUES ($1, $2, $3, 1)`,
    [INSTANCE, ENTITY, VERSION],
  );
}

/** What modules around the engine would answer for this world. */
export function syncWorldNeeds(pool: Pool): RunsDependencies {
  const capabilities = ["read", "getById", "create", "update", "delete", "idempotentCreate"] as const;
  const graph = contactGraph(
    SYSTEMS.map((name) => ({ name, traits: { canLookup: false } })),
    "NONE",
  );
  for (const node of graph.nodes) if (node.nodeType === "ENTITY_SOURCE") node.configuration["scheduleSeconds"] = 1;
  const connector = { status: "ACTIVE", readPageSize: 50, writeBatchSize: 20, readDelaySeconds: 0, capabilities };
  const entity = {
    id: ENTITY,
    apiName: "Contact",
    displayName: "Contact",
    version: 1,
    revision: 1,
    fields: contactFields,
  };
  const version = {
    versionId: VERSION,
    number: 1,
    name: "First",
    graph,
    settings: DEFAULT_SETTINGS,
    publishedAt: "2026-01-01T00:00:00.000Z",
  };
  const needs: RunsDependencies = {
    schema: { getEntity: async () => entity as unknown as CoreEntity, listEntities: async () => [] },
    connectors: {
      getConnector: async (_, id) => ({ ...connector, id, name: id }) as never,
      entitySchema: async () => ({ status: "ACTIVE", problem: null, capabilities, schema: contactSchema }) as never,
      findPlaces: (at, wanted) => oneByOne(needs.connectors, at, wanted),
      openConnection: async (_, id) => openTable(pool, id as SystemName),
      reportFailure: async () => {},
      reportWorking: async () => {},
    },
    notify: async () => {},
    nameInstance: async () => "First",
    answers: { answer: async (_, questions) => questions.map(() => ({ ok: true, found: [] })) },
    pipelines: {
      publishedVersion: async () => version,
      versionById: async () => version,
      publishedSince: async () => ({ nodes: new Map(), first: null }),
      remappedFields: async () => new Map(),
      listPublished: async () => [],
    },
  };
  return needs;
}

/** Places as the other two questions answer for them, so that a test says what is different in one place. */
export const oneByOne = (
  connectors: Pick<RunsDependencies["connectors"], "getConnector" | "entitySchema">,
  ...[at, wanted]: Parameters<RunsDependencies["connectors"]["findPlaces"]>
): ReturnType<RunsDependencies["connectors"]["findPlaces"]> =>
  Promise.all(
    wanted.map(async ({ connectorId, entity }) => ({
      connector: await connectors.getConnector(at, connectorId),
      facts: await connectors.entitySchema(at, connectorId, entity),
    })),
  );

/** One writer at a time, so that the order of changes is the order in which they can be seen. */
const IN_ORDER = "SELECT pg_advisory_xact_lock(77)";

function openTable(pool: Pool, name: SystemName): Connection {
  const table = `outside.${name}`;
  const notOffered = (): never => {
    throw new Error("not part of this world");
  };
  return {
    check: notOffered,
    discover: notOffered,
    async read({ cursor, mode, pageSize }) {
      const by = mode === "all" ? "id" : "change";
      const { rows } = await pool.query(`SELECT * FROM ${table} WHERE ${by} > $1 ORDER BY ${by} LIMIT $2`, [
        Number(cursor ?? 0),
        pageSize,
      ]);
      const records = rows.filter((row) => mode === "changes" || !row.deleted).map(asRecord);
      return { records, cursor: rows.at(-1)?.[by] ?? cursor ?? 0, drained: rows.length < pageSize };
    },
    async getByIds({ ids }) {
      const { rows } = await pool.query(`SELECT * FROM ${table} WHERE id = ANY($1::bigint[]) AND NOT deleted`, [ids]);
      return rows.map(asRecord);
    },
    async write({ operations }) {
      const outcomes: WriteOutcome[] = [];
      for (const operation of operations) outcomes.push(await write(pool, table, operation));
      return outcomes;
    },
    close: async () => {},
  };
}

const asRecord = (row: Record<string, unknown>): SourceRecord => ({
  id: String(row["id"]),
  values: Object.fromEntries(FIELDS.map((field) => [field, row[field]])) as Values,
  deleted: row["deleted"] === true,
});

async function write(pool: Pool, table: string, operation: WriteOperation): Promise<WriteOutcome> {
  const fields = operation.kind === "delete" ? [] : Object.keys(operation.values);
  const values = operation.kind === "delete" ? [] : fields.map((field) => operation.values[field]);
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query(IN_ORDER);
    const { rows } = await client.query(...statementOf(table, operation, fields, values));
    await client.query("COMMIT");
    return rows[0] ? { status: "done", id: String(rows[0].id) } : { status: "missing" };
  } finally {
    client.release();
  }
}

function statementOf(
  table: string,
  operation: WriteOperation,
  fields: readonly string[],
  values: readonly unknown[],
): [string, unknown[]] {
  const moved = "writes = t.writes + 1, change = nextval('outside.change')";
  switch (operation.kind) {
    case "create":
      return [
        `INSERT INTO ${table} AS t (key, ${fields.join(", ")}) VALUES ($1${fields.map((_, at) => `, $${at + 2}`).join("")})
         ON CONFLICT (key) DO UPDATE SET key = EXCLUDED.key RETURNING id`,
        [operation.idempotencyKey, ...values],
      ];
    case "update":
      return [
        `UPDATE ${table} AS t SET ${fields.map((field, at) => `${field} = $${at + 2}, `).join("")}${moved}
         WHERE id = $1 AND NOT deleted RETURNING id`,
        [operation.id, ...values],
      ];
    case "delete":
      return [
        `UPDATE ${table} AS t SET deleted = true, ${moved} WHERE id = $1 AND NOT deleted RETURNING id`,
        [operation.id],
      ];
  }
}

/** What a person does in one of the systems. */
export async function editOutside(pool: Pool, name: SystemName, text: string, values: unknown[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query(IN_ORDER);
    await client.query(text.replaceAll("$table", `outside.${name}`), values);
    await client.query("COMMIT");
  } finally {
    client.release();
  }
}

/** Contacts alive in a system or in the core, by e-mail. Throws when one is there twice. */
export async function contactsIn(pool: Pool, where: SystemName | "core"): Promise<Map<string, string>> {
  const table = where === "core" ? `"i_${INSTANCE}"."r_Contact"` : `outside.${where}`;
  const gone = where === "core" ? "accord_deleted" : "deleted";
  const { rows } = await pool.query(`SELECT email, name, phone, note FROM ${table} WHERE NOT ${gone}`);
  const found = new Map<string, string>();
  for (const { email, name, phone, note } of rows) {
    if (found.has(email)) throw new Error(`${email} is twice in ${where}`);
    found.set(email, JSON.stringify([name, phone, note]));
  }
  return found;
}
