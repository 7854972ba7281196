/** What an upgrade makes of files synapses as an earlier version left them. */
import { filesConnector } from "@accord/connectors";
import { afterAll, expect, test } from "vitest";
import { testDatabase } from "../../../../../test-kit/database/database.ts";
import { applyMigrations, readMigrations } from "../../../../platform/db/migrations.ts";

const databases = await testDatabase();
const { pool } = databases.data;
afterAll(databases.drop);
const all = await readMigrations("app");
const SCHEMA = "upgrade_files";

test("a synapse that read a folder says so after the upgrade, a deleted one too, and dates keep their order", async () => {
  const earlier = all.filter(({ name }) => name < "0225");
  await applyMigrations(pool, earlier, SCHEMA);
  // An instance needs much around it; what matters here is the configuration.
  await pool.query(`ALTER TABLE ${SCHEMA}.connector DROP CONSTRAINT connector_instance_id_fkey`);
  for (const [id, type, status, config] of [
    ["active", "files", "ACTIVE", { folder: "orders", encoding: "windows-1252" }],
    ["deleted", "files", "DELETED", {}],
    ["other", "postgres", "ACTIVE", { host: "db.example" }],
  ])
    await pool.query(
      `INSERT INTO ${SCHEMA}.connector
         (id, instance_id, name, type, config, auth_type, status, schema_status, created_at, created_by, updated_at)
       VALUES ($1, 'i', $1, $2, $4, 'none', $3, 'NEW', now(), 'u', now())`,
      [id, type, status, config],
    );
  await applyMigrations(pool, all, SCHEMA);
  const { rows } = await pool.query(`SELECT id, config FROM ${SCHEMA}.connector ORDER BY id`);
  const added = { place: "folder", dates: "monthFirst" };
  expect(rows).toEqual([
    { id: "active", config: { ...added, folder: "orders", encoding: "windows-1252" } },
    { id: "deleted", config: added },
    { id: "other", config: { host: "db.example" } },
  ]);
  for (const { id, config } of rows) if (id !== "other") expect(filesConnector.problems(config)).toEqual([]);
});
