/** Saves the cards of a draft and their places as they are changed, one save after the other. */
import {
  type Dashboard,
  type DashboardCard,
  getDashboard,
  listDashboards,
  updateDashboard,
} from "@accord/contracts/insights/dashboards";
import { useEffect, useState } from "react";
import { ApiError, wordsOf } from "../../../app/api-error.ts";
import { call } from "../../../app/api.ts";
import { endpointQuery, queryClient, refresh } from "../../../app/queries.ts";
import { coalescedSaves } from "../../../shared/coalesced-saves.ts";
import { toast } from "../../../shared/toast.tsx";
import { asDashboardId, type OpenDashboard } from "../queries.ts";

interface Changed {
  dataCards: readonly DashboardCard[];
  /** The version they were saved as; null until then. */
  savedAs: number | null;
}

/** `cards` are those to show: as they were changed, until the dashboard that was read holds the change. */
export function useLayoutSaves(dashboard: Dashboard) {
  const [changed, setChanged] = useState<Changed | null>(null);
  const [saves] = useState(() =>
    layoutSaves(dashboard, (savedAs) => setChanged((old) => (old && savedAs !== null ? { ...old, savedAs } : null))),
  );
  useEffect(() => saves.take(dashboard), [saves, dashboard]);
  const isRead = changed === null || (changed.savedAs !== null && dashboard.version >= changed.savedAs);
  return {
    cards: isRead ? dashboard.dataCards : changed.dataCards,
    /** `failed`: the title that the reason is shown under when this change is refused. */
    change(dataCards: DashboardCard[], after?: () => void, failed?: string): void {
      setChanged({ dataCards, savedAs: null });
      saves.push(dataCards, after, failed);
    },
  };
}

/** Each field's problem, else the message. */
const reasonsOf = (error: unknown): string =>
  error instanceof ApiError && error.fieldProblems.length > 0
    ? error.fieldProblems.map(({ message }) => message).join(" ")
    : wordsOf(error);

/** `onDone` gets the version that everything was saved as; null when a save was refused. */
function layoutSaves(first: Dashboard, onDone: (savedAs: number | null) => void) {
  let newest = first;
  /** What is shown once everything is saved. */
  let afters: (() => void)[] = [];
  let failed: string | undefined;
  const saves = coalescedSaves<DashboardCard[]>({
    async save(dataCards) {
      const { id, displayName, description, tags, version } = newest;
      const placed = new Set<string>(dataCards.map((card) => card.id));
      const variables = newest.variables.map((one) => ({
        ...one,
        mappings: one.mappings.filter(({ dataCardId }) => placed.has(dataCardId)),
      }));
      const params = { id: asDashboardId(id) };
      const body = { displayName, description, tags, variables, dataCards, version };
      newest = await call(updateDashboard, { params, body });
      // An answer that left the server before this save would show the older version.
      const { queryKey } = endpointQuery(getDashboard, { params });
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, (old: OpenDashboard | undefined) =>
        old ? { ...old, dashboard: newest } : old,
      );
    },
    onSettled() {
      for (const after of afters) after();
      afters = [];
      failed = undefined;
      onDone(newest.version);
      void refresh(getDashboard, listDashboards);
    },
    onFailed(error) {
      afters = [];
      if (failed) toast.error(failed, { description: reasonsOf(error) });
      else toast.failed(error);
      failed = undefined;
      onDone(null);
      void refresh(getDashboard);
    },
  });
  return {
    /** Takes a version that was read, unless a newer one was saved meanwhile. */
    take(dashboard: Dashboard): void {
      if (dashboard.id !== newest.id || dashboard.version > newest.version) newest = dashboard;
    },
    push(dataCards: DashboardCard[], after: (() => void) | undefined, words: string | undefined): void {
      if (after) afters.push(after);
      failed = words ?? failed;
      saves.push(dataCards);
    },
  };
}
