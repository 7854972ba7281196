/** Settings of a pipeline: realtime, tests before publishing, schedules of its sources, merge policy, its log. */
import { PageBody, PageHeader, TableSkeleton } from "@accord/ui";
import { Switch } from "@mantine/core";
import type { Id } from "@accord/contracts";
import { listPipelines, type PipelineRow } from "@accord/contracts/sync/pipelines";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { isBadAddress, isNotFound } from "../../../app/api-error.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { EntityPages } from "../addresses/entity-pages.tsx";
import { useEntityPage } from "../addresses/use-entity-page.ts";
import { StudioNotFound } from "../addresses/studio-not-found.tsx";
import { usePipelineRow } from "../pipeline-editor/queries.ts";
import { TestBeforePublish } from "../pipeline-editor/tests/test-before-publish.tsx";
import { LoggedNodes } from "../pipeline-logs/parts/logged-nodes.tsx";
import { MergePolicyForm } from "./parts/merge-policy-form.tsx";
import { ScheduleList } from "./parts/schedule-list.tsx";
import { useStoredSettings } from "./use-stored-settings.ts";
import "./pipeline-settings.css";

const route = getRouteApi("/signed-in/sync-studio/entity/$entityId/settings");

export function PipelineSettingsScreen() {
  const { entityId } = route.useParams();
  return (
    <Demand anyOf={["READ_STUDIO"]}>
      <Settings entityId={entityId} />
    </Demand>
  );
}

function Settings({ entityId }: { entityId: Id<"entity"> }) {
  const { t } = useWords("sync");
  const row = usePipelineRow(entityId);
  const name = row.data?.name ?? "";
  useEntityPage(entityId, t("settings.title", { name }), { label: t("settings.crumb") });
  if (row.isError && (isNotFound(row.error) || isBadAddress(row.error))) return <StudioNotFound />;
  return (
    <PageBody>
      <QueryView isScreen query={row} skeleton={<TableSkeleton />}>
        {(data) => (
          <>
            <PageHeader title={t("settings.title", { name })} subtitle={t("settings.lead")} />
            <EntityPages entityId={entityId} current="settings" />
            <Sections row={data} />
          </>
        )}
      </QueryView>
    </PageBody>
  );
}

function Sections({ row }: { row: PipelineRow }) {
  const { t } = useWords("sync");
  const readOnly = !useCan("WRITE_STUDIO");
  return (
    <div className="ac-pipeline-settings">
      {readOnly ? <p role="note">{t("settings.readOnly")}</p> : null}
      <Section id="running" title={t("settings.running")}>
        <Realtime row={row} readOnly={readOnly} />
      </Section>
      <Section id="schedules" title={t("settings.schedules")} hint={t("settings.schedulesHint")}>
        {row.pipelineStatus === "UNMAPPED" ? <p>{t("settings.noSources")}</p> : <ScheduleList row={row} />}
      </Section>
      <Section id="publishing" title={t("settings.publishing")}>
        <TestBeforePublish entityId={row.id} readOnly={readOnly} />
      </Section>
      <Section id="merge" title={t("settings.merge")} hint={t("settings.mergeHint")}>
        <MergePolicyForm row={row} readOnly={readOnly} />
      </Section>
      <Section id="log" title={t("settings.log")} hint={t("logs.nodesHint")}>
        <div className="ac-pipeline-settings__log">
          <LoggedNodes entityId={row.id} />
          <Link to="/sync-studio/entity/$entityId/pipeline-logs" params={{ entityId: row.id }}>
            {t("settings.openLog")}
          </Link>
        </div>
      </Section>
    </div>
  );
}

function Section({ id, title, hint, children }: { id: string; title: string; hint?: string; children: ReactNode }) {
  return (
    <section aria-labelledby={`settings-${id}`}>
      <h2 id={`settings-${id}`}>{title}</h2>
      {hint ? <p>{hint}</p> : null}
      {children}
    </section>
  );
}

function Realtime({ row, readOnly }: { row: PipelineRow; readOnly: boolean }) {
  const { t } = useWords("sync");
  const { settings, isBusy, store } = useStoredSettings(row.id, [listPipelines]);
  const isPublished = row.pipelineStatus === "PUBLISHED" || row.pipelineStatus === "PUBLISHED_WITH_DRAFT";
  return (
    <Switch
      label={t("settings.realtime")}
      description={[t("settings.realtimeHint"), ...(isPublished ? [t("settings.realtimeFixed")] : [])].join(" ")}
      checked={settings.realtimePipeline}
      disabled={readOnly || isPublished || isBusy}
      onChange={(event) => store({ realtimePipeline: event.currentTarget.checked })}
    />
  );
}
