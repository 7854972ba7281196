/** What can be done with the dashboard that is open, and which of its versions is shown. */
import { dashboardAllows } from "@accord/analytics-engine";
import {
  createDashboardDraft,
  type Dashboard,
  dashboardCardData,
  getDashboard,
  listDashboards,
} from "@accord/contracts/insights/dashboards";
import { ActionIcon, Button, Menu, SegmentedControl, Tooltip } from "@mantine/core";
import {
  IconAdjustments,
  IconClock,
  IconDots,
  IconPencil,
  IconPlus,
  IconPrinter,
  IconRefresh,
  IconSettings,
  IconShare,
  IconTrash,
  IconUsers,
} from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { refresh, useCall } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { showSuccess } from "../parts/show-success.ts";
import { usePrint } from "../printing/use-print.ts";
import { asDashboardId } from "../parts/queries.ts";
import { REFRESH_CHOICES, type useAutoRefresh } from "./auto-refresh.ts";
import { DashboardDialogs, type Dialog } from "./dashboard-dialogs.tsx";

export function DashboardToolbar({
  dashboard,
  address,
  autoRefresh,
  onAddCard,
}: {
  dashboard: Dashboard;
  address: string;
  autoRefresh: ReturnType<typeof useAutoRefresh>;
  onAddCard: (() => void) | undefined;
}) {
  const { t } = useWords("insights");
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<Dialog>(null);
  const printing = usePrint();
  const may = {
    create: useCan("CREATE_DASHBOARD"),
    update: useCan("UPDATE_DASHBOARD"),
    publish: useCan("PUBLISH_DASHBOARD"),
    remove: useCan("DELETE_DASHBOARD"),
    share: useCan("SHARE_DASHBOARD"),
    details: useCan("READ_SHARED_DASHBOARD_DETAILS"),
    variables: useCan("VIEW_DATACARD"),
    drafts: useCan("READ_INSIGHTS"),
  };
  const isDraft = dashboard.draftStatus === "NEW";
  const isExample = dashboard.seeded || dashboard.isExample;
  const hasMenu = may.create || may.update || may.variables || may.details || may.remove;
  const go = {
    home: () => void navigate({ to: "/insights-studio" }),
    published: (dashboardId: string) => void navigate({ to: "/insights-studio/$dashboardId", params: { dashboardId } }),
    draft: (dashboardId: string) =>
      void navigate({ to: "/insights-studio/$dashboardId/$version", params: { dashboardId, version: "draft" } }),
    share: () =>
      void navigate({ to: "/insights-studio/$dashboardId/published/share-with", params: { dashboardId: address } }),
    details: () =>
      void navigate({
        to: "/insights-studio/$dashboardId/published/sharing-details",
        params: { dashboardId: address },
      }),
  };
  const refreshes = [listDashboards, getDashboard];
  const draft = useCall(createDashboardDraft, {
    refreshes,
    onSuccess: () => {
      showSuccess(t("draftCreated"));
      go.draft(address);
    },
    onError: (error) => toast.failed(error),
  });

  return (
    <>
      {may.drafts ? (
        <SegmentedControl
          aria-label={t("toolbar.version")}
          value={isDraft ? "draft" : "published"}
          onChange={(next) => (next === "draft" ? go.draft(address) : go.published(address))}
          data={[
            { value: "draft", label: t("toolbar.draft"), disabled: !isDraft && dashboard.draft === null },
            {
              value: "published",
              label: t("toolbar.publishedVersion"),
              disabled: isDraft && dashboard.parentId === null,
            },
          ]}
        />
      ) : null}
      {onAddCard ? (
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={onAddCard}>
          {t("toolbar.addCard")}
        </Button>
      ) : null}
      {may.update && dashboardAllows(dashboard, "createDraft") ? (
        <Button
          variant="default"
          leftSection={<IconPencil size={16} />}
          loading={draft.isPending}
          onClick={() => draft.mutate({ params: { id: asDashboardId(dashboard.id) }, body: {} })}
        >
          {t("toolbar.createDraft")}
        </Button>
      ) : null}
      {may.publish && isDraft ? <Button onClick={() => setDialog("publish")}>{t("toolbar.publish")}</Button> : null}
      {may.share && dashboardAllows(dashboard, "share") ? (
        <Button leftSection={<IconShare size={16} />} onClick={go.share}>
          {t("toolbar.shareWith")}
        </Button>
      ) : null}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t("toolbar.autoRefresh")}
            title={t("toolbar.autoRefresh")}
          >
            <IconClock size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t("toolbar.autoRefresh")}</Menu.Label>
          <Menu.RadioGroup
            value={autoRefresh.choice}
            onChange={(text) => {
              const choice = REFRESH_CHOICES.find((one) => one === text);
              if (choice) autoRefresh.choose(choice);
            }}
          >
            {REFRESH_CHOICES.map((choice) => (
              <Menu.RadioItem key={choice} value={choice} closeMenuOnClick>
                {t(`toolbar.refreshEvery.${choice}`)}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Menu.Dropdown>
      </Menu>
      <Tooltip label={t("toolbar.refresh")}>
        <ActionIcon
          variant="default"
          size={30}
          aria-label={t("toolbar.refresh")}
          onClick={() => void refresh(dashboardCardData)}
        >
          <IconRefresh size={16} />
        </ActionIcon>
      </Tooltip>
      {isDraft ? null : (
        <Tooltip label={t("toolbar.print")}>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t("toolbar.print")}
            loading={printing.isWaiting}
            onClick={printing.print}
          >
            <IconPrinter size={16} />
          </ActionIcon>
        </Tooltip>
      )}
      {hasMenu ? (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size={30} aria-label={t("toolbar.more")}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {may.create ? (
              <Menu.Item leftSection={<IconPlus size={15} />} onClick={() => setDialog("new")}>
                {t("toolbar.new")}
              </Menu.Item>
            ) : null}
            {may.update && !isExample ? (
              <Menu.Item leftSection={<IconSettings size={15} />} onClick={() => setDialog("settings")}>
                {t("toolbar.settings")}
              </Menu.Item>
            ) : null}
            {may.variables ? (
              <Menu.Item leftSection={<IconAdjustments size={15} />} onClick={() => setDialog("variables")}>
                {t("toolbar.variables")}
              </Menu.Item>
            ) : null}
            {may.details && dashboardAllows(dashboard, "sharingDetails") ? (
              <Menu.Item leftSection={<IconUsers size={15} />} onClick={go.details}>
                {t("toolbar.sharingDetails")}
              </Menu.Item>
            ) : null}
            {may.remove && !isExample ? (
              <>
                <Menu.Divider />
                <Menu.Item leftSection={<IconTrash size={15} />} color="error" onClick={() => setDialog("delete")}>
                  {t("toolbar.delete")}
                </Menu.Item>
              </>
            ) : null}
          </Menu.Dropdown>
        </Menu>
      ) : null}
      <DashboardDialogs dashboard={dashboard} dialog={dialog} onClose={() => setDialog(null)} go={go} />
    </>
  );
}
