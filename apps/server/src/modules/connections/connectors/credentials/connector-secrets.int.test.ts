/** Secrets and addresses of connectors through the API: where they go, and what goes wrong. */
import * as api from "@accord/contracts/connections/connectors";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { connectorWorld } from "../../../../../test-kit/systems/connector-world.ts";

const world = connectorWorld();
const { received, manager, filesBody, httpBody, settled } = world;

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
    const { rows } = await world.t.deps.appPool.query(
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
    world.t.deps.outbound.allow(new URL(baseUrl).host);
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

  test("[T15] stored secrets go to no other database of the same server, and to no other scheme", async () => {
    const config = { host: "db.example.com", port: 5432, database: "billing", encryption: "none" };
    const body = { typeId: "postgres", authType: "userPassword", config };
    const credentials = { username: "u", password: "bound-secret-2" };
    const made = await manager().call(api.createConnector, { body: { name: "Bound database", ...body, credentials } });
    const params = { connectorId: made.connectorId };
    const { version } = made;
    const moved = { ...made.config, database: "app" };
    for (const refused of [
      await manager().send(api.updateConnector, { params, body: { version, config: moved } }),
      await manager().send(api.testConnection, { body: { ...body, config: moved, ...params } }),
    ])
      expect(refused).toMatchObject({
        status: 403,
        body: { code: "credential_host_changed", message: expect.stringContaining("/billing") },
      });
    const again = await manager().send(api.updateConnector, { params, body: { version, config: moved, credentials } });
    expect(again.status, JSON.stringify(again.body)).toBe(200);

    const http = await manager().call(api.createConnector, { body: httpBody("Bound scheme", "bound-secret-3") });
    const baseUrl = String(http.config["baseUrl"]).replace("http:", "https:");
    const other = await manager().send(api.updateConnector, {
      params: { connectorId: http.connectorId },
      body: { version: http.version, config: { ...http.config, baseUrl } },
    });
    expect(other).toMatchObject({ status: 403, body: { code: "credential_host_changed" } });
  });

  test("secrets that an older version bound to a host are bound to what the connector uses when the server starts", async () => {
    const { t } = world;
    const made = await manager().call(api.createConnector, { body: httpBody("Older", "old-secret") });
    const stray = await manager().call(api.createConnector, { body: httpBody("Stray", "stray-secret") });
    const { host, origin } = new URL(String(made.config["baseUrl"]));
    const bind = (id: string, hosts: string[]) =>
      t.deps.appPool.query("UPDATE credential SET hosts = $2 WHERE connector_id = $1", [id, JSON.stringify(hosts)]);
    await bind(made.id, [host]);
    await bind(stray.id, ["elsewhere.example:443"]);
    await t.module("connections/connectors").start?.();
    const { rows } = await t.deps.appPool.query(
      "SELECT hosts FROM credential WHERE connector_id = ANY($1) ORDER BY connector_id = $2 DESC",
      [[made.id, stray.id], made.id],
    );
    expect(rows.map(({ hosts }) => hosts)).toEqual([[origin], ["elsewhere.example:443"]]);
    expect(await manager().call(api.testConnector, { params: { connectorId: made.connectorId } })).toMatchObject({
      problem: { kind: "authentication" },
    });
    const refused = await manager().send(api.testConnector, { params: { connectorId: stray.connectorId } });
    expect(refused).toMatchObject({ status: 403, body: { code: "credential_host_changed" } });
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
    world.register.shape = { id: 7, name: "Seven", updated_at: "2026-01-01T00:00:00Z", address: { city: "Kiel" } };
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
    await world.t.as("VIEWER").call(api.listConnectors);
    expect((await world.t.as("VIEWER").send(api.createConnector, { body: filesBody("No", "") })).status).toBe(403);
    expect((await world.t.as("DASHBOARD_LIGHT_VIEWER").send(api.listConnectors)).status).toBe(403);
  });
});
