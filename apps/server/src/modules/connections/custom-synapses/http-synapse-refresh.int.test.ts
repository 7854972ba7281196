/** Schemas of an HTTP synapse's connections after another version of it is published, whatever they were doing meanwhile. */
import { API_KEY } from "@accord/connectors/test-systems/json-api";
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import type { Id } from "@accord/contracts";
import * as connectors from "@accord/contracts/connections/connectors";
import * as api from "@accord/contracts/connections/http-synapses";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import { eventually } from "../../../../test-kit/sync-world/working-world.ts";
import { addEntity, publishedSynapse, publishSynapse } from "../../../../test-kit/systems/http-synapse.ts";

const FIRMS = { ...companies("page", { kind: "page" }), apiName: "firms", displayName: "Firm" };

let t: TestApp;
/** A system that answers each call at once, or once it is let. */
const held: (() => void)[] = [];
let isHolding = false;
const system = createServer((_, response) => {
  const answer = (): void => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end('{"items":[]}');
  };
  if (isHolding) held.push(answer);
  else answer();
});

beforeAll(async () => {
  t = await testApp({ roles: ["web", "worker"], realTime: true });
  await new Promise<void>((resolve) => system.listen(0, "127.0.0.1", resolve));
  t.deps.outbound.allow(`127.0.0.1:${portOfSystem()}`);
});
afterAll(async () => {
  system.closeAllConnections();
  await new Promise((resolve) => system.close(resolve));
});

const admin = () => t.as("INSTANCE_ADMIN");
const portOfSystem = (): number => (system.address() as AddressInfo).port;
const detailOf = (connectorId: Id<"connector">) => admin().call(connectors.getConnector, { params: { connectorId } });
const settled = (connectorId: Id<"connector">, what = "the schema to be read") =>
  eventually(what, async () => {
    const found = await detailOf(connectorId);
    return found.status !== "ACTIVATING" && found.schemaRefreshStatus !== "PROCESSING" ? found : undefined;
  });

/** A connection that is signed in; `activate` goes on. */
async function authenticated(typeId: Id<"customSynapse">): Promise<Id<"connector">> {
  const config = { port: String(portOfSystem()) };
  const { connectorId } = await admin().call(connectors.createConnector, {
    body: { name: `Of ${typeId}`, typeId, authType: "apiKey", credentials: { apiKey: API_KEY }, config },
  });
  await admin().call(connectors.authenticateConnector, { params: { connectorId } });
  return connectorId;
}
const activate = (connectorId: Id<"connector">) =>
  admin().call(connectors.activateConnector, { params: { connectorId } });

/** Another version, with one more entity. */
async function publishFirms(metadataId: Id<"customSynapse">): Promise<void> {
  await admin().call(api.createSynapseDraft, { params: { metadataId }, body: {} });
  await addEntity(t, metadataId, FIRMS);
  await publishSynapse(t, metadataId);
}

test("[PLT-128] a connection that failed is in use again once a version corrects its synapse", async () => {
  const synapse = await publishedSynapse(t);
  const connectorId = await authenticated(synapse);
  await activate(connectorId);
  expect(await settled(connectorId)).toMatchObject({ status: "ACTIVE" });
  const problem = { kind: "configuration", message: "The synapse can't be called." };
  await t.deps.appPool.query("UPDATE connector SET status = 'ERROR', problem = $2 WHERE id = $1", [
    connectorId,
    problem,
  ]);
  await publishFirms(synapse);
  const found = await settled(connectorId);
  expect(found).toMatchObject({ status: "ACTIVE", schemaRefreshStatus: "SUCCESS", errorDetails: null });
  expect(found.entities.map(({ apiName }) => apiName)).toEqual(["companies", "firms"]);
});

test("[PLT-128] a connection that was never in use is left alone", async () => {
  const synapse = await publishedSynapse(t);
  const connectorId = await authenticated(synapse);
  await t.deps.appPool.query("UPDATE connector SET status = 'ERROR' WHERE id = $1", [connectorId]);
  await publishFirms(synapse);
  expect(await detailOf(connectorId)).toMatchObject({ status: "ERROR", schemaRefreshStatus: "NEW", entities: [] });
});

const waiting = (count: number) =>
  eventually(`${count} calls to wait`, async () => (held.length >= count ? true : undefined));
const release = (): void => {
  isHolding = false;
  for (const answer of held.splice(0)) answer();
};

test("[PLT-128] a version that is published while a schema is being read is the one that is stored", async () => {
  const synapse = await publishedSynapse(t);
  const connectorId = await authenticated(synapse);
  await activate(connectorId);
  await settled(connectorId);
  isHolding = true;
  await admin().call(connectors.refreshConnectorSchema, { params: { connectorId }, body: {} });
  await waiting(1);
  await publishFirms(synapse);
  await waiting(2);
  const [earlier, later] = held.splice(0);
  later?.();
  const names = async () => (await detailOf(connectorId)).entities.map(({ apiName }) => apiName);
  await settled(connectorId, "the later request to be done");
  expect(await names()).toEqual(["companies", "firms"]);
  // What the earlier request found is of the version before.
  isHolding = false;
  earlier?.();
  await eventually("the earlier job to end", async () => {
    const { rows } = await t.deps.appPool.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM pgboss.job WHERE name = 'connectors.refreshSchema' AND state IN ('created', 'active')",
    );
    return rows[0]?.count === 0 ? true : undefined;
  });
  expect(await names()).toEqual(["companies", "firms"]);
  expect(await detailOf(connectorId)).toMatchObject({ status: "ACTIVE", schemaRefreshStatus: "SUCCESS" });
});

test("[PLT-128] a version that is published while a connection is being activated is the one it begins with", async () => {
  const synapse = await publishedSynapse(t);
  const connectorId = await authenticated(synapse);
  isHolding = true;
  await activate(connectorId);
  await waiting(1);
  await publishFirms(synapse);
  release();
  const found = await settled(connectorId);
  expect(found).toMatchObject({ status: "ACTIVE", schemaRefreshStatus: "SUCCESS" });
  expect(found.entities.map(({ apiName }) => apiName)).toEqual(["companies", "firms"]);
});
