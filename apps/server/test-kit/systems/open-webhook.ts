/** A webhook that takes posts, with what a sender and the reader of its log do. */
import { createHmac } from "node:crypto";
import type { CallInput, Id } from "@accord/contracts";
import * as connectors from "@accord/contracts/connections/connectors";
import { WEBHOOK_SENDERS } from "@accord/contracts/connections/webhook-signing";
import * as webhooks from "@accord/contracts/connections/webhooks";
import type { TestApp } from "../test-app.ts";
import { eventually } from "../sync-world/working-world.ts";

const SECRET = "a secret both sides know";

export interface OpenWebhook {
  connectorId: Id<"connector">;
  url: string;
  post(body: string, headers?: Record<string, string>): Promise<Response>;
  log(
    query?: Partial<CallInput<typeof webhooks.listWebhookLog>["query"]>,
  ): Promise<Awaited<ReturnType<typeof readLog>>["entries"]>;
  /** Number of the newest entry. */
  newest(): Promise<number>;
  /** Posts that were refused: those of the log, on all of its pages, and those that newer ones took the place of. */
  refused(): Promise<number>;
}

const readLog = (t: TestApp, connectorId: Id<"connector">, query: object) =>
  t.as("SYNC_MANAGER").call(webhooks.listWebhookLog, { params: { connectorId }, query });

async function countRefused(t: TestApp, connectorId: Id<"connector">): Promise<number> {
  let [sum, cursor] = [0, ""];
  for (;;) {
    const query = { outcome: "refused", count: 200, ...(cursor && { cursor }) };
    const { entries, page, cut } = await readLog(t, connectorId, query);
    for (const { times } of entries) sum += times;
    if (page.nextCursor === null) return sum + cut;
    cursor = page.nextCursor;
  }
}

/** Needs a listening application with a worker. */
export async function openWebhook(
  t: TestApp,
  { authType, credentials }: { authType: string; credentials: Record<string, string> },
  config: object = {},
): Promise<OpenWebhook> {
  const manager = t.as("SYNC_MANAGER");
  const { id: connectorId } = await manager.call(connectors.createConnector, {
    body: { name: `Hook ${t.deps.newId()}`, typeId: "webhook", authType, credentials, config: { ...config } },
  });
  const params = { connectorId };
  await manager.call(connectors.activateConnector, { params });
  await eventually("an active webhook", async () => {
    const { status } = await manager.call(connectors.getConnector, { params });
    return status === "ACTIVE" ? status : undefined;
  });
  const made = await manager.call(webhooks.makeWebhookAddress, { params, body: {} });
  const url = `${t.address}${new URL(made.url).pathname}`;
  const log: OpenWebhook["log"] = async (query = {}) => (await readLog(t, connectorId, query)).entries;
  return {
    ...{ connectorId, url, log },
    newest: async () => (await log({ count: 1 }))[0]?.number ?? 0,
    refused: () => countRefused(t, connectorId),
    post: (body, headers = {}) =>
      fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body }),
  };
}

export const BEARER = { authType: "bearerToken", credentials: { token: "token-of-the-sender" } };
export const WITH_BEARER = { authorization: `Bearer ${BEARER.credentials.token}` };
export const SIGNED = { authType: "apiSecretKey", credentials: { secret: SECRET } };

const now = (): number => Math.floor(Date.now() / 1000);
const hmac = (text: string): string => createHmac("sha256", SECRET).update(text).digest("hex");

/** Headers with which Stripe and Slack sign a body, `off` seconds from now. */
export const SIGN = {
  stripe: (body: string, off = 0): Record<string, string> => {
    const time = now() + off;
    return { [WEBHOOK_SENDERS.stripe.signatureHeader]: `t=${time},v1=${hmac(`${time}.${body}`)}` };
  },
  slack: (body: string, off = 0): Record<string, string> => {
    const time = now() + off;
    return {
      "x-slack-request-timestamp": String(time),
      [WEBHOOK_SENDERS.slack.signatureHeader]: `v0=${hmac(`v0:${time}:${body}`)}`,
    };
  },
};
