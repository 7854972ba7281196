/** HTTP synapses through the API: built, tried, published, connected and shared; their connections run like any JSON API. */
import { API_KEY, type JsonApi, startJsonApi } from "@accord/connectors/test-systems/json-api";
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import * as connectors from "@accord/contracts/connections/connectors";
import { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import * as entities from "@accord/contracts/connections/http-synapse-entities";
import * as optionsApi from "@accord/contracts/connections/http-synapse-options";
import { settingsOfVersion } from "@accord/contracts/connections/http-synapse-definition";
import * as sharing from "@accord/contracts/connections/http-synapse-sharing";
import * as api from "@accord/contracts/connections/http-synapses";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import { eventually } from "../../../../test-kit/sync-world/working-world.ts";
import {
  addEntity,
  connectSynapse,
  makeSynapse,
  portOf,
  publishedSynapse,
  publishSynapse,
  revisionOf,
  synapseForm,
} from "../../../../test-kit/systems/http-synapse.ts";

let t: TestApp;
let register: JsonApi;
beforeAll(async () => {
  t = await testApp({ roles: ["web", "worker"], realTime: true });
  register = await startJsonApi(25);
  t.deps.outbound.allow(new URL(register.url).host);
});
afterAll(() => register.stop());

const admin = () => t.as("INSTANCE_ADMIN");
/** Somebody who may work in every instance of the organisation. */
const owner = async () => t.asUser(await t.build.user({ orgAdmin: true, roles: ["INSTANCE_ADMIN"] }));
const PAGED = companies("page", { kind: "page", sizeParam: "size", size: 10 });

describe("an HTTP synapse", () => {
  test("[PLT-054] is made of a multipart form, and read back without blanks made up", async () => {
    const made = await admin().call(api.createHttpSynapse, {
      body: synapseForm("made_by_form", { variableValues: JSON.stringify({ port: "1" }) }),
    });
    expect(made).toMatchObject({
      name: "made_by_form",
      synapseType: "http",
      draftStatus: "NEW",
      publishedVersion: null,
      draftVersion: 1,
      status: "NEW",
      method: "GET",
      body: "",
      authType: "apiKey",
      authConfig: { apiKeyPlace: "header", apiKeyName: "X-Api-Key" },
      headers: [{ name: "X-Teams", value: "{{variable.teams}}" }],
      variableValues: { port: "1" },
      iconUri: "api",
    });
    // [PLT-089] Both flags are booleans.
    expect(made.variables.map(({ required, multivalued }) => [required, multivalued])).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(await admin().call(api.getHttpSynapse, { params: { metadataId: made.id } })).toEqual(made);
    const again = await admin().send(api.createHttpSynapse, { body: synapseForm("MADE_by_form") });
    expect(again.body).toMatchObject({ code: "name_taken", errors: [{ path: "name" }] });
  });

  test("[PLT-128] names what is wrong with its settings", async () => {
    const send = async (more: object) => {
      const { body } = await admin().send(api.createHttpSynapse, { body: synapseForm("wrong", more) });
      return (body as unknown as { errors: { path: string; message: string }[] }).errors.map(({ path }) => path);
    };
    expect(await send({ endpoint: "no address" })).toEqual(["endpoint"]);
    expect(await send({ endpoint: "https://{{variable.unknown}}.example" })).toEqual(["endpoint"]);
    expect(await send({ body: "{" })).toEqual(["body"]);
    expect(await send({ testPath: "/{{page}}" })).toEqual(["testPath"]);
    expect(await send({ variables: "[" })).toEqual(["variables"]);
    expect(await send({ authType: "oauth" })).toContain("authConfig.authorizationUrl");
  });

  test("[PLT-128] [PLT-073] goes from draft to published, to a draft again, and the draft is discarded", async () => {
    const metadataId = await makeSynapse(t);
    const params = { metadataId };
    const empty = await admin().send(api.publishSynapseDraft, {
      params,
      body: { revision: await revisionOf(t, metadataId) },
    });
    expect(empty.body).toMatchObject({ code: "validation_failed", errors: [{ path: "entities" }] });
    await addEntity(t, metadataId);
    const published = await publishSynapse(t, metadataId);
    expect(published).toMatchObject({ draftStatus: "APPROVED", version: 1, status: "APPROVED", draftVersion: null });
    const refused = await admin().send(api.updateSynapseDraft, {
      params,
      body: { revision: published.revision, settings: settingsOfVersion(published) },
    });
    expect(refused.body).toMatchObject({ code: "invalid_state" });

    const draft = await admin().call(api.createSynapseDraft, { params, body: {} });
    expect(draft).toMatchObject({ draftStatus: "APPROVED_WITH_DRAFT", version: 2, status: "NEW" });
    const settings = { ...settingsOfVersion(draft), displayName: "Renamed" };
    const changed = await admin().call(api.updateSynapseDraft, {
      params,
      body: { revision: draft.revision, settings },
    });
    expect(changed.displayName).toBe("Renamed");
    const stale = await admin().send(api.updateSynapseDraft, { params, body: { revision: draft.revision, settings } });
    expect(stale.body).toMatchObject({ code: "stale_version" });
    // What is published stays as it is meanwhile.
    const { types } = await admin().call(connectors.listConnectorTypes);
    expect(types.find(({ id }) => id === metadataId)?.displayName).toBe(published.displayName);
    const discarded = await admin().call(api.discardSynapseDraft, { params, body: { revision: changed.revision } });
    expect(discarded).toMatchObject({ draftStatus: "APPROVED", displayName: published.displayName, version: 1 });
  });

  test("[PLT-129] has entities, which are changed in the draft only", async () => {
    const metadataId = await makeSynapse(t);
    const params = { metadataId };
    const config = HttpEntityConfig.parse(PAGED);
    const made = await admin().call(entities.createSynapseEntity, { params, body: { config } });
    const at = { ...params, entityId: made.entityId };
    const twice = await admin().send(entities.createSynapseEntity, { params, body: { config } });
    expect(twice.body).toMatchObject({ code: "name_taken" });
    const wrong = { ...config, apiName: "other", idField: "nothing" };
    const refused = await admin().send(entities.createSynapseEntity, { params, body: { config: wrong } });
    expect(refused.body).toMatchObject({ errors: [{ path: "config.idField" }] });
    const changed = await admin().call(entities.updateSynapseEntity, {
      params: at,
      body: { revision: made.revision, config: { ...config, displayName: "Firm" } },
    });
    expect(await admin().call(entities.getSynapseEntity, { params: at })).toEqual(changed);
    const old = { revision: made.revision };
    const stale = await admin().send(entities.updateSynapseEntity, { params: at, body: { ...old, config } });
    expect(stale.body).toMatchObject({ code: "stale_version" });
    await publishSynapse(t, metadataId);
    const now = { revision: changed.revision };
    const published = await admin().send(entities.deleteSynapseEntity, { params: at, query: now });
    expect(published.body).toMatchObject({ code: "invalid_state" });
    await admin().call(api.createSynapseDraft, { params, body: {} });
    const staler = await admin().send(entities.deleteSynapseEntity, { params: at, query: old });
    expect(staler.body).toMatchObject({ code: "stale_version" });
    await admin().call(entities.deleteSynapseEntity, { params: at, query: now });
    const listed = async (version?: number) =>
      (await admin().call(entities.listSynapseEntities, { params, query: { version } })).entities.length;
    expect([await listed(), await listed(1), await listed(2)]).toEqual([0, 1, 0]);
    expect((await admin().send(entities.listSynapseEntities, { params, query: { version: 3 } })).status).toBe(404);
  });

  test("[PLT-129] proposes fields from a JSON answer, and offers kinds of paging", async () => {
    const json = JSON.stringify({ data: [{ id: 7, name: "A", updated_at: "2026-01-01T00:00:00Z" }], total: 1 });
    const proposal = await admin().call(entities.generateSynapseEntitySchema, { body: { json } });
    expect(proposal).toMatchObject({ recordSelector: "data", recordCount: 1 });
    expect(proposal.fields).toMatchObject([
      { apiName: "id", dataType: "integer", isIdField: true },
      { apiName: "name", dataType: "string" },
      { apiName: "updated_at", dataType: "datetime", isWatermarkField: true },
    ]);
    const none = await admin().send(entities.generateSynapseEntitySchema, { body: { json: "{" } });
    expect(none.body).toMatchObject({ errors: [{ path: "json" }] });
    const { options } = await admin().call(entities.listSynapsePaginationOptions);
    expect(options.map(({ kind }) => kind)).toContain("nextLink");
    expect((await admin().call(optionsApi.listSynapseDatatypes)).datatypes).not.toEqual([]);
    expect((await admin().call(optionsApi.listSynapseAuthTypes)).authTypes.map(({ type }) => type)).toContain("apiKey");
  });
});

describe("a connection of an HTTP synapse", () => {
  test("[PLT-052] [PLT-128] is made from the library with its variables, and lists, asks for and reads what it describes", async () => {
    const typeId = await publishedSynapse(t);
    const { types } = await admin().call(connectors.listConnectorTypes);
    expect(types.find(({ id }) => id === typeId)).toMatchObject({
      category: "api",
      configFields: [{ name: "port", required: true }, { name: "teams" }],
      authMethods: [{ type: "apiKey" }],
    });
    const missing = await admin().send(connectors.createConnector, {
      body: { name: "None", typeId, authType: "apiKey", credentials: { apiKey: "k" }, config: {} },
    });
    expect(missing.body).toMatchObject({ errors: [{ path: "config.port" }] });
    const stray = await admin().send(connectors.createConnector, {
      body: {
        name: "None",
        typeId,
        authType: "apiKey",
        credentials: { apiKey: "k" },
        config: { port: "1/@evil.example" },
      },
    });
    expect(stray.body).toMatchObject({ errors: [{ path: "config.port" }] });
    const connectorId = await connectSynapse(t, typeId, register, { name: "Read" });
    const detail = await admin().call(connectors.getConnector, { params: { connectorId } });
    expect(detail).toMatchObject({
      custom: true,
      httpSource: true,
      metadataId: typeId,
      connectorMetaDefinitionId: typeId,
      draftStatus: "APPROVED",
      config: { port: portOf(register) },
      entities: [{ apiName: "companies" }],
    });
    expect(JSON.stringify(detail)).not.toContain(API_KEY);
    const { records } = await admin().call(connectors.getSampleRecords, {
      params: { connectorId, entityApiName: "companies" },
      query: { count: 3 },
    });
    expect(records).toHaveLength(3);
    expect(
      (await admin().send(api.deleteHttpSynapse, { params: { connectorMetaDefinitionId: typeId } })).body,
    ).toMatchObject({
      code: "in_use",
    });
    await admin().call(connectors.deleteConnector, { params: { connectorId } });
    await admin().call(api.deleteHttpSynapse, { params: { connectorMetaDefinitionId: typeId } });
    expect((await admin().send(api.getHttpSynapse, { params: { metadataId: typeId } })).status).toBe(404);
  });

  test("[PLT-128] uses a new version once it is published; what breaks is said before", async () => {
    const typeId = await publishedSynapse(t);
    const connectorId = await connectSynapse(t, typeId, register, { name: "Changing" });
    const params = { metadataId: typeId };
    await admin().call(api.createSynapseDraft, { params, body: {} });
    const { entities: described } = await admin().call(entities.listSynapseEntities, { params });
    const [entity] = described;
    if (!entity) throw new Error("it has an entity");
    const config = { ...entity.config, fields: entity.config.fields.filter(({ apiName }) => apiName !== "tags") };
    await admin().call(entities.updateSynapseEntity, {
      params: { ...params, entityId: entity.entityId },
      body: { revision: entity.revision, config },
    });
    await addEntity(t, typeId, { ...PAGED, apiName: "firms", displayName: "Firm" });
    expect(await admin().call(api.getSynapseChanges, { params })).toMatchObject({
      changes: [
        { kind: "entityAdded", isBreaking: false, entity: "firms" },
        { kind: "fieldRemoved", isBreaking: true, entity: "companies", name: "tags" },
      ],
      problems: [],
      connections: [{ connectorId, name: "Changing", pipelines: [] }],
      connectionsElsewhere: 0,
    });
    const refused = await admin().send(api.publishSynapseDraft, {
      params,
      body: { revision: await revisionOf(t, typeId) },
    });
    expect(refused.body).toMatchObject({ code: "breaking_changes" });
    const before = await admin().call(connectors.listConnectorEntities, { params: { connectorId } });
    expect(before.entities.map(({ apiName }) => apiName)).toEqual(["companies"]);
    await publishSynapse(t, typeId);
    const names = await eventually("the schema to be read again", async () => {
      const { entities: found } = await admin().call(connectors.listConnectorEntities, { params: { connectorId } });
      return found.length === 2 ? found.map(({ apiName }) => apiName).sort() : undefined;
    });
    expect(names).toEqual(["companies", "firms"]);
  });

  test("[PLT-128] never has its secrets sent to an address that the synapse's author enters later", async () => {
    const other = await startJsonApi(1);
    t.deps.outbound.allow(new URL(other.url).host);
    const typeId = await publishedSynapse(t);
    const connectorId = await connectSynapse(t, typeId, register, { name: "Moved" });
    const params = { metadataId: typeId };
    const draft = await admin().call(api.createSynapseDraft, { params, body: {} });
    const settings = { ...settingsOfVersion(draft), endpoint: other.url };
    await admin().call(api.updateSynapseDraft, { params, body: { revision: draft.revision, settings } });
    await publishSynapse(t, typeId);
    const result = await admin()
      .call(connectors.testConnector, { params: { connectorId } })
      .catch((error) => error);
    expect(JSON.stringify(result)).toContain("entered for");
    expect(other.calls).toEqual([]);
    await other.stop();
  });
});

describe("sharing", () => {
  test("[PLT-129] makes it connectable in chosen instances, and takes it away with notice", async () => {
    const organisationId = t.organisationId;
    const elsewhere = await t.build.instance({ organisationId });
    const at = { instanceId: elsewhere, organisationId };
    const typeId = await publishedSynapse(t);
    const params = { connectorMetaDefinitionId: typeId };
    const sharer = await owner();
    const isOffered = async () =>
      (await t.as("INSTANCE_ADMIN", at).call(connectors.listConnectorTypes)).types.some(({ id }) => id === typeId);
    expect(await isOffered()).toBe(false);
    expect(await admin().call(sharing.getSynapseShare, { params })).toEqual({ scope: "PRIVATE", instanceIds: [] });
    const scope = await sharer.call(sharing.getSynapseShareScope);
    expect(scope.scopes.map(({ id }) => id)).toEqual(["PRIVATE", "SUBSCRIPTION", "INSTANCES"]);
    expect(scope.instances.map(({ id }) => id)).toContain(elsewhere);
    const global = await admin().send(sharing.shareSynapse, { params, body: { scope: "GLOBAL" } });
    expect(global.body).toMatchObject({ code: "forbidden" });
    const share = { scope: "INSTANCES" as const, instanceIds: [elsewhere] };
    const beyond = await admin().send(sharing.shareSynapse, { params, body: share });
    expect(beyond.status).toBe(404);
    expect(await sharer.call(sharing.shareSynapse, { params, body: share })).toEqual(share);
    expect(await isOffered()).toBe(true);
    const connectorId = await connectSynapse(t, typeId, register, { at, name: "Shared" });
    expect((await admin().send(api.deleteHttpSynapse, { params })).body).toMatchObject({ code: "in_use" });
    const narrowed = await sharer.send(sharing.shareSynapse, { params, body: { scope: "PRIVATE" } });
    expect(narrowed.body).toMatchObject({ code: "breaking_changes" });
    await sharer.call(sharing.shareSynapse, { params, body: { scope: "PRIVATE", acceptBreaking: true } });
    expect(await isOffered()).toBe(false);
    const there = t.as("INSTANCE_ADMIN", at);
    const tried = await there.call(connectors.testConnector, { params: { connectorId } });
    expect(tried).toMatchObject({ ok: false, problem: { message: expect.stringContaining("not shared") } });
    // It is shown, and can be deleted.
    expect((await there.call(connectors.getConnector, { params: { connectorId } })).typeName).toBe("Custom synapse");
    await there.call(connectors.deleteConnector, { params: { connectorId } });
  });

  test("[PLT-129] with the organisation reaches its instances, and no other organisation's", async () => {
    const organisationId = t.organisationId;
    const sibling = { instanceId: await t.build.instance({ organisationId }), organisationId };
    const typeId = await publishedSynapse(t);
    const params = { connectorMetaDefinitionId: typeId };
    await admin().call(sharing.shareSynapse, { params, body: { scope: "SUBSCRIPTION" } });
    const { organisationId: others } = await t.build.organisation("Elsewhere");
    const foreign = { instanceId: await t.build.instance({ organisationId: others }), organisationId: others };
    const offered = async (at: Parameters<TestApp["as"]>[1]) =>
      (await t.as("INSTANCE_ADMIN", at).call(connectors.listConnectorTypes)).types.some(({ id }) => id === typeId);
    expect([await offered(sibling), await offered(foreign)]).toEqual([true, false]);
  });
});
