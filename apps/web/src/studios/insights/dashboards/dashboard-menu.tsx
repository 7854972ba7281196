/** What can be done with a dashboard in the list: what its state and the permissions of whoever looks allow. */
import { dashboardAllows } from "@accord/analytics-engine";
import {
  createDashboardDraft,
  type DashboardSummary,
  getDashboard,
  listDashboards,
} from "@accord/contracts/insights/dashboards";
import { ActionIcon, Menu } from "@mantine/core";
import {
  IconChartHistogram,
  IconDots,
  IconPencil,
  IconSettings,
  IconShare,
  IconTrash,
  IconUsers,
} from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { endpointQuery, queryClient, useCall } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { asDashboardId, useDashboard } from "../parts/queries.ts";
import { showSuccess } from "../parts/show-success.ts";
import { DashboardDialogs, type DashboardDialogsProps, type Dialog } from "./dashboard-dialogs.tsx";

export function DashboardMenu({ summary }: { summary: DashboardSummary }) {
  const { t } = useWords("insights");
  const go = useWays(summary.id);
  /** Undefined until one was opened: nothing is read of a dashboard before. */
  const [dialog, setDialog] = useState<Dialog>();
  const params = { id: asDashboardId(summary.id) };
  const draft = useCall(createDashboardDraft, {
    refreshes: [listDashboards, getDashboard],
    onSuccess: () => {
      showSuccess(t("draftCreated"));
      go.draft();
    },
    onError: (error) => toast.failed(error),
  });
  /** The list knows too little of it. */
  const openDialog = (which: Dialog): void =>
    void queryClient.fetchQuery({ ...endpointQuery(getDashboard, { params }), staleTime: 0 }).then(
      () => setDialog(which),
      (error: unknown) => toast.failed(error),
    );
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            className="ac-dashboards__menu"
            variant="default"
            aria-label={t("home.options", { name: summary.displayName })}
          >
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Entries summary={summary} onCreateDraft={() => draft.mutate({ params, body: {} })} onDialog={openDialog} />
        </Menu.Dropdown>
      </Menu>
      {dialog === undefined ? null : (
        <MenuDialogs dashboardId={summary.id} dialog={dialog} onClose={() => setDialog(null)} />
      )}
    </>
  );
}

/** Of the dashboard as it is by now: what an open dialog saves names the newest version that was read. */
function MenuDialogs({
  dashboardId,
  ...shown
}: { dashboardId: string } & Pick<DashboardDialogsProps, "dialog" | "onClose">) {
  const { data } = useDashboard(dashboardId);
  return data ? <DashboardDialogs dashboard={data.dashboard} {...shown} go={STAY} /> : null;
}

function Entries({
  summary,
  onCreateDraft,
  onDialog,
}: {
  summary: DashboardSummary;
  onCreateDraft: () => void;
  onDialog: (which: Dialog) => void;
}) {
  const { t } = useWords("insights");
  const go = useWays(summary.id);
  const may = useActions(summary);
  return (
    <>
      <Menu.Item leftSection={<IconChartHistogram size={15} />} onClick={go.open}>
        {t("home.open")}
      </Menu.Item>
      {may.openDraft ? (
        <Menu.Item leftSection={<IconPencil size={15} />} onClick={go.draft}>
          {t("home.openDraft")}
        </Menu.Item>
      ) : null}
      {may.createDraft ? (
        <Menu.Item leftSection={<IconPencil size={15} />} onClick={onCreateDraft}>
          {t("toolbar.createDraft")}
        </Menu.Item>
      ) : null}
      {may.change ? (
        <Menu.Item leftSection={<IconSettings size={15} />} onClick={() => onDialog("settings")}>
          {t("toolbar.settings")}
        </Menu.Item>
      ) : null}
      {may.share ? (
        <Menu.Item leftSection={<IconShare size={15} />} onClick={go.share}>
          {t("toolbar.shareWith")}
        </Menu.Item>
      ) : null}
      {may.details ? (
        <Menu.Item leftSection={<IconUsers size={15} />} onClick={go.details}>
          {t("toolbar.sharingDetails")}
        </Menu.Item>
      ) : null}
      {may.remove ? (
        <>
          <Menu.Divider />
          <Menu.Item leftSection={<IconTrash size={15} />} color="error" onClick={() => onDialog("delete")}>
            {t("toolbar.delete")}
          </Menu.Item>
        </>
      ) : null}
    </>
  );
}

/** The list stays where it is, whatever is done in it. */
const STAY = { home: () => {}, published: () => {}, draft: () => {} };

function useWays(dashboardId: string) {
  const navigate = useNavigate();
  const params = { dashboardId };
  return {
    open: () => void navigate({ to: "/insights-studio/$dashboardId", params }),
    draft: () =>
      void navigate({ to: "/insights-studio/$dashboardId/$version", params: { dashboardId, version: "draft" } }),
    share: () => void navigate({ to: "/insights-studio/$dashboardId/published/share-with", params }),
    details: () => void navigate({ to: "/insights-studio/$dashboardId/published/sharing-details", params }),
  };
}

function useActions(summary: DashboardSummary) {
  const mayUpdate = useCan("UPDATE_DASHBOARD");
  const seesDrafts = useCan("READ_INSIGHTS");
  const mayShare = useCan("SHARE_DASHBOARD");
  const seesShares = useCan("READ_SHARED_DASHBOARD_DETAILS");
  const mayRemove = useCan("DELETE_DASHBOARD");
  // A published dashboard stands for its draft: a draft in the list was never published.
  const state = { ...summary, parentId: null };
  return {
    openDraft: seesDrafts && dashboardAllows(state, "openDraft"),
    createDraft: mayUpdate && dashboardAllows(state, "createDraft"),
    change: mayUpdate && !summary.seeded && !summary.isExample,
    share: mayShare && dashboardAllows(state, "share"),
    details: seesShares && dashboardAllows(state, "sharingDetails"),
    remove: mayRemove && (dashboardAllows(state, "delete") || dashboardAllows(state, "deleteDraft")),
  };
}
