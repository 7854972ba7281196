/** Versions of HTTP synapses: who may publish one, over which draft, and what of it may break connections. */
import * as sharing from "@accord/contracts/connections/http-synapse-sharing";
import * as api from "@accord/contracts/connections/http-synapses";
import { beforeAll, describe, expect, test } from "vitest";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import { publishedSynapse } from "../../../../test-kit/systems/http-synapse.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ roles: ["web"] });
});

describe("a synapse of the whole installation", () => {
  test("[PLT-129] is published, shared otherwise, given an icon and deleted by the operator alone", async () => {
    const metadataId = await publishedSynapse(t);
    const params = { metadataId };
    const shared = { connectorMetaDefinitionId: metadataId };
    const operator = t.as("SUPER_ADMIN");
    const manager = t.as("SYNC_MANAGER");
    await operator.call(sharing.shareSynapse, { params: shared, body: { scope: "GLOBAL" } });
    await manager.call(api.createSynapseDraft, { params, body: {} });
    const refused = [
      await manager.send(api.publishSynapseDraft, { params, body: {} }),
      await manager.send(sharing.shareSynapse, { params: shared, body: { scope: "PRIVATE" } }),
      await manager.send(api.setSynapseIcon, { params, body: {} }),
      await manager.send(api.deleteHttpSynapse, { params: shared }),
    ];
    expect(refused.map(({ status, body }) => [status, body])).toEqual(
      Array(4).fill([403, expect.objectContaining({ code: "forbidden" })]),
    );
    const published = await operator.call(api.publishSynapseDraft, { params, body: {} });
    expect(published).toMatchObject({ publishedVersion: 2, shareScope: "GLOBAL" });
    await operator.call(sharing.shareSynapse, { params: shared, body: { scope: "PRIVATE" } });
    // One of an instance is that instance's own business.
    await manager.call(api.setSynapseIcon, { params, body: {} });
    await manager.call(api.deleteHttpSynapse, { params: shared });
  });
});
