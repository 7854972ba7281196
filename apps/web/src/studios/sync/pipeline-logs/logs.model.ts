/** What the address of a log asks the server for, and what entries without words of their own say. */
import { PERIOD_MS } from "@accord/contracts/sync/monitoring/page-filters";
import type { PipelineLogEntry, PipelineLogFilter } from "@accord/contracts/sync/monitoring/pipeline-logs";
import type { useWords } from "../../../app/words.ts";
import type { LogSearch } from "./routes.tsx";

type Words = ReturnType<typeof useWords<"sync">>["t"];

export function filterOf({ severity, kind, node, text, within, from, to }: LogSearch, now: number): PipelineLogFilter {
  const since = within === undefined ? undefined : new Date(now - PERIOD_MS[within]).toISOString();
  const start = [from, since].filter((time) => time !== undefined).sort();
  return {
    ...(severity ? { severities: [severity] } : {}),
    ...(kind ? { kinds: [kind] } : {}),
    ...(node ? { nodeId: node } : {}),
    ...(text ? { text } : {}),
    ...(start.length > 0 ? { from: start.at(-1) } : {}),
    ...(to ? { to } : {}),
  };
}

/** Without a cursor: whatever is narrowed, its newest entries come first. */
export const isNarrowed = (search: LogSearch): boolean =>
  [search.severity, search.kind, search.node, search.text, search.within, search.from, search.to].some(Boolean);

export function entryText(entry: PipelineLogEntry, t: Words): string {
  if (entry.cycle) {
    const { kind, outcome, startedAt } = entry.cycle;
    const seconds = (Date.parse(entry.timestamp) - Date.parse(startedAt)) / 1000;
    const said = { kind: t(`activity.${kind}`), outcome: t(`activity.outcome_${outcome}`) };
    return t("logs.cycleDone", { ...said, took: `${Math.max(0, seconds).toFixed(1)} s` });
  }
  if (entry.node) {
    const { reached, ended, quarantined } = entry.node;
    return [
      t("logs.reached", { count: reached }),
      ...(ended > 0 ? [t("logs.endedHere", { count: ended })] : []),
      ...(quarantined > 0 ? [t("logs.quarantinedHere", { count: quarantined })] : []),
    ].join(", ");
  }
  return entry.message || (entry.code ?? "");
}

/** What stands below it: counts of a cycle, the label of an action, one record of a problem and how many there were. */
export function entryDetail(entry: PipelineLogEntry, t: Words): string {
  if (entry.cycle) {
    const shown = ({ read, created, updated, deleted, written }: NonNullable<PipelineLogEntry["cycle"]>) => ({
      read: read.toLocaleString("en-US"),
      created: created.toLocaleString("en-US"),
      updated: updated.toLocaleString("en-US"),
      deleted: deleted.toLocaleString("en-US"),
      written: written.toLocaleString("en-US"),
    });
    return t("logs.cycleNumbers", shown(entry.cycle));
  }
  const parts = [
    entry.detail === entry.message ? null : entry.detail,
    entry.externalId,
    entry.count === null ? null : t("logs.ofRecords", { count: entry.count }),
    entry.message === "" ? null : entry.code,
  ];
  return parts.filter(Boolean).join(" · ");
}
