/** Connections of uploaded synapses: what their code prints, and what a newer version may ask of them. */
import type { Id } from "@accord/contracts";
import * as connectors from "@accord/contracts/connections/connectors";
import * as api from "@accord/contracts/connections/sdk-synapses";
import { makeUpload } from "@accord/contracts/upload";
import { expect, test } from "vitest";
import { testApp } from "../../../../test-kit/index.ts";
import { makeLog } from "../../../platform/log/log.ts";
import { whereAvailable } from "../../../platform/sandbox/where-available.fixtures.ts";
import { sampleSynapse } from "./sample-synapse.fixtures.ts";

const lines: string[] = [];
const log = makeLog({ logLevel: "info", destination: { write: (line) => void lines.push(line) } });
const t = await testApp({ roles: ["worker"], config: { outboundAllow: ["127.0.0.1"] }, log });
const author = t.as("SYNC_MANAGER");
type Params = { connectorMetaDefinitionId: Id<"sdkSynapse"> };
const SECRET = "blue-lantern-over-the-harbour-42";
const baseUrl = "http://127.0.0.1:9";

const file = (fileName: string, text: string) =>
  makeUpload({ fileName, contentType: "text/plain", bytes: Buffer.from(text) });
const publish = async (params: Params): Promise<void> => {
  const at = { params };
  const { draft } = await author.call(api.getSdkSynapseDraft, at);
  const contentHash = draft?.contentHash ?? "";
  await author.call(api.submitSdkSynapse, { ...at, body: { contentHash } });
  await t.as("SUPER_ADMIN").call(api.approveSdkSynapse, { ...at, body: { contentHash, publishToGlobal: false } });
  const statusOf = async () => (await author.call(api.getSdkSynapseStatus, at)).deploymentStatus;
  await expect.poll(statusOf, { timeout: 20_000 }).toBe("ACTIVE");
};
const published = async (code: string) => {
  const { connectorMetaDefinitionId } = await author.call(api.createSdkSynapse, {
    body: {
      connectorMetaName: `used-${t.deps.newId()}`,
      connectorMetaDisplayName: "Contacts",
      synapseFile: file("synapse.mjs", code),
      requirementsFile: file("package.json", '{"dependencies":{"@accord/connector-sdk":"0.1.0"}}'),
    },
  });
  await publish({ connectorMetaDefinitionId });
  return { connectorMetaDefinitionId };
};
const bodyOf = (params: Params, name: string) => ({
  ...{ name, typeId: `sdk:${params.connectorMetaDefinitionId}` },
  ...{ config: { baseUrl }, authType: "bearerToken", credentials: { token: SECRET } },
});
const connect = (params: Params) =>
  author.call(connectors.createConnector, { body: bodyOf(params, `C ${t.deps.newId()}`) });

test(
  "[PLT-105] what code prints is logged without the credentials of its connection, however they are cut",
  whereAvailable(async () => {
    // Shorter than what is taken for a part of it.
    const cut = 10;
    const params = await published(
      sampleSynapse(`async check() {
        const { token } = context.credentials;
        console.log("one line with " + token);
        process.stdout.write("in parts " + token.slice(0, ${cut}));
        await context.sleep(100);
        process.stdout.write(token.slice(${cut}) + "\\nthen " + "x".repeat(980) + token);
        await context.sleep(100);
      },`),
    );
    const { id: connectorId } = await connect(params);
    expect(await author.call(connectors.testConnector, { params: { connectorId } })).toMatchObject({ ok: true });
    const said = (): string => lines.filter((line) => line.includes("an uploaded synapse says")).join("");
    await expect.poll(said).toContain("then xxx");
    expect(said()).toContain("one line with •••");
    expect(said()).toContain("in parts •••");
    for (let at = 0; at + 8 <= SECRET.length; at += 1) expect(lines.join("")).not.toContain(SECRET.slice(at, at + 8));
  }),
);

