/** The mark of what a plan is made of: another one after any change of that, the same one after any other change. */
import { createEntityFromConnector } from "@accord/contracts/data/core-schema";
import { createPipelineDraft } from "@accord/contracts/sync/pipelines";
import { beforeAll, expect, test } from "vitest";
import { type PersonPipeline, personPipeline } from "../../../../../test-kit/systems/person-pipeline.ts";
import { configurationMarks } from "./configuration-marks.store.ts";

let it: PersonPipeline;
beforeAll(async () => {
  it = await personPipeline(1);
  // A second pipeline, which is none of the first one's business.
  const manager = it.t.as("SYNC_MANAGER");
  const named = { apiName: "subscriber", displayName: "Subscriber", publish: true };
  const body = { connectorId: it.systems.crm, entityApiName: "contact", ...named };
  const { id: entityId } = await manager.call(createEntityFromConnector, { body });
  await manager.call(createPipelineDraft, { params: { entityId }, body: {} });
  return () => it.close();
}, 120_000);

const mark = (instanceId: string = it.t.instanceId): Promise<string> => {
  const { shop, crm } = it.systems;
  const places = [
    { connectorId: shop, entity: "person" },
    { connectorId: crm, entity: "contact" },
  ];
  return configurationMarks(it.t.deps.appPool).mark(instanceId, it.entityId, places);
};

const sql = (text: string, ...values: unknown[]) => it.t.deps.appPool.query(text, values);

test("stays the same when something else changes, and says nothing of other instances", async () => {
  const before = await mark();
  await sql("UPDATE connector_entity SET status = status WHERE NOT api_name IN ('person', 'contact')");
  const { rowCount } = await sql("UPDATE pipeline SET revision = revision WHERE entity_id <> $1", it.entityId);
  expect(rowCount).toBe(1);
  await sql("UPDATE instance SET display_name = display_name");
  expect(await mark()).toBe(before);
  const other = await it.t.build.instance();
  const others = await mark(other);
  await sql("UPDATE connector SET name = name || '!'");
  await sql("UPDATE connector_entity SET status = status");
  await sql("UPDATE credential SET sealed = sealed");
  await sql("UPDATE pipeline SET revision = revision");
  expect(await mark()).not.toBe(before);
  expect(await mark(other)).toBe(others);
});

test("tells every change of what a plan is made of", async () => {
  const { entityId, systems } = it;
  const changes: [string, unknown][] = [
    ["UPDATE connector SET status = 'ERROR' WHERE id = $1", systems.crm],
    ["UPDATE connector SET status = 'ACTIVE' WHERE id = $1", systems.crm],
    ["UPDATE connector SET config = config WHERE id = $1", systems.shop],
    ["UPDATE credential SET sealed = sealed WHERE connector_id = $1", systems.shop],
    ["UPDATE connector_entity SET id_field = 'id' WHERE connector_id = $1 AND api_name = 'contact'", systems.crm],
    ["UPDATE core_entity_version SET definition = definition WHERE entity_id = $1", entityId],
    ["UPDATE core_entity SET api_name = api_name WHERE id = $1", entityId],
    ["UPDATE pipeline SET merge_config = merge_config WHERE entity_id = $1", entityId],
    ["DELETE FROM credential WHERE connector_id = $1", systems.crm],
    ["DELETE FROM connector_entity WHERE connector_id = $1 AND api_name = 'person'", systems.shop],
    ["UPDATE pipeline SET published_version_id = NULL WHERE entity_id = $1", entityId],
  ];
  const seen = [await mark()];
  expect(await mark()).toBe(seen[0]);
  for (const [change, id] of changes) {
    await sql(change, id);
    const now = await mark();
    expect(seen, change).not.toContain(now);
    seen.push(now);
  }
});
