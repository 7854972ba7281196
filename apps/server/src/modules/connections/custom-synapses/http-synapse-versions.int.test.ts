/** Versions of HTTP synapses: who may publish one, over which draft, and what of it may break connections. */
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import * as connectors from "@accord/contracts/connections/connectors";
import * as entities from "@accord/contracts/connections/http-synapse-entities";
import { settingsOfVersion } from "@accord/contracts/connections/http-synapse-definition";
import * as sharing from "@accord/contracts/connections/http-synapse-sharing";
import * as api from "@accord/contracts/connections/http-synapses";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import { eventually } from "../../../../test-kit/sync-world/working-world.ts";
import {
  addEntity,
  makeSynapse,
  publishedSynapse,
  publishSynapse,
  revisionOf,
} from "../../../../test-kit/systems/http-synapse.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ roles: ["web"] });
  t.deps.outbound.allow("127.0.0.1:1");
});

const admin = () => t.as("INSTANCE_ADMIN");

describe("a synapse of the whole installation", () => {
  test("[PLT-129] is published, shared otherwise, given an icon and deleted by the operator alone", async () => {
    const metadataId = await publishedSynapse(t);
    const params = { metadataId };
    const shared = { connectorMetaDefinitionId: metadataId };
    const operator = t.as("SUPER_ADMIN");
    const manager = t.as("SYNC_MANAGER");
    await operator.call(sharing.shareSynapse, { params: shared, body: { scope: "GLOBAL" } });
    const body = { revision: (await manager.call(api.createSynapseDraft, { params, body: {} })).revision };
    const refused = [
      await manager.send(api.publishSynapseDraft, { params, body }),
      await manager.send(sharing.shareSynapse, { params: shared, body: { scope: "PRIVATE" } }),
      await manager.send(api.setSynapseIcon, { params, body: {} }),
      await manager.send(api.deleteHttpSynapse, { params: shared }),
    ];
    expect(refused.map((answer) => [answer.status, answer.body])).toEqual(
      Array(4).fill([403, expect.objectContaining({ code: "forbidden" })]),
    );
    const published = await operator.call(api.publishSynapseDraft, { params, body });
    expect(published).toMatchObject({ publishedVersion: 2, shareScope: "GLOBAL" });
    await operator.call(sharing.shareSynapse, { params: shared, body: { scope: "PRIVATE" } });
    // One of an instance is that instance's own business.
    await manager.call(api.setSynapseIcon, { params, body: {} });
    await manager.call(api.deleteHttpSynapse, { params: shared });
  });
});

