/** Saves the cards of a draft and their places as they are changed, one save after the other. */
import {
  type Dashboard,
  type DashboardCard,
  getDashboard,
  listDashboards,
  updateDashboard,
} from "@accord/contracts/insights/dashboards";
import { useEffect, useState } from "react";
import { reasonOf } from "../../../app/api-error.ts";
import { call } from "../../../app/api.ts";
import { endpointQuery, queryClient, refresh } from "../../../app/queries.ts";
import { coalescedSaves } from "../../../shared/unsaved-changes/coalesced-saves.ts";
import { toast } from "../../../shared/toast.tsx";
import { asDashboardId, type OpenDashboard } from "../parts/queries.ts";

interface Changed {
  dataCards: readonly DashboardCard[];
  /** The version they were saved as; null until then. */
  savedAs: number | null;
}

/** What is said once a change was saved or refused. */
export interface ChangeNotice {
  onSaved?: () => void;
  /** Stands before the server's reason. */
  refused?: string;
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
    change(dataCards: DashboardCard[], notice: ChangeNotice = {}): void {
      setChanged({ dataCards, savedAs: null });
      saves.push(dataCards, notice);
    },
  };
}

/** `onDone` gets the version that everything was saved as; null when a save was refused. */
function layoutSaves(first: Dashboard, onDone: (savedAs: number | null) => void) {
  let newest = first;
  /** Of the changes that are not saved yet. */
  let notices: ChangeNotice[] = [];
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
      for (const { onSaved } of notices) onSaved?.();
      notices = [];
      onDone(newest.version);
      void refresh(getDashboard, listDashboards);
    },
    onFailed(error) {
      const refused = notices.findLast((notice) => notice.refused !== undefined)?.refused;
      notices = [];
      if (refused === undefined) toast.failed(error);
      else toast.error(refused, { description: reasonOf(error) });
      onDone(null);
      void refresh(getDashboard);
    },
  });
  return {
    /** Takes a version that was read, unless a newer one was saved meanwhile. */
    take(dashboard: Dashboard): void {
      if (dashboard.id !== newest.id || dashboard.version > newest.version) newest = dashboard;
    },
    push(dataCards: DashboardCard[], notice: ChangeNotice): void {
      notices.push(notice);
      saves.push(dataCards);
    },
  };
}
