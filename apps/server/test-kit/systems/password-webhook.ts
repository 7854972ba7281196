/** Logins with a password field that come by webhook, with any nodes on their way. */
import { createHmac } from "node:crypto";
import type { Id } from "@accord/contracts";
import * as connectors from "@accord/contracts/connections/connectors";
import { makeWebhookAddress } from "@accord/contracts/connections/webhooks";
import { createEntity } from "@accord/contracts/data/core-schema";
import { Graph } from "@accord/contracts/sync/graph";
import * as pipelines from "@accord/contracts/sync/pipelines";
import { edge, node } from "../graphs.ts";
import type { TestApp } from "../test-app.ts";
import { eventually } from "../sync-world/working-world.ts";

const SECRET = "a secret both sides know";

export interface PasswordWebhook {
  connectorId: Id<"connector">;
  entityId: Id<"entity">;
  /** Posts a text as the system would; answers the status. */
  post(body: string): Promise<number>;
}

/** `onTheWay`: nodes in a row, from the source `hook` to the core. Needs a listening application with a worker. */
export async function passwordWebhook(t: TestApp, onTheWay: ReturnType<typeof node>[]): Promise<PasswordWebhook> {
  const manager = t.as("SYNC_MANAGER");
  const sample = JSON.stringify({ logins: [{ id: "7", name: "Ada", pin: "x" }] });
  const made = await manager.call(connectors.createConnector, {
    body: {
      name: "Desk",
      typeId: "webhook",
      authType: "apiSecretKey",
      credentials: { secret: SECRET },
      config: { sample, recordSelector: "logins", idSelector: "id" },
    },
  });
  const connectorId = made.id;
  const params = { connectorId };
  await manager.call(connectors.authenticateConnector, { params });
  await manager.call(connectors.activateConnector, { params });
  await eventually("an active webhook", async () => {
    const { status } = await manager.call(connectors.getConnector, { params });
    return status === "ACTIVE" ? status : undefined;
  });
  const field = (apiName: string, dataType: "string" | "password") => ({ apiName, displayName: apiName, dataType });
  const entity = await manager.call(createEntity, {
    body: {
      apiName: "Login",
      displayName: "Login",
      nameField: "name",
      publish: true,
      fields: [field("name", "string"), field("pin", "password")],
    },
  });
  const entityId = entity.id;
  const at = { params: { entityId } };
  const draft = await manager.call(pipelines.createPipelineDraft, { ...at, body: {} });
  const core = draft.graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY");
  if (!core) throw new Error("a draft has its core node");
  const fieldMappings = ["name", "pin"].map((name) => ({ connectorField: name, coreField: name }));
  const row = [
    node("hook", "ENTITY_SOURCE", { connectorId, entityDefinition: "payload", fieldMappings }),
    ...onTheWay,
    core,
  ];
  const edges = row.slice(1).map(({ id }, index) => edge(row[index]?.id ?? "", id));
  const graph = Graph.parse({ nodes: row, edges });
  const { revision } = await manager.call(pipelines.savePipelineDraft, {
    ...at,
    body: { graph, revision: draft.revision },
  });
  const body = { versionName: "First", revision, bringInExisting: false };
  await manager.call(pipelines.publishPipeline, { ...at, body });

  async function post(text: string): Promise<number> {
    const { url } = await manager.call(makeWebhookAddress, { params: { connectorId }, body: { renew: false } });
    const id = t.deps.newId();
    const time = Math.floor(Date.now() / 1000);
    const signature = createHmac("sha256", SECRET).update(`${id}.${time}.${text}`).digest("base64");
    const reply = await fetch(`${t.address}${new URL(url).pathname}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": String(time),
        "webhook-signature": `v1,${signature}`,
      },
      body: text,
    });
    return reply.status;
  }

  return { connectorId, entityId, post };
}
