/** Published versions: who published them and when, looking at one, comparing it, and making it the draft again. */
import { EmptyState, RelativeTime, SidePanel, Skeletons, SkeletonBlock, StatusTag } from "@accord/ui";
import { Button, Select } from "@mantine/core";
import type { Id } from "@accord/contracts";
import type { VersionRow } from "@accord/contracts/sync/pipeline-versions";
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { QueryError, QueryView } from "../../../../shared/query-view.tsx";
import { toast } from "../../../../shared/toast.tsx";
import { restoreVersion } from "../../versions/restore-version.ts";
import { useEditor, useEditorStore } from "../editor-context.tsx";
import { useFieldPipelines, useOpenedGraph, useVersion, useVersions } from "../queries.ts";
import { DifferenceList } from "../draft/difference-list.tsx";
import { RestoreDialog } from "../draft/restore-dialog.tsx";
import "./versions-panel.css";

type VersionId = Id<"pipelineVersion">;
/** The draft, a version by its id, or nothing published yet. */
type Shown = "draft" | VersionId | undefined;

interface Props {
  entityId: Id<"entity">;
  row: PipelineRow | undefined;
  mayWrite: boolean;
  /** Id of an older version; absent while the draft or what runs is shown. */
  versionId: VersionId | undefined;
  compareWith: "draft" | VersionId | undefined;
  onClose: () => void;
  onOpen: (shown: "draft" | "published" | { versionId: VersionId }) => void;
  onCompare: (other: "draft" | VersionId | undefined) => void;
  onGoTo: (nodeId: string) => void;
}

export function VersionsPanel(props: Props) {
  const { t } = useWords("sync");
  const versions = useVersions(props.entityId);
  return (
    <SidePanel title={t("versions.title")} subtitle={t("versions.lead")} width={360} onClose={props.onClose} takeFocus>
      <QueryView query={versions} skeleton={<ListSkeleton />}>
        {(data) => <Versions {...props} versions={data.versions} />}
      </QueryView>
    </SidePanel>
  );
}

const ListSkeleton = () => (
  <Skeletons>
    {[0, 1, 2].map((row) => (
      <div key={row} className="ac-row-button ac-versions__row">
        <SkeletonBlock width="70%" />
      </div>
    ))}
  </Skeletons>
);

function Versions({ versions, ...props }: Props & { versions: readonly VersionRow[] }) {
  const { t } = useWords("sync");
  const opened = useEditor((state) => state.opened);
  const current = versions.find((version) => version.current);
  const shown: Shown = props.versionId ?? (opened.graphVersion === "draft" ? "draft" : current?.id);
  const shownVersion = versions.find((version) => version.id === shown);
  if (versions.length === 0) return <EmptyState compact title={t("versions.none")} body={t("versions.noneHint")} />;
  return (
    <>
      <ul className="ac-versions">
        {opened.hasDraft ? (
          <li>
            <button
              type="button"
              className="ac-row-button ac-versions__row"
              aria-current={shown === "draft" || undefined}
              onClick={() => props.onOpen("draft")}
            >
              <span className="ac-versions__number">–</span>
              <span className="ac-versions__words">
                <strong>{t("editor.draft")}</strong>
                <span>{t("versions.draftHint")}</span>
              </span>
            </button>
          </li>
        ) : null}
        {versions.map((version) => (
          <li key={version.id}>
            <button
              type="button"
              className="ac-row-button ac-versions__row"
              aria-current={shown === version.id || undefined}
              onClick={() => props.onOpen(version.current ? "published" : { versionId: version.id })}
            >
              <span className="ac-versions__number">{version.number}</span>
              <span className="ac-versions__words">
                <strong>{version.name}</strong>
                <span>
                  {version.publishedBy ? `${version.publishedBy.firstName} ${version.publishedBy.lastName}, ` : ""}
                  <RelativeTime at={version.publishedAt} />
                </span>
                {shown === version.id && version.summary ? <span>{version.summary}</span> : null}
              </span>
              {version.current ? <StatusTag tone="ok">{t("versions.runs")}</StatusTag> : null}
            </button>
          </li>
        ))}
      </ul>
      {shownVersion && !shownVersion.current && props.mayWrite ? (
        <Restore version={shownVersion} entityId={props.entityId} hasDraft={opened.hasDraft} onOpen={props.onOpen} />
      ) : null}
      <Comparison {...props} versions={versions} shown={shown} hasDraft={opened.hasDraft} />
      <p>
        <Link
          className="ac-versions__more"
          to="/sync-studio/entity/$entityId/versions"
          params={{ entityId: props.entityId }}
        >
          {t("versions.all")}
        </Link>
      </p>
    </>
  );
}

