/** Records that people delete in the data studio, and what becomes of their copies in the connected systems. */
import type { Id } from "@accord/contracts";
import * as records from "@accord/contracts/data/records";
import { expect, onTestFinished, test } from "vitest";
import { personPipeline } from "../../../../test-kit/person-pipeline.ts";
import { eventually } from "../../../../test-kit/working-world.ts";

const PATIENCE = { timeout: 120_000 };

test(
  "everywhere: only systems where the pipeline allows deletes lose their copies, and the record stays deleted",
  PATIENCE,
  async () => {
    const world = await personPipeline(2, { destinations: { delete: false } });
    onTestFinished(() => world.close());
    const { systems, schema } = world;
    const manager = world.t.as("SYNC_MANAGER");
    const [row] = await systems.sql(`SELECT accord_id FROM ${world.records} ORDER BY accord_id LIMIT 1`);
    await manager.call(records.deleteRecord, {
      params: { entityId: world.entityId, recordId: String(row?.["accord_id"]) as Id<"record"> },
      query: { deleteInEndSystems: "true" },
    });
    await eventually("nobody left to tell", async () => {
      const open = await systems.sql(`SELECT FROM ${schema}.delivery`);
      return open.length === 0 ? true : undefined;
    });
    const counts = async () => {
      const [count] = await systems.sql(
        `SELECT (SELECT count(*)::int FROM shop.person) AS shop, (SELECT count(*)::int FROM crm.contact) AS crm,
              (SELECT count(*)::int FROM ${world.records} WHERE NOT accord_deleted) AS core`,
      );
      return count;
    };
    expect(await counts()).toEqual({ shop: 2, crm: 2, core: 1 });
    await systems.sql("UPDATE shop.person SET city = 'Berlin'");
    await eventually("the other person's move", async () => {
      const moved = await systems.sql("SELECT FROM crm.contact WHERE city = 'Berlin'");
      return moved.length === 1 ? true : undefined;
    });
    expect(await counts()).toEqual({ shop: 2, crm: 2, core: 1 });
  },
);
