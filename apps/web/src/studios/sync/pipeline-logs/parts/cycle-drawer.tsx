/** One cycle of the log: the records that it changed and what it met. */
import type { Id } from "@accord/contracts";
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import { listCycles } from "@accord/contracts/sync/monitoring/runs";
import { EmptyState, TableSkeleton } from "@accord/ui";
import { Drawer } from "@mantine/core";
import { useEndpoint } from "../../../../app/queries.ts";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { QueryView } from "../../../../shared/query-view.tsx";
import { CycleRecords } from "../../pipelines/parts/cycles/cycle-records.tsx";
import { ProblemList } from "../../pipelines/parts/run-problems.tsx";
import "../../pipelines/parts/activity-drawer.css";

const WIDTH = 900;

interface Props {
  row: PipelineRow;
  cycleId: Id<"run"> | undefined;
  onClose: () => void;
}

export function CycleDrawer({ row, cycleId, onClose }: Props) {
  const { t } = useWords("sync");
  return (
    <Drawer opened={cycleId !== undefined} onClose={onClose} size={WIDTH} position="right" title={t("logs.cycle")}>
      {cycleId ? <ShownCycle key={cycleId} row={row} cycleId={cycleId} /> : null}
    </Drawer>
  );
}

/** Cycles are numbered; a list of them goes on behind a number. */
const behind = (cycleId: Id<"run">): string => String(Number.parseInt(cycleId, 16) + 1);

function ShownCycle({ row, cycleId }: { row: PipelineRow; cycleId: Id<"run"> }) {
  const { t } = useWords("sync");
  const mayTrace = useCan("VIEW_TRANSACTIONS");
  const found = useEndpoint(listCycles, { params: { entityId: row.id }, query: { cursor: behind(cycleId), count: 1 } });
  return (
    <QueryView query={found} skeleton={<TableSkeleton rows={3} />}>
      {({ cycles }) => {
        const cycle = cycles.find(({ id }) => id === cycleId);
        if (!cycle) return <EmptyState compact title={t("logs.cycleGone")} />;
        return (
          <section className="ac-activity-section" aria-label={t("activity.problemsOf")}>
            {mayTrace ? <CycleRecords row={row} cycle={cycle} /> : null}
            {cycle.errors.length + cycle.warnings.length === 0 ? (
              <p>{t("activity.noProblems")}</p>
            ) : (
              <ProblemList row={row} errors={cycle.errors} warnings={cycle.warnings} onLeave={undefined} />
            )}
          </section>
        );
      }}
    </QueryView>
  );
}
