/** Connectors through the API: their life, and what may not be done with them when. */
import * as api from "@accord/contracts/connections/connectors";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { connectorWorld } from "../../../../test-kit/systems/connector-world.ts";
import type { ConnectorsModule } from "./index.ts";

const world = connectorWorld();
const { received, manager, folder, filesBody, httpBody, settled, activated } = world;

describe("a connector's life", () => {
  test("[PLT-070] NEW, AUTHENTICATED, ACTIVATING, ACTIVE, INACTIVE, ERROR, DELETED: only ACTIVE is usable, DELETED is hidden", async () => {
    const { service } = world.t.module<ConnectorsModule>("connections/connectors");
    const isUsable = async (id: string) =>
      (await service.listActive(world.t.instanceId)).some((connector) => connector.id === id);
    const made = await manager().call(api.createConnector, {
      body: filesBody("Life", folder("life", "id,name\n1,A\n")),
    });
    const params = { connectorId: made.connectorId };
    expect([made.status, await isUsable(made.id)]).toEqual(["NEW", false]);
    await expect(service.openConnection(world.t.instanceId, made.id)).rejects.toMatchObject({
      code: "connector_not_active",
    });

    expect((await manager().call(api.authenticateConnector, { params })).status).toBe("AUTHENTICATED");
    expect((await manager().call(api.activateConnector, { params })).status).toBe("ACTIVATING");
    const active = await settled(made.id);
    expect([active.status, active.schemaRefreshStatus, active.entityCount, await isUsable(made.id)]).toEqual([
      "ACTIVE",
      "SUCCESS",
      1,
      true,
    ]);

    expect((await manager().call(api.deactivateConnector, { params })).status).toBe("INACTIVE");
    expect(await isUsable(made.id)).toBe(false);

    rmSync(join(world.ownFolder, "life"), { recursive: true });
    await expect(manager().call(api.authenticateConnector, { params })).rejects.toMatchObject({ status: 422 });
    const failed = await manager().call(api.getConnector, { params });
    expect([failed.status, failed.errorMessage]).toEqual(["ERROR", expect.stringContaining("There is no folder life")]);

    await manager().call(api.deleteConnector, { params });
    const { connectors } = await manager().call(api.listConnectors);
    expect(connectors.map((connector) => connector.id)).not.toContain(made.id);
    expect((await manager().send(api.getConnector, { params })).status).toBe(404);
  });

  test("[PLT-051] a connector carries its status, type, schema state, entities and error; never its secrets", async () => {
    const connector = await activated(httpBody("Shape"));
    expect(connector).toMatchObject({
      id: connector.connectorId,
      name: "Shape",
      status: "ACTIVE",
      metadataId: "http",
      connectorMetaDefinitionId: "http",
      typeName: "JSON API",
      draftId: null,
      iconUri: "api",
      backgroundColor: "teal",
      autoSchemaSyncEntities: [],
      entities: [{ apiName: "companies", displayName: "Company" }],
      schemaRefreshStatus: "SUCCESS",
      oauthRedirectUrl: null,
      errorMessage: null,
      errorDetails: null,
      custom: false,
      httpSource: true,
      webhook: false,
      draftStatus: null,
      metadata: {
        id: "http",
        displayName: "JSON API",
        icon: "api",
        backgroundColor: "teal",
        capabilities: expect.arrayContaining(["read"]),
      },
      credentialFields: ["apiKey"],
    });
    expect(JSON.stringify(connector)).not.toContain("right-key");
  });

  test("a connector in use by a published pipeline can't be deleted, and says by which", async () => {
    const { service } = world.t.module<ConnectorsModule>("connections/connectors");
    const connector = await activated(filesBody("Used", folder("used", "id\n1\n")));
    service.registerUses(async (_, id) =>
      id === connector.id ? [{ entityId: "e", name: "Account", published: true, outside: [] }] : [],
    );
    const params = { connectorId: connector.connectorId };
    expect((await manager().call(api.getConnector, { params })).usedBy).toEqual([
      { entityId: "e", name: "Account", published: true },
    ]);
    const refused = await manager().send(api.deleteConnector, { params });
    expect(refused).toMatchObject({ status: 409, body: { code: "in_use", details: { uses: [{ name: "Account" }] } } });
  });

  test("whoever waits for a system learns of a changed connection, and not of a changed name", async () => {
    const { service } = world.t.module<ConnectorsModule>("connections/connectors");
    const reconnected: string[] = [];
    service.onReconnected(async (_, connectorId) => void reconnected.push(connectorId));
    const { connectorId, config } = await activated(filesBody("Moved", folder("moved", "id\n1\n")));
    const params = { connectorId };
    const edit = async (body: object) => {
      const { version } = await manager().call(api.getConnector, { params });
      await manager().call(api.updateConnector, { params, body: { version, ...body } });
    };
    await edit({ name: "Moved again" });
    expect(reconnected).toEqual([]);
    await edit({ config });
    expect(reconnected).toEqual([connectorId]);
  });

  test("a name is taken once, whatever its letters; a stale edit is refused", async () => {
    const made = await manager().call(api.createConnector, { body: filesBody("Only one", "") });
    expect(await manager().send(api.createConnector, { body: filesBody("ONLY ONE", "") })).toMatchObject({
      status: 409,
      body: { code: "name_taken" },
    });
    const params = { connectorId: made.connectorId };
    await manager().call(api.updateConnector, { params, body: { version: made.version, name: "Renamed" } });
    expect(
      await manager().send(api.updateConnector, { params, body: { version: made.version, name: "Late" } }),
    ).toMatchObject({ status: 409, body: { code: "stale_version" } });
  });

  test("a lasting failure reported by a run puts it into ERROR with what to do, and it comes back by itself", async () => {
    const { service } = world.t.module<ConnectorsModule>("connections/connectors");
    const { ConnectorError } = await import("@accord/connector-sdk");
    const { id } = await activated(filesBody("Flaky", folder("flaky", "id\n1\n")));
    await service.reportFailure(world.t.instanceId, id, new ConnectorError("rateLimited", "Slow down."));
    expect((await service.getConnector(world.t.instanceId, id))?.status).toBe("ACTIVE");
    await service.reportFailure(
      world.t.instanceId,
      id,
      new ConnectorError("authentication", "The key was refused.", { hint: "Enter it again." }),
    );
    expect(await service.getConnector(world.t.instanceId, id)).toMatchObject({
      status: "ERROR",
      errorMessage: "The key was refused.",
    });
    await (await service.openConnection(world.t.instanceId, id)).close();
    await service.reportWorking(world.t.instanceId, id);
    expect(await service.getConnector(world.t.instanceId, id)).toMatchObject({ status: "ACTIVE", errorMessage: null });
  });
});

describe("connectors that share a key", () => {
  test("[F3] keep to what the system told one of them; who has a key of their own is not kept waiting", async () => {
    const [told, other, apart] = [
      await activated(httpBody("Told to wait")),
      await activated(httpBody("Same key")),
      await manager().call(api.createConnector, { body: httpBody("Own key", "another-key") }),
    ];
    const test = ({ connectorId }: Pick<api.Connector, "connectorId">) =>
      manager().call(api.testConnector, { params: { connectorId } });
    world.register.refuse = (apiKey) =>
      apiKey === "right-key" ? { status: 429, headers: { "retry-after": "60" } } : null;
    expect(await test(told)).toMatchObject({ ok: false, problem: { kind: "rateLimited" } });
    const calls = received.length;
    expect(await test(other)).toMatchObject({ ok: false, problem: { kind: "rateLimited" } });
    expect(received).toHaveLength(calls);
    expect(await test(apart)).toMatchObject({ ok: false, problem: { kind: "authentication" } });
    expect(received).toHaveLength(calls + 1);
    const { rows } = await world.t.deps.dataPool.query("SELECT r::text AS row FROM rate_budget r");
    expect(JSON.stringify(rows)).not.toMatch(/right-key|another-key|127\.0\.0\.1/);
  });
});
