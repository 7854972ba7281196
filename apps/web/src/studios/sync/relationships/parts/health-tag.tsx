/** How the pipeline of an entity is doing, in one tag. */
import type { PipelineHealth } from "@accord/contracts/sync/monitoring/health";
import { StatusTag, type Tone } from "@accord/ui";
import { useWords } from "../../../../app/words.ts";
import { HEALTH_TONES, joined, reasonTone, useReasonText } from "../../../../shared/health.tsx";

export const healthTone = (health: PipelineHealth | null | undefined): Tone =>
  health ? HEALTH_TONES[health.severity] : "idle";

export function HealthTag({ health }: { health: PipelineHealth | null | undefined }) {
  const { t } = useWords("sync");
  const textOf = useReasonText();
  if (health === undefined) return <StatusTag tone="idle">{t("relationships.unknown")}</StatusTag>;
  if (!health) return <StatusTag tone="idle">{t("relationships.unpublished")}</StatusTag>;
  const [worst] = joined(health.reasons);
  if (!worst) return <StatusTag tone="ok">{t("health.IN_AGREEMENT")}</StatusTag>;
  return <StatusTag tone={reasonTone(worst)}>{textOf(worst)}</StatusTag>;
}
