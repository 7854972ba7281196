/** Connectors through the API: their life, their secrets, their schemas, and what goes wrong. */
import * as api from "@accord/contracts/connections/connectors";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import type { ConnectorsModule } from "./index.ts";

let t: TestApp;
let root: string;
let register: Server;
let registerUrl: string;
/** What the outside system was sent: no test may find a secret where it does not belong. */
const received: string[] = [];
let shape: { [name: string]: unknown } = { id: 1, name: "One", updated_at: "2026-01-01T00:00:00Z" };

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "accord-roots-"));
  t = await testApp({ roles: ["web", "worker"], realTime: true, config: { filesRoot: root } });
  register = createServer((request, response) => {
    received.push(JSON.stringify(request.headers));
    const isKnown = request.headers["x-api-key"] === "right-key";
    response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(isKnown ? { items: [shape] } : { message: "unknown key" }));
  });
  await new Promise<void>((resolve) => register.listen(0, "127.0.0.1", resolve));
  registerUrl = `http://127.0.0.1:${(register.address() as AddressInfo).port}`;
  t.deps.outbound.allow(new URL(registerUrl).host);
});
afterAll(async () => {
  await new Promise((resolve) => register?.close(resolve));
  rmSync(root, { recursive: true, force: true });
});

const manager = () => t.as("SYNC_MANAGER");
const folder = (name: string, text: string): string => {
  mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(root, name, "people.csv"), text);
  return name;
};
const filesBody = (name: string, path: string) => ({
  name,
  typeId: "files",
  config: { folder: path },
  authType: "none",
});
const httpBody = (name: string, apiKey = "right-key", config: object = {}) => ({
  name,
  typeId: "http",
  authType: "apiKey",
  credentials: { apiKey },
  config: {
    baseUrl: registerUrl,
    entities: [
      {
        apiName: "companies",
        displayName: "Company",
        idField: "id",
        fields: [
          { apiName: "id", displayName: "ID" },
          { apiName: "name", displayName: "Name" },
        ],
        list: { path: "/companies", recordSelector: "items" },
      },
    ],
    ...config,
  },
});
const settled = async (connectorId: string): Promise<api.ConnectorDetail> => {
  const id = connectorId as api.Connector["id"];
  await expect
    .poll(async () => (await manager().call(api.getConnector, { params: { connectorId: id } })).schemaRefreshStatus, {
      timeout: 15_000,
    })
    .not.toBe("PROCESSING");
  return manager().call(api.getConnector, { params: { connectorId: id } });
};
const activated = async (body: ReturnType<typeof filesBody> | ReturnType<typeof httpBody>) => {
  const { connectorId } = await manager().call(api.createConnector, { body });
  await manager().call(api.activateConnector, { params: { connectorId } });
  return settled(connectorId);
};

