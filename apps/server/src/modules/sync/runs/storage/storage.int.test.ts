/** What the storage promises the engine one command at a time, where simulated histories have nothing to say. */
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../test-kit/database/database.ts";
import { newId, PLACE, pageOf, storeWorld } from "../../../../../test-kit/replay/store-world.ts";
import { withClient } from "../../../../platform/db/transaction.ts";
import { ensureLedgerMonths } from "./prepare.store.ts";
import { unlinkedIds } from "../deletions/unlinked-records.store.ts";

async function emptyStorage() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  return storeWorld(database);
}

const CLAIM = { placeId: PLACE, limit: 50, references: [] };

test("[F10] a place is not told over what it says of a record that is quarantined, nor while that is tried again", async () => {
  const { pool, pipelineId, storage, run, schema } = await emptyStorage();
  const page = pageOf("anna", "bert");
  await storage.commit(run, page, newId);
  const [anna, bert] = page.creates.map(({ recordId }) => recordId);
  await pool.query(
    `INSERT INTO ${schema}.place (pipeline_id, connector_id, entity, read_fields, told_fields)
     VALUES ($1, 'crm', 'customer', '{name}', '{name}')`,
    [pipelineId],
  );
  const deliveries = [anna, bert].map((recordId) => ({
    placeId: PLACE,
    recordId: recordId ?? "",
    onlyIfOutstanding: false,
  }));
  await storage.commit(run, { ...pageOf(), deliveries }, newId);
  const claimed = async () => new Set((await storage.claim(CLAIM)).deliveries.map(({ recordId }) => recordId));
  expect(await claimed()).toEqual(new Set([anna, bert]));

  await pool.query(
    `INSERT INTO ${schema}.quarantine (id, pipeline_id, place, direction, external_id, code, message)
     VALUES ($2, $1, $3, 'source', 'anna', 'too_long', 'This is too long')`,
    [pipelineId, newId(), PLACE],
  );
  expect(await claimed(), "put aside").toEqual(new Set([bert]));
  await pool.query(`UPDATE ${schema}.quarantine SET status = 'RETRYING'`);
  expect(await claimed(), "tried again").toEqual(new Set([bert]));
  await pool.query(`UPDATE ${schema}.quarantine SET status = 'RESOLVED'`);
  expect(await claimed(), "settled, or let go").toEqual(new Set([anna, bert]));
  await pool.query(`UPDATE ${schema}.quarantine SET status = 'OPEN', direction = 'destination'`);
  expect(await claimed(), "what a destination refused is no news of it").toEqual(new Set([anna, bert]));
});

test("a record that was told to its destination settles what the destination refused, not what its source quarantined", async () => {
  const { pool, pipelineId, storage, run, schema } = await emptyStorage();
  const page = pageOf("anna");
  await storage.commit(run, page, newId);
  const recordId = page.creates[0]?.recordId ?? "";
  for (const direction of ["source", "destination"]) {
    await pool.query(
      `INSERT INTO ${schema}.quarantine (id, pipeline_id, place, direction, record_id, code, message)
       VALUES ($2, $1, $3, $4, $5, 'too_long', 'This is too long')`,
      [pipelineId, newId(), PLACE, direction, recordId],
    );
  }
  await storage.commit(
    run,
    { ...pageOf(), deliveries: [{ placeId: PLACE, recordId, onlyIfOutstanding: false }] },
    newId,
  );
  const { rows: wanted } = await pool.query(`SELECT wanted::int AS wanted FROM ${schema}.delivery`);
  const deliveryResult = { recordId, wanted: wanted[0].wanted, answered: true, attempts: 0, nextAt: 0 };
  const nothing = { link: null, ledger: null, quarantine: null };
  const answer = await storage.settle(
    run,
    PLACE,
    [{ ...deliveryResult, ...nothing, result: "done" }],
    Date.now(),
    newId,
  );
  expect(answer.status).toBe("done");
  const { rows } = await pool.query(`SELECT direction, status FROM ${schema}.quarantine ORDER BY direction`);
  expect(rows).toEqual([
    { direction: "destination", status: "RESOLVED" },
    { direction: "source", status: "OPEN" },
  ]);
});

test("a record is found by a key in whatever case it is written", async () => {
  const { storage, run } = await emptyStorage();
  await storage.commit(run, pageOf("Änne Straße", "Bert"), newId);
  const find = async (placeId: number, ...keys: string[]) =>
    (await storage.match({ placeId, fields: [{ field: "name", keys }] })).records.map(({ values }) => values["name"]);
  const elsewhere = PLACE + 1;
  expect(await find(elsewhere, "äNNE sTRAßE")).toEqual(["Änne Straße"]);
  expect(await find(elsewhere, "BERT", "nobody")).toEqual(["Bert"]);
  expect(await find(elsewhere, "ber")).toEqual([]);
  expect(await find(PLACE, "bert"), "it has an outside record there already").toEqual([]);
});

test("a record that is listed but was never read is taken up once, and again only after it was gone or linked", async () => {
  const { pool, pipelineId, storage, run, schema } = await emptyStorage();
  await storage.commit(run, pageOf("linked"), newId);
  await withClient(pool, async (client) => {
    const unlinked = unlinkedIds(client, schema, { pipelineId, placeId: PLACE });
    const listed = async (...ids: string[]): Promise<string[]> => {
      await client.query("CREATE TEMP TABLE IF NOT EXISTS seen_id (id text PRIMARY KEY)");
      await client.query("DELETE FROM seen_id");
      await client.query("INSERT INTO seen_id SELECT unnest($1::text[])", [ids]);
      await unlinked.forgetReviewed();
      return unlinked.unlinked(10);
    };
    expect(await listed("linked", "one", "two")).toEqual(["one", "two"]);
    await unlinked.review(["one", "two"]);
    expect(await listed("linked", "one", "two"), "reviewed").toEqual([]);
    expect(await listed("linked", "one"), "two is gone").toEqual([]);
    expect(await listed("linked", "one", "two"), "two is there again").toEqual(["two"]);
    await unlinked.review(["two", "linked"]);
    await listed("linked", "one", "two");
    const { rows } = await client.query(`SELECT external_id FROM ${schema}.unlinked_record ORDER BY 1`);
    expect(
      rows.map((row) => row.external_id),
      "what is linked is forgotten",
    ).toEqual(["one", "two"]);
  });
});

test("history that was written before its month had a table stays, and more can be written", async () => {
  const { pool, instanceId, storage, run, schema } = await emptyStorage();
  await storage.commit(run, pageOf("early"), newId);
  await ensureLedgerMonths(pool, instanceId);
  await storage.commit(run, pageOf("late"), newId);
  const { rows } = await pool.query(`SELECT external_id FROM ${schema}.ledger ORDER BY external_id`);
  expect(rows.map((row) => row.external_id)).toEqual(["early", "late"]);
  const months = await pool.query(
    `SELECT count(*)::int AS count FROM pg_inherits WHERE inhparent = '${schema}.ledger'::regclass`,
  );
  expect(months.rows[0].count, "the default one and that of the next month").toBe(2);
});
