/** One cycle wherever it stands in the list of cycles: what it changed and met, or that it is no longer kept. */
import { listCycles, type Cycle } from "@accord/contracts/sync/monitoring/runs";
import { type Transaction } from "@accord/contracts/sync/monitoring/transactions";
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import { EmptyState, TableSkeleton } from "@accord/ui";
import { useEndpoint } from "../../../../../app/queries.ts";
import { useCan } from "../../../../../app/session.ts";
import { useWords } from "../../../../../app/words.ts";
import { QueryView } from "../../../../../shared/query-view.tsx";
import { ProblemList } from "../run-problems.tsx";
import { CycleRecords } from "./cycle-records.tsx";
import "../activity-drawer.css";

interface Props {
  row: PipelineRow;
  /** What of its changes is listed. */
  change?: Transaction["operation"] | undefined;
  /** Offers to list others. */
  onChange?: (change: Transaction["operation"] | undefined) => void;
  onLeave?: (() => void) | undefined;
}

/** What the cycle changed, and what went wrong in it. */
export function CycleDetails({ row, cycle, change, onChange, onLeave }: Props & { cycle: Cycle }) {
  const { t } = useWords("sync");
  const mayTrace = useCan("VIEW_TRANSACTIONS");
  return (
    <section className="ac-activity-section" aria-label={t("activity.problemsOf")}>
      {mayTrace ? (
        <CycleRecords
          key={`${cycle.id} ${change}`}
          row={row}
          cycle={cycle}
          change={change}
          {...(onChange ? { onChange } : {})}
        />
      ) : null}
      {cycle.errors.length + cycle.warnings.length === 0 ? (
        <p>{t("activity.noProblems")}</p>
      ) : (
        <ProblemList row={row} errors={cycle.errors} warnings={cycle.warnings} onLeave={onLeave} />
      )}
    </section>
  );
}

/** Longest number that a list of cycles goes on behind. */
const MAX_NUMBER = 1e15;

/** Cycles are numbered; a list of them goes on behind a number. Null where the address names no cycle. */
function behind(cycleId: string): string | null {
  const number = /^[0-9a-f]{24}$/.test(cycleId) ? Number.parseInt(cycleId, 16) + 1 : MAX_NUMBER;
  return number < MAX_NUMBER ? String(number) : null;
}

/** `cycleId`: as an address has it, perhaps of a cycle that is not kept any more. */
export function CycleById({ cycleId, ...rest }: Props & { cycleId: string }) {
  const { t } = useWords("sync");
  const cursor = behind(cycleId);
  const found = useEndpoint(
    listCycles,
    { params: { entityId: rest.row.id }, query: { cursor: cursor ?? "", count: 1 } },
    { enabled: cursor !== null },
  );
  const gone = <EmptyState compact title={t("logs.cycleGone")} />;
  if (cursor === null) return gone;
  return (
    <QueryView query={found} skeleton={<TableSkeleton rows={3} />}>
      {({ cycles }) => {
        const cycle = cycles.find(({ id }) => id === cycleId);
        return cycle ? <CycleDetails {...rest} cycle={cycle} /> : gone;
      }}
    </QueryView>
  );
}
