/** Webhooks: addresses, the receiver and its log. */
import { randomBytes } from "node:crypto";
import { listWebhookLog, makeWebhookAddress, WEBHOOK_PATH } from "@accord/contracts/connections/webhooks";
import type { FastifyInstance } from "fastify";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { type Module, route } from "../../../platform/module.ts";
import { startSealing } from "../../../platform/secrets/sealing-pass.store.ts";
import type { WebhookInbox } from "./inbox.store.ts";
import { olderPosts } from "./older-posts.store.ts";
import { type ReceiverParts, serveWebhooks } from "./receiver.ts";

export { webhookInbox, type WebhookInbox } from "./inbox.store.ts";
export type { PostAnswer, WebhookFacts } from "./receiver.ts";

/** Bytes of chance in an address: nobody finds it by trying. */
const ADDRESS_BYTES = 24;

export function webhooksModule(
  deps: Deps,
  needs: Omit<ReceiverParts, "deps" | "inbox"> & {
    hasSecretFields(at: Parameters<ReceiverParts["findWebhook"]>[0], connectorId: string): Promise<boolean>;
  },
  inbox: WebhookInbox,
): Module & { receive(http: FastifyInstance): void } {
  const demand = async (at: Parameters<typeof needs.findWebhook>[0], connectorId: string): Promise<void> => {
    if (!(await needs.findWebhook(at, connectorId))) throw new AppError("not_found", { what: "Webhook" });
  };
  return {
    name: "connections/webhooks",
    startWorker: async () =>
      startSealing(deps.dataPool, olderPosts(deps.dataPool, deps.secrets), (error) =>
        deps.log.warn({ err: error }, "sealing older posts failed; it is tried again"),
      ),
    receive: (http) => serveWebhooks(http, { deps, inbox, ...needs }),
    routes: [
      route(makeWebhookAddress, async ({ instanceId }, { params: { connectorId }, body }) => {
        await demand(instanceId, connectorId);
        const fresh = randomBytes(ADDRESS_BYTES).toString("base64url");
        const address = await inbox.settleAddress({ instanceId, connectorId }, fresh, body.renew);
        return { url: `${deps.config.baseUrl}${WEBHOOK_PATH}/${address}` };
      }),
      route(listWebhookLog, async ({ instanceId }, { params: { connectorId }, query }) => {
        await demand(instanceId, connectorId);
        const isHidden = await needs.hasSecretFields(instanceId, connectorId);
        const rows = await inbox.log({ instanceId, connectorId }, query.before ?? null, query.count);
        return {
          entries: rows.map(({ at, kind, status, code, messageId, body }) => ({
            at,
            kind,
            status,
            code,
            messageId,
            // Secret values may stand anywhere in it.
            body: isHidden ? null : body,
          })),
        };
      }),
    ],
  };
}
