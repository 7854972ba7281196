/** The call of an address when an alert is crossed: its JSON body, and what became of it. It is not signed. */
import type { Id } from "@accord/contracts";
import { ALERT_LIMITS, type AlertValue } from "@accord/contracts/insights/card-alerts";
import { insights } from "@accord/contracts/messages/en/insights";
import { fill } from "@accord/contracts/messages/fill";
import type { Deps } from "../../../platform/deps.ts";
import { OutboundError } from "../../../platform/outbound/outbound.ts";
import type { SecretPlace } from "../../../platform/secrets/secrets.ts";
import type { ClaimedAlert } from "./alert-checks.store.ts";
import type { CallContent } from "./alert-deliveries.store.ts";

/** Where the address of an alert is sealed for. */
export const addressPlace = (instanceId: Id<"instance">, id: Id<"cardAlert">): SecretPlace => ({
  ...{ instanceId, id },
  table: "card_alert",
  field: "webhook",
});

interface CallFacts {
  /** The same for each try. */
  id: string;
  now: string;
  value: AlertValue;
  cardName: string;
  link: string;
  baseUrl: string;
}

/** Documented in docs/alerts.md: keys are only ever added. */
export const callBody = (
  { instanceId, cardId, id, name, watch, condition }: ClaimedAlert,
  { value, cardName, link, baseUrl, ...call }: CallFacts,
): CallContent => ({
  id: call.id,
  event: "cardAlert.crossed",
  at: call.now,
  instanceId,
  alert: { id, name },
  card: { id: cardId, name: cardName },
  value: value.value,
  text: value.text,
  series: watch.kind === "series" ? watch.label : null,
  mark: value.mark === "" ? null : value.mark,
  condition,
  link: new URL(link, baseUrl).href,
});

/** Null when the address took it; else why not, without the address. */
export async function callAddress(
  { outbound, log }: Pick<Deps, "outbound" | "log">,
  address: string,
  { id, content, stopping }: { id: string; content: CallContent; stopping: AbortSignal },
): Promise<string | null> {
  const { webhookReason } = insights.alerts;
  try {
    const { status } = await outbound.guardedFetch(address, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": id },
      body: JSON.stringify(content),
      timeoutMs: ALERT_LIMITS.webhookMs,
      maxBytes: ALERT_LIMITS.webhookBytes,
      maxRedirects: 0,
      signal: stopping,
    });
    return status >= 200 && status < 300 ? null : fill(webhookReason.status, { status });
  } catch (error) {
    if (stopping.aborted) throw error;
    // These name the host, never the path, where a token would be.
    if (error instanceof OutboundError) return error.message;
    log.error({ err: error }, "the address of an alert could not be called");
    return webhookReason.unexpected;
  }
}