/** Does something while `first` holds the row of a synapse; `last` ends its transaction. */
async function whileLocked<Answer>(
  first: string,
  id: string,
  act: () => Promise<Answer>,
  last: string,
): Promise<Answer> {
  const other = await t.deps.appPool.connect();
  try {
    await other.query("BEGIN");
    await other.query(first, [id]);
    let isAnswered = false;
    const answer = act().finally(() => (isAnswered = true));
    const waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    await expect.poll(async () => isAnswered || (await t.deps.appPool.query(waiting)).rowCount === 1).toBe(true);
    await other.query(last, [id]);
    await other.query("COMMIT");
    return await answer;
  } finally {
    other.release();
  }
}

test(
  "[PLT-056] a synapse that is deleted while it is being connected is not connected, and whoever connects is given the reason",
  whereAvailable(async () => {
    const params = await published(sampleSynapse());
    const id = params.connectorMetaDefinitionId;
    const refused = await whileLocked(
      "SELECT FROM sdk_synapse WHERE id = $1 FOR UPDATE",
      id,
      () => author.send(connectors.createConnector, { body: bodyOf(params, "Late") }),
      "DELETE FROM sdk_synapse WHERE id = $1",
    );
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      errors: [{ path: "typeId", message: expect.stringMatching(/^is not in the library: it was deleted, or /) }],
    });
    const { connectors: there } = await author.call(connectors.listConnectors);
    expect(there.filter(({ name }) => name === "Late")).toEqual([]);
  }),
);

test(
  "[PLT-056] a synapse that is being connected while it is deleted stays, and whoever deletes it is given the connection",
  whereAvailable(async () => {
    const params = await published(sampleSynapse());
    const id = params.connectorMetaDefinitionId;
    // As a connection that is being made holds it, and is there once it ends.
    const made = await connect(params);
    await t.deps.appPool.query("UPDATE connector SET status = 'DELETED' WHERE id = $1", [made.id]);
    const refused = await whileLocked(
      "SELECT FROM sdk_synapse WHERE id = $1 FOR SHARE",
      id,
      () => author.send(api.deleteSdkSynapse, { params }),
      "UPDATE connector SET status = 'ACTIVE' WHERE type = 'sdk:' || $1",
    );
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: "in_use", details: { uses: [{ id: made.id }] } });
    expect((await author.send(api.getSdkSynapse, { params })).status).toBe(200);
  }),
);

test(
  "[PLT-056] a version that asks for a new input: connections made before it are changed, and deleted",
  whereAvailable(async () => {
    const params = await published(sampleSynapse());
    const [changed, deleted] = [await connect(params), await connect(params)];
    const newer = sampleSynapse()
      .replace(
        "configFields: [",
        'configFields: [{ name: "mirrorUrl", label: "Mirror", datatype: "url", required: true }, ',
      )
      .replace('origins: ["{baseUrl}"]', 'origins: ["{baseUrl}", "{mirrorUrl}"]');
    await author.call(api.createSdkSynapseDraft, { params });
    const { draft } = await author.call(api.getSdkSynapseDraft, { params });
    const files = { contentHash: draft?.contentHash ?? "", synapseFile: file("synapse.mjs", newer) };
    await author.call(api.updateSdkSynapseDraft, { params, body: files });
    await publish(params);
    const at = { params: { connectorId: changed.id } };
    expect(await author.call(connectors.testConnector, at)).toMatchObject({
      ok: false,
      problem: { kind: "configuration", message: expect.stringContaining("mirrorUrl") },
    });
    const { version } = await author.call(connectors.getConnector, at);
    const without = { version, config: { baseUrl }, credentials: { token: SECRET } };
    const refused = await author.send(connectors.updateConnector, { ...at, body: without });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain("config.mirrorUrl");
    const body = { ...without, config: { baseUrl, mirrorUrl: "http://127.0.0.1:10" } };
    expect((await author.send(connectors.updateConnector, { ...at, body })).status).toBe(200);
    const gone = { params: { connectorId: deleted.id } };
    expect((await author.send(connectors.deleteConnector, gone)).status).toBe(200);
  }),
);
