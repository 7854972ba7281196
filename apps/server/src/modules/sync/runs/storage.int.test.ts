/** What the storage promises the engine one command at a time, where simulated histories have nothing to say. */
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../test-kit/database.ts";
import { newId, PLACE, pageOf, storeWorld } from "../../../../test-kit/store-world.ts";

async function emptyStorage() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  return storeWorld(database);
}

const CLAIM = { placeId: PLACE, limit: 50, references: [] };

test("[F10] a place is not told over what it says of a record that is put aside, nor while that is tried again", async () => {
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
  const claimed = async () => (await storage.claim(CLAIM)).deliveries.map(({ recordId }) => recordId).toSorted();
  expect(await claimed()).toEqual([anna, bert].toSorted());

  await pool.query(
    `INSERT INTO ${schema}.quarantine (id, pipeline_id, place, direction, external_id, code, message)
     VALUES ($2, $1, $3, 'source', 'anna', 'too_long', 'This is too long')`,
    [pipelineId, newId(), PLACE],
  );
  expect(await claimed(), "put aside").toEqual([bert]);
  await pool.query(`UPDATE ${schema}.quarantine SET status = 'RETRYING'`);
  expect(await claimed(), "tried again").toEqual([bert]);
  await pool.query(`UPDATE ${schema}.quarantine SET status = 'RESOLVED'`);
  expect(await claimed(), "settled, or let go").toEqual([anna, bert].toSorted());
  await pool.query(`UPDATE ${schema}.quarantine SET status = 'OPEN', direction = 'destination'`);
  expect(await claimed(), "what a destination refused is no news of it").toEqual([anna, bert].toSorted());
});

test("a record is found by a key in whatever case it is written", async () => {
  const { storage, run } = await emptyStorage();
  await storage.commit(run, pageOf("Änne Straße", "Bert"), newId);
  const find = async (placeId: number, ...keys: string[]) =>
    (await storage.match({ placeId, fields: [{ field: "name", keys }] })).map(({ values }) => values["name"]);
  const elsewhere = PLACE + 1;
  expect(await find(elsewhere, "äNNE sTRAßE")).toEqual(["Änne Straße"]);
  expect(await find(elsewhere, "BERT", "nobody")).toEqual(["Bert"]);
  expect(await find(elsewhere, "ber")).toEqual([]);
  expect(await find(PLACE, "bert"), "it has an outside record there already").toEqual([]);
});