describe("a connector's life", () => {
  test("[PLT-070] NEW, AUTHENTICATED, ACTIVATING, ACTIVE, INACTIVE, ERROR, DELETED: only ACTIVE is usable, DELETED is hidden", async () => {
    const { service } = t.module<ConnectorsModule>("connections/connectors");
    const isUsable = async (id: string) =>
      (await service.listActive(t.instanceId)).some((connector) => connector.id === id);
    const made = await manager().call(api.createConnector, {
      body: filesBody("Life", folder("life", "id,name\n1,A\n")),
    });
    const params = { connectorId: made.connectorId };
    expect([made.status, await isUsable(made.id)]).toEqual(["NEW", false]);
    await expect(service.openConnection(t.instanceId, made.id)).rejects.toMatchObject({ code: "connector_not_active" });

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

    rmSync(join(root, "life"), { recursive: true });
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
    const { service } = t.module<ConnectorsModule>("connections/connectors");
    const connector = await activated(filesBody("Used", folder("used", "id\n1\n")));
    service.registerUses(async (_, id) =>
      id === connector.id ? [{ entityId: "e", name: "Account", published: true }] : [],
    );
    const params = { connectorId: connector.connectorId };
    expect((await manager().call(api.getConnector, { params })).usedBy).toEqual([
      { entityId: "e", name: "Account", published: true },
    ]);
    const refused = await manager().send(api.deleteConnector, { params });
    expect(refused).toMatchObject({ status: 409, body: { code: "in_use", details: { uses: [{ name: "Account" }] } } });
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
    const { service } = t.module<ConnectorsModule>("connections/connectors");
    const { ConnectorError } = await import("@accord/connector-sdk");
    const { id } = await activated(filesBody("Flaky", folder("flaky", "id\n1\n")));
    await service.reportFailure(t.instanceId, id, new ConnectorError("rateLimited", "Slow down."));
    expect((await service.getConnector(t.instanceId, id))?.status).toBe("ACTIVE");
    await service.reportFailure(
      t.instanceId,
      id,
      new ConnectorError("authentication", "The key was refused.", { hint: "Enter it again." }),
    );
    expect(await service.getConnector(t.instanceId, id)).toMatchObject({
      status: "ERROR",
      errorMessage: "The key was refused.",
    });
    await (await service.openConnection(t.instanceId, id)).close();
    await service.reportWorking(t.instanceId, id);
    expect(await service.getConnector(t.instanceId, id)).toMatchObject({ status: "ACTIVE", errorMessage: null });
  });
});

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

    rmSync(join(root, "refresh"), { recursive: true });
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

  test("[PLT-072] while a schema is read, nobody changes it", async () => {
    const connector = await activated(filesBody("Busy", folder("busy", "id,name\n1,A\n")));
    const params = { connectorId: connector.connectorId, entityApiName: "people" };
    await t.deps.appPool.query("UPDATE connector SET schema_status = 'PROCESSING' WHERE id = $1", [connector.id]);
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
    await t.deps.appPool.query("UPDATE connector SET schema_status = 'SUCCESS' WHERE id = $1", [connector.id]);
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
    writeFileSync(join(root, "vanish", "other.csv"), "id\n1\n");
    await refresh();
    expect(await statusOf("town")).toBe("INACTIVE");
    rmSync(join(root, "vanish", "people.csv"));
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
    appendFileSync(join(root, "sample", "people.csv"), "3,many\n");
    const params = { connectorId: connector.connectorId, entityApiName: "people" };
    const sample = await manager().call(api.getSampleRecords, { params, query: {} });
    expect(sample.records.map((record) => record.values["n"])).toEqual([5, 6]);
    expect(sample.bad).toMatchObject([{ place: "people.csv, line 4", message: expect.stringContaining("many") }]);
  });
});