describe("a version that may break connections", () => {
  type Synapse = Awaited<ReturnType<typeof makeSynapse>>;

  /** A connection; nothing is asked of its system. */
  const connected = async (typeId: Synapse, authType: string, credentials: Record<string, string>) => {
    const config = { port: "1", teams: ["north", "south"] };
    await admin().call(connectors.createConnector, {
      body: { name: `Used ${typeId}`, typeId, authType, credentials, config },
    });
  };
  const changedSettings = async (
    metadataId: Synapse,
    change: (settings: ReturnType<typeof settingsOfVersion>) => ReturnType<typeof settingsOfVersion>,
  ) => {
    const params = { metadataId };
    const draft = await admin().call(api.createSynapseDraft, { params, body: {} });
    const settings = change(settingsOfVersion(draft));
    await admin().call(api.updateSynapseDraft, { params, body: { revision: draft.revision, settings } });
  };
  /** What is said before, and that it is refused until somebody accepts it. */
  const refusedFor = async (metadataId: Synapse) => {
    const params = { metadataId };
    const { changes } = await admin().call(api.getSynapseChanges, { params });
    const body = { revision: await revisionOf(t, metadataId) };
    const refused = await admin().send(api.publishSynapseDraft, { params, body });
    expect([refused.status, refused.body]).toEqual([409, expect.objectContaining({ code: "breaking_changes" })]);
    expect(await publishSynapse(t, metadataId)).toMatchObject({ publishedVersion: 2 });
    return changes.filter(({ isBreaking }) => isBreaking).map(({ kind }) => kind);
  };

  test("[PLT-128] has another page for signing in", async () => {
    const page = "http://127.0.0.1:1/authorize";
    const authConfig = JSON.stringify({ authorizationUrl: page, tokenUrl: "http://127.0.0.1:1/token" });
    const synapse = await makeSynapse(t, undefined, { authType: "oauth", authConfig });
    await addEntity(t, synapse);
    await publishSynapse(t, synapse);
    await connected(synapse, "oauth", { clientId: "c", clientSecret: "s" });
    await changedSettings(synapse, (settings) => ({
      ...settings,
      authConfig: { ...settings.authConfig, authorizationUrl: `${page}/other` },
    }));
    expect(await refusedFor(synapse)).toEqual(["addressChanged"]);
  });

  test("[PLT-128] has one value for a variable of several", async () => {
    const synapse = await publishedSynapse(t);
    await connected(synapse, "apiKey", { apiKey: "k" });
    await changedSettings(synapse, (settings) => ({
      ...settings,
      variables: settings.variables.map((variable) => ({ ...variable, multivalued: false })),
    }));
    expect(await refusedFor(synapse)).toEqual(["variableChanged"]);
  });

  test("[PLT-128] has the id at another place of the answer", async () => {
    const synapse = await publishedSynapse(t);
    await connected(synapse, "apiKey", { apiKey: "k" });
    const params = { metadataId: synapse };
    await admin().call(api.createSynapseDraft, { params, body: {} });
    const [entity] = (await admin().call(entities.listSynapseEntities, { params })).entities;
    if (!entity) throw new Error("it has an entity");
    const fields = entity.config.fields.map((field) =>
      field.apiName === "id" ? { ...field, path: "meta.id" } : field,
    );
    await admin().call(entities.updateSynapseEntity, {
      params: { ...params, entityId: entity.entityId },
      body: { revision: entity.revision, config: { ...entity.config, fields } },
    });
    expect(await refusedFor(synapse)).toEqual(["idFieldChanged"]);
  });
});

test("[PLT-128] a synapse that is deleted while it is being connected is not connected", async () => {
  const typeId = await publishedSynapse(t);
  const other = await t.deps.appPool.connect();
  await other.query("BEGIN");
  await other.query("SELECT FROM http_synapse WHERE id = $1 FOR UPDATE", [typeId]);
  let isAnswered = false;
  const answer = admin()
    .send(connectors.createConnector, {
      body: { name: "Late", typeId, authType: "apiKey", credentials: { apiKey: "k" }, config: { port: "1" } },
    })
    .finally(() => {
      isAnswered = true;
    });
  await eventually("the connection to wait, or to be there", async () => {
    const waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    return isAnswered || (await t.deps.appPool.query(waiting)).rowCount ? true : undefined;
  });
  await other.query("DELETE FROM http_synapse WHERE id = $1", [typeId]);
  await other.query("COMMIT");
  other.release();
  expect((await answer).body).toMatchObject({
    errors: [{ path: "typeId", message: expect.stringContaining("is not in the library") }],
  });
  const { connectors: there } = await admin().call(connectors.listConnectors);
  expect(there.filter(({ name }) => name === "Late")).toEqual([]);
});

