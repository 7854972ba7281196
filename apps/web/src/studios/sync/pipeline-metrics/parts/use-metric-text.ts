/** Numbers of metrics as people read them. */
import { useWords } from "../../../../app/words.ts";
import { inSeconds, isTime, type Metric } from "../metrics.model.ts";

export function useMetricText(): (metric: Metric, value: number | null) => string {
  const { t } = useWords("sync");
  return (metric, value) => {
    if (value === null) return "–";
    if (!isTime(metric)) return value.toLocaleString("en-US");
    return t("metrics.seconds", { shown: inSeconds(value).toLocaleString("en-US") });
  };
}
