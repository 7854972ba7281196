/** What a trial may still do, and what goes with an entity: rules that reach across modules. */
import { createEntity, deleteEntity } from "@accord/contracts/data/core-schema";
import { createRecord } from "@accord/contracts/data/records";
import { publishPipeline } from "@accord/contracts/sync/pipelines";
import type { Id } from "@accord/contracts";
import { expect, test } from "vitest";
import { testApp } from "../../../../test-kit/index.ts";
import { instanceSchema } from "../../../platform/db/db.ts";

const t = await testApp();
const fields = [{ apiName: "name", displayName: "Name" }];

async function trialWith(quotas: Record<string, number>) {
  const instanceId = await t.build.instance({ type: "trial" });
  await t.deps.appPool.query("UPDATE instance SET quotas = $2 WHERE id = $1", [instanceId, JSON.stringify(quotas)]);
  const manager = t.as("INSTANCE_ADMIN", { instanceId });
  const body = { apiName: "Deal", displayName: "Deal", fields, publish: true };
  const { id: entityId } = await manager.call(createEntity, { body });
  const record = () => manager.send(createRecord, { params: { entityId }, body: { values: { name: "One" } } });
  return { manager, entityId, record };
}

test("[PLT-046] a trial takes as many records as it may, and no more", async () => {
  const { record } = await trialWith({ RECORDS_LIMIT: 2, PIPELINE_PUBLISH_LIMIT: 5, TRIAL_DAYS_LIMIT: 15 });
  expect((await record()).status).toBe(200);
  expect((await record()).status).toBe(200);
  const third = await record();
  expect(third.status).toBe(409);
  expect(JSON.stringify(third.body)).toContain("number of records is used up");
});

test("[PLT-046] a trial whose publishes are used up publishes nothing", async () => {
  const { manager, entityId } = await trialWith({ RECORDS_LIMIT: 9, PIPELINE_PUBLISH_LIMIT: 0, TRIAL_DAYS_LIMIT: 15 });
  const body = { versionName: "First", revision: 0 };
  const answer = await manager.send(publishPipeline, { params: { entityId }, body });
  expect(answer.status).toBe(409);
  expect(JSON.stringify(answer.body)).toContain("number of publishes is used up");
});

test("with an entity go its records, their links and their history; another entity's stay", async () => {
  const manager = t.as("INSTANCE_ADMIN");
  const make = async (apiName: string) => {
    const body = { apiName, displayName: apiName, fields, publish: true };
    const { id: entityId } = await manager.call(createEntity, { body });
    await manager.call(createRecord, { params: { entityId }, body: { values: { name: "One" } } });
    return entityId;
  };
  const [gone, kept] = [await make("Gone"), await make("Kept")];
  const schema = instanceSchema(t.instanceId);
  const place = async (pipelineId: Id<"entity">, externalId: string) =>
    t.deps.dataPool.query(
      `WITH made AS (INSERT INTO "${schema}".place (pipeline_id, connector_id, entity) VALUES ($1, 'c', 'e') RETURNING number)
       INSERT INTO "${schema}".link (place, external_id, record_id) SELECT number, $2, $2 FROM made`,
      [pipelineId, externalId],
    );
  await place(gone, "1");
  await place(kept, "2");
  const left = async () => {
    const { rows } = await t.deps.dataPool.query(
      `SELECT (SELECT array_agg(external_id) FROM "${schema}".link) AS links,
              (SELECT array_agg(DISTINCT pipeline_id) FROM "${schema}".place) AS places,
              (SELECT array_agg(DISTINCT e.pipeline_id ORDER BY e.pipeline_id) FROM "${schema}".ledger l
               JOIN "${schema}".sync_entity e ON e.number = l.entity) AS ledger,
              to_regclass('"${schema}"."r_Gone"') IS NULL AS dropped`,
    );
    return rows[0];
  };
  expect(await left()).toMatchObject({ ledger: [gone, kept].toSorted(), dropped: false });
  await manager.call(deleteEntity, { params: { entityId: gone } });
  expect(await left()).toEqual({ links: ["2"], places: [kept], ledger: [kept], dropped: true });
});
