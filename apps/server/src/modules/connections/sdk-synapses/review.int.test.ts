/** What authors and approvers are shown of uploaded synapses: files, exchanges of a test, refusals, the template. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { unzipSync } from "fflate";
import * as template from "@accord/contracts/connections/sdk-synapse-template";
import * as api from "@accord/contracts/connections/sdk-synapses";
import { makeUpload } from "@accord/contracts/upload";
import { afterAll, expect, test } from "vitest";
import { testApp } from "../../../../test-kit/index.ts";
import { isAvailable } from "../../../platform/sandbox/where-available.fixtures.ts";
import { sampleSynapse } from "./sample-synapse.fixtures.ts";

const system = createServer((request, response) => response.end(`[{"asked":"${request.headers.authorization}"}]`));
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
const create = async () => {
  const { connectorMetaDefinitionId } = await author.call(api.createSdkSynapse, {
    body: {
      ...{ connectorMetaName: `contacts-${t.deps.newId()}`, connectorMetaDisplayName: "Contacts" },
      synapseFile: file("synapse.mjs", sampleSynapse()),
      requirementsFile: file("package.json", REQUIREMENTS),
      iconFile: file("icon.png", ICON),
    },
  });
  return { connectorMetaDefinitionId };
};

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
  await author.call(api.submitSdkSynapse, { params });
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

  await author.call(api.submitSdkSynapse, { params });
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
  await approver.call(api.submitSdkSynapse, { params });
  const { draft } = await approver.call(api.getSdkSynapseDraft, { params });
  const body = { contentHash: draft?.contentHash ?? "", reason: "No." };
  const answer = await approver.send(api.refuseSdkSynapse, { params, body });
  expect(answer.status).toBe(409);
  expect(JSON.stringify(answer.body)).toContain("withdraw it instead");
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
