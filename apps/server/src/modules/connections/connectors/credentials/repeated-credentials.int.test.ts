/** Systems that repeat the credentials they refuse: no answer, table or log line shows them, for any type of connector. */
import * as api from "@accord/contracts/connections/connectors";
import { mysqlLogin } from "@accord/connectors/test-systems/mysql-login";
import { startScriptedSftpServer, type ScriptedSftpServer } from "@accord/connectors/test-systems/scripted-sftp-server";
import { SYSTEM_SETTINGS } from "@accord/connectors/test-systems/system-settings";
import { CONNECTORS } from "@accord/connectors";
import type { Values } from "@accord/contracts/data/values";
import { generateKeyPairSync } from "node:crypto";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { storedText } from "../../../../../test-kit/database/stored-text.ts";
import { testApp, type TestApp } from "../../../../../test-kit/test-app.ts";
import { makeLog } from "../../../../platform/log/log.ts";

/** Written differently in JSON, in addresses and in base64. */
const CANARY = 'canary/7+ "bird"=';
const WORD = "canary";
const FORMS = [
  WORD,
  ...[0, 1, 2].map((offset) =>
    Buffer.from(" ".repeat(offset) + CANARY)
      .toString("base64")
      .slice(4, 16),
  ),
];

/** One stream that is asked for in this way; `requester`: lines of YAML. */
const manifestOf = (url: string, requester: readonly string[], head = ""): string => `${head}
streams:
  - type: DeclarativeStream
    name: companies
    primary_key: id
    schema_loader: { type: InlineSchemaLoader, schema: { properties: { id: { type: string } } } }
    retriever:
      type: SimpleRetriever
      record_selector: { extractor: { field_path: [] } }
      requester:
        url_base: ${url}
${requester.map((line) => `        ${line}\n`).join("")}`;

/** A key in an address and in a header. */
const keyManifestOf = (url: string): string =>
  manifestOf(
    url,
    [
      `request_parameters: { key: "{{ config['api_key'] }}" }`,
      `request_headers: { authorization: "Basic {{ ('reader:' ~ config['api_key']) | base64encode }}" }`,
      `authenticator: { type: ApiKeyAuthenticator, header: X-Api-Key, api_token: "{{ config['api_key'] }}" }`,
    ],
    "spec: { connection_specification: { properties: { api_key: { type: string, airbyte_secret: true } } } }",
  );

/** A session whose token, which nobody entered, goes into an address, a form or JSON. */
const sessionManifestOf = (url: string, into: string): string =>
  manifestOf(url, [
    "http_method: POST",
    "authenticator:",
    "  type: SessionTokenAuthenticator",
    "  session_token_path: [access_token]",
    `  login_requester: { url_base: ${url}, path: token, http_method: POST }`,
    `  request_authentication: { type: ApiKey, inject_into: { type: RequestOption, inject_into: ${into}, field_name: x-api-key } }`,
  ]);

const lines: string[] = [];
const servers: Server[] = [];
let t: TestApp;
let sftp: ScriptedSftpServer;
let configs: Record<string, Values>;

async function portOf(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  t.deps.outbound.allow(`127.0.0.1:${port}`);
  return port;
}

/** Refuses everything, and says what it was sent; the token that it gives out is a secret too. */
const repeatingApi = (): Server =>
  createHttpServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += String(part);
    response.setHeader("content-type", "application/json");
    if (request.url === "/token") {
      response.end(JSON.stringify({ access_token: `${WORD}-token`, expires_in: 60 }));
      return;
    }
    const { authorization, ...headers } = request.headers;
    const [, encoded = ""] = /^Basic (.*)$/.exec(authorization ?? "") ?? [];
    const decoded = Buffer.from(encoded, "base64").toString();
    const repeated = [request.url, headers["x-api-key"], authorization, decoded, JSON.stringify(headers["x-api-key"])];
    response.writeHead(401).end(JSON.stringify({ message: `Refused: ${repeated.join(" ")} ${body}` }));
  });

