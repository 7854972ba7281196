/** What the screens of webhooks ask the server. */
import { getWebhookDraft, listWebhookDrafts } from "@accord/contracts/connections/webhook-drafts";
import {
  getWebhookAddress,
  getWebhookPost,
  listWebhookLog,
  type WebhookOutcome,
} from "@accord/contracts/connections/webhooks";
import { keepPreviousData } from "@tanstack/react-query";
import { useEndpoint } from "../../../app/queries.ts";
import type { ConnectorId } from "../queries.ts";

/** In milliseconds. A person watches for what a sender just posted. */
const LIVE_MS = 3_000;
export const POSTS_A_PAGE = 25;

/** Everything that a change of a draft makes old. */
export const WEBHOOK_DRAFT_READS = [getWebhookDraft, listWebhookDrafts] as const;

export interface LogView {
  outcome?: WebhookOutcome | undefined;
  cursor?: string | undefined;
  direction?: "previous" | undefined;
}

/** The newest page asks again by itself; older ones stay as they are. */
export const usePosts = (connectorId: ConnectorId, { outcome, cursor, direction }: LogView) =>
  useEndpoint(
    listWebhookLog,
    {
      params: { connectorId },
      query: {
        count: POSTS_A_PAGE,
        ...(outcome ? { outcome } : {}),
        ...(cursor ? { cursor } : {}),
        ...(direction ? { direction } : {}),
      },
    },
    { placeholderData: keepPreviousData, refetchInterval: cursor ? false : LIVE_MS },
  );

export const useWebhookAddress = (connectorId: ConnectorId) =>
  useEndpoint(getWebhookAddress, { params: { connectorId } });

export const useWebhookDraft = (connectorId: ConnectorId) => useEndpoint(getWebhookDraft, { params: { connectorId } });

export const useWebhookDrafts = () => useEndpoint(listWebhookDrafts);

export const usePost = (connectorId: ConnectorId, kind: "post" | "refusal", number: number) =>
  useEndpoint(getWebhookPost, { params: { connectorId, kind, number } });
