/** Preparing storage for a pipeline's run: what is missing is made once, and nobody waits for what is there. */
import { expect, test } from "vitest";
import { newSyncWorld } from "../../../../../test-kit/sync-world/new-sync-world.ts";
import { ENTITY, INSTANCE, syncWorldNeeds } from "../../../../../test-kit/sync-world/sync-world.ts";
import { recordTable } from "../../../data/schema/index.ts";
import { prepareInstance } from "./prepare.store.ts";

test("an index that is there already is left alone: a transaction that writes is not waited for", async () => {
  const pool = await newSyncWorld();
  const entity = await syncWorldNeeds(pool).schema.getEntity(INSTANCE, ENTITY);
  if (!entity) throw new Error("the world has no entity");
  const prepare = () => prepareInstance(pool, INSTANCE, { entity, lookedUp: ["email", "name"] });
  const table = recordTable(INSTANCE, entity.apiName);
  const indexes = async () => {
    const { rows } = await pool.query("SELECT indexrelid FROM pg_index WHERE indrelid = $1::regclass ORDER BY 1", [
      table,
    ]);
    return rows.length;
  };
  const before = await indexes();
  await prepare();
  const made = await indexes();
  expect(made).toBe(before + 2);
  const writer = await pool.connect();
  try {
    await writer.query(`BEGIN; LOCK TABLE ${table} IN ROW EXCLUSIVE MODE`);
    const waited = new Promise((resolve) => setTimeout(resolve, 30_000, "waited"));
    expect(await Promise.race([prepare().then(() => "done"), waited])).toBe("done");
  } finally {
    await writer.query("ROLLBACK");
    writer.release();
  }
  await pool.query(`DROP INDEX "i_${INSTANCE}"."x_Contact_email"`);
  await prepare();
  expect(await indexes()).toBe(made);
});
