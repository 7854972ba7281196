/** What a report's screen knows without a screen: states, sums by kind, and the address of its file. */
import { API_PREFIX } from "@accord/contracts";
import type { DifferenceKind, Reconciliation } from "@accord/contracts/sync/reconciliation";
import type { ReportSearch } from "./routes.tsx";

export const STATUS_TONES = {
  WAITING: "idle",
  RUNNING: "info",
  FINISHED: "ok",
  CANCELLED: "idle",
  FAILED: "error",
} as const;

export const isActive = ({ status }: Pick<Reconciliation, "status">): boolean =>
  status === "WAITING" || status === "RUNNING";

/** Differences with a reason to be repaired: what authority, settings or a merge explain is as it should be. */
const REPAIRED: ReadonlySet<string> = new Set([
  "unexplained",
  "unsettled",
  "waiting_to_read",
  "not_brought_in",
  "deleted_there",
]);

export const isRepairable = ({ kind, reason }: { kind: DifferenceKind; reason: string }): boolean =>
  kind !== "doubled" && REPAIRED.has(reason);

/** Percent of the records read; undefined while nobody knows, or once all are read. */
export function percentOf({ phase, listed, expected }: Reconciliation): number | undefined {
  return phase === "reading" && expected ? Math.min(99, (100 * listed) / expected) : undefined;
}

/** What is unexplained comes first, then by number. */
export function sortedCounts({ counts }: Pick<Reconciliation, "counts">): Reconciliation["counts"] {
  const rank = (reason: string): number => (reason === "unexplained" ? 0 : 1);
  return counts.toSorted((left, right) => rank(left.reason) - rank(right.reason) || right.count - left.count);
}

export function csvAddress(reconciliationId: string, { kind, reason }: ReportSearch): string {
  const query = new URLSearchParams({ ...(kind ? { kind } : {}), ...(reason ? { reason } : {}) }).toString();
  return `${API_PREFIX}/reconciliations/${reconciliationId}/differences/csv${query ? `?${query}` : ""}`;
}
