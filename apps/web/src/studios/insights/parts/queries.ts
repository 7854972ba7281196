/** What Insights Studio asks the server, and which pushed messages make its answers old. */
import type { Id, ReplyOf } from "@accord/contracts";
import { recordsChanged } from "@accord/contracts/data/records";
import { listAllowedDomains, listDomainsInUse, listSharedItems } from "@accord/contracts/insights/allowed-domains";
import { getDataCard, listDataCards } from "@accord/contracts/insights/cards";
import {
  dashboardCardData,
  getDashboard,
  insightsChanged,
  listDashboards,
} from "@accord/contracts/insights/dashboards";
import type { CrossFilters } from "@accord/contracts/insights/cross-filter";
import { getDataset, listDatasets } from "@accord/contracts/insights/datasets";
import { listShares } from "@accord/contracts/insights/sharing";
import { type CardMark, dashboardMarkRecords, type MarkRecords } from "@accord/contracts/insights/mark-records";
import { VariableValues } from "@accord/contracts/insights/variables";
import { IconChartHistogram } from "@tabler/icons-react";
import { keepPreviousData, type UndefinedInitialDataOptions } from "@tanstack/react-query";
import { useMemo } from "react";
import type { PaletteEntry } from "../../../app/palette.ts";
import { endpointQuery, polling, queryClient, refreshOn, useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";

/** Ids in addresses are texts; the server refuses what is none. */
export const asDashboardId = (text: string): Id<"dashboard"> => text as Id<"dashboard">;
export const asDatasetId = (text: string): Id<"dataset"> => text as Id<"dataset">;
export const asCardId = (text: string): Id<"dataCard"> => text as Id<"dataCard">;

refreshOn(insightsChanged, [
  listDashboards,
  getDashboard,
  listDataCards,
  getDataCard,
  listDatasets,
  getDataset,
  dashboardCardData,
  listShares,
  listAllowedDomains,
  listDomainsInUse,
  listSharedItems,
]);
refreshOn(recordsChanged, [dashboardCardData]);

/** A dashboard in the version that is open, with its cards. */
export type OpenDashboard = ReplyOf<typeof getDashboard>;

export const useDashboards = () => useEndpoint(listDashboards, {}, polling());
export const useDashboard = (id: string) => useEndpoint(getDashboard, { params: { id: asDashboardId(id) } });

/** What a card on a dashboard is asked with: where it is, the values of its variables, and its filters. */
export interface CardAsked {
  cardId: Id<"dataCard">;
  dashboardId: Id<"dashboard">;
  variablesMap: VariableValues;
  filters: CrossFilters;
}

/** Without filters the body is what it is on dashboards that have none. */
const cardInput = ({ cardId, dashboardId, variablesMap, filters }: CardAsked) => ({
  params: { id: dashboardId, cardId },
  body: { variablesMap, ...(filters.length > 0 ? { filters } : {}) },
});

export const cardDataQuery = (asked: CardAsked) => endpointQuery(dashboardCardData, cardInput(asked));

/** The data of a card on a dashboard, kept on screen while newer comes. */
export const useCardData = (
  asked: CardAsked,
  /** Between two questions; null: only when records change. */
  intervalMs: number | null,
) =>
  useEndpoint(dashboardCardData, cardInput(asked), {
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    ...(intervalMs === null ? polling() : { refetchInterval: intervalMs }),
  });

/** Asks for the records behind a mark, with the values that the card's variables have where it is shown. */
export type RecordsOf = (mark: CardMark) => UndefinedInitialDataOptions<MarkRecords, Error>;

/** The way from marks of a card on a dashboard to their records; undefined for people who may not read records. */
export function useRecordsOf(asked: CardAsked): RecordsOf | undefined {
  const mayRead = useCan("READ_DATA_STUDIO");
  const { dashboardId, cardId, filters } = asked;
  // Values are made anew on each render, and say the same.
  const values = JSON.stringify(asked.variablesMap);
  return useMemo(() => {
    const variablesMap = VariableValues.parse(JSON.parse(values));
    const { params, body } = cardInput({ dashboardId, cardId, variablesMap, filters });
    return mayRead ? (mark) => endpointQuery(dashboardMarkRecords, { params, body: { ...body, mark } }) : undefined;
  }, [mayRead, dashboardId, cardId, values, filters]);
}

export async function dashboardName(id: string): Promise<string> {
  const query = endpointQuery(getDashboard, { params: { id: asDashboardId(id) } });
  return (await queryClient.ensureQueryData(query)).dashboard.displayName;
}

export async function datasetName(id: string): Promise<string> {
  const query = endpointQuery(getDataset, { params: { id: asDatasetId(id) } });
  return (await queryClient.ensureQueryData(query)).dataset.displayName;
}

export async function cardName(id: string): Promise<string> {
  return (await queryClient.ensureQueryData(endpointQuery(getDataCard, { params: { id: asCardId(id) } }))).displayName;
}

export async function dashboardPaletteEntries(text: string): Promise<PaletteEntry[]> {
  const { dashboards, available } = await queryClient.ensureQueryData(endpointQuery(listDashboards));
  if (!available) return [];
  return dashboards
    .filter(({ displayName }) => displayName.toLowerCase().includes(text.toLowerCase()))
    .slice(0, 6)
    .map(({ id, displayName, draftStatus }) => ({
      id,
      label: displayName,
      icon: IconChartHistogram,
      to: draftStatus === "NEW" ? `/insights-studio/${id}/draft` : `/insights-studio/${id}`,
    }));
}
