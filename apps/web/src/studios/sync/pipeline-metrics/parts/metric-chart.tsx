/** One chart of metrics, with what its numbers come to in the period; each of them leads to its cycles. */
import { CARD_VIEWS } from "@accord/cards/views";
import { CardConfiguration, type CardData } from "@accord/contracts/insights/cards";
import type { MetricHistory } from "@accord/contracts/sync/monitoring/metrics";
import { useMemo } from "react";
import { useWords } from "../../../../app/words.ts";
import { CHARTS, type ChartName, inSeconds, intervalNames, isTime, type Metric, totalOf } from "../metrics.model.ts";
import { CyclesLink } from "./cycles-link.tsx";
import { useMetricText } from "./use-metric-text.ts";

interface Props {
  history: MetricHistory;
  name: ChartName;
  /** Of an interval, in words. */
  interval: string;
}

export function MetricChart({ history, name, interval }: Props) {
  const { t } = useWords("sync");
  const textOf = useMetricText();
  const { kind, metrics } = CHARTS[name];
  const View = CARD_VIEWS[kind];
  const card = useMemo(() => cardOf(kind, metrics, (metric) => t(`metrics.${metric}`)), [kind, metrics, t]);
  const data = useMemo(
    () => dataOf(history, metrics, { time: t("metrics.time"), nameOf: (metric) => t(`metrics.${metric}`) }),
    [history, metrics, t],
  );
  return (
    <section className="ac-metric-chart" aria-labelledby={`metric-${name}`}>
      <h2 id={`metric-${name}`}>{t(`metrics.${name}`)}</h2>
      <p>{t(`metrics.${name}Hint`, { interval })}</p>
      <dl>
        {metrics.map((metric) => {
          const total = totalOf(history.intervals, metric);
          return (
            <div key={metric}>
              <dt>{t(`metrics.${metric}`)}</dt>
              <dd>
                <CyclesLink
                  history={history}
                  isFailed={metric === "failedCycles"}
                  isEmpty={total === null || total === 0}
                >
                  {textOf(metric, total)}
                </CyclesLink>
              </dd>
            </div>
          );
        })}
      </dl>
      <div className="ac-metric-chart__plot">
        <View name={t(`metrics.${name}`)} card={card} data={data} />
      </div>
    </section>
  );
}

type NameOf = (metric: Metric) => string;

const cardOf = (vizType: "COLUMN" | "LINE", metrics: readonly Metric[], nameOf: NameOf): CardConfiguration =>
  CardConfiguration.parse({
    vizType,
    vizLabelVisible: false,
    xaxis: { column: "time" },
    yaxis: metrics.map((metric) => ({ column: metric, displayName: nameOf(metric), displayFormat: "number" })),
  });

function dataOf(
  { intervals, period, to }: MetricHistory,
  metrics: readonly Metric[],
  { time, nameOf }: { time: string; nameOf: NameOf },
): CardData {
  const names = intervalNames(intervals, period);
  return {
    columns: [
      { name: "x", displayName: time, dataType: "string" },
      ...metrics.map((metric, index) => ({
        name: `y${index}`,
        displayName: nameOf(metric),
        dataType: "decimal" as const,
      })),
    ],
    rows: intervals.map((interval, place) => ({
      x: names[place] ?? interval.from,
      ...Object.fromEntries(
        metrics.map((metric, index) => {
          const value = interval[metric];
          return [`y${index}`, value !== null && isTime(metric) ? inSeconds(value) : value];
        }),
      ),
    })),
    reduction: null,
    asOf: to,
    dataAsOf: null,
    label: "",
  };
}