function Restore({
  version,
  entityId,
  hasDraft,
  onOpen,
}: Pick<Props, "entityId" | "onOpen"> & { version: VersionRow; hasDraft: boolean }) {
  const { t } = useWords("sync");
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const fieldPipelines = useFieldPipelines(entityId);
  const restore = async () => {
    await restoreVersion(entityId, version.id);
    toast.success(t("versions.restored", { number: version.number }));
    onOpen("draft");
  };
  /** Asks first where a draft may be lost: of the pipeline, or of one of its fields as they are now. */
  const begin = async () => {
    const list = hasDraft ? undefined : (await fieldPipelines.refetch()).data;
    if (list?.fields.every(({ draft }) => draft === null)) await restore();
    else setAsking(true);
  };
  return (
    <>
      <Button
        fullWidth
        variant="default"
        mt={12}
        loading={busy}
        onClick={() => {
          setBusy(true);
          void begin()
            .catch(toast.failed)
            .finally(() => setBusy(false));
        }}
      >
        {t("versions.restore")}
      </Button>
      <RestoreDialog
        entityId={entityId}
        version={asking ? version : undefined}
        hasDraft={hasDraft}
        onClose={() => setAsking(false)}
        onRestore={restore}
      />
    </>
  );
}

function Comparison(props: Props & { versions: readonly VersionRow[]; shown: Shown; hasDraft: boolean }) {
  const { t } = useWords("sync");
  const { versions, shown, compareWith, hasDraft } = props;
  const store = useEditorStore();
  const graph = useEditor((state) => state.graph);
  const nameOf = (version: VersionRow) => t("versions.named", { number: version.number, name: version.name });
  const others: { value: "draft" | VersionId; label: string }[] = [
    ...(hasDraft && shown !== "draft" ? [{ value: "draft" as const, label: t("editor.draft") }] : []),
    ...versions.filter((version) => version.id !== shown).map((each) => ({ value: each.id, label: nameOf(each) })),
  ];
  const chosen = others.some((other) => other.value === compareWith) ? compareWith : undefined;
  const version = useVersion(props.entityId, chosen === "draft" ? undefined : chosen);
  const draft = useOpenedGraph(props.entityId, "draft", chosen === "draft");
  const other = chosen === "draft" ? draft.data?.graph : chosen ? version.data?.graph : undefined;
  useEffect(() => {
    store.getState().compareWith(other ?? null);
    return () => store.getState().compareWith(null);
  }, [other, store]);
  if (others.length === 0) return null;
  return (
    <section className="ac-versions__compare">
      <Select
        label={t("versions.compare")}
        placeholder={t("versions.compareNothing")}
        data={others}
        value={chosen ?? null}
        clearable
        onChange={(value) => props.onCompare(others.find((one) => one.value === value)?.value)}
      />
      {version.isError ? <QueryError error={version.error} onRetry={() => void version.refetch()} /> : null}
      {draft.isError ? <QueryError error={draft.error} onRetry={() => void draft.refetch()} /> : null}
      {other ? <DifferenceList before={other} after={graph} onGoTo={props.onGoTo} /> : null}
      {other && chosen && shown ? (
        <Link
          to="/sync-studio/entity/$entityId/versions/$versionId/compare/$otherId"
          params={{ entityId: props.entityId, versionId: chosen, otherId: shown }}
        >
          {t("versions.everySetting")}
        </Link>
      ) : null}
    </section>
  );
}
