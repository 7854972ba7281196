/** What the screens of custom actions read, and whose replies a change makes old. */
import { type Id, id } from "@accord/contracts";
import { customActionChanged, getCustomAction, listCustomActions } from "@accord/contracts/sync/actions";
import { getCustomActionUses, listCustomActionUses } from "@accord/contracts/sync/custom-action-checks";
import type { PaletteEntry } from "../../../app/palette.ts";
import { endpointQuery, queryClient, refreshOn, useEndpoint } from "../../../app/queries.ts";

export const ACTION_READS = [listCustomActions, getCustomAction, listCustomActionUses, getCustomActionUses] as const;

refreshOn(customActionChanged, [listCustomActions, listCustomActionUses]);

/** Stands where nothing is asked for. */
const NO_ACTION = id("customAction").parse("0".repeat(24));

export const useActions = () => useEndpoint(listCustomActions);
export const useActionUsage = () => useEndpoint(listCustomActionUses);

/** The form holds its own copy: a silent refetch must not replace work under the person's hands. */
export const useStoredAction = (actionId: Id<"customAction">) =>
  useEndpoint(
    getCustomAction,
    { params: { actionId } },
    { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnMount: "always", refetchOnWindowFocus: false },
  );

export const useActionUses = (actionId: Id<"customAction"> | undefined) =>
  useEndpoint(
    getCustomActionUses,
    { params: { actionId: actionId ?? NO_ACTION } },
    { enabled: actionId !== undefined },
  );

const MAX_ENTRIES = 6;

export async function actionPaletteEntries(text: string): Promise<PaletteEntry[]> {
  const { actions } = await queryClient.ensureQueryData(endpointQuery(listCustomActions));
  const part = text.trim().toLowerCase();
  return actions
    .filter(({ displayName, apiName }) => `${displayName} ${apiName}`.toLowerCase().includes(part))
    .slice(0, MAX_ENTRIES)
    .map(({ id: actionId, displayName, description }) => ({
      id: actionId,
      label: displayName,
      ...(description ? { description } : {}),
      to: `/sync-studio/actions/${actionId}`,
    }));
}