describe("a draft of two people", () => {
  test("[PLT-128] is published and discarded as it was looked at, entities included", async () => {
    const metadataId = await publishedSynapse(t);
    const params = { metadataId };
    const draft = await admin().call(api.createSynapseDraft, { params, body: {} });
    // Somebody else adds an entity meanwhile.
    const firms = { ...companies("page", { kind: "page" }), apiName: "firms" };
    await addEntity(t, metadataId, firms);
    const body = { revision: draft.revision };
    const refused = [
      await admin().send(api.publishSynapseDraft, { params, body: { ...body, acceptBreaking: true } }),
      await admin().send(api.discardSynapseDraft, { params, body }),
      await admin().send(api.updateSynapseDraft, { params, body: { ...body, settings: settingsOfVersion(draft) } }),
    ];
    expect(refused.map((answer) => [answer.status, answer.body])).toEqual(
      Array(3).fill([409, expect.objectContaining({ code: "stale_version" })]),
    );
    const now = await admin().call(api.getHttpSynapse, { params });
    expect(now.entities.map(({ apiName }) => apiName)).toEqual(["companies", "firms"]);
    await admin().call(api.publishSynapseDraft, { params, body: { revision: now.revision } });
  });

  test("[PLT-129] has no entity with the revision of one in a draft that was discarded", async () => {
    const metadataId = await publishedSynapse(t);
    const params = { metadataId };
    /** The only entity, renamed in a new draft. */
    const renamed = async (displayName: string) => {
      await admin().call(api.createSynapseDraft, { params, body: {} });
      const [entity] = (await admin().call(entities.listSynapseEntities, { params })).entities;
      if (!entity) throw new Error("it has an entity");
      return admin().call(entities.updateSynapseEntity, {
        params: { ...params, entityId: entity.entityId },
        body: { revision: entity.revision, config: { ...entity.config, displayName } },
      });
    };
    const first = await renamed("First");
    await admin().call(api.discardSynapseDraft, { params, body: { revision: await revisionOf(t, metadataId) } });
    const second = await renamed("Second");
    // Whoever still looks at the entity of the first draft changes nothing of the second one's.
    const at = { ...params, entityId: first.entityId };
    const { revision, config } = first;
    const refused = [
      await admin().send(entities.updateSynapseEntity, { params: at, body: { revision, config } }),
      await admin().send(entities.deleteSynapseEntity, { params: at, query: { revision } }),
    ];
    expect(refused.map(({ body }) => body)).toEqual(Array(2).fill(expect.objectContaining({ code: "stale_version" })));
    expect(await admin().call(entities.getSynapseEntity, { params: at })).toEqual(second);
  });
});

test("[PLT-128] a draft is limited as a whole, and says what to do about it", async () => {
  const metadataId = await makeSynapse(t);
  const params = { metadataId };
  const refusalOf = (path: string) =>
    expect.objectContaining({ errors: [{ path, message: expect.stringContaining("it may be 2 MB") }] });
  /** Adds entities of so many fields until one is too many. */
  const fill = async (count: number) => {
    const fields = Array.from({ length: count }, (_, at) => ({ apiName: `f${at}`, displayName: `Field ${at}` }));
    for (let tries = 0; tries < 12; tries += 1) {
      const apiName = `e${count}_${tries}`;
      const config = { apiName, displayName: apiName, idField: "f0", fields, list: { path: "/all" } };
      const { status, body } = await admin().send(entities.createSynapseEntity, { params, body: { config } });
      if (status === 400) return body;
    }
    return null;
  };
  expect(await fill(900)).toEqual(refusalOf("config"));
  expect(await fill(100)).toEqual(refusalOf("config"));
  const draft = await admin().call(api.getHttpSynapse, { params });
  expect(draft.entities.length).toBeGreaterThan(4);
  const headers = Array.from({ length: 50 }, (_, at) => ({ name: `X-Header-${at}`, value: "x".repeat(4000) }));
  const answer = await admin().send(api.updateSynapseDraft, {
    params,
    body: { revision: draft.revision, settings: { ...settingsOfVersion(draft), headers } },
  });
  expect(answer.body).toEqual(refusalOf("settings"));
});

test("[PLT-128] lists read no definition of a version that is in memory", async () => {
  const typeId = await publishedSynapse(t);
  const config = { port: "1" };
  await admin().call(connectors.createConnector, {
    body: { name: "Listed", typeId, authType: "apiKey", credentials: { apiKey: "k" }, config },
  });
  await admin().call(connectors.listConnectors);
  await admin().call(connectors.listConnectorTypes);
  const client = await t.deps.appPool.connect();
  const query = vi.spyOn(Object.getPrototypeOf(client), "query");
  client.release();
  onTestFinished(() => query.mockRestore());
  const { connectors: listed } = await admin().call(connectors.listConnectors);
  expect(listed.find(({ name }) => name === "Listed")?.typeName).toMatch(/^Register /);
  const { types } = await admin().call(connectors.listConnectorTypes);
  expect(types.map(({ id }) => id)).toContain(typeId);
  const asked = query.mock.calls.map(([statement]) => JSON.stringify(statement));
  expect(asked.some((statement) => statement.includes("http_synapse"))).toBe(true);
  expect(asked.filter((statement) => statement.includes("definition"))).toEqual([]);
});