/** Asks for the password in clear text, and says in its refusal what it was. */
const repeatingPostgres = (): Server =>
  createServer((socket) => {
    let isAsked = false;
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      if (!isAsked) {
        isAsked = true;
        socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
        return;
      }
      const password = bytes.subarray(5, -1).toString();
      const fields = Buffer.from(
        `SFATAL\0VFATAL\0C28P01\0Mpassword "${password}" is not known\0DIt was ${password}.\0\0`,
      );
      const head = Buffer.from([0x45, 0, 0, 0, 0]);
      head.writeInt32BE(fields.length + 4, 1);
      socket.end(Buffer.concat([head, fields]));
    });
  });

/** Object storage that says what it was sent; a session token is sent as it was entered. */
const repeatingS3 = (): Server =>
  createHttpServer((request, response) => {
    const { "x-amz-security-token": token = "", authorization = "" } = request.headers;
    const said = `${String(token)} ${authorization} ${request.url}`.replace(
      /[&<"]/g,
      (letter) => `&#${letter.charCodeAt(0)};`,
    );
    response.writeHead(400, { "content-type": "application/xml" });
    response.end(`<Error><Code>InvalidRequest</Code><Message>Refused: ${said}</Message></Error>`);
  });

/** Refuses a signed statement once, then the token that it gives out: each time it says what it was sent. */
function repeatingGoogle(): Server {
  let asked = 0;
  return createHttpServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += String(part);
    const isForToken = request.url === "/token";
    if (isForToken) asked += 1;
    const message = `Refused: ${request.headers.authorization} ${decodeURIComponent(body)} ${body}`;
    const isGiven = isForToken && asked > 1;
    response.writeHead(isGiven ? 200 : isForToken ? 400 : 401, { "content-type": "application/json" });
    const refusal = isForToken ? { error: "invalid_grant", error_description: message } : { error: { message } };
    response.end(JSON.stringify(isGiven ? { access_token: `${WORD}-token`, expires_in: 60 } : refusal));
  });
}

const googleKey = (): string => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" });
  return JSON.stringify({ client_email: "reader@example.com", private_key: pem, private_key_id: CANARY });
};

const repeatingMysql = (): Server =>
  mysqlLogin({
    plugin: "caching_sha2_password",
    refusal: (password) => `Access denied: the password "${password}" is not known. It was ${password}.`,
  });

beforeAll(async () => {
  const log = makeLog({ logLevel: "trace", destination: { write: (line) => void lines.push(line) } });
  t = await testApp({ roles: ["web", "worker"], realTime: true, log });
  const baseUrl = `http://127.0.0.1:${await portOf(repeatingApi())}`;
  sftp = await startScriptedSftpServer();
  t.deps.outbound.allow(`127.0.0.1:${sftp.port}`);
  const id = { apiName: "id", displayName: "ID" };
  const entity = { apiName: "companies", displayName: "Company", idField: "id", fields: [id], list: { path: "/all" } };
  configs = {
    http: { baseUrl, entities: [entity] },
    postgres: { host: "127.0.0.1", port: await portOf(repeatingPostgres()), database: "shop", encryption: "none" },
    mysql: { host: "127.0.0.1", port: await portOf(repeatingMysql()), database: "shop", encryption: "none" },
    files: { folder: "" },
    sftp: { host: "127.0.0.1", port: sftp.port, fingerprint: sftp.fingerprint },
    s3: { endpoint: `http://127.0.0.1:${await portOf(repeatingS3())}`, bucket: "shop", pathStyle: true },
    webhook: { sample: '{"id": 1}' },
    "google-sheets": {
      spreadsheet: "1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcd",
      baseUrl: `http://127.0.0.1:${await portOf(repeatingGoogle())}`,
    },
    manifest: { manifest: keyManifestOf(baseUrl) },
    ...Object.fromEntries(Object.entries(SYSTEM_SETTINGS).map(([type, { config }]) => [type, { ...config, baseUrl }])),
  };
});
afterAll(async () => {
  await sftp.stop();
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
});

