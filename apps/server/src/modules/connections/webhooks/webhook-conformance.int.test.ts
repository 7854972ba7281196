/** The conformance kit of webhooks: records come by signed posts to the address, and are read from what was kept of them. */
import { testConnector, type SystemUnderTest } from "@accord/connector-sdk/test-kit";
import { webhookConnector } from "@accord/connectors";
import { afterAll } from "vitest";
import { testApp } from "../../../../test-kit/index.ts";
import { BEARER, openWebhook, WITH_BEARER } from "../../../../test-kit/systems/open-webhook.ts";
import { wakeSql } from "../../sync/runs/index.ts";
import { webhookInbox } from "./inbox.store.ts";

const t = await testApp({ roles: ["web", "worker"], listen: true });
afterAll(() => t.close?.());

const SEEDED = 30;
const CONFIG = {
  sample: '{"people":[{"id":1,"name":"Ada","since":"2026-01-31"}]}',
  recordSelector: "people",
  idSelector: "id",
};

async function startWebhook(): Promise<SystemUnderTest> {
  const hook = await openWebhook(t, BEARER, CONFIG);
  const inbox = webhookInbox(t.deps.dataPool, t.deps.secrets, wakeSql);
  let last = 0;
  const send = async (id: number, name: string): Promise<void> => {
    const body = JSON.stringify({ people: [{ id, name, since: "2026-01-31" }] });
    const { status } = await hook.post(body, WITH_BEARER);
    if (status >= 300) throw new Error(`The post was answered with ${status}.`);
  };
  const create = async (): Promise<string> => {
    last += 1;
    await send(last, `Person ${last}`);
    return String(last);
  };
  while (last < SEEDED) await create();
  let changes = 0;
  return {
    config: CONFIG,
    authType: "bearerToken",
    credentials: BEARER.credentials,
    world: {
      readInbox: (request) => inbox.read(t.instanceId, hook.connectorId, { ...request, isAnswering: false }),
    },
    entity: "payload",
    seeded: SEEDED,
    expected: { idField: "webhookRecordId", types: { id: "integer", name: "string", since: "date" } },
    outside: {
      create,
      update: async (id) => send(Number(id), `Renamed ${(changes += 1)}`),
      // Nobody can post that a record is gone.
      remove: async () => {},
    },
    faults: {},
    stop: async () => {},
  };
}

testConnector({ definition: webhookConnector, start: startWebhook });
