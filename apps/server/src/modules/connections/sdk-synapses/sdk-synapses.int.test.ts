/** Uploaded synapses through HTTP: files, drafts, approval by somebody else, sharing, and what connections may run. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as connectors from "@accord/contracts/connections/connectors";
import * as template from "@accord/contracts/connections/sdk-synapse-template";
import * as api from "@accord/contracts/connections/sdk-synapses";
import { getSdkSynapseShare, shareSdkSynapse } from "@accord/contracts/connections/sdk-synapse-sharing";
import { listAuditEntries } from "@accord/contracts/operations/audit";
import { makeUpload } from "@accord/contracts/upload";
import { afterAll, expect, test } from "vitest";
import { testApp, type Caller } from "../../../../test-kit/index.ts";
import { isAvailable, whereAvailable } from "../../../platform/sandbox/where-available.fixtures.ts";
import { sampleSynapse } from "./sample-synapse.fixtures.ts";

const system = createServer((request, response) => {
  if (request.headers.authorization !== "Bearer right") return response.writeHead(401).end();
  return response.end('[{"id":1,"name":"Ada","age":36}]');
});
await new Promise<void>((done) => system.listen(0, "127.0.0.1", done));
afterAll(() => void system.close());
const baseUrl = `http://127.0.0.1:${(system.address() as AddressInfo).port}`;

const t = await testApp({ roles: ["worker"], config: { outboundAllow: ["127.0.0.1"] } });
const author = t.as("SYNC_MANAGER");
const approver = t.as("SUPER_ADMIN");

const file = (fileName: string, text: string | Buffer) =>
  makeUpload({ fileName, contentType: "text/plain", bytes: Buffer.from(text) });
const REQUIREMENTS = file("package.json", '{"dependencies":{"@accord/connector-sdk":"0.1.0"}}');
const bodyOf = (code = sampleSynapse()) => ({
  connectorMetaName: `contacts-${t.deps.newId()}`,
  connectorMetaDisplayName: "Contacts",
  synapseFile: file("synapse.mjs", code),
  requirementsFile: REQUIREMENTS,
});
const create = async (more: object = {}, by: Caller = author) => {
  const made = await by.call(api.createSdkSynapse, { body: { ...bodyOf(), ...more } });
  return { made, params: { connectorMetaDefinitionId: made.connectorMetaDefinitionId } };
};
type Params = Awaited<ReturnType<typeof create>>["params"];
const hashOf = async (params: Params): Promise<string> =>
  (await author.call(api.getSdkSynapseDraft, { params })).draft?.contentHash ?? "";
const submit = async (params: Params, by: Caller = author) =>
  by.send(api.submitSdkSynapse, { params, body: { contentHash: await hashOf(params) } });
const statusOf = (params: Params) => author.call(api.getSdkSynapseStatus, { params });
const seen = async (params: Params) => {
  const { publishToGlobal } = await author.call(api.getSdkSynapse, { params });
  return { contentHash: await hashOf(params), publishToGlobal };
};
const approve = async (params: Params) => {
  await submit(params);
  const begun = await approver.call(api.approveSdkSynapse, { params, body: await seen(params) });
  expect(begun).toMatchObject({ approvalStatus: "APPROVAL_IN_PROGRESS", deploymentStatus: "DEPLOY_IN_PROGRESS" });
  await expect.poll(async () => (await statusOf(params)).deploymentStatus).not.toBe("DEPLOY_IN_PROGRESS");
  return statusOf(params);
};
const inputs = { config: { baseUrl }, authType: "bearerToken", credentials: { token: "right" } };
const refusal = async (call: Promise<{ status: number; body: unknown }>, status: number): Promise<string> => {
  const answer = await call;
  expect(answer.status).toBe(status);
  return JSON.stringify(answer.body);
};

test("[PLT-056] three files make a draft, which is read back; nothing is published", async () => {
  const { made, params } = await create({ iconFile: file("icon.png", Buffer.from("89504e470d0a1a0a00", "hex")) });
  expect(made).toMatchObject({
    connectorMetaDisplayName: "Contacts",
    publishToGlobal: false,
    approvalStatus: "NEW",
    deploymentStatus: null,
    hasDraft: true,
    published: null,
    scope: "PRIVATE",
  });
  const { draft } = await author.call(api.getSdkSynapseDraft, { params });
  expect(draft).toMatchObject({
    ...{ number: 1, synapseFileName: "synapse.mjs", hasIcon: true, description: null },
    requirements: [{ name: "@accord/connector-sdk", version: "0.1.0" }],
  });
  expect(await author.call(api.getSdkSynapse, { params })).toEqual(made);
  expect((await author.call(api.listSdkSynapses)).synapses).toContainEqual(made);
});

const requirements = (text: string) => ({ requirementsFile: file("package.json", text) });
test.each([
  { what: "requirements that are no JSON", more: requirements("zod==4"), says: "must be JSON" },
  { what: "a range of versions", more: requirements('{"@accord/connector-sdk":"^0.1.0"}'), says: "exact version" },
  {
    what: "a package that is not there",
    more: requirements('{"@accord/connector-sdk":"0.1.0","zod":"4.6.7"}'),
    says: "Bundle it",
  },
  {
    what: "another version of the SDK",
    more: requirements('{"@accord/connector-sdk":"9.0.0"}'),
    says: "this server has 0.1.0",
  },
  { what: "no SDK", more: requirements("{}"), says: "must name the SDK" },
  { what: "scripts", more: requirements('{"scripts":{"postinstall":"x"},"dependencies":{}}'), says: "not supported" },
  { what: "a program of another language", more: { synapseFile: file("main.py", "x") }, says: "ES module" },
  { what: "an empty file", more: { synapseFile: file("a.mjs", "") }, says: "is empty" },
  { what: "an icon that is a page", more: { iconFile: file("a.png", "<svg onload=alert(1)>") }, says: "PNG" },
  { what: "a name with spaces", more: { connectorMetaName: "my synapse" }, says: "no spaces" },
])("[PLT-056] $what is refused by name", async ({ more, says }) => {
  const answer = await refusal(author.send(api.createSdkSynapse, { body: { ...bodyOf(), ...more } }), 400);
  expect(answer).toContain(says);
});

test("[PLT-056] a name is taken once in an instance", async () => {
  const { made } = await create();
  const body = { ...bodyOf(), connectorMetaName: made.connectorMetaName.toUpperCase() };
  expect((await author.send(api.createSdkSynapse, { body })).status).toBe(409);
});

test("[PLT-131] the author's test runs the draft in the sandbox with inputs; where there is none, it says so", async () => {
  const { params } = await create({ synapseFile: file("s.mjs", `${sampleSynapse()}\nconsole.log("loaded");`) });
  const right = await author.call(api.testSdkSynapse, { params, body: inputs });
  if (!isAvailable) {
    expect(right.result.problem?.message).toContain("can't run on this server");
    expect((await statusOf(params)).sandbox.fix).not.toBeNull();
    return;
  }
  expect(right.result.ok).toBe(true);
  expect(right.description).toMatchObject({ displayName: "Contacts", origins: ["{baseUrl}"] });
  expect(right.log).toContain("loaded");
  const wrong = await author.call(api.testSdkSynapse, {
    params,
    body: { ...inputs, credentials: { token: "wrong-one" } },
  });
  expect(wrong.result).toMatchObject({ ok: false, problem: { kind: "authentication", hint: "Enter another." } });
  const missing = await refusal(author.send(api.testSdkSynapse, { params, body: { ...inputs, config: {} } }), 400);
  expect(missing).toContain("config.baseUrl");
});

test("[PLT-131] code that can't be loaded is tested with what is wrong with it, and can't be submitted", async () => {
  const { params } = await create({ synapseFile: file("s.mjs", "export const synapse = 5;") });
  const { result } = await author.call(api.testSdkSynapse, { params, body: {} });
  expect(result.ok).toBe(false);
  expect(result.problem?.message).toMatch(isAvailable ? /exports no synapse/ : /can't run/);
  expect(await refusal(submit(params), 409)).toContain("could not be read");
});

test("[PLT-074] submit, withdraw, submit; files stay as they are while it is submitted", async () => {
  const { params } = await create();
  if (!isAvailable) return expect((await submit(params)).status).toBe(409);
  expect((await submit(params)).body).toMatchObject({ approvalStatus: "SUBMIT_FOR_APPROVAL" });
  const body = { contentHash: await hashOf(params), synapseFile: file("b.mjs", "x") };
  expect(await refusal(author.send(api.updateSdkSynapseDraft, { params, body }), 409)).toContain("withdraw it first");
  expect((await submit(params)).status).toBe(409);
  expect(await author.call(api.withdrawSdkSynapse, { params })).toMatchObject({ approvalStatus: "NEW" });
  expect((await author.send(api.withdrawSdkSynapse, { params })).status).toBe(409);
  await author.call(api.updateSdkSynapseDraft, { params, body });
  return undefined;
});

test(
  "[PLT-074] [PLT-105] only what somebody else approved is deployed and used",
  whereAvailable(async () => {
    const { params, made } = await create();
    const typeId = `sdk:${made.connectorMetaDefinitionId}`;
    const connection = { name: `C ${t.deps.newId()}`, typeId, ...inputs };
    // Unapproved: no type, no connection.
    expect((await author.call(connectors.listConnectorTypes)).types.map(({ id }) => id)).not.toContain(typeId);
    expect(await refusal(author.send(connectors.createConnector, { body: connection }), 400)).toContain("typeId");
    await submit(params);
    const body = await seen(params);
    expect((await author.send(api.approveSdkSynapse, { params, body })).status).toBe(403);
    // Another hash than the one that was looked at.
    const other = { ...body, contentHash: "0".repeat(64) };
    expect((await approver.send(api.approveSdkSynapse, { params, body: other })).status).toBe(409);
    await author.call(api.withdrawSdkSynapse, { params });
    expect(await approve(params)).toMatchObject({
      approvalStatus: "APPROVED",
      deploymentStatus: "ACTIVE",
      message: null,
    });
    const types = (await author.call(connectors.listConnectorTypes)).types;
    expect(types.find(({ id }) => id === typeId)).toMatchObject({
      displayName: "Contacts",
      capabilities: ["read", "create"],
    });
    const stored = await author.call(connectors.createConnector, { body: connection });
    expect(stored).toMatchObject({ custom: true, typeName: "Contacts", status: "NEW" });
    const at = { params: { connectorId: stored.id } };
    expect(await author.call(connectors.testConnector, at)).toMatchObject({ ok: true });
    // In use: not deleted, and the message says so.
    expect(await refusal(author.send(api.deleteSdkSynapse, { params }), 409)).toContain(connection.name);
    await author.call(connectors.deleteConnector, at);
    await author.call(api.deleteSdkSynapse, { params });
    expect((await author.send(api.getSdkSynapse, { params })).status).toBe(404);
  }),
);

test(
  "[PLT-074] whoever uploaded or submitted code can't approve it",
  whereAvailable(async () => {
    const { params } = await create({}, approver);
    await submit(params, approver);
    const body = await seen(params);
    expect(await refusal(approver.send(api.approveSdkSynapse, { params, body }), 409)).toContain(
      "ask another approver",
    );
  }),
);

test(
  "[PLT-105] an approval is of the files: other bytes in the database run nowhere",
  whereAvailable(async () => {
    const { params, made } = await create();
    await approve(params);
    const body = { name: `C ${t.deps.newId()}`, typeId: `sdk:${made.connectorMetaDefinitionId}`, ...inputs };
    const { id: connectorId } = await author.call(connectors.createConnector, { body });
    await t.deps.appPool.query("UPDATE sdk_synapse_version SET code = $2 WHERE synapse_id = $1", [
      made.connectorMetaDefinitionId,
      Buffer.from(`${sampleSynapse()} // changed`),
    ]);
    const { ok, problem } = await author.call(connectors.testConnector, { params: { connectorId } });
    expect(ok).toBe(false);
    expect(problem?.message).toContain("not the code that was uploaded");
  }),
);

test(
  "[PLT-131] a new draft is made of what is published, changes nothing until it is approved, and is discarded",
  whereAvailable(async () => {
    const { params } = await create();
    await approve(params);
    const { draft } = await author.call(api.createSdkSynapseDraft, { params });
    expect(draft).toMatchObject({ number: 2, approvalStatus: "NEW" });
    expect((await author.send(api.createSdkSynapseDraft, { params })).status).toBe(409);
    expect(await author.call(api.discardSdkSynapseDraft, { params })).toEqual({ draft: null });
    await author.call(api.createSdkSynapseDraft, { params });
    const code = sampleSynapse().replace('displayName: "Contacts"', 'displayName: "People"');
    const body = { contentHash: await hashOf(params), synapseFile: file("n.mjs", code) };
    await author.call(api.updateSdkSynapseDraft, { params, body });
    expect((await author.call(api.getSdkSynapse, { params })).published?.description?.displayName).toBe("Contacts");
    expect(await approve(params)).toMatchObject({ deploymentStatus: "ACTIVE" });
    const after = await author.call(api.getSdkSynapse, { params });
    expect(after.published).toMatchObject({ number: 2, description: { displayName: "People" } });
    const { rows } = await t.deps.appPool.query(
      "SELECT approval_status FROM sdk_synapse_version WHERE synapse_id = $1 ORDER BY number",
      [params.connectorMetaDefinitionId],
    );
    expect(rows.map(({ approval_status: status }) => status)).toEqual(["ARCHIVED", "APPROVED"]);
  }),
);

test(
  "[PLT-074] code that describes itself differently when it is deployed ends in ERROR, and is not published",
  whereAvailable(async () => {
    const { params } = await create();
    await submit(params);
    await t.deps.appPool.query(
      `UPDATE sdk_synapse_version SET description = jsonb_set(description, '{displayName}', '"Other"') WHERE synapse_id = $1`,
      [params.connectorMetaDefinitionId],
    );
    await approver.call(api.approveSdkSynapse, { params, body: await seen(params) });
    await expect.poll(async () => (await statusOf(params)).deploymentStatus).toBe("ERROR");
    const status = await statusOf(params);
    expect(status.approvalStatus).toBe("SUBMIT_FOR_APPROVAL");
    expect(status.message).toContain("in another way");
  }),
);

test(
  "[PLT-105] shared: own instance, named ones, the organisation, everybody by approval alone",
  whereAvailable(async () => {
    const sibling = { organisationId: t.organisationId, instanceId: await t.build.instance({ name: "sibling" }) };
    const { organisationId, subscriptionId } = await t.build.organisation("Elsewhere");
    const foreign = { organisationId, instanceId: await t.build.instance({ organisationId, subscriptionId }) };
    const { params, made } = await create();
    const sees = async (place: typeof sibling): Promise<boolean> =>
      (await t.as("SYNC_MANAGER", place).send(api.getSdkSynapse, { params })).status === 200;
    const share = async (body: object) => {
      const { version } = await approver.call(getSdkSynapseShare, { params });
      return approver.call(shareSdkSynapse, { params, body: { version, scope: "SELECTED", ...body } });
    };
    await share({ instanceIds: [sibling.instanceId] });
    expect([await sees(sibling), await sees(foreign)]).toEqual([false, false]);
    await approve(params);
    expect([await sees(sibling), await sees(foreign)]).toEqual([true, false]);
    expect((await submit(params, t.as("SYNC_MANAGER", sibling))).status).toBe(404);
    await share({ scope: "PRIVATE" });
    expect(await sees(sibling)).toBe(false);
    await share({ scope: "SUBSCRIPTION" });
    expect([await sees(sibling), await sees(foreign)]).toEqual([true, false]);
    // Wanted globally, and not before the next approval.
    const { version } = await author.call(api.getSdkSynapse, { params });
    const wish = { version, connectorMetaDisplayName: "Contacts", publishToGlobal: true };
    await author.call(api.saveSdkSynapse, { params, body: wish });
    expect(await sees(foreign)).toBe(false);
    await author.call(api.createSdkSynapseDraft, { params });
    await approve(params);
    expect(await sees(foreign)).toBe(true);
    expect((await author.call(api.getSdkSynapse, { params })).scope).toBe("GLOBAL");
    // What it is shared with beside that is still known, and counts again once that ends.
    expect(await author.call(getSdkSynapseShare, { params })).toMatchObject({ scope: "SUBSCRIPTION", isGlobal: true });
    expect(made.isGlobal).toBe(false);
  }),
);

test("[PLT-132] each client operation answers a wrong id with a message", async () => {
  const params = { connectorMetaDefinitionId: t.deps.newId<"sdkSynapse">() };
  const body = { contentHash: "0".repeat(64) };
  const answers = [
    await author.send(api.deleteSdkSynapse, { params }),
    await author.send(api.submitSdkSynapse, { params, body }),
    await author.send(api.withdrawSdkSynapse, { params }),
  ];
  for (const answer of answers) {
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ message: expect.stringMatching(/./) });
  }
});

test("[PLT-131] the package index names what requirements may name", async () => {
  expect(await author.call(template.getSdkPackageIndex)).toMatchObject({
    packages: [{ name: "@accord/connector-sdk", version: "0.1.0" }],
    isInstalling: false,
  });
});

test("[PLT-074] what is done is written into the audit log, with the hash", async () => {
  const { params, made } = await create();
  await author.call(api.deleteSdkSynapse, { params });
  const { entries } = await t.as("ORG_ADMIN").call(listAuditEntries, { query: { count: 100 } });
  const own = entries.filter(({ target }) => target.id === made.connectorMetaDefinitionId);
  expect(own.map(({ action }) => action).toSorted()).toEqual(["createSdkSynapse", "deleteSdkSynapse"]);
  expect(JSON.stringify(own)).toMatch(/"contentHash":"[0-9a-f]{64}"/);
});
