/** One line on how the published version is doing right now, with pause and resume. */
import { RelativeTime, StatusTag, type Tone } from "@accord/ui";
import { Button } from "@mantine/core";
import { getPipeline, type PipelineRow, type StateTag } from "@accord/contracts/sync/pipelines";
import {
  getSyncStatus,
  pausePipeline,
  pipelineStatusChanged,
  resumePipeline,
  runPipelineNow,
  resyncStatusUpdate,
} from "@accord/contracts/sync/monitoring/runs";
import { MENU_STATE } from "@accord/sync-engine/lifecycle";
import { useState } from "react";
import { polling, refreshOn, useCall, useEndpoint } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { waitsForSystem } from "../../../../shared/failing-systems.tsx";
import { HealthReasons } from "../../../../shared/health.tsx";
import { toast } from "../../../../shared/toast.tsx";
import type { ActivityNarrowing, ActivityTab } from "../../pipelines/activity-tabs.ts";
import { useEditor } from "../editor-context.tsx";
import { ActivityDrawer } from "../../pipelines/parts/activity-drawer.tsx";

const STATUS_READS = [getSyncStatus, getPipeline];

refreshOn(pipelineStatusChanged, STATUS_READS);
refreshOn(resyncStatusUpdate, STATUS_READS);

export const STATE_TONES: Record<StateTag, Tone> = {
  Running: "ok",
  Queued: "info",
  Resyncing: "info",
  Pausing: "warn",
  Paused: "idle",
  Error: "error",
  Warning: "warn",
};

export function RunStatusBar({ row, mayWrite }: { row: PipelineRow; mayWrite: boolean }) {
  const { t } = useWords("sync");
  const status = useEndpoint(getSyncStatus, { params: { entityId: row.id } }, polling());
  const [activity, setActivity] = useState<ActivityTab>();
  const [narrowing, setNarrowing] = useState<ActivityNarrowing>({});
  const showActivity = (tab: ActivityTab | undefined): void => {
    setActivity(tab);
    setNarrowing({});
  };
  const show = useEditor((state) => state.show);
  const pause = useCall(pausePipeline, { refreshes: STATUS_READS, onError: (error) => toast.failed(error) });
  const resume = useCall(resumePipeline, { refreshes: STATUS_READS, onError: (error) => toast.failed(error) });
  const running = MENU_STATE[row.syncStatus] === "running";
  const action = running ? pause : resume;
  const health = status.data?.health ?? row.health;
  const progress = status.data?.resync?.progressPercentage;
  return (
    <span className="ac-run-strip">
      {row.pipelineStateTagData.map((tag) => (
        <StatusTag key={tag} tone={STATE_TONES[tag]} busy={tag === "Resyncing" || tag === "Pausing"}>
          {tag}
          {tag === "Resyncing" && typeof progress === "number" ? ` ${Math.round(progress)} %` : ""}
        </StatusTag>
      ))}
      <button
        type="button"
        className="ac-run-strip__link"
        title={t("activity.open")}
        onClick={() => showActivity("cycles")}
      >
        {status.data?.currentActivity ?? row.currentActivity}
      </button>
      {status.data?.lastSyncTime ? (
        <span>
          {t("activity.lastDone")} <RelativeTime at={status.data.lastSyncTime} />
        </span>
      ) : null}
      <HealthReasons
        entityId={row.id}
        health={health}
        max={4}
        // Beside the graph each problem leads to its node.
        onOpen={(tab) => (tab === "problems" ? show("errors") : showActivity(tab))}
      />
      {mayWrite && waitsForSystem({ ...row, health }) ? <TryNow entityId={row.id} /> : null}
      {mayWrite && row.syncStatus !== "UNPUBLISHED" && !row.settings.realtimePipeline ? (
        <Button
          size="compact-xs"
          variant="subtle"
          loading={action.isPending}
          disabled={MENU_STATE[row.syncStatus] === "pausing"}
          onClick={() => action.mutate({ params: { entityId: row.id }, body: {} })}
        >
          {t(running ? "menu.pause" : "menu.resume")}
        </Button>
      ) : null}
      <ActivityDrawer
        row={activity ? row : undefined}
        tab={activity ?? "cycles"}
        narrowing={narrowing}
        onNarrow={setNarrowing}
        onTab={showActivity}
        onClose={() => showActivity(undefined)}
        onLeave={() => showActivity(undefined)}
      />
    </span>
  );
}

/** Asks a failing system again at once, not when its wait is over. */
function TryNow({ entityId }: { entityId: PipelineRow["id"] }) {
  const { t } = useWords("sync");
  const retry = useCall(runPipelineNow, { refreshes: STATUS_READS, onError: (error) => toast.failed(error) });
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      loading={retry.isPending}
      onClick={() => retry.mutate({ params: { entityId }, body: {} })}
    >
      {t("health.tryNow")}
    </Button>
  );
}
