/** The latest cycles of a pipeline as bars: how many records each changed, and which of them failed. */
import type { RecentCycle } from "@accord/contracts/sync/pipelines";
import { useWords } from "../../../../../app/words.ts";
import "./recent-cycles.css";

const HEIGHT = 18;
const BAR = 4;
const STEP = 6;
/** A cycle that changed nothing, or failed before it did, is seen all the same. */
const LEAST = 2;

/** Heights in pixels, the largest of them `HEIGHT`; by square root, so that one large load does not flatten the others. */
export function barHeights(cycles: readonly RecentCycle[]): number[] {
  const most = Math.max(1, ...cycles.map(({ changed }) => changed));
  return cycles.map(({ changed }) => Math.max(LEAST, Math.round(Math.sqrt(changed / most) * HEIGHT)));
}

export function RecentCycles({ cycles }: { cycles: readonly RecentCycle[] }) {
  const { t } = useWords("sync");
  if (cycles.length === 0) return null;
  const changed = cycles.reduce((sum, cycle) => sum + cycle.changed, 0).toLocaleString("en-US");
  const failed = cycles.filter(({ isFailed }) => isFailed).length;
  const says = [t("table.recentCycles", { count: cycles.length, changed }), t("table.recentFailed", { count: failed })]
    .filter((_, index) => index === 0 || failed > 0)
    .join(", ");
  const heights = barHeights(cycles);
  return (
    <svg className="ac-recent-cycles" role="img" aria-label={says} width={cycles.length * STEP} height={HEIGHT}>
      <title>{says}</title>
      {cycles.map(({ startedAt, isFailed }, index) => (
        <rect
          key={`${startedAt}${index}`}
          data-failed={isFailed || undefined}
          x={index * STEP}
          y={HEIGHT - (heights[index] ?? LEAST)}
          width={BAR}
          height={heights[index]}
          rx={1}
        />
      ))}
    </svg>
  );
}
