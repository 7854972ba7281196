/** Two systems kept in agreement on real PostgreSQL: quiet when nothing changes, and the same again when read again. */
import { expect, test } from "vitest";
import { testDatabase } from "../../../../../../test-kit/database/database.ts";
import { editOutside, INSTANCE, makeSyncWorld } from "../../../../../../test-kit/sync-world/sync-world.ts";
import { converged, insertContact, settled, Workers } from "../../../../../../test-kit/sync-world/sync-workers.ts";
import type { Pool } from "../../../../../platform/db/db.ts";

async function inWorld(scenario: (pool: Pool, startWorker: () => Promise<unknown>) => Promise<void>): Promise<void> {
  const database = await testDatabase();
  const workers = new Workers(database.dataUrl);
  try {
    await makeSyncWorld(database.data.pool);
    await scenario(database.data.pool, () => workers.start());
  } finally {
    await workers.killAll();
    await database.drop();
  }
}

test("two systems that sync both ways agree, and stay quiet over ten further cycles", () =>
  inWorld(async (pool, startWorker) => {
    for (let index = 0; index < 30; index += 1) await insertContact(pool, "a", `p${index}@example.com`, "a");
    for (let index = 15; index < 45; index += 1) await insertContact(pool, "b", `P${index}@example.com`, "b");
    await startWorker();
    const before = await settled(pool, 2);
    expect((await converged(pool)).size).toBe(45);

    const after = await settled(pool, 10);
    expect(after).toEqual({ ...before, endedAt: expect.any(String) });
  }));

test("the same batch read again makes no second ledger row and no second delivery", () =>
  inWorld(async (pool, startWorker) => {
    for (let index = 0; index < 20; index += 1) await insertContact(pool, "a", `p${index}@example.com`, "a");
    await startWorker();
    const before = await settled(pool, 2);
    await pool.query(`DELETE FROM "i_${INSTANCE}".source_position`);
    const after = await settled(pool, 4);
    expect(after).toEqual({ ...before, endedAt: expect.any(String) });
  }));

test("an edit in either system reaches the other, and a deletion too", () =>
  inWorld(async (pool, startWorker) => {
    await insertContact(pool, "a", "one@example.com", "a");
    await insertContact(pool, "b", "two@example.com", "b");
    await startWorker();
    await settled(pool, 2);
    const edit = "UPDATE $table SET name = $2, change = nextval('outside.change') WHERE email = $1";
    await editOutside(pool, "b", edit, ["one@example.com", "from b"]);
    await editOutside(pool, "a", edit, ["two@example.com", "from a"]);
    await settled(pool, 2);
    const core = await converged(pool);
    expect(JSON.parse(core.get("one@example.com") ?? "[]")[0]).toBe("from b");
    expect(JSON.parse(core.get("two@example.com") ?? "[]")[0]).toBe("from a");

    await editOutside(
      pool,
      "a",
      "UPDATE $table SET deleted = true, change = nextval('outside.change') WHERE email = $1",
      ["two@example.com"],
    );
    await settled(pool, 2);
    expect([...(await converged(pool)).keys()]).toEqual(["one@example.com"]);
  }));
