/** What an upgrade makes of insights as an earlier version left them. */
import type { Id } from "@accord/contracts";
import { createDashboardDraft } from "@accord/contracts/insights/dashboards";
import { afterAll, beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../test-kit/database/database.ts";
import { makeCard, makeDashboard, makeDataset, makePublished } from "../../../test-kit/fixtures/insights.ts";
import { testApp } from "../../../test-kit/index.ts";
import { applyMigrations, readMigrations } from "../../platform/db/migrations.ts";

const databases = await testDatabase();
const { pool } = databases.data;
afterAll(databases.drop);
const all = await readMigrations("app");
const ORGANISATION = "00000000000000000000000a";

let schema = "";
let count = 0;
beforeEach(() => {
  schema = `upgrade_${++count}`;
});

/** The application's tables as they were before a migration. */
const before = (name: string) =>
  applyMigrations(
    pool,
    all.filter((migration) => migration.name < name),
    schema,
  );
const upgrade = () => applyMigrations(pool, all, schema);
const query = async (sql: string, values: unknown[] = []) =>
  (await pool.query(sql.replaceAll("$schema", schema), values)).rows;

test("a custom role that reads insights reads dashboards too after the upgrade, once", async () => {
  await before("0089");
  await query("INSERT INTO $schema.organisation (id, name, created_at) VALUES ($1, 'Test', now())", [ORGANISATION]);
  for (const [id, permissions] of [
    ["reads", ["READ_INSIGHTS", "VIEW_DATACARD"]],
    ["both", ["READ_INSIGHTS", "READ_DASHBOARD"]],
    ["neither", ["READ_STUDIO"]],
  ] as const)
    await query(
      `INSERT INTO $schema.custom_role (id, organisation_id, name, permissions, created_at, updated_at)
       VALUES ($1, $2, $1, $3, now(), now())`,
      [id, ORGANISATION, permissions],
    );
  await upgrade();
  const roles = await query("SELECT id, permissions FROM $schema.custom_role ORDER BY id");
  expect(roles).toEqual([
    { id: "both", permissions: ["READ_INSIGHTS", "READ_DASHBOARD"] },
    { id: "neither", permissions: ["READ_STUDIO"] },
    { id: "reads", permissions: ["READ_INSIGHTS", "VIEW_DATACARD", "READ_DASHBOARD"] },
  ]);
});

test("dashboards published before publications were copies get the copy that publishing them now would make", async () => {
  const t = await testApp();
  const below = await makeDataset(t, t);
  const source = { datasetId: below, datasetType: "DATASET" as const, datasourceAlias: "deals" };
  const above = await makeDataset(t, t, { sources: [source] });
  const [one, two] = [await makeCard(t, t, above, { variablesMap: { top: 3 } }), await makeCard(t, t, below)];
  const both = await makePublished(t, t, [one, two]);
  await t.as("SUPER_ADMIN").call(createDashboardDraft, { params: { id: both }, body: {} });
  const empty = await makePublished(t, t, []);
  await makeDashboard(t, t, [two]);
  const elsewhere = { ...t, instanceId: await t.build.instance() };
  const foreign = await makePublished(t, elsewhere);

  const publications = async () => {
    const { rows } = await t.deps.appPool.query<{ datasets: { id: string }[]; cards: { id: string }[] }>(
      `SELECT instance_id, dashboard_id, cards, datasets, published_by FROM dashboard_publication ORDER BY dashboard_id`,
    );
    const byId = (list: { id: string }[]) => list.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return rows.map((row) => ({ ...row, cards: byId(row.cards), datasets: byId(row.datasets) }));
  };
  const made = await publications();
  expect(made.map((row) => [row.cards.length, row.datasets.length])).toEqual(
    [both, empty, foreign]
      .toSorted()
      .map((id: Id<"dashboard">) => (id === both ? [2, 2] : id === empty ? [0, 0] : [1, 1])),
  );
  await t.deps.appPool.query("DROP TABLE dashboard_publication");
  await t.deps.appPool.query(all.find(({ name }) => name === "0091-publications-of-dashboards")?.sql ?? "");
  expect(await publications()).toEqual(made);
});

test("datasets and cards of an earlier version count as created by whoever changed them last", async () => {
  await before("0211");
  await query("INSERT INTO $schema.organisation (id, name, created_at) VALUES ($1, 'Test', now())", [ORGANISATION]);
  const columns = await query(
    "SELECT table_name FROM information_schema.columns WHERE table_schema = $1 AND column_name = 'created_by' AND table_name IN ('dataset', 'data_card')",
    [schema],
  );
  expect(columns).toEqual([]);
  // Rows of an instance need much around them; what matters here is their own columns.
  for (const table of ["dataset", "data_card"]) {
    await query(`ALTER TABLE $schema.${table} DROP CONSTRAINT ${table}_instance_id_fkey`);
    const own = table === "dataset" ? "config" : "dataset_id, configuration";
    await query(
      `INSERT INTO $schema.${table} (instance_id, id, name, display_name, description, tags, ${own}, version, updated_by, updated_at)
       VALUES ('i', 'd', 'deals', 'Deals', '', '{}', ${table === "dataset" ? "'{}'" : "'d', '{}'"}, 1, 'Ada', now())`,
    );
  }
  await upgrade();
  for (const table of ["dataset", "data_card"])
    expect(await query(`SELECT created_by FROM $schema.${table}`)).toEqual([{ created_by: "Ada" }]);
});
