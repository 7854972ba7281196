/** A system that says when something changed wakes the pipelines that read it, and nobody else. */
import { expect, test } from "vitest";
import { INSTANCE, makeSyncWorld, syncWorldNeeds } from "../../../../../../test-kit/sync-world/sync-world.ts";
import { testDatabase } from "../../../../../../test-kit/database/database.ts";
import { eventually } from "../../../../../../test-kit/sync-world/working-world.ts";
import { makeLog } from "../../../../../platform/log/log.ts";
import { subscribeToChanges } from "./change-notifications.ts";
import { scheduleStore } from "../schedule.store.ts";

test("a hint from one system wakes its pipeline at once; stopping closes what was open", async () => {
  const database = await testDatabase();
  const { pool } = database.data;
  try {
    await makeSyncWorld(pool);
    const needs = syncWorldNeeds(pool);
    const { getConnector, openConnection } = needs.connectors;
    let opened = 0;
    needs.connectors.getConnector = async (at, connectorId) => {
      const connector = await getConnector(at, connectorId);
      return connector && { ...connector, capabilities: connectorId === "a" ? ["read", "notifies"] : ["read"] };
    };
    needs.connectors.openConnection = async (at, connectorId) => ({
      ...(await openConnection(at, connectorId)),
      async subscribe({ entities, onChange }) {
        opened += 1;
        const listener = await pool.connect();
        listener.on("notification", () => onChange(entities[0]?.apiName ?? ""));
        await listener.query("LISTEN outside_a");
        return async () => {
          opened -= 1;
          listener.release(true);
        };
      },
    });
    const schedule = scheduleStore(pool);
    const deps = { log: makeLog({ logLevel: "silent" }) };
    await pool.query("UPDATE sync_pipeline SET poked = false, due_at = now() + interval '1 day'");
    const stop = await subscribeToChanges({ deps, needs, schedule });
    await eventually("a woken pipeline", async () => {
      await pool.query("NOTIFY outside_a");
      const { rows } = await pool.query(
        "SELECT 1 FROM sync_pipeline WHERE instance_id = $1 AND poked AND due_at <= now()",
        [INSTANCE],
      );
      return rows[0];
    });
    expect(opened).toBe(1);
    await stop();
    expect(opened).toBe(0);
  } finally {
    await database.drop();
  }
});
