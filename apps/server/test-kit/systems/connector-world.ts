/** Connectors as people make them: folders of files, and a register over HTTP that knows one key. */
import * as api from "@accord/contracts/connections/connectors";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import type { Caller } from "../caller.ts";
import { testApp, type TestApp } from "../test-app.ts";

interface Answers {
  /** The register's one record. */
  shape: { [name: string]: unknown };
  /** What it answers a key instead, or null. */
  refuse: (apiKey: string) => { status: number; headers: Record<string, string> } | null;
}

/** For a whole test file; made before its first test and gone after its last. */
export function connectorWorld() {
  let app: TestApp;
  let server: Server;
  let registerUrl = "";
  let ownFolder = "";
  const manager = (): Caller => app.as("SYNC_MANAGER");
  const filesRoot = mkdtempSync(join(tmpdir(), "accord-roots-"));
  const received: string[] = [];
  const answers: Answers = { shape: { id: 1, name: "One", updated_at: "2026-01-01T00:00:00Z" }, refuse: () => null };
  function filesBody(name: string, path: string) {
    return { name, typeId: "files", config: { folder: path }, authType: "none" };
  }

  function httpBody(name: string, apiKey = "right-key", config: object = {}) {
    const fields = [
      { apiName: "id", displayName: "ID" },
      { apiName: "name", displayName: "Name" },
    ];
    const list = { path: "/companies", recordSelector: "items" };
    const companies = { apiName: "companies", displayName: "Company", idField: "id", fields, list };
    const whole = { baseUrl: registerUrl, entities: [companies], ...config };
    return { name, typeId: "http", authType: "apiKey", credentials: { apiKey }, config: whole };
  }

  /** The connector once its schema has been read. */
  async function settled(id: string): Promise<api.ConnectorDetail> {
    const params = { connectorId: id as api.Connector["id"] };
    const status = async () => (await manager().call(api.getConnector, { params })).schemaRefreshStatus;
    await expect.poll(status, { timeout: 15_000 }).not.toBe("PROCESSING");
    return manager().call(api.getConnector, { params });
  }

  beforeAll(async () => {
    app = await testApp({ roles: ["web", "worker"], realTime: true, config: { filesRoot } });
    ownFolder = join(filesRoot, app.instanceId);
    server = createServer((request, response) => {
      received.push(JSON.stringify(request.headers));
      const apiKey = String(request.headers["x-api-key"]);
      const refusal = answers.refuse(apiKey);
      if (refusal) {
        response.writeHead(refusal.status, refusal.headers).end("{}");
        return;
      }
      const isKnown = apiKey === "right-key";
      response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
      response.end(JSON.stringify(isKnown ? { items: [answers.shape] } : { message: "unknown key" }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    registerUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    app.deps.outbound.allow(new URL(registerUrl).host);
  });
  afterAll(async () => {
    await new Promise((resolve) => server?.close(resolve));
    rmSync(filesRoot, { recursive: true, force: true });
  });
  return {
    filesRoot,
    /** Where folders of files of the app's instance may be. */
    get ownFolder(): string {
      return ownFolder;
    },
    /** Headers the register was sent: no test may find a secret where it does not belong. */
    received,
    register: answers,
    get t(): TestApp {
      return app;
    },
    manager,
    folder(name: string, text: string): string {
      mkdirSync(join(ownFolder, name), { recursive: true });
      writeFileSync(join(ownFolder, name, "people.csv"), text);
      return name;
    },
    filesBody,
    httpBody,
    settled,
    async activated(body: ReturnType<typeof filesBody> | ReturnType<typeof httpBody>): Promise<api.ConnectorDetail> {
      const { connectorId } = await manager().call(api.createConnector, { body });
      await manager().call(api.activateConnector, { params: { connectorId } });
      return settled(connectorId);
    },
  };
}
