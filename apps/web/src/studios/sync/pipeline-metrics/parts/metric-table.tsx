/** Metrics as a table, an interval a row, the newest first; each number leads to the cycles it counts. */
import type { MetricHistory, MetricInterval } from "@accord/contracts/sync/monitoring/metrics";
import { DataTable, type Column } from "@accord/ui";
import { useWords } from "../../../../app/words.ts";
import type { Metric } from "../metrics.model.ts";
import { CyclesLink } from "./cycles-link.tsx";
import { useMetricText } from "./use-metric-text.ts";

const METRICS = [
  ...(["cycles", "failedCycles", "read", "changed", "written", "refused", "quarantined"] as const),
  ...(["averageMs", "longestMs", "lagMs"] as const),
] satisfies Metric[];

export function MetricTable({ history, label }: { history: MetricHistory; label: string }) {
  const { t } = useWords("sync");
  const textOf = useMetricText();
  const columns: Column<MetricInterval>[] = [
    {
      id: "interval",
      header: t("metrics.interval"),
      width: 170,
      sticky: true,
      cell: ({ from }) => <time dateTime={from}>{new Date(from).toLocaleString()}</time>,
      sortValue: ({ from }) => from,
    },
    ...METRICS.map((metric): Column<MetricInterval> => ({
      id: metric,
      header: t(`metrics.${metric}`),
      minWidth: 84,
      align: "end",
      cell: (interval) => {
        const value = interval[metric];
        return (
          <CyclesLink
            history={history}
            interval={interval}
            isFailed={metric === "failedCycles"}
            isEmpty={value === null || value === 0}
          >
            {textOf(metric, value)}
          </CyclesLink>
        );
      },
      sortValue: (interval) => interval[metric],
    })),
  ];
  const rows = history.intervals.filter(({ cycles }) => cycles > 0).toReversed();
  return <DataTable label={label} columns={columns} rows={rows} rowId={({ from }) => from} dense />;
}
