/** Pieces of pipeline graphs for tests, and a connector for them to name. */
import { EntitySchema } from "@accord/contracts/data/schema";
import type { TestApp } from "./test-app.ts";

export const node = (id: string, nodeType: string, configuration: object = {}, apiName = "") => ({
  id,
  nodeType,
  apiName,
  name: id,
  label: id,
  configuration,
});

export const edge = (from: string, to: string, edgeType = "default") => ({
  id: `edge-${from}-${to}-id`,
  source: { nodeId: from },
  destination: { nodeId: to },
  edgeType,
});

/** A connector `CRM` with the entity `company`, as discovery would have left it. */
export async function makeCrm(t: TestApp, id: string): Promise<void> {
  const schema = EntitySchema.parse({
    apiName: "company",
    displayName: "Company",
    fields: [
      { apiName: "id", displayName: "Id", isIdField: true },
      { apiName: "name", displayName: "Name" },
      { apiName: "mail", displayName: "Mail" },
      { apiName: "changed", displayName: "Changed", dataType: "datetime", isWatermarkField: true },
    ],
  });
  const now = t.deps.clock.now().toISOString();
  await t.deps.appPool.query(
    `INSERT INTO connector (id, instance_id, name, type, config, auth_type, status, schema_status, created_at, created_by, updated_at)
     VALUES ($1, $2, 'CRM', 'postgres', $4, 'userPassword', 'ACTIVE', 'SUCCESS', $3, 'test', $3)`,
    [id, t.instanceId, now, JSON.stringify({ host: "crm.example.org", port: 5432, database: "crm", tls: "off" })],
  );
  await t.deps.appPool.query(
    `INSERT INTO connector_entity (connector_id, instance_id, api_name, definition, status, refreshed_at)
     VALUES ($1, $2, 'company', $3, 'ACTIVE', $4)`,
    [id, t.instanceId, JSON.stringify(schema), now],
  );
}
