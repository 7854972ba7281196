/** How many differences there are of each kind and reason: a press shows only those. */
import { CountBadge } from "@accord/ui";
import type { Reconciliation } from "@accord/contracts/sync/reconciliation";
import { getRouteApi } from "@tanstack/react-router";
import { useWords } from "../../../../app/words.ts";
import { sortedCounts } from "../report.model.ts";

const route = getRouteApi("/signed-in/sync-studio/entity/$entityId/reconciliation/$reconciliationId");

export function CountList({ report }: { report: Reconciliation }) {
  const { t } = useWords("reconciliation");
  const { kind, reason } = route.useSearch();
  const navigate = route.useNavigate();
  const all = report.counts.reduce((sum, { count }) => sum + count, 0);
  return (
    <ul className="ac-reconciliation__counts" aria-label={t("counts.label")}>
      <li>
        <button type="button" aria-pressed={kind === undefined} onClick={() => void navigate({ search: {} })}>
          <span>{t("counts.all")}</span>
          <CountBadge tone="idle" count={all} label={t("counts.all")} />
        </button>
      </li>
      {sortedCounts(report).map((one) => (
        <li key={`${one.kind} ${one.reason}`}>
          <button
            type="button"
            aria-pressed={kind === one.kind && reason === one.reason}
            onClick={() => void navigate({ search: { kind: one.kind, reason: one.reason } })}
          >
            <span>{t(`kind.${one.kind}`)}</span>
            <CountBadge
              tone={one.reason === "unexplained" ? "error" : "idle"}
              count={one.count}
              label={t(`reason.${one.reason}`)}
            />
            <small>
              {t(`reason.${one.reason}`)}
              {one.stored < one.count
                ? ` · ${t("counts.cut", { stored: one.stored.toLocaleString(), count: one.count })}`
                : null}
            </small>
          </button>
        </li>
      ))}
    </ul>
  );
}
