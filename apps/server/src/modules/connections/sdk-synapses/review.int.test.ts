/** What authors and approvers are shown of uploaded synapses: files, exchanges of a test, refusals, the template. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { unzipSync } from "fflate";
import * as template from "@accord/contracts/connections/sdk-synapse-template";
import * as sharing from "@accord/contracts/connections/sdk-synapse-sharing";
import * as api from "@accord/contracts/connections/sdk-synapses";
import { makeUpload } from "@accord/contracts/upload";
import { afterAll, expect, test } from "vitest";
import { testApp, type Caller } from "../../../../test-kit/index.ts";
import { isAvailable } from "../../../platform/sandbox/where-available.fixtures.ts";
import { sampleSynapse } from "./sample-synapse.fixtures.ts";

/** Where the answer is long, the credential stands across the place where what is shown of it ends. */
const system = createServer((request, response) => {
  const asked = `[{"asked":"${request.headers.authorization}"}]`;
  return response.end(request.url?.includes("long") ? asked.padStart(20_014, " ").padEnd(30_000, " ") : asked);
});
await new Promise<void>((done) => system.listen(0, "127.0.0.1", done));
afterAll(() => void system.close());
const baseUrl = `http://127.0.0.1:${(system.address() as AddressInfo).port}`;

const t = await testApp({ config: { outboundAllow: ["127.0.0.1"] } });
const author = t.as("SYNC_MANAGER");
const approver = t.as("SUPER_ADMIN");
const file = (fileName: string, content: string | Buffer) =>
  makeUpload({ fileName, contentType: "text/plain", bytes: Buffer.from(content) });
const ICON = Buffer.from("89504e470d0a1a0a00", "hex");
const REQUIREMENTS = '{"dependencies":{"@accord/connector-sdk":"0.1.0"}}';
const create = async (code = sampleSynapse()) => {
  const { connectorMetaDefinitionId } = await author.call(api.createSdkSynapse, {
    body: {
      ...{ connectorMetaName: `contacts-${t.deps.newId()}`, connectorMetaDisplayName: "Contacts" },
      synapseFile: file("synapse.mjs", code),
      requirementsFile: file("package.json", REQUIREMENTS),
      iconFile: file("icon.png", ICON),
    },
  });
  return { connectorMetaDefinitionId };
};
type Params = Awaited<ReturnType<typeof create>>;
const hashOf = async (params: Params): Promise<string> =>
  (await author.call(api.getSdkSynapseDraft, { params })).draft?.contentHash ?? "";
const submit = async (params: Params, by: Caller = author) =>
  by.call(api.submitSdkSynapse, { params, body: { contentHash: await hashOf(params) } });

test("[PLT-040] [PLT-056] a draft lists its files with sizes and hashes, to its author and to others", async () => {
  const params = await create();
  const { files, isAuthor } = await author.call(api.getSdkSynapseDraft, { params });
  expect(files).toMatchObject([
    { file: "synapseFile", fileName: "synapse.mjs", bytes: sampleSynapse().length },
    { file: "requirementsFile", fileName: "package.json", bytes: REQUIREMENTS.length },
    { file: "iconFile", bytes: ICON.length, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ]);
  expect(isAuthor).toBe(true);
  expect((await approver.call(api.getSdkSynapseDraft, { params })).isAuthor).toBe(false);
  const synapse = await author.call(api.getSdkSynapse, { params });
  expect(synapse).toMatchObject({ number: 1, connectionCount: 0, returnedAs: null });
  expect(synapse.iconUri).toBe(`data:image/png;base64,${ICON.toString("base64")}`);
});

test.runIf(isAvailable)("[PLT-040] [PLT-131] a test shows the requests and answers without the secret", async () => {
  const params = await create();
  expect(await author.call(api.describeSdkSynapse, { params })).toMatchObject({
    description: { displayName: "Contacts", authMethods: [{ type: "bearerToken" }] },
    problem: null,
  });
  const { exchanges, result, discovery } = await author.call(api.testSdkSynapse, {
    params,
    body: { config: { baseUrl }, authType: "bearerToken", credentials: { token: "a-secret-of-mine" } },
  });
  expect(result.ok).toBe(true);
  expect(discovery).toEqual({
    entities: [{ apiName: "contact", displayName: "Contact", fieldCount: 3 }],
    problem: null,
  });
  expect(exchanges).toMatchObject([
    { request: { method: "GET", url: `${baseUrl}/contacts?from=0` }, answer: { status: 200 } },
  ]);
  expect(exchanges[0]?.answer?.body).toContain("asked");
  expect(JSON.stringify(exchanges)).not.toContain("a-secret-of-mine");
});

test.runIf(isAvailable)("[PLT-074] [PLT-142] a refusal says why, by somebody else, of what they saw", async () => {
  const params = await create();
  await submit(params);
  const { draft } = await author.call(api.getSdkSynapseDraft, { params });
  const body = { contentHash: draft?.contentHash ?? "", reason: "Declare fewer origins." };
  const other = { ...body, contentHash: "0".repeat(64) };
  expect((await approver.send(api.refuseSdkSynapse, { params, body: other })).status).toBe(409);
  expect((await author.send(api.refuseSdkSynapse, { params, body })).status).toBe(403);
  expect(await approver.call(api.refuseSdkSynapse, { params, body })).toMatchObject({ approvalStatus: "NEW" });
  expect((await approver.send(api.refuseSdkSynapse, { params, body })).status).toBe(409);
  const refused = await author.call(api.getSdkSynapseDraft, { params });
  expect(refused.draft?.returned).toMatchObject({ how: "REFUSED", reason: "Declare fewer origins." });
  expect((await author.call(api.getSdkSynapse, { params })).returnedAs).toBe("REFUSED");

  await submit(params);
  expect((await author.call(api.getSdkSynapse, { params })).returnedAs).toBeNull();
  await author.call(api.withdrawSdkSynapse, { params });
  expect((await author.call(api.getSdkSynapse, { params })).returnedAs).toBe("WITHDRAWN");
});

test.runIf(isAvailable)("[PLT-074] an approver who uploaded the code does not refuse it", async () => {
  const { connectorMetaDefinitionId } = await approver.call(api.createSdkSynapse, {
    body: {
      ...{ connectorMetaName: `own-${t.deps.newId()}`, connectorMetaDisplayName: "Own" },
      synapseFile: file("synapse.mjs", sampleSynapse()),
      requirementsFile: file("package.json", REQUIREMENTS),
    },
  });
  const params = { connectorMetaDefinitionId };
  await submit(params, approver);
  const { draft } = await approver.call(api.getSdkSynapseDraft, { params });
  const body = { contentHash: draft?.contentHash ?? "", reason: "No." };
  const answer = await approver.send(api.refuseSdkSynapse, { params, body });
  expect(answer.status).toBe(409);
  expect(JSON.stringify(answer.body)).toContain("withdraw it instead");
});

const LONG_AND_MANY = sampleSynapse().replace(
  'async check() { await ask(context, "GET", "/contacts?from=0"); }',
  `async check() {
    console.log("Signed in with " + btoa(context.credentials.token));
    for (let call = 1; call <= 14; call += 1) await ask(context, "GET", "/contacts?call=" + call + (call === 14 ? "&long" : ""));
  }`,
);

test.runIf(isAvailable)(
  "[PLT-040] of many requests the first and the last are shown; neither a log nor the end of a long answer shows a credential",
  async () => {
    const params = await create(LONG_AND_MANY);
    const { exchanges, exchangeCount, log, result } = await author.call(api.testSdkSynapse, {
      params,
      body: { config: { baseUrl }, authType: "bearerToken", credentials: { token: "a-secret-of-mine" } },
    });
    expect(result.problem).toBeNull();
    expect(exchangeCount).toBe(14);
    expect(exchanges.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14]);
    const { body, isShortened } = exchanges.at(-1)?.answer ?? {};
    expect(isShortened).toBe(true);
    expect(body).toMatch(/"Bearer •••"}$/);
    expect(log).toContain("Signed in with •••");
  },
);

