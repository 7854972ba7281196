/** How posts to a webhook are called: their outcomes and sizes. */
import { WEBHOOK_REFUSALS, type WebhookLogEntry, type WebhookOutcome } from "@accord/contracts/connections/webhooks";
import type { Tone } from "@accord/ui";
import { useWords } from "../../../app/words.ts";

export const OUTCOME_TONE: Record<WebhookOutcome, Tone> = { accepted: "ok", noRecords: "warn", refused: "error" };

export function useOutcomeWords(): (entry: Pick<WebhookLogEntry, "outcome" | "code">) => string {
  const { t } = useWords("webhooks");
  return ({ outcome, code }) => {
    const known = WEBHOOK_REFUSALS.find((refusal) => refusal === code);
    return known ? t(`refusal.${known}`) : t(`log.outcomes.${outcome}`);
  };
}

export function useSize(): (bytes: number | null) => string {
  const { t } = useWords("webhooks");
  return (bytes) => {
    if (bytes === null) return "–";
    if (bytes < 1_000) return t("post.bytes", { count: bytes });
    return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
  };
}
