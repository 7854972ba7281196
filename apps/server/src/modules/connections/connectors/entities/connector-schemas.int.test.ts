/** Schemas of connectors through the API: read, gone stale, chosen by people, sampled. */
import type { Id } from "@accord/contracts";
import { getEntityChanges } from "@accord/contracts/connections/change-detection";
import * as api from "@accord/contracts/connections/connectors";
import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { connectorWorld } from "../../../../../test-kit/systems/connector-world.ts";

const world = connectorWorld();
const { manager, folder, filesBody, httpBody, settled, activated } = world;

describe("schemas", () => {
  test("[PLT-072] a refresh goes through PROCESSING to SUCCESS or ERROR; meanwhile and when not ACTIVE schema edits are refused", async () => {
    const connector = await activated(filesBody("Refresh", folder("refresh", "id,name\n1,A\n")));
    const params = { connectorId: connector.connectorId };
    const entity = { ...params, entityApiName: "people" };
    expect((await manager().call(api.refreshConnectorSchema, { params, body: {} })).schemaRefreshStatus).toBe(
      "PROCESSING",
    );
    const meanwhile = await manager().send(api.updateConnectorEntity, { params: entity, body: { idField: "name" } });
    expect([200, 409]).toContain(meanwhile.status);
    expect((await settled(connector.id)).schemaRefreshStatus).toBe("SUCCESS");

    rmSync(join(world.ownFolder, "refresh"), { recursive: true });
    await manager().call(api.refreshConnectorSchema, { params, body: {} });
    const broken = await settled(connector.id);
    expect(broken).toMatchObject({
      status: "ACTIVE",
      schemaRefreshStatus: "ERROR",
      errorMessage: expect.stringContaining("no folder"),
    });

    await manager().call(api.deactivateConnector, { params });
    expect(await manager().send(api.refreshConnectorSchema, { params, body: {} })).toMatchObject({
      status: 409,
      body: { code: "connector_not_active" },
    });
    expect(
      await manager().send(api.updateConnectorEntity, { params: entity, body: { idField: "name" } }),
    ).toMatchObject({ status: 409 });
  });

  test("an entity says how sure it is that a write overwrites no newer edit", async () => {
    const described = httpBody("Writing");
    const [companies] = described.config.entities;
    const update = { method: "PATCH", path: "/companies/{{id}}" };
    const getById = { path: "/companies/{{id}}" };
    const entities = [
      { ...companies, apiName: "compared", update, getById, concurrency: { kind: "etag" } },
      { ...companies, apiName: "checked", update, getById },
      { ...companies, apiName: "unchecked", update },
      { ...companies, apiName: "created", create: { method: "POST", path: "/companies" } },
    ];
    const { connectorId } = await activated({
      ...described,
      config: JSON.parse(JSON.stringify({ ...described.config, entities })),
    });
    const of = async (entityApiName: string) =>
      (await manager().call(api.getConnectorEntity, { params: { connectorId, entityApiName } })).writeComparison;
    expect(await of("compared")).toBe("conditional");
    expect(await of("checked")).toBe("checked");
    expect(await of("unchecked")).toBe("unchecked");
    expect(await of("created")).toBeNull();
  });

  test("an entity says how its changes are found, whatever its system", async () => {
    const methodOf = async (connectorId: Id<"connector">, entityApiName: string) =>
      (await manager().call(getEntityChanges, { params: { connectorId, entityApiName }, query: {} })).method;
    const list = await activated(filesBody("Changing", folder("changing", "id,name\n1,A\n")));
    expect(await methodOf(list.connectorId, "people")).toBe("position");
    const described = await activated(httpBody("Polled"));
    expect(await methodOf(described.connectorId, "companies")).toBe("comparison");
  });

  test("[PLT-072] while a schema is read, nobody changes it", async () => {
    const connector = await activated(filesBody("Busy", folder("busy", "id,name\n1,A\n")));
    const params = { connectorId: connector.connectorId, entityApiName: "people" };
    await world.t.deps.appPool.query("UPDATE connector SET schema_status = 'PROCESSING' WHERE id = $1", [connector.id]);
    expect(await manager().send(api.updateConnectorEntity, { params, body: { idField: "name" } })).toMatchObject({
      status: 409,
      body: { code: "schema_refresh_running" },
    });
    expect(await manager().send(api.refreshConnectorSchema, { params, body: {} })).toMatchObject({
      status: 409,
      body: { code: "schema_refresh_running" },
    });
    expect(await manager().send(api.deleteConnector, { params })).toMatchObject({
      status: 409,
      body: { code: "connector_busy" },
    });
    await world.t.deps.appPool.query("UPDATE connector SET schema_status = 'SUCCESS' WHERE id = $1", [connector.id]);
  });

  test("vanished fields and entities become INACTIVE, and come back", async () => {
    const connector = await activated(filesBody("Vanish", folder("vanish", "id,name,town\n1,A,Kiel\n")));
    const params = { connectorId: connector.connectorId };
    const read = () => manager().call(api.getConnectorEntity, { params: { ...params, entityApiName: "people" } });
    const statusOf = async (name: string) =>
      (await read()).schema.fields.find((field) => field.apiName === name)?.status;
    const refresh = async () => {
      await manager().call(api.refreshConnectorSchema, { params, body: {} });
      await settled(connector.id);
    };
    folder("vanish", "id,name\n1,A\n");
    writeFileSync(join(world.ownFolder, "vanish", "other.csv"), "id\n1\n");
    await refresh();
    expect(await statusOf("town")).toBe("INACTIVE");
    rmSync(join(world.ownFolder, "vanish", "people.csv"));
    await refresh();
    expect((await read()).status).toBe("INACTIVE");
    expect((await read()).problem).toContain("not found at the last schema refresh");
    folder("vanish", "id,name,town\n1,A,Kiel\n");
    await refresh();
    expect([(await read()).status, await statusOf("town")]).toEqual(["ACTIVE", "ACTIVE"]);
  });

  test("a person chooses id and watermark; a field that can't be one is refused with the choices", async () => {
    const connector = await activated(
      filesBody("Choose", folder("choose", "code,name,changed\nA1,x,2026-01-01T00:00:00Z\n")),
    );
    const params = { connectorId: connector.connectorId, entityApiName: "people" };
    const chosen = await manager().call(api.updateConnectorEntity, {
      params,
      body: { idField: "code", watermarkField: "changed" },
    });
    expect(chosen).toMatchObject({
      idField: "code",
      watermarkField: "changed",
      idFieldChosen: true,
      watermarkFieldChosen: true,
    });
    expect(chosen.schema.fields.find((field) => field.apiName === "code")?.isIdField).toBe(true);
    const refused = await manager().send(api.updateConnectorEntity, { params, body: { watermarkField: "name" } });
    expect(refused).toMatchObject({
      status: 400,
      body: { errors: [{ path: "watermarkField", message: expect.stringContaining("changed") }] },
    });
    expect(await manager().call(api.updateConnectorEntity, { params, body: { idField: null } })).toMatchObject({
      idFieldChosen: false,
    });
  });

  test("sample records show values, and lines that can't be used with their place", async () => {
    const connector = await activated(filesBody("Sample", folder("sample", "id,n\n1,5\n2,6\n")));
    appendFileSync(join(world.ownFolder, "sample", "people.csv"), "3,many\n");
    const params = { connectorId: connector.connectorId, entityApiName: "people" };
    const sample = await manager().call(api.getSampleRecords, { params, query: {} });
    expect(sample.records.map((record) => record.values["n"])).toEqual([5, 6]);
    expect(sample.bad).toMatchObject([{ place: "people.csv, line 4", message: expect.stringContaining("many") }]);
  });
});
