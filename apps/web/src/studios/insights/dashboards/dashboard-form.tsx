/** The drawer that creates a dashboard or changes its words. The server's refusal stays in the drawer, typed text too. */
import {
  createDashboard,
  type Dashboard,
  getDashboard,
  listDashboards,
  updateDashboard,
} from "@accord/contracts/insights/dashboards";
import { Button, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { ApiError, isStale } from "../../../app/api-error.ts";
import { refresh, useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { showSuccess } from "../parts/show-success.ts";
import { toApiName } from "../parts/to-api-name.ts";
import { asDashboardId } from "../parts/queries.ts";
import { useIsChanged } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { FormDrawer } from "../../../shared/unsaved-changes/form-overlays.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

/** After creating, so that the new dashboard is there when its screen asks for it. */
const NAVIGATE_MS = 500;

export function DashboardForm({ dashboard, onClose }: { dashboard?: Dashboard; onClose: () => void }) {
  const { t } = useWords("insights");
  const navigate = useNavigate();
  const [displayName, setDisplayName] = useState(dashboard?.displayName ?? "");
  const [ownName, setOwnName] = useState<string | null>(null);
  const [description, setDescription] = useState(dashboard?.description ?? "");
  const [tags, setTags] = useState<string[]>(dashboard?.tags ?? []);
  const isChanged = useIsChanged([displayName, ownName, description, tags]);
  const name = dashboard?.name ?? ownName ?? toApiName(displayName);
  const refreshes = [listDashboards, getDashboard];
  const create = useCall(createDashboard, {
    refreshes,
    onSuccess: (made) => {
      showSuccess(t("created"));
      setTimeout(() => {
        onClose();
        void navigate({
          to: "/insights-studio/$dashboardId/$version",
          params: { dashboardId: made.id, version: "draft" },
          ignoreBlocker: true,
        });
      }, NAVIGATE_MS);
    },
  });
  const update = useCall(updateDashboard, {
    refreshes,
    onSuccess: () => (showSuccess(t("saved")), onClose()),
    // Whoever reads that and saves again means the version of by now.
    onError: (error) => (isStale(error) ? refresh(getDashboard) : undefined),
  });
  const call = dashboard ? update : create;
  const problemAt = (path: string): string | undefined =>
    call.error instanceof ApiError ? call.error.problemOf(path) : undefined;
  const hasFieldProblem = call.error instanceof ApiError && call.error.fieldProblems.length > 0;

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const body = { displayName, description, tags };
    if (!dashboard) create.mutate({ body: { ...body, name } });
    else
      update.mutate({
        params: { id: asDashboardId(dashboard.id) },
        body: { ...body, dataCards: dashboard.dataCards, variables: dashboard.variables, version: dashboard.version },
      });
  };

  return (
    <FormDrawer
      isDirty={isChanged && !call.isSuccess}
      opened
      onClose={onClose}
      position="right"
      title={dashboard ? t("form.editTitle") : t("form.newTitle")}
    >
      <form onSubmit={submit} className="ac-form">
        {call.isError ? <RefusalBox error={call.error} /> : null}
        <TextInput
          data-autofocus
          label={t("form.displayName")}
          value={displayName}
          error={problemAt("displayName")}
          onChange={(event) => setDisplayName(event.currentTarget.value)}
          withAsterisk
        />
        <TextInput
          label={t("form.name")}
          description={t("form.nameHelp")}
          value={name}
          error={problemAt("name")}
          readOnly={dashboard !== undefined}
          disabled={dashboard !== undefined}
          onChange={(event) => setOwnName(event.currentTarget.value)}
          withAsterisk={!dashboard}
        />
        <Textarea
          label={t("form.description")}
          value={description}
          autosize
          minRows={2}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <TagsInput
          label={t("form.tags")}
          description={t("form.tagsHelp")}
          value={tags}
          onChange={setTags}
          maxTags={20}
          clearButtonProps={{ "aria-label": t("shell:action.clear") }}
        />
        <Button type="submit" loading={call.isPending} disabled={displayName.trim() === "" && !hasFieldProblem}>
          {dashboard ? t("form.save") : t("form.create")}
        </Button>
      </form>
    </FormDrawer>
  );
}
