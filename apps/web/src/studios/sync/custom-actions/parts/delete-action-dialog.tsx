/** Asks before an action is deleted, and names the nodes of pipelines that perform it. */
import { type CustomAction, deleteCustomAction, listCustomActions } from "@accord/contracts/sync/actions";
import { listCustomActionUses } from "@accord/contracts/sync/custom-action-checks";
import { useCall } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { QueryView } from "../../../../shared/query-view.tsx";
import { toast } from "../../../../shared/toast.tsx";
import { useActionUses } from "../queries.ts";
import { ConfirmDialog } from "../../../../shared/refusal/confirm-dialog.tsx";

interface Props {
  /** Undefined: closed. */
  action: Pick<CustomAction, "id" | "displayName"> | undefined;
  onClose: () => void;
  onDeleted?: () => void;
}

export function DeleteActionDialog({ action, onClose, onDeleted }: Props) {
  const { t } = useWords("customActions");
  const uses = useActionUses(action?.id);
  const remove = useCall(deleteCustomAction, { refreshes: [listCustomActions, listCustomActionUses] });
  const name = action?.displayName ?? "";
  const isUsed = (uses.data?.uses.length ?? 0) > 0;
  return (
    <ConfirmDialog
      opened={action !== undefined}
      onClose={onClose}
      title={t("delete.title", { name })}
      action={t(isUsed ? "delete.actionUsed" : "delete.action")}
      onConfirm={async () => {
        if (!action) return;
        // Only what was named here is confirmed.
        const query = { confirmed: isUsed ? "true" : "false" };
        await remove.mutateAsync({ params: { actionId: action.id }, query });
        toast.success(t("deleted", { name }));
        onDeleted?.();
      }}
    >
      <p>{t("delete.body")}</p>
      <QueryView query={uses} skeleton={<p className="ac-quiet">{t("delete.loading")}</p>}>
        {(data) =>
          data.uses.length === 0 ? null : (
            <>
              <p>{t("delete.uses")}</p>
              <ul className="ac-action-uses">
                {data.uses.map(({ entityId, graphVersion, nodeId, label, pipeline }) => (
                  <li key={`${entityId} ${graphVersion} ${nodeId}`}>
                    {t(`delete.${graphVersion}`, { name: pipeline, node: label })}
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </QueryView>
    </ConfirmDialog>
  );
}