function secretFor(type: string): string {
  if (type === "google-sheets") return googleKey();
  return type === "manifest" ? JSON.stringify({ api_key: CANARY }) : CANARY;
}

const cases = CONNECTORS.flatMap(({ type, authMethods }) => authMethods.map((method) => ({ type, method })));

test.each(cases)("[$type, $method.type] what is refused and repeated is shown nowhere", async ({ type, method }) => {
  const config = configs[type];
  if (!config) throw new Error(`say here how a system of the type ${type} repeats its credentials`);
  const manager = t.as("SYNC_MANAGER");
  const credentials = Object.fromEntries(
    method.fields.map(({ name, secret }) => [name, secret ? secretFor(type) : "reader"]),
  );
  const addresses = {
    authorizationUrl: `${String(config["baseUrl"])}/authorize`,
    tokenUrl: `${String(config["baseUrl"])}/token`,
  };
  const settings = method.type === "oauth" ? { ...config, ...addresses } : config;
  const body = { typeId: type, authType: method.type, config: settings, credentials };
  const answers: unknown[] = [await manager.send(api.testConnection, { body })];
  const { id } = await manager.call(api.createConnector, { body: { name: `${type} ${method.type}`, ...body } });
  const params = { connectorId: id };
  answers.push(
    await manager.send(api.testConnector, { params }),
    await manager.send(api.authenticateConnector, { params }),
    await manager.send(api.activateConnector, { params }),
  );
  if (type === "http") {
    const entity = { list: { path: "/x" } };
    answers.push(await manager.send(api.previewHttpEntity, { body: { ...body, entity } }));
  }
  const read = () => t.as("VIEWER").call(api.getConnector, { params });
  await expect.poll(async () => (await read()).schemaRefreshStatus).not.toBe("PROCESSING");
  answers.push(await read(), await t.as("VIEWER").call(api.listConnectors));
  // Nobody has signed in at the system: nothing is sent there.
  const isSent = method.type !== "none" && method.type !== "oauth";
  const isByApi = type === "http" || type === "manifest" || type === "google-sheets";
  const isRepeated = isByApi ? isSent : type === "postgres" || type === "s3";
  if (isRepeated) expect(JSON.stringify(answers), "the system's words are shown").toContain("•••");
  const stored = [await storedText(t.deps.appPool), await storedText(t.deps.dataPool)];
  for (const form of FORMS) {
    expect(JSON.stringify(answers), form).not.toContain(form);
    expect(stored.join().includes(form), `${form} in a table`).toBe(false);
    expect(lines.join("").includes(form), `${form} in the log`).toBe(false);
  }
});

test.each(["request_parameter", "body_data", "body_json", "header"])(
  "the token of a session in a %s is shown nowhere either",
  async (into) => {
    const manager = t.as("SYNC_MANAGER");
    const { baseUrl } = configs["http"] ?? {};
    const config = { manifest: sessionManifestOf(String(baseUrl), into) };
    const body = { typeId: "manifest", authType: "none", config, credentials: {} };
    const { id } = await manager.call(api.createConnector, { body: { name: `Session in ${into}`, ...body } });
    const answers = [
      await manager.send(api.testConnection, { body }),
      await manager.send(api.testConnector, { params: { connectorId: id } }),
      await manager.send(api.authenticateConnector, { params: { connectorId: id } }),
    ];
    expect(JSON.stringify(answers), "the system's words are shown").toContain("•••");
    expect(JSON.stringify(answers)).not.toContain(WORD);
    expect((await storedText(t.deps.appPool)).includes(`${WORD}-token`)).toBe(false);
    expect(lines.join("").includes(`${WORD}-token`)).toBe(false);
  },
);
