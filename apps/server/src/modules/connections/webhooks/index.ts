/** Webhooks: addresses, the receiver, its log, and trying a payload. */
import { randomBytes } from "node:crypto";
import * as api from "@accord/contracts/connections/webhooks";
import type { FastifyInstance } from "fastify";
import type { Deps } from "../../../platform/deps.ts";
import { type Module, route } from "../../../platform/module.ts";
import { startSealing } from "../../../platform/secrets/sealing-pass.store.ts";
import type { WebhookInbox, WebhookPlace } from "./inbox.store.ts";
import { olderPosts } from "./older-posts.store.ts";
import { draftRoutes, type DraftNeeds } from "./draft-routes.ts";
import { postLog } from "./post-log.store.ts";
import { serveWebhooks } from "./receiver.ts";
import type { WebhookSources } from "./webhook-finder.ts";
import { tryOut, webhookLog } from "./webhook-log.ts";

export { webhookInbox, type WebhookInbox } from "./inbox.store.ts";
export { REFUSAL_DAYS } from "./post-log.store.ts";
export type { PostAnswer } from "./accept-post.ts";
export type { WebhookFacts } from "./webhook-finder.ts";

/** Random bytes in an address: nobody finds it by trying. */
const ADDRESS_BYTES = 24;

export function webhooksModule(
  deps: Deps,
  needs: WebhookSources & {
    hasSecretFields(at: WebhookPlace["instanceId"], connectorId: string): Promise<boolean>;
    update: DraftNeeds["update"];
  },
  inbox: WebhookInbox,
): Module & { receive(http: FastifyInstance): void } {
  const log = postLog(deps.dataPool, deps.secrets);
  const posts = webhookLog({ deps, inbox, log, ...needs });
  const urlOf = (address: string): string => `${deps.config.baseUrl}${api.WEBHOOK_PATH}/${address}`;
  return {
    name: "connections/webhooks",
    startWorker: async () =>
      startSealing(deps.dataPool, olderPosts(deps.dataPool, deps.secrets), (error) =>
        deps.log.warn({ err: error }, "sealing older posts failed; it is tried again"),
      ),
    receive: (http) => serveWebhooks(http, { deps, inbox, log, ...needs }),
    routes: [
      ...draftRoutes(deps, { demand: posts.demand, update: needs.update }),
      route(api.makeWebhookAddress, async ({ instanceId }, { params: { connectorId }, body }) => {
        await posts.demand({ instanceId, connectorId });
        const fresh = randomBytes(ADDRESS_BYTES).toString("base64url");
        return { url: urlOf(await inbox.settleAddress({ instanceId, connectorId }, fresh, body.renew)) };
      }),
      route(api.getWebhookAddress, async ({ instanceId }, { params: { connectorId } }) => {
        await posts.demand({ instanceId, connectorId });
        const address = await inbox.addressOf({ instanceId, connectorId });
        return { url: address === null ? null : urlOf(address) };
      }),
      route(api.listWebhookLog, ({ instanceId }, { params: { connectorId }, query }) =>
        posts.list({ instanceId, connectorId }, query),
      ),
      route(api.getWebhookPost, ({ instanceId }, { params: { connectorId, kind, number } }) =>
        posts.post({ instanceId, connectorId }, kind, number),
      ),
      route(api.replayWebhookPost, ({ instanceId }, { params: { connectorId, number } }) =>
        posts.replay({ instanceId, connectorId }, number),
      ),
      route(api.tryWebhookPayload, async (_ctx, { body }) => tryOut(body.config, body.payload)),
    ],
  };
}
