/** A published pipeline with its storage in PostgreSQL and nothing in it, for tests that give the storage its commands. */
import type { Id } from "@accord/contracts";
import { type CommitBatch, emptyBatch } from "@accord/sync-engine/run";
import { FieldSchema } from "@accord/contracts/data/schema";
import { systemClock } from "../../src/platform/clock.ts";
import { instanceSchema } from "../../src/platform/db/db.ts";
import { migrateInstance } from "../../src/platform/db/migrations.ts";
import { makeNewId } from "../../src/platform/ids.ts";
import { createTable } from "../../src/modules/data/schema/index.ts";
import { runStorage } from "../../src/modules/sync/runs/storage/run-storage.store.ts";
import { scheduleStore } from "../../src/modules/sync/runs/schedule/schedule.store.ts";
import type { TestDatabase } from "../database/database.ts";

export const newId = makeNewId(systemClock);
/** The first place that is numbered. */
export const PLACE = 1;
export const CUSTOMER = {
  apiName: "Customer",
  fields: ["name", "phone"].map((apiName) => FieldSchema.parse({ apiName, displayName: apiName })),
};

/** A page of customers that nobody knows yet, each with its external id as its name. */
export function pageOf(...externalIds: string[]): CommitBatch {
  const customers = externalIds.map((externalId) => ({ externalId, recordId: newId<"record">() }));
  return {
    ...emptyBatch(PLACE, { nodeId: "source", cursor: { after: externalIds.at(-1) ?? "" }, of: "changes" }),
    creates: customers.map(({ recordId, externalId }) => ({ recordId, values: { name: externalId }, origin: {} })),
    links: customers.map((customer) => ({
      ...customer,
      ...{
        seen: "seen",
        lastWritten: null,
        refused: null,
        respelled: null,
        modifiedAt: null,
        dead: false,
        isNew: true,
      },
    })),
    ledger: customers.map((customer) => ({
      ...customer,
      ...{ operation: "create", changes: { name: [null, customer.externalId] }, refused: null },
    })),
  };
}

/** The pipeline is taken by a worker of its own; `run` is its cycle. */
export async function storeWorld({ data: { pool } }: TestDatabase) {
  const instanceId: Id<"instance"> = newId();
  const pipelineId: Id<"entity"> = newId();
  await migrateInstance(pool, instanceId);
  for (const statement of createTable(instanceId, CUSTOMER)) await pool.query(statement);
  const schedule = scheduleStore(pool);
  await schedule.publish({ instanceId, pipelineId, versionId: newId(), versionNumber: 1 }, null);
  const acquired = await schedule.acquire(`worker of ${pipelineId}`, []);
  if (!acquired) throw new Error("the pipeline is not due");
  const storage = runStorage(pool, {
    ...{ instanceId, pipelineId, entityNumber: 1, entity: CUSTOMER },
    referrers: async () => [],
  });
  const run = { epoch: acquired.epoch, cycleNumber: acquired.cycleNumber, versionNumber: 1 };
  return { pool, instanceId, pipelineId, schedule, acquired, storage, run, schema: `"${instanceSchema(instanceId)}"` };
}
