/** Records and pages that are far too large: the pipeline goes on in the memory it has, and says what it left out. */
import { expect, test } from "vitest";
import { testDatabase } from "../../../../../../test-kit/database/database.ts";
import { INSTANCE, makeSyncWorld } from "../../../../../../test-kit/sync-world/sync-world.ts";
import { insertContact, settled, Workers } from "../../../../../../test-kit/sync-world/sync-workers.ts";

const LONG_TIMEOUT = { timeout: 300_000 };
/** Megabytes of heap that the worker may have: with more in hand at once than a few pages it would die. */
const HEAP = 160;
const RECORDS = 3_000;
const CHARACTERS = 60_000;

test(
  "[F12] 180 MB of records pass through 160 MB of memory, and one of 50 MB is quarantined",
  LONG_TIMEOUT,
  async () => {
    const database = await testDatabase();
    const { pool } = database.data;
    const workers = new Workers(database.dataUrl, [`--max-old-space-size=${HEAP}`]);
    try {
      await makeSyncWorld(pool);
      await pool.query(
        `INSERT INTO outside.a (email, name, phone, note)
       SELECT 'p' || i || '@example.com', 'name ' || i, 'phone ' || i, repeat(chr(97 + i % 26), $2) FROM generate_series(1, $1) i`,
        [RECORDS, CHARACTERS],
      );
      await insertContact(pool, "a", "giant@example.com", "a");
      await pool.query("UPDATE outside.a SET note = repeat('x', 50000000) WHERE email = 'giant@example.com'");
      const worker = await workers.start();
      await settled(pool, 2);

      expect([worker.exitCode, worker.signalCode]).toEqual([null, null]);
      const { rows } = await pool.query(
        `SELECT count(*)::int AS count FROM outside.a JOIN outside.b USING (email) JOIN "i_${INSTANCE}"."r_Contact" c USING (email)
       WHERE a.note = b.note AND a.note = c.note`,
      );
      expect(rows[0].count).toBe(RECORDS);
      const { rows: quarantineEntries } = await pool.query(
        `SELECT code, message, status FROM "i_${INSTANCE}".quarantine`,
      );
      expect(quarantineEntries).toEqual([
        { code: "unreadable", message: expect.stringContaining("more than 1,000,000 characters"), status: "OPEN" },
      ]);
    } finally {
      await workers.killAll();
      await database.drop();
    }
  },
);
