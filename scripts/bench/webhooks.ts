/**
 * A record posted to a webhook until it arrives at a destination's address, one at a time. The limit is what that
 * contains at least: a post to a bare server, one durable insert, a post from there to the destination.
 */
import { fork } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import * as connectors from "@accord/contracts/connections/connectors";
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import { makeWebhookAddress } from "@accord/contracts/connections/webhooks";
import type { CallInput, Id } from "@accord/contracts";
import { createEntityFromConnector } from "@accord/contracts/data/core-schema";
import type { Values } from "@accord/contracts/data/values";
import { Graph } from "@accord/contracts/sync/graph";
import * as pipelines from "@accord/contracts/sync/pipelines";
import type { Pool } from "../../apps/server/src/platform/db/db.ts";
import { edge, node } from "../../apps/server/test-kit/graphs.ts";
import { benchApp } from "./parts/bench-app.ts";
import { peakRssMb, type Measure, type Measurement } from "../setup/measurement.ts";

const SECRET = "a secret both sides know";
const WARM_UP = 50;
const POSTS = 300;
/** Both in turn, so that a busy moment of the machine falls on both. */
const ROUNDS = 3;
const QUANTILES = [50, 95, 99];

export const measure: Measure = async (_words, say) => {
  const bench = await benchApp(["web", "worker"]);
  const outside = await startOutside();
  const bare = await bareServer(bench.databases.data.pool, outside.url);
  try {
    bench.app.deps.outbound.allow(new URL(outside.url).host);
    const webhook = await publishOrders(bench.caller, outside.url);
    const url = `${bench.address}${new URL(webhook).pathname}`;
    await outside.post(url, WARM_UP);
    await outside.post(bare.url, WARM_UP);
    const [ours, limit]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(...(await outside.post(url, POSTS)));
      limit.push(...(await outside.post(bare.url, POSTS)));
      say(`${ours.length} posts, in the middle ${quantile(ours, 50)} ms, by hand ${quantile(limit, 50)} ms`);
    }
    return QUANTILES.map((percent): Measurement => ({
      name: `webhooks: post to destination, p${percent}`,
      ours: quantile(ours, percent),
      limit: quantile(limit, percent),
      unit: "ms",
      better: "less",
      rssMb: peakRssMb(),
    }));
  } finally {
    outside.stop();
    await bare.close();
    await bench.close();
  }
};

const quantile = (values: readonly number[], percent: number): number => {
  const sorted = values.toSorted((one, other) => one - other);
  const value = sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
  return Math.round(value * 10) / 10;
};

/** Who posts, and where the orders go. */
async function startOutside() {
  const child = fork(new URL("parts/outside-world.ts", import.meta.url));
  const hear = <Answer>(): Promise<Answer> =>
    new Promise((resolve, reject) => {
      child.once("message", (message) => resolve(message as Answer));
      child.once("exit", () => reject(new Error("the world outside ended")));
    });
  const port = await hear<number>();
  return {
    url: `http://127.0.0.1:${port}`,
    /** Milliseconds from each post to its arrival. */
    post(url: string, posts: number): Promise<number[]> {
      child.send({ url, secret: SECRET, posts });
      return hear<number[]>();
    },
    stop(): void {
      child.removeAllListeners("exit");
      child.disconnect();
    },
  };
}

/** The same by hand: keeps the post, answers, and posts its order on. */
async function bareServer(pool: Pool, destination: string) {
  await pool.query("CREATE TABLE bare_post (at timestamptz NOT NULL DEFAULT now(), body jsonb NOT NULL)");
  const server = createServer((request, reply) => {
    void text(request).then(async (body) => {
      await pool.query("INSERT INTO bare_post (body) VALUES ($1)", [body]);
      reply.writeHead(202, { "content-type": "application/json" }).end('{"received": 1}');
      const [order] = (JSON.parse(body) as { orders: Values[] }).orders;
      const headers = { "content-type": "application/json" };
      const written = await fetch(`${destination}/orders`, { method: "POST", headers, body: JSON.stringify(order) });
      await written.text();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

type Caller = Awaited<ReturnType<typeof benchApp>>["caller"];

/** Publishes a pipeline from a webhook to the destination; answers the webhook's address. */
async function publishOrders(caller: Caller, destination: string): Promise<string> {
  const sample = JSON.stringify({ orders: [{ id: "7", total: 12.5, buyer: "Ada" }] });
  const connectorId = await activeConnector(caller, {
    name: "Shop",
    typeId: "webhook",
    authType: "apiSecretKey",
    credentials: { secret: SECRET },
    config: { sample, recordSelector: "orders", idSelector: "id", postsPerMinute: 100_000 },
  });
  const orders: HttpEntityInput = {
    apiName: "orders",
    displayName: "Order",
    idField: "id",
    fields: ["id", "buyer", "total"].map((apiName) => ({ apiName, displayName: apiName })),
    list: { path: "/orders" },
    create: { method: "POST", path: "/orders", idSelector: "id" },
  };
  const destinationId = await activeConnector(caller, {
    name: "Warehouse",
    typeId: "http",
    authType: "none",
    credentials: {},
    config: { baseUrl: destination, entities: [JSON.parse(JSON.stringify(orders))] },
  });
  const entity = await caller.call(createEntityFromConnector, {
    body: { connectorId, entityApiName: "payload", publish: true, apiName: "Order", displayName: "Order" },
  });
  const params = { entityId: entity.id };
  const draft = await caller.call(pipelines.createPipelineDraft, { params, body: {} });
  const core = draft.graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY");
  if (!core) throw new Error("the draft has no core");
  const mapped = (names: readonly string[]) => names.map((name) => ({ connectorField: name, coreField: name }));
  const graph = Graph.parse({
    nodes: [
      node("shop", "ENTITY_SOURCE", {
        connectorId,
        entityDefinition: "payload",
        fieldMappings: mapped(["webhookRecordId", "total", "buyer"]),
      }),
      core,
      node("warehouse", "ENTITY_SINK", {
        connectorId: destinationId,
        entityDefinition: "orders",
        create: true,
        update: false,
        delete: false,
        fieldMappings: mapped(["total", "buyer"]),
      }),
    ],
    edges: [edge("shop", core.id), edge(core.id, "warehouse")],
  });
  const saved = await caller.call(pipelines.savePipelineDraft, { params, body: { graph, revision: draft.revision } });
  const body = { versionName: "First", revision: saved.revision, bringInExisting: false };
  await caller.call(pipelines.publishPipeline, { params, body });
  const made = await caller.call(makeWebhookAddress, { params: { connectorId }, body: { renew: false } });
  return made.url;
}

const PATIENCE_MS = 30_000;

async function activeConnector(
  caller: Caller,
  body: CallInput<typeof connectors.createConnector>["body"],
): Promise<Id<"connector">> {
  const { id } = await caller.call(connectors.createConnector, { body });
  const params = { connectorId: id };
  await caller.call(connectors.authenticateConnector, { params });
  await caller.call(connectors.activateConnector, { params });
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until;) {
    if ((await caller.call(connectors.getConnector, { params })).status === "ACTIVE") return id;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the connector ${body.name} did not become active`);
}
