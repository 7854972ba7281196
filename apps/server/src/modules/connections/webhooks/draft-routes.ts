/** Endpoints of drafts of webhooks' configurations. */
import { webhookRefusals } from "@accord/contracts/messages/en/synapses/webhook-refusals";
import { WebhookConfig } from "@accord/connectors";
import * as api from "@accord/contracts/connections/webhook-drafts";
import type { Values } from "@accord/contracts/data/values";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { route, type Route } from "../../../platform/module.ts";
import { deleteDraft, findDraft, readDrafts, saveDraft } from "./drafts.store.ts";
import type { WebhookPlace } from "./inbox.store.ts";
import { configProblems } from "./webhook-log.ts";

export interface DraftNeeds {
  /** @throws when the connector is gone or no webhook. */
  demand(place: WebhookPlace): Promise<unknown>;
  /** Changes the webhook itself. */
  update(
    at: WebhookPlace["instanceId"],
    connectorId: WebhookPlace["connectorId"],
    edit: {
      version: number;
      name: string;
      config: Values;
      authType: string;
      credentials: Record<string, string>;
    },
  ): Promise<unknown>;
}

export function draftRoutes({ appDb, clock }: Pick<Deps, "appDb" | "clock">, { demand, update }: DraftNeeds): Route[] {
  /** A draft is known by its time: none has that of the one it replaces. */
  const timeAfter = (seen: string | null): string =>
    new Date(Math.max(clock.now().getTime(), seen === null ? 0 : Date.parse(seen) + 1)).toISOString();
  return [
    route(api.getWebhookDraft, async ({ instanceId }, { params: { connectorId } }) => {
      await demand({ instanceId, connectorId });
      return { draft: await findDraft(appDb, { instanceId, connectorId }) };
    }),
    route(api.listWebhookDrafts, async ({ instanceId }) => ({ drafts: await readDrafts(appDb, instanceId) })),
    route(api.saveWebhookDraft, async ({ instanceId }, { params: { connectorId }, body }) => {
      await demand({ instanceId, connectorId });
      const parsed = WebhookConfig.safeParse(body.config);
      if (!parsed.success) throw configProblems(parsed.error);
      const { seenSavedAt, ...definition } = body;
      const draft = { ...definition, savedAt: timeAfter(seenSavedAt) };
      if (!(await saveDraft(appDb, { instanceId, connectorId }, draft, seenSavedAt)))
        throw new AppError("stale_version");
      return { draft };
    }),
    route(api.discardWebhookDraft, async ({ instanceId }, { params: { connectorId }, query }) => {
      const place = { instanceId, connectorId };
      await demand(place);
      const isDeleted = await deleteDraft(appDb, place, query.seenSavedAt);
      if (!isDeleted && (await findDraft(appDb, place))) throw new AppError("stale_version");
      return { draft: null };
    }),
    route(api.publishWebhookDraft, async ({ instanceId }, { params: { connectorId }, body }) => {
      const place = { instanceId, connectorId };
      await demand(place);
      const draft = await findDraft(appDb, place);
      if (!draft) throw new AppError("invalid_state", { reason: webhookRefusals.noDraft });
      const { seenSavedAt, ...edit } = body;
      const { name, config, authType, savedAt } = draft;
      if (savedAt !== seenSavedAt) throw new AppError("stale_version");
      await update(instanceId, connectorId, { ...edit, name, config, authType });
      // What somebody saved since then stays.
      await deleteDraft(appDb, place, savedAt);
      return {};
    }),
  ];
}
