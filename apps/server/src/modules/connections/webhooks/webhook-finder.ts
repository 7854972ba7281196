/** The webhook of an address as it is now, with what reads it. */
import type { Id } from "@accord/contracts";
import { keepRecent } from "../../../platform/keep-recent.ts";
import type { PostReaders } from "./accept-post.ts";
import type { WebhookInbox, WebhookPlace } from "./inbox.store.ts";

/** A webhook with what proves its posts. */
export interface WebhookFacts {
  status: string;
  config: Record<string, unknown>;
  authType: string;
  credentials: Record<string, string>;
}

export interface WebhookSources {
  /** null when it is gone or no webhook. */
  findWebhook(at: Id<"instance">, connectorId: string): Promise<WebhookFacts | null>;
  findReaders(at: Id<"instance">, connectorId: string): Promise<PostReaders>;
}

export interface WebhookFinder {
  /** null when there is none. */
  find(address: string): Promise<{ place: WebhookPlace; webhook: WebhookFacts; readers: Promise<PostReaders> } | null>;
  /** Where an address led lately; nothing is asked for that. */
  lately(address: string): WebhookPlace | undefined;
}

/** Addresses remembered in this process. */
const MAX_ADDRESSES = 10_000;

/** Asks for everything at once where an address leads to where it led before, which is nearly always: nothing is believed. */
export function webhookFinder(
  inbox: Pick<WebhookInbox, "findAddress">,
  { findWebhook, findReaders }: WebhookSources,
): WebhookFinder {
  const lately = new Map<string, WebhookPlace>();
  const ask = ({ instanceId, connectorId }: WebhookPlace) => {
    const asked = {
      webhook: findWebhook(instanceId, connectorId),
      readers: findReaders(instanceId, connectorId),
    };
    // Whoever awaits it gets the error.
    asked.webhook.catch(() => {});
    asked.readers.catch(() => {});
    return asked;
  };
  return {
    lately: (address) => lately.get(address),
    async find(address) {
      const guess = lately.get(address);
      const early = guess && ask(guess);
      const place = await inbox.findAddress(address);
      if (!place) {
        lately.delete(address);
        return null;
      }
      keepRecent(lately, address, place, MAX_ADDRESSES);
      const isGuessed = guess?.instanceId === place.instanceId && guess.connectorId === place.connectorId;
      const { webhook, readers } = isGuessed && early ? early : ask(place);
      const facts = await webhook;
      return facts && { place, webhook: facts, readers };
    },
  };
}
