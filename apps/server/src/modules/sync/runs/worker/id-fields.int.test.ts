/** Another id field under a running pipeline: refused where people choose it, and nobody is taken for anybody else. */
import { refreshConnectorSchema, updateConnectorEntity } from "@accord/contracts/connections/connectors";
import * as pipelines from "@accord/contracts/sync/pipelines";
import * as runs from "@accord/contracts/sync/monitoring/runs";
import { expect, onTestFinished, test } from "vitest";
import { personPipeline } from "../../../../../test-kit/systems/person-pipeline.ts";
import { eventually } from "../../../../../test-kit/sync-world/working-world.ts";

const LONG_TIMEOUT = { timeout: 120_000 };

test("is not chosen while a published pipeline uses its entity; without one it is", LONG_TIMEOUT, async () => {
  const { t, systems, entityId, close } = await personPipeline(2);
  onTestFinished(close);
  const manager = t.as("SYNC_MANAGER");
  const params = { connectorId: systems.shop, entityApiName: "person" };
  const choose = (idField: string | null) => manager.send(updateConnectorEntity, { params, body: { idField } });
  const refused = await choose("mail");
  expect(refused.status).toBe(400);
  expect(refused.body).toMatchObject({ errors: [{ path: "idField", message: expect.stringContaining("Person") }] });
  expect((await choose("id")).status, "the same one").toBe(200);
  await manager.call(pipelines.deletePublishedPipeline, { params: { entityId } });
  expect((await choose("mail")).status).toBe(200);
});

test("of the system itself stops the pipeline, and nobody is taken for anybody else", LONG_TIMEOUT, async () => {
  const { t, systems, entityId, close } = await personPipeline(3);
  onTestFinished(close);
  const manager = t.as("SYNC_MANAGER");
  const params = { entityId };
  // Numbers that look like the ids: 3, 2, 1.
  await systems.sql("ALTER TABLE shop.person ADD COLUMN number int NOT NULL DEFAULT 0");
  await systems.sql("UPDATE shop.person SET number = 4 - id");
  const keyed = async (column: string): Promise<void> => {
    await systems.sql("ALTER TABLE shop.person DROP CONSTRAINT person_pkey");
    await systems.sql(`ALTER TABLE shop.person ADD CONSTRAINT person_pkey PRIMARY KEY (${column})`);
    await manager.call(refreshConnectorSchema, { params: { connectorId: systems.shop } });
  };
  const cities = async (): Promise<unknown[]> =>
    (await systems.sql("SELECT name || ' ' || city AS held FROM crm.contact ORDER BY name")).map(({ held }) => held);

  await keyed("number");
  await eventually("the pipeline to say so", async () => {
    await manager.call(runs.runPipelineNow, { params, body: {} });
    const { error } = await manager.call(runs.getPipelineErrors, { params, query: {} });
    return error.find(({ errorMessage }) => errorMessage.includes("its records are known by id"));
  });
  await systems.sql("UPDATE shop.person SET city = 'Berlin' WHERE id = 1");
  await manager.call(runs.runPipelineNow, { params, body: {} });
  expect(await cities()).toEqual(["Name 1 City 1", "Name 2 City 2", "Name 3 City 3"]);

  await keyed("id");
  await eventually("the edit to arrive", async () => {
    await manager.call(runs.runPipelineNow, { params, body: {} });
    return (await cities())[0] === "Name 1 Berlin" ? true : undefined;
  });
  expect(await cities()).toEqual(["Name 1 Berlin", "Name 2 City 2", "Name 3 City 3"]);
});
