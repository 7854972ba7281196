/** Records that people delete in the data studio, and what becomes of their copies in the connected systems. */
import type { Id } from "@accord/contracts";
import * as records from "@accord/contracts/data/records";
import { expect, onTestFinished, test } from "vitest";
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import * as reconciliation from "@accord/contracts/sync/reconciliation";
import { apiCompanies, shopAndRegister, shopCompanies } from "../../../../../test-kit/systems/shop-and-register.ts";
import { personPipeline } from "../../../../../test-kit/systems/person-pipeline.ts";
import { eventually } from "../../../../../test-kit/sync-world/working-world.ts";

const LONG_TIMEOUT = { timeout: 120_000 };

test(
  "everywhere: only systems where the pipeline allows deletes lose their copies, and the record stays deleted",
  LONG_TIMEOUT,
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

/** Two companies of the shop in agreement with the register, the first of which was deleted here only. */
async function letGo() {
  const world = await shopAndRegister(2, 0, companies("all", { kind: "none" }));
  await world.untilAgreed("the first load");
  const { t, params, systems, schema, runNow } = world;
  const manager = t.as("SYNC_MANAGER");
  const all = async () => (await manager.call(records.listRecords, { params, query: {} })).records;
  const record = (await all()).find(({ values }) => values["email"] === "s1@example.com");
  if (!record) throw new Error("there is such a record");
  await manager.call(records.deleteRecord, {
    params: { ...params, recordId: record.accordId },
    query: { deleteInEndSystems: "false" },
  });
  /** All ids are looked through, and another cycle has gone by. */
  const untilLooked = async (): Promise<void> => {
    const [before] = await systems.sql("SELECT clock_timestamp() AS now");
    await runNow();
    await eventually("looks at both systems", async () => {
      const looks = await t.deps.dataPool.query("SELECT FROM sync_look WHERE instance_id = $1 AND ended_at > $2", [
        t.instanceId,
        before?.["now"],
      ]);
      const open = await systems.sql(`SELECT FROM ${schema}.quarantine WHERE status = 'RETRYING'`);
      return looks.rowCount === 2 && open.length === 0 ? true : undefined;
    });
  };
  return { ...world, manager, all, record, untilLooked };
}

test(
  "here only: the record stays away while nobody changes its copies, though all of them are looked for",
  LONG_TIMEOUT,
  async () => {
    const { manager, params, systems, api, all, untilLooked } = await letGo();
    await untilLooked();
    expect([await all(), await shopCompanies(systems), apiCompanies(api)].map(({ length }) => length)).toEqual([
      1, 2, 2,
    ]);
    const { id } = await manager.call(reconciliation.startReconciliation, { params, body: {} });
    await eventually("the end of the reconciliation", async () => {
      const report = await manager.call(reconciliation.getReconciliation, { params: { reconciliationId: id } });
      return report.endedAt === null ? undefined : report;
    });
    const { differences } = await manager.call(reconciliation.listDifferences, {
      params: { reconciliationId: id },
      query: { count: 100 },
    });
    expect(differences.map(({ kind, reason }) => `${kind} ${reason}`)).toEqual(Array(2).fill("unlinked kept_there"));
  },
);

test(
  "here only: a later change of a copy brings back the one record, and reaches the other copy",
  LONG_TIMEOUT,
  async () => {
    const { systems, api, all, record, untilAgreed } = await letGo();
    await systems.sql(
      "UPDATE shop.company SET email = 'new@example.com', updated_at = now() WHERE email = 's1@example.com'",
    );
    await eventually("the change in the register", async () =>
      apiCompanies(api).some(({ email }) => email === "new@example.com") ? true : undefined,
    );
    await untilAgreed("the change");
    expect(apiCompanies(api).map(({ email }) => email)).toEqual(["new@example.com", "s2@example.com"]);
    const back = (await all()).find(({ accordId }) => accordId === record.accordId);
    expect(back).toMatchObject({ values: { email: "new@example.com", name: "Shop 1", size: 1 } });
    expect(back?.version).toBeGreaterThan(record.version);
    expect(await all()).toHaveLength(2);
  },
);

test("here only: a change in the register doubles nothing in the shop", LONG_TIMEOUT, async () => {
  const { systems, api, all, untilAgreed } = await letGo();
  for (const { id } of api.companies.values()) api.touch(id, { size: 77 });
  await eventually("the change in the shop", async () =>
    (await shopCompanies(systems)).every(({ size }) => size === 77) ? true : undefined,
  );
  await untilAgreed("the change");
  expect((await shopCompanies(systems)).map(({ email }) => email)).toEqual(["s1@example.com", "s2@example.com"]);
  expect([api.companies.size, (await all()).length]).toEqual([2, 2]);
});

test(
  "here only: what the changed copy is not read for stays in the other one, and comes back from there",
  LONG_TIMEOUT,
  async () => {
    const fieldMappings = ["name", "email"].map((field) => ({ connectorField: field, coreField: field }));
    const { t, params, systems, api } = await shopAndRegister(1, 0, companies("all", { kind: "none" }), {
      register: { source: { fieldMappings }, sink: { fieldMappings } },
    });
    await eventually("the first load", async () => (api.companies.size === 1 ? true : undefined));
    const manager = t.as("SYNC_MANAGER");
    const only = async () => (await manager.call(records.listRecords, { params, query: {} })).records[0];
    const record = await only();
    await manager.call(records.deleteRecord, {
      params: { ...params, recordId: record?.accordId as Id<"record"> },
      query: { deleteInEndSystems: "false" },
    });
    for (const { id } of api.companies.values()) api.touch(id, { name: "Renamed" });
    const back = await eventually("the whole record", async () => {
      const now = await only();
      return now?.values["size"] === 1 ? now : undefined;
    });
    expect(back).toMatchObject({ accordId: record?.accordId, values: { name: "Renamed", email: "s1@example.com" } });
    await eventually("the new name in the shop", async () => {
      const [row] = await shopCompanies(systems);
      return row?.name === "Renamed" ? row : undefined;
    });
    expect(await shopCompanies(systems)).toEqual([{ name: "Renamed", email: "s1@example.com", size: 1 }]);
  },
);
