/** A number that leads to the cycles it counts, in the pipeline's log. */
import type { MetricHistory, MetricInterval } from "@accord/contracts/sync/monitoring/metrics";
import { Link } from "@tanstack/react-router";
import { useWords } from "../../../../app/words.ts";
import { spanOf } from "../metrics.model.ts";

interface Props {
  history: MetricHistory;
  /** Of all intervals where it is absent. */
  interval?: MetricInterval;
  /** Only those that failed. */
  isFailed?: boolean;
  /** Nothing counted, nothing to lead to. */
  isEmpty: boolean;
  children: string;
}

export function CyclesLink({ history, interval, isFailed = false, isEmpty, children }: Props) {
  const { t } = useWords("sync");
  const span = spanOf(history, interval);
  const time = interval ? new Date(interval.from).toLocaleString() : t("metrics.total");
  if (isEmpty) return <span>{children}</span>;
  return (
    <Link
      to="/sync-studio/entity/$entityId/pipeline-logs/$graphVersion"
      params={{ entityId: history.entityId, graphVersion: "published" }}
      search={{ kind: "cycle", ...(isFailed ? { severity: "error" } : {}), ...span }}
      aria-label={t("metrics.leads", { shown: children, time })}
    >
      {children}
    </Link>
  );
}
