/** On a published dashboard, for its editors: cards and datasets that changed since, and the button that publishes them. */
import { dashboardAllows } from "@accord/analytics-engine";
import type { UnpublishedChange } from "@accord/contracts/insights/dashboard-changes";
import {
  type Dashboard,
  dashboardCardData,
  getDashboard,
  listDashboards,
  publishDashboard,
} from "@accord/contracts/insights/dashboards";
import { ErrorBox } from "@accord/ui";
import { Button } from "@mantine/core";
import { useState } from "react";
import { useCall } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { showSuccess } from "../parts/show-success.ts";
import { asDashboardId } from "../parts/queries.ts";
import { ChangeList } from "./change-list.tsx";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";
import "../parts/change-list.css";

export function UnpublishedChanges({
  dashboard,
  changes,
}: {
  dashboard: Dashboard;
  changes: readonly UnpublishedChange[];
}) {
  const { t } = useWords("insights");
  const [asks, setAsks] = useState(false);
  const mayPublish = useCan("PUBLISH_DASHBOARD") && dashboardAllows(dashboard, "publishChanges");
  const publish = useCall(publishDashboard, {
    refreshes: [listDashboards, getDashboard, dashboardCardData],
    onSuccess: () => showSuccess(t("publish.done")),
  });
  if (changes.length === 0) return null;
  const names = changes.map(({ displayName, change }) =>
    change === "deleted" ? t("unpublished.deleted", { name: displayName }) : displayName,
  );
  return (
    <>
      <ErrorBox
        tone="info"
        title={t("unpublished.title", { count: changes.length })}
        message={t("unpublished.body", { names: names.join(", ") })}
        actions={
          mayPublish ? (
            <Button size="xs" onClick={() => setAsks(true)}>
              {t("unpublished.publish")}
            </Button>
          ) : null
        }
      />
      <ConfirmDialog
        opened={asks}
        onClose={() => setAsks(false)}
        danger={false}
        title={t("publish.title")}
        action={t("publish.deed")}
        onConfirm={() => publish.mutateAsync({ params: { id: asDashboardId(dashboard.id) }, body: {} })}
      >
        <p>{t("publish.body")}</p>
        <ChangeList changes={changes} />
      </ConfirmDialog>
    </>
  );
}
