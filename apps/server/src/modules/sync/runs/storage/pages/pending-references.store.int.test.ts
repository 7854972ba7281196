/** Pending references that a page settles: those its own place left open, and those that no place names any more. */
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../../test-kit/database/database.ts";
import { newId, PLACE, pageOf, storeWorld } from "../../../../../../test-kit/replay/store-world.ts";

test("a place that settles a reference ends its own pending one and that of a forgotten place, another place's only with the last word", async () => {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool, pipelineId, storage, run, schema } = await storeWorld(database);
  const page = pageOf("anna");
  await storage.commit(run, page, newId);
  const recordId = page.creates[0]?.recordId ?? "";
  await pool.query(
    `INSERT INTO ${schema}.pending_reference (pipeline_id, place, record_id, field, connector_id, entity, external_id, at)
     SELECT $1, w.place, $2, w.field, 'crm', 'company', '7', '' FROM (VALUES (${PLACE}::smallint, 'own'), (NULL, 'forgotten'),
       (${PLACE + 1}::smallint, 'other'), (${PLACE + 1}::smallint, 'overruled'), (NULL, 'unsettled')) AS w(place, field)`,
    [pipelineId, recordId],
  );
  const clearedPending = ["own", "forgotten", "other", "overruled"].map((field) => ({
    recordId,
    field,
    isEverywhere: field === "overruled",
  }));
  expect((await storage.commit(run, { ...pageOf(), clearedPending }, newId)).status).toBe("done");
  const { rows } = await pool.query(`SELECT field FROM ${schema}.pending_reference ORDER BY field`);
  expect(rows.map(({ field }) => field)).toEqual(["other", "unsettled"]);
});
