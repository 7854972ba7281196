/** The lease that every write renews: that of its own pipeline, and of no other one. */
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../test-kit/database/database.ts";
import { newId, pageOf, storeWorld } from "../../../../../test-kit/replay/store-world.ts";

test("a page renews the lease of its own pipeline: one of another instance, of the same id and epoch, keeps its own", async () => {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool, instanceId, pipelineId, storage, run } = await storeWorld(database);
  const other = newId<"instance">();
  await pool.query(
    `INSERT INTO sync_pipeline SELECT (jsonb_populate_record(p, jsonb_build_object('instance_id', $2::text))).*
     FROM sync_pipeline p WHERE instance_id = $1`,
    [instanceId, other],
  );
  await pool.query(`UPDATE sync_pipeline SET lease_until = now() - interval '1 hour' WHERE pipeline_id = $1`, [
    pipelineId,
  ]);
  expect((await storage.commit(run, pageOf("a"), newId)).status).toBe("done");
  const { rows } = await pool.query(
    `SELECT instance_id AS id FROM sync_pipeline WHERE pipeline_id = $1 AND lease_until > now()`,
    [pipelineId],
  );
  expect(rows).toEqual([{ id: instanceId }]);
  await pool.query(`UPDATE sync_pipeline SET epoch = epoch + 1 WHERE instance_id = $1`, [instanceId]);
  expect(await storage.commit(run, pageOf("b"), newId), "the other one still has that epoch").toEqual({
    status: "lost",
  });
});