test.runIf(isAvailable)("[PLT-074] only the files that were looked at are submitted", async () => {
  const params = await create();
  const contentHash = await hashOf(params);
  const newer = { contentHash, synapseFile: file("synapse.mjs", sampleSynapse("// Newer.")) };
  await approver.call(api.updateSdkSynapseDraft, { params, body: newer });
  const answer = await author.send(api.submitSdkSynapse, { params, body: { contentHash } });
  expect(answer).toMatchObject({ status: 409, body: { code: "stale_version" } });
  expect((await author.call(api.getSdkSynapse, { params })).approvalStatus).toBe("NEW");
  const described = await author.call(api.describeSdkSynapse, { params });
  expect(described.contentHash).toBe(await hashOf(params));
  expect(await submit(params)).toMatchObject({ approvalStatus: "SUBMIT_FOR_APPROVAL" });
});

test("[PLT-105] sharing that was chosen before others changed it takes nothing from anybody", async () => {
  const params = await create();
  const one = await t.build.instance({ name: "one of two" });
  const other = await t.build.instance({ name: "the other of two" });
  const { version } = await approver.call(sharing.getSdkSynapseShare, { params });
  const share = (seen: number, instanceIds: (typeof one)[]) =>
    approver.send(sharing.shareSdkSynapse, { params, body: { version: seen, scope: "SELECTED", instanceIds } });
  expect((await share(version, [one])).body).toEqual({
    ...{ scope: "SELECTED", isGlobal: false, instanceIds: [one], version: version + 1 },
  });
  expect(await share(version, [other])).toMatchObject({ status: 409, body: { code: "stale_version" } });
  expect((await approver.call(sharing.getSdkSynapseShare, { params })).instanceIds).toEqual([one]);
});

test("[PLT-040] the template is the guide, an example and the interface; its own requirements are accepted", async () => {
  const { guide, files } = await author.call(template.getSdkSynapseTemplate);
  expect(guide).toContain("defineSynapse");
  expect(guide).not.toMatch(/\]\((?!https?:)/);
  const requirements = files.find(({ fileName }) => fileName === "package.json")?.text ?? "";
  const { packages, limits } = await author.call(template.getSdkPackageIndex);
  expect(JSON.parse(requirements)).toEqual({
    dependencies: Object.fromEntries(packages.map(({ name, version }) => [name, version])),
  });
  expect(limits.synapseFile).toBe(5_000_000);
  const { bytes } = await author.send(template.downloadSdkSynapseTemplate);
  const names = Object.keys(unzipSync(bytes));
  expect(names).toEqual(
    expect.arrayContaining(["my-synapse/README.md", "my-synapse/synapse.mjs", "my-synapse/interface/connection.ts"]),
  );
});