describe("secrets and addresses", () => {
  test("create, test, authenticate and activate keep the system's own message", async () => {
    const { typeId, authType, config, credentials } = httpBody("Wrong", "wrong-key");
    const tried = await manager().call(api.testConnection, { body: { typeId, authType, config, credentials } });
    expect(tried).toMatchObject({
      ok: false,
      problem: { kind: "authentication", message: expect.stringContaining("unknown key"), hint: expect.any(String) },
    });
    const { connectorId } = await manager().call(api.createConnector, { body: httpBody("Wrong", "wrong-key") });
    const params = { connectorId };
    const refused = await manager().send(api.authenticateConnector, { params });
    expect(refused.body).toMatchObject({
      code: "connector_check_failed",
      details: { kind: "authentication", message: expect.stringContaining("unknown key") },
    });
    await manager().call(api.activateConnector, { params });
    expect(await settled(connectorId)).toMatchObject({
      status: "ERROR",
      schemaRefreshStatus: "ERROR",
      errorMessage: expect.stringContaining("unknown key"),
    });
    const fixed = await manager().call(api.getConnector, { params });
    await manager().call(api.updateConnector, {
      params,
      body: { version: fixed.version, credentials: { apiKey: "right-key" } },
    });
    expect(await manager().call(api.testConnector, { params })).toMatchObject({ ok: true, problem: null });
  });

  test("a secret never comes back and is nowhere in the database; left out in an edit it stays", async () => {
    const canary = "canary-secret-8731";
    const made = await manager().call(api.createConnector, { body: httpBody("Canary", canary) });
    const params = { connectorId: made.connectorId };
    const edited = await manager().call(api.updateConnector, {
      params,
      body: { version: made.version, name: "Canary 2", config: made.config },
    });
    expect(JSON.stringify([made, edited, await manager().call(api.listConnectors)])).not.toContain(canary);
    const { rows } = await t.deps.appPool.query(
      "SELECT concat(c::text, k::text) AS row FROM connector c JOIN credential k ON k.connector_id = c.id WHERE c.id = $1",
      [made.id],
    );
    expect(rows[0].row).not.toContain(canary);
    const from = received.length;
    await manager().call(api.testConnector, { params });
    expect(received.slice(from).join()).toContain(canary);
  });

  test("[T15] stored secrets never go to another host than the one they were entered for", async () => {
    const made = await manager().call(api.createConnector, { body: httpBody("Bound", "bound-secret-1") });
    const spy = createServer((request, response) => {
      received.push(`spy ${JSON.stringify(request.headers)}`);
      response.end("{}");
    });
    await new Promise<void>((resolve) => spy.listen(0, "127.0.0.1", resolve));
    const baseUrl = `http://127.0.0.1:${(spy.address() as AddressInfo).port}`;
    t.deps.outbound.allow(new URL(baseUrl).host);
    const config = { ...made.config, baseUrl };
    const { connectorId } = made;
    const calls = [
      await manager().send(api.testConnection, { body: { typeId: "http", authType: "apiKey", config, connectorId } }),
      await manager().send(api.updateConnector, { params: { connectorId }, body: { version: made.version, config } }),
      await manager().send(api.previewHttpEntity, {
        body: { typeId: "http", authType: "apiKey", config, connectorId, entity: { list: { path: "/x" } } },
      }),
    ];
    for (const { status, body } of calls)
      expect([status, (body as { code: string }).code]).toEqual([403, "credential_host_changed"]);
    await manager().call(api.updateConnector, {
      params: { connectorId },
      body: { version: made.version, config, credentials: { apiKey: "new-secret" } },
    });
    await manager().call(api.testConnector, { params: { connectorId } });
    await new Promise((resolve) => spy.close(resolve));
    expect(received.filter((line) => line.startsWith("spy")).join()).toContain("new-secret");
    expect(received.filter((line) => line.startsWith("spy")).join()).not.toContain("bound-secret-1");
  });

  test("an address inside the server's own network is refused before it is saved", async () => {
    for (const baseUrl of [
      "http://127.0.0.1:1/",
      "http://169.254.169.254/latest",
      "http://[::1]:5432/",
      "http://0x7f.1/",
    ]) {
      const refused = await manager().send(api.createConnector, {
        body: httpBody(`Inside ${baseUrl}`, "k", { baseUrl }),
      });
      expect([baseUrl, refused.status, (refused.body as { code: string }).code]).toEqual([
        baseUrl,
        422,
        "outbound_refused",
      ]);
    }
    const postgres = {
      name: "Own",
      typeId: "postgres",
      authType: "userPassword",
      credentials: { username: "u", password: "p" },
      config: { host: "localhost", database: "app" },
    };
    expect(await manager().send(api.createConnector, { body: postgres })).toMatchObject({
      status: 422,
      body: { code: "outbound_refused" },
    });
  });

  test("folders outside the operator's root can't be reached", async () => {
    for (const path of ["..", "../..", "/etc", "a/../../.."]) {
      const { ok, problem } = await manager().call(api.testConnection, {
        body: { typeId: "files", authType: "none", config: { folder: path } },
      });
      expect([path, ok, problem?.kind]).toEqual([path, false, "configuration"]);
    }
  });

  test("what is wrong with a configuration is told field by field", async () => {
    const refused = await manager().send(api.createConnector, {
      body: {
        name: "Bad",
        typeId: "postgres",
        authType: "userPassword",
        config: { host: "", port: 70_000, database: "x" },
      },
    });
    expect(refused.status).toBe(400);
    const { errors } = refused.body as { errors: { path: string }[] };
    expect(errors.map((problem) => problem.path)).toEqual(["config.host", "config.port"]);
  });

  test("a preview proposes fields from the answer and shows a refusal as what it is", async () => {
    shape = { id: 7, name: "Seven", updated_at: "2026-01-01T00:00:00Z", address: { city: "Kiel" } };
    const { typeId, authType, config, credentials } = httpBody("Preview");
    const preview = await manager().call(api.previewHttpEntity, {
      body: { typeId, authType, config, credentials, entity: { list: { path: "/companies" } } },
    });
    expect(preview).toMatchObject({
      status: 200,
      recordSelectors: ["items"],
      recordCount: 1,
      sample: [{ id: 7, address_city: "Kiel" }],
      problem: null,
    });
    expect(preview.proposed.map((field) => field["apiName"])).toEqual(["id", "name", "updated_at", "address_city"]);
    const wrong = await manager().call(api.previewHttpEntity, {
      body: { typeId, authType, config, credentials: { apiKey: "no" }, entity: { list: { path: "/companies" } } },
    });
    expect(wrong).toMatchObject({ status: 401, problem: { kind: "authentication" } });
  });

  test("who may only read sees connectors and changes nothing", async () => {
    await t.as("VIEWER").call(api.listConnectors);
    expect((await t.as("VIEWER").send(api.createConnector, { body: filesBody("No", "") })).status).toBe(403);
    expect((await t.as("DASHBOARD_LIGHT_VIEWER").send(api.listConnectors)).status).toBe(403);
  });
});
