/** What an approval of an uploaded synapse is of, and whose it can't be. */
import { createHash } from "node:crypto";
import * as api from "@accord/contracts/connections/sdk-synapses";
import { makeUpload } from "@accord/contracts/upload";
import { expect, test } from "vitest";
import { testApp, type Caller } from "../../../../test-kit/index.ts";
import { whereAvailable } from "../../../platform/sandbox/where-available.fixtures.ts";
import { sampleSynapse } from "./sample-synapse.fixtures.ts";

const t = await testApp({ roles: ["worker"] });
const author = t.as("SYNC_MANAGER");
const approver = t.as("SUPER_ADMIN");

const file = (fileName: string, text: string | Buffer) =>
  makeUpload({ fileName, contentType: "text/plain", bytes: Buffer.from(text) });
const ICON = file("icon.png", Buffer.from("89504e470d0a1a0a00", "hex"));
const create = async (by: Caller) => {
  const { connectorMetaDefinitionId } = await by.call(api.createSdkSynapse, {
    body: {
      connectorMetaName: `approved-${t.deps.newId()}`,
      connectorMetaDisplayName: "Contacts",
      synapseFile: file("synapse.mjs", sampleSynapse()),
      requirementsFile: file("package.json", '{"dependencies":{"@accord/connector-sdk":"0.1.0"}}'),
    },
  });
  return { connectorMetaDefinitionId };
};
type Params = Awaited<ReturnType<typeof create>>;
const hashOf = async (params: Params): Promise<string> =>
  (await author.call(api.getSdkSynapseDraft, { params })).draft?.contentHash ?? "";
const replace = async (params: Params, by: Caller, files: object) =>
  by.call(api.updateSdkSynapseDraft, { params, body: { contentHash: await hashOf(params), ...files } });
const submit = async (params: Params, by = author) =>
  by.call(api.submitSdkSynapse, { params, body: { contentHash: await hashOf(params) } });
const save = async (params: Params, publishToGlobal: boolean) => {
  const { version } = await author.call(api.getSdkSynapse, { params });
  const body = { version, connectorMetaDisplayName: "Contacts", publishToGlobal };
  return author.send(api.saveSdkSynapse, { params, body });
};
const approve = async (params: Params, publishToGlobal = false) =>
  approver.send(api.approveSdkSynapse, { params, body: { contentHash: await hashOf(params), publishToGlobal } });
const deployed = async (params: Params) => {
  const statusOf = async () => (await author.call(api.getSdkSynapseStatus, { params })).deploymentStatus;
  await expect.poll(statusOf, { timeout: 20_000 }).toBe("ACTIVE");
  return author.call(api.getSdkSynapse, { params });
};
const REFUSED = { status: 409, body: { description: expect.stringContaining("ask another approver") } };

test(
  "[PLT-074] [PLT-105] a synapse is as global as the approver saw it, whatever its author wants afterwards",
  whereAvailable(async () => {
    const params = await create(author);
    await submit(params);
    expect((await approve(params, true)).status).toBe(409);
    expect(await save(params, true)).toMatchObject({
      status: 409,
      body: { description: expect.stringContaining("withdraw it first") },
    });
    expect((await approve(params, false)).status).toBe(200);
    // As though it had been saved before approvals were of it too.
    await t.deps.appPool.query("UPDATE sdk_synapse SET publish_to_global = true WHERE id = $1", [
      params.connectorMetaDefinitionId,
    ]);
    expect(await deployed(params)).toMatchObject({ publishToGlobal: true, isGlobal: false });
  }),
);

test(
  "[PLT-074] [PLT-105] what its author takes back while it is deployed stays taken back",
  whereAvailable(async () => {
    const params = await create(author);
    expect((await save(params, true)).status).toBe(200);
    await submit(params);
    expect((await save(params, true)).status).toBe(200);
    expect((await approve(params, true)).status).toBe(200);
    expect((await save(params, false)).status).toBe(200);
    expect(await deployed(params)).toMatchObject({ publishToGlobal: false, isGlobal: false });
  }),
);

test(
  "[PLT-074] whoever wrote the code can't approve it after somebody else touched and submitted the draft",
  whereAvailable(async () => {
    const params = await create(approver);
    await replace(params, author, { iconFile: ICON });
    await submit(params);
    expect(await approve(params)).toMatchObject(REFUSED);
    await author.call(api.withdrawSdkSynapse, { params });
    // The same code once more is no other code.
    await replace(params, author, { synapseFile: file("synapse.mjs", sampleSynapse()) });
    await submit(params);
    expect(await approve(params)).toMatchObject(REFUSED);
    await author.call(api.withdrawSdkSynapse, { params });
    await replace(params, author, { synapseFile: file("synapse.mjs", sampleSynapse("// Another's.")) });
    await submit(params);
    expect((await approve(params)).status).toBe(200);
    await deployed(params);
  }),
);

test(
  "[PLT-074] whoever once submitted a draft, or wrote the version it was made of, can't approve it",
  whereAvailable(async () => {
    const params = await create(author);
    await submit(params, approver);
    await author.call(api.withdrawSdkSynapse, { params });
    await submit(params);
    expect(await approve(params)).toMatchObject(REFUSED);
    const other = await create(approver);
    await t.deps.appPool.query(
      "UPDATE sdk_synapse_version SET approval_status = 'APPROVED', approved_hash = content_hash WHERE synapse_id = $1",
      [other.connectorMetaDefinitionId],
    );
    await author.call(api.createSdkSynapseDraft, { params: other });
    await submit(other);
    expect(await approve(other)).toMatchObject(REFUSED);
  }),
);

test("[PLT-074] an approver gets the files that the hash is of, byte for byte; nobody else does", async () => {
  const params = await create(author);
  await replace(params, author, { iconFile: ICON });
  const contentHash = await hashOf(params);
  const fileOf = (by: Caller, wanted: "synapseFile" | "requirementsFile" | "iconFile", query = {}) =>
    by.send(api.getSdkSynapseDraftFile, { params: { ...params, file: wanted }, query });
  const code = await fileOf(approver, "synapseFile", { contentHash });
  expect(code).toMatchObject({
    status: 200,
    headers: {
      "content-type": "application/octet-stream",
      "content-disposition": "attachment; filename*=UTF-8''synapse.mjs",
      "x-content-type-options": "nosniff",
    },
  });
  expect(code.bytes.toString()).toBe(sampleSynapse());
  // As docs/sdk-synapses.md says that it is made.
  const hash = createHash("sha256");
  const files = [await fileOf(approver, "requirementsFile"), await fileOf(approver, "iconFile")];
  for (const part of [Buffer.from("synapse.mjs"), code.bytes, ...files.map(({ bytes }) => bytes)])
    hash.update(`${part.length}:`).update(part);
  expect(hash.digest("hex")).toBe(contentHash);
  expect((await fileOf(author, "synapseFile")).status).toBe(403);
  await replace(params, author, { synapseFile: file("synapse.mjs", sampleSynapse("// Newer.")) });
  expect((await fileOf(approver, "synapseFile", { contentHash })).status).toBe(409);
  const without = await create(author);
  const iconOf = { ...without, file: "iconFile" as const };
  expect((await approver.send(api.getSdkSynapseDraftFile, { params: iconOf, query: {} })).status).toBe(404);
});
