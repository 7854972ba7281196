/** Statements that are planned once per connection: pipelines of several instances share connections and never a plan. */
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../../test-kit/database/database.ts";
import { newId, PLACE, pageOf, storeWorld } from "../../../../../../test-kit/replay/store-world.ts";

test("pipelines of two instances run over the same connections", async () => {
  const database = await testDatabase();
  onTestFinished(database.drop);
  for (const { storage, run, schema, pool } of [await storeWorld(database), await storeWorld(database)]) {
    const records = [{ externalId: "1", deleted: false, seen: "seen" }];
    const look = { placeId: PLACE, records, absorb: true, references: [] };
    expect(await storage.resolve(look)).toMatchObject({ absorbed: new Set() });
    expect(await storage.commit(run, pageOf("1"), newId)).toMatchObject({ status: "done" });
    expect(await storage.resolve(look)).toMatchObject({ absorbed: new Set([0]) });
    const { rows } = await pool.query(`SELECT cursor FROM ${schema}.source_position`);
    expect(rows).toEqual([{ cursor: { after: "1" } }]);
  }
});
