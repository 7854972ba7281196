/** What screens of reconciliation share: which replies grow old with its progress, who the pipeline is, and beginning a comparison. */
import type { Id } from "@accord/contracts";
import { getPipeline } from "@accord/contracts/sync/pipelines";
import {
  getReconciliation,
  listDifferences,
  listReconciliations,
  reconciliationChanged,
  startReconciliation,
} from "@accord/contracts/sync/reconciliation";
import { useNavigate } from "@tanstack/react-router";
import { refreshOn, useCall, useEndpoint } from "../../../app/queries.ts";
import { toast } from "../../../shared/toast.tsx";

refreshOn(reconciliationChanged, [listReconciliations, getReconciliation, listDifferences]);

export function usePipelineName(entityId: Id<"entity">): string {
  return useEndpoint(getPipeline, { params: { entityId } }).data?.name ?? "";
}

/** Begins a comparison and shows its report. */
export function useStart(entityId: Id<"entity">) {
  const navigate = useNavigate();
  const start = useCall(startReconciliation, {
    refreshes: [listReconciliations],
    onSuccess: ({ id }) =>
      navigate({
        to: "/sync-studio/entity/$entityId/reconciliation/$reconciliationId",
        params: { entityId, reconciliationId: id },
      }),
    onError: (error) => toast.failed(error),
  });
  return { isPending: start.isPending, start: () => start.mutate({ params: { entityId }, body: {} }) };
}
