/** Dialogs of the dashboard that is open: make, settings, variables, publish, delete. */
import {
  type Dashboard,
  deleteDashboard,
  deleteDashboardDraft,
  getDashboard,
  listDashboards,
  publishDashboard,
} from "@accord/contracts/insights/dashboards";
import { listDataCards } from "@accord/contracts/insights/cards";
import { listDatasets } from "@accord/contracts/insights/datasets";
import { useEffect, useRef } from "react";
import { refresh, useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { showSuccess } from "../parts/show-success.ts";
import { asDashboardId, useDashboard } from "../parts/queries.ts";
import { ChangeList } from "./change-list.tsx";
import { DashboardForm } from "./dashboard-form.tsx";
import { DashboardVariables } from "./dashboard-variables.tsx";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";
import "../parts/change-list.css";

export type Dialog = "new" | "settings" | "publish" | "delete" | "variables" | null;

/** A draft is discarded this much later than confirmed, with the dialog busy meanwhile. */
const DISCARD_MS = 1_000;

interface Ways {
  home: () => void;
  published: (id: string) => void;
  draft: (id: string) => void;
}

export interface DashboardDialogsProps {
  dashboard: Dashboard;
  dialog: Dialog;
  onClose: () => void;
  go: Ways;
}

export function DashboardDialogs({ dashboard, dialog, onClose, go }: DashboardDialogsProps) {
  const { t } = useWords("insights");
  const isDraft = dashboard.draftStatus === "NEW";
  const params = { id: asDashboardId(dashboard.id) };
  const publish = useCall(publishDashboard, {
    refreshes: [listDashboards, getDashboard],
    onSuccess: ({ id }) => {
      showSuccess(t("publish.done"));
      go.published(id);
    },
  });
  const remove = useCall(deleteDashboard, {
    refreshes: [listDashboards],
    onSuccess: ({ draft }) => {
      showSuccess(t("remove.done"));
      if (draft) go.draft(draft);
      else go.home();
    },
  });
  return (
    <>
      {dialog === "new" ? <DashboardForm onClose={onClose} /> : null}
      {dialog === "settings" ? <DashboardForm dashboard={dashboard} onClose={onClose} /> : null}
      {dialog === "variables" ? <DashboardVariables dashboard={dashboard} onClose={onClose} /> : null}
      <ConfirmDialog
        opened={dialog === "publish"}
        onClose={onClose}
        danger={false}
        title={t("publish.title")}
        action={t("publish.deed")}
        onConfirm={() => publish.mutateAsync({ params, body: {} })}
      >
        <p>{t("publish.body")}</p>
        {dashboard.parentId === null ? null : <ChangesOf dashboard={dashboard} />}
      </ConfirmDialog>
      {isDraft ? (
        <DeleteDraft dashboard={dashboard} opened={dialog === "delete"} onClose={onClose} go={go} />
      ) : (
        <ConfirmDialog
          opened={dialog === "delete"}
          onClose={onClose}
          danger
          title={t("remove.title")}
          action={t("remove.deed")}
          onConfirm={() => remove.mutateAsync({ params })}
        >
          {t("remove.body")}
        </ConfirmDialog>
      )}
    </>
  );
}

/** Compared anew when the dialog opens: cards and datasets may have been changed elsewhere. */
function ChangesOf({ dashboard }: { dashboard: Dashboard }) {
  const { t } = useWords("insights");
  const { data, isFetching } = useDashboard(dashboard.id);
  useEffect(() => void refresh(getDashboard), []);
  if (!data || isFetching) return <p role="status">{t("changes.loading")}</p>;
  return (
    <>
      <ChangeList changes={data.unpublishedChanges} />
      {data.unpublishedChanges.some(({ kind }) => kind !== "dashboard") ? <p>{t("changes.others")}</p> : null}
    </>
  );
}

/** `turn` changes when a dialog opens, closes, or goes with its page: a confirmation counts for its own turn alone. */
function useTurns(opened: boolean) {
  const turn = useRef(0);
  const isMounted = useRef(false);
  useEffect(() => {
    turn.current += 1;
    return () => {
      turn.current += 1;
    };
  }, [opened]);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return { turn, isMounted };
}

function DeleteDraft({ dashboard, opened, onClose, go }: Omit<DashboardDialogsProps, "dialog"> & { opened: boolean }) {
  const { t } = useWords("insights");
  const reverts = useDashboard(dashboard.id).data?.reverts ?? [];
  const free = reverts.filter(({ neededBy }) => neededBy.length === 0);
  const { turn, isMounted } = useTurns(opened);
  const removeDraft = useCall(deleteDashboardDraft, {
    refreshes: [listDashboards, listDataCards, listDatasets],
    onSuccess: async ({ parentId, reverted }) => {
      showSuccess(reverted > 0 ? t("reverts.done", { count: reverted }) : t("remove.done"));
      // Whoever left meanwhile stays where they went. Asked before the refresh, which may take the draft's page away.
      const isShown = isMounted.current;
      if (parentId) await refresh(getDashboard);
      if (!isShown) return;
      if (parentId) go.published(parentId);
      else go.home();
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      danger
      leavingTakesBack
      title={t("remove.draftTitle")}
      action={t("remove.draftDeed")}
      choices={
        free.length > 0 ? [{ id: "revert", label: t("reverts.choice", { count: free.length }), initially: true }] : []
      }
      onConfirm={async (chosen) => {
        const confirmedIn = turn.current;
        await new Promise((resolve) => setTimeout(resolve, DISCARD_MS));
        // Taken back: it never goes on, nor ends. At its end the dialog would close, which may be open anew by now.
        if (turn.current !== confirmedIn) await new Promise<never>(() => {});
        await removeDraft.mutateAsync({
          params: { id: asDashboardId(dashboard.id) },
          query: { keepDefinitions: chosen.has("revert") ? "false" : "true" },
        });
      }}
    >
      <p>{dashboard.parentId === null ? t("remove.newDraftBody") : t("remove.draftBody")}</p>
      {reverts.length > 0 ? (
        <div className="ac-changes">
          <p>{t("reverts.title", { count: reverts.length })}</p>
          <ul>
            {reverts.map(({ id, displayName, neededBy }) => (
              <li key={id}>
                <strong>{displayName}</strong>{" "}
                {neededBy.length > 0 ? t("reverts.needed", { names: neededBy.join(", ") }) : null}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </ConfirmDialog>
  );
}
