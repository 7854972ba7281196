/** The numbers above the Pipeline Details table. */
import type { AgreementFilter, PipelineRow, PipelineSummary } from "@accord/contracts/sync/pipelines";
import { isApart, needsAttention } from "./agreement.ts";

/**
 * Each pipeline counts once among its states, under its own tag; drafts and warnings are counted beside them. Entities
 * without a pipeline are none.
 */
export function summarise(
  rows: readonly Pick<PipelineRow, "pipelineStatus" | "pipelineStateTagData">[],
): PipelineSummary {
  const summary: PipelineSummary = {
    total: rows.filter(({ pipelineStatus }) => pipelineStatus !== "UNMAPPED").length,
    draft: 0,
    resyncing: 0,
    running: 0,
    paused: 0,
    error: 0,
    warning: 0,
  };
  for (const { pipelineStatus, pipelineStateTagData: tags } of rows) {
    if (pipelineStatus === "DRAFT" || pipelineStatus === "PUBLISHED_WITH_DRAFT") summary.draft++;
    if (tags.includes("Warning")) summary.warning++;
    if (tags.includes("Resyncing")) summary.resyncing++;
    else if (tags.includes("Running")) summary.running++;
    else if (tags.includes("Paused")) summary.paused++;
    else if (tags.includes("Error")) summary.error++;
  }
  return summary;
}

export interface RowFilter {
  search?: string;
  states: readonly string[];
  statuses: readonly string[];
  sources: readonly string[];
  destinations: readonly string[];
  agreement: readonly AgreementFilter[];
}

type Filterable = Pick<
  PipelineRow,
  "name" | "apiName" | "pipelineStateTagData" | "pipelineStatusTagData" | "health"
> & {
  sources: readonly { entityId: string; connectorId: string }[];
  destinations: readonly { entityId: string; connectorId: string }[];
};

/** Everything chosen in the panel combines with OR, the search with AND; both ignore case. */
export function filterRows<Row extends Filterable>(rows: readonly Row[], filter: RowFilter): Row[] {
  const search = filter.search?.trim().toLowerCase() ?? "";
  const wanted = (chosen: readonly string[]) => {
    const set = new Set(chosen.map((one) => one.toLowerCase()));
    return (held: string): boolean => set.has(held.toLowerCase());
  };
  const [state, status, source, destination] = [
    filter.states,
    filter.statuses,
    filter.sources,
    filter.destinations,
  ].map(wanted) as [Wants, Wants, Wants, Wants];
  const isOpen = [filter.states, filter.statuses, filter.sources, filter.destinations, filter.agreement].every(
    (list) => list.length === 0,
  );
  return rows.filter((row) => {
    const found =
      search === "" || row.name.toLowerCase().includes(search) || row.apiName.toLowerCase().includes(search);
    const chosen =
      isOpen ||
      row.pipelineStateTagData.some(state) ||
      row.pipelineStatusTagData.some(status) ||
      row.sources.some((place) => source(place.entityId) || source(placeKey(place))) ||
      row.destinations.some((place) => destination(place.entityId) || destination(placeKey(place))) ||
      filter.agreement.some((wants) => AGREEMENT[wants](row));
    return found && chosen;
  });
}

const AGREEMENT: Readonly<Record<AgreementFilter, (row: Pick<PipelineRow, "health">) => boolean>> = {
  attention: needsAttention,
  apart: isApart,
};

type Wants = (held: string) => boolean;

/** A connector's entity where its api name alone may stand for several. */
export const placeKey = (place: { connectorId: string; entityId: string }): string =>
  `${place.connectorId}:${place.entityId}`;
