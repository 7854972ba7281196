/** The pipeline editor: palette, graph, docked panel. */
import { ConfirmDialog } from "@accord/ui";
import { Skeleton } from "@mantine/core";
import { createPipelineDraft, getPipelineGraph, type OpenedGraph } from "@accord/contracts/sync/pipelines";
import type { Id } from "@accord/contracts";
import { isCore, removeNodes } from "@accord/sync-engine/graph";
import { useMediaQuery } from "@mantine/hooks";
import { useBlocker, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ReactFlowProvider } from "@xyflow/react";
import { useCallback, useState } from "react";
import { call } from "../../../app/api.ts";
import { isNotFound } from "../../../app/api-error.ts";
import { usePage } from "../../../app/page.ts";
import { refresh } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { toast } from "../../../shared/toast.tsx";
import { crumbsOf, toVersion, useNewerDraftNotice, useSelectionInAddress, type Version } from "./address.ts";
import { EditorProvider, useEditor, useEditorStore, useReadOnly } from "./editor-context.tsx";
import { createEditorStore, isDirty } from "./editor.model.ts";
import { Canvas } from "./parts/canvas.tsx";
import { ConfigurePanel } from "./parts/configure-panel.tsx";
import { ConflictDialog } from "./parts/conflict-dialog.tsx";
import { EditorBar } from "./parts/editor-bar.tsx";
import { ListView } from "./parts/list-view.tsx";
import { Palette } from "./parts/palette.tsx";
import { ProblemsPanel } from "./parts/problems-panel.tsx";
import { HealthContext } from "./health-context.ts";
import { useKeptWork } from "./kept-work.ts";
import { NoPipeline } from "./no-pipeline.tsx";
import { PublishDialog } from "./parts/publish-dialog.tsx";
import { VersionsPanel } from "./parts/versions-panel.tsx";
import { useCoreEntity, useOpenedGraph, usePipelineRow, useVersion } from "./queries.ts";
import type { EditorSearch } from "./routes.tsx";
import { useDraft } from "./use-draft.ts";
import { useEditorKeys } from "./use-editor-keys.ts";
import { useSelectionDeeds } from "./use-selection-deeds.ts";
import "./editor-screen.css";

export function EditorScreen() {
  const params = useParams({ strict: false });
  const entityId = (params.entityId ?? "") as Id<"entity">;
  const { version: versionId }: EditorSearch = useSearch({ strict: false });
  return versionId ? (
    <OlderVersion entityId={entityId} versionId={versionId} />
  ) : (
    <NewestVersion entityId={entityId} version={toVersion(params.graphVersion)} />
  );
}

const FrameSkeleton = () => <Skeleton height="100%" radius={0} />;

function NewestVersion({ entityId, version }: { entityId: Id<"entity">; version: Version }) {
  const opened = useOpenedGraph(entityId, version);
  if (opened.isError && isNotFound(opened.error)) return <NoPipeline entityId={entityId} version={version} />;
  return (
    <QueryView isScreen query={opened} skeleton={<FrameSkeleton />}>
      {(graph) => <OpenEditor key={`${entityId} ${version}`} entityId={entityId} opened={graph} />}
    </QueryView>
  );
}

/** A version as it was published: to look at, to compare, to restore. */
function OlderVersion({ entityId, versionId }: { entityId: Id<"entity">; versionId: Id<"pipelineVersion"> }) {
  const { t } = useWords("sync");
  const version = useVersion(entityId, versionId);
  const row = usePipelineRow(entityId);
  const status = row.data?.pipelineStatus;
  if (row.isPending) return <FrameSkeleton />;
  return (
    <QueryView isScreen query={version} skeleton={<FrameSkeleton />}>
      {(found) => (
        <OpenEditor
          key={`${entityId} ${versionId}`}
          entityId={entityId}
          opened={{
            entityId,
            graphVersion: "published",
            status: "APPROVED",
            graph: found.graph,
            revision: 0,
            versionNumber: found.number,
            versionName: found.name,
            hasDraft: status === "DRAFT" || status === "PUBLISHED_WITH_DRAFT",
            hasPublished: status === "PUBLISHED" || status === "PUBLISHED_WITH_DRAFT",
            readOnly: true,
            readOnlyReason: t("versions.readOnly", { number: found.number }),
            updatedAt: found.publishedAt,
            updatedBy: found.publishedBy,
          }}
        />
      )}
    </QueryView>
  );
}

function OpenEditor({ entityId, opened }: { entityId: Id<"entity">; opened: OpenedGraph }) {
  const mayWrite = useCan("WRITE_STUDIO");
  const { beside }: EditorSearch = useSearch({ strict: false });
  const [store] = useState(() =>
    createEditorStore(mayWrite ? opened : { ...opened, readOnly: true }, beside ?? "none"),
  );
  return (
    <EditorProvider value={store}>
      <ReactFlowProvider>
        <Editor entityId={entityId} mayWrite={mayWrite} />
      </ReactFlowProvider>
    </EditorProvider>
  );
}

function Editor({ entityId, mayWrite }: { entityId: Id<"entity">; mayWrite: boolean }) {
  const { t } = useWords("sync");
  const navigate = useNavigate();
  const store = useEditorStore();
  const readOnly = useReadOnly();
  const dirty = useEditor(isDirty);
  const panel = useEditor((state) => state.panel);
  const { view: wantedView, version: versionId, compareWith }: EditorSearch = useSearch({ strict: false });
  // Fingers on a small screen can't draw a graph: the list has the same deeds.
  const isNarrow = useMediaQuery("(max-width: 900px)", false, { getInitialValueInEffect: false });
  const view = wantedView ?? (isNarrow ? "list" : "graph");
  const palette = readOnly ? null : <Palette entityId={entityId} />;
  const row = usePipelineRow(entityId).data;
  const name = useCoreEntity(entityId).data?.displayName ?? row?.name ?? "";
  const draft = useDraft(entityId);
  const [dialog, setDialog] = useState<"none" | "publish" | "discard" | "remove">("none");
  const [focus, setFocus] = useState<{ nodeId: string }>();
  usePage({
    title: t("editor.pageTitle", { name }),
    crumbs: crumbsOf(entityId, t),
  });
  useSelectionInAddress();
  useNewerDraftNotice(entityId);
  const letGo = useKeptWork(entityId);
  const confirmRemoval = useCallback(() => setDialog("remove"), []);
  const deeds = useSelectionDeeds(confirmRemoval);
  useEditorKeys({ save: () => void draft.save(), deeds });

  const goTo = (graphVersion: Version, search: EditorSearch = {}) =>
    navigate({
      to: "/sync-studio/entity/$entityId/pipeline/$graphVersion",
      params: { entityId, graphVersion },
      search,
    });
  const setSearch = (part: Partial<EditorSearch>) =>
    void navigate({ to: ".", search: (old: EditorSearch): EditorSearch => ({ ...old, ...part }), replace: true });
  const openVersion = async (graphVersion: Version) => {
    if (graphVersion === "draft" && !store.getState().opened.hasDraft) {
      await call(createPipelineDraft, { params: { entityId }, body: {} });
      await refresh(getPipelineGraph);
    }
    await goTo(graphVersion);
  };
  const publish = async () => {
    if (!(await draft.save()) || !(await draft.validate())) return;
    store.getState().show("none");
    draft.setPublishError(null);
    setDialog("publish");
  };
  const selectAndFocus = (nodeId: string) => {
    store.getState().select([nodeId]);
    setFocus({ nodeId });
  };

  return (
    <div className="ac-editor" data-panel={panel !== "none" || undefined} data-palette={!readOnly || undefined}>
      <EditorBar
        row={row}
        name={name}
        view={view}
        draft={draft}
        mayWrite={mayWrite}
        versionId={versionId}
        onView={(next) => setSearch({ view: next === "list" ? "list" : undefined })}
        onVersions={() => {
          const opens = panel !== "versions";
          store.getState().show(opens ? "versions" : "none");
          setSearch({ beside: opens ? "versions" : undefined });
        }}
        onVersion={(version) => void openVersion(version).catch(toast.failed)}
        onPublish={() => void publish()}
        onDiscard={() => setDialog("discard")}
      />
      <div className="ac-editor__body">
        {isNarrow ? null : palette}
        <HealthContext value={versionId ? null : (row?.health ?? null)}>
          {view === "list" ? <ListView /> : <Canvas name={name} focus={focus} deeds={deeds} />}
        </HealthContext>
        {isNarrow && view === "list" ? palette : null}
        {panel === "configure" ? <ConfigurePanel entityId={entityId} /> : null}
        {panel === "problems" ? <ProblemsPanel onGoTo={selectAndFocus} /> : null}
        {panel === "versions" ? (
          <VersionsPanel
            entityId={entityId}
            row={row}
            mayWrite={mayWrite}
            versionId={versionId}
            compareWith={compareWith}
            onClose={() => {
              store.getState().show("none");
              setSearch({ beside: undefined, compareWith: undefined });
            }}
            onOpen={(shown) =>
              void (typeof shown === "object"
                ? goTo("published", { beside: "versions", version: shown.versionId })
                : goTo(shown, { beside: "versions" }))
            }
            onCompare={(other) => setSearch({ compareWith: other })}
            onGoTo={(nodeId) => setFocus({ nodeId })}
          />
        ) : null}
      </div>
      <PublishDialog
        name={name}
        opened={dialog === "publish"}
        busy={draft.busy === "publishing"}
        error={draft.publishError}
        onClose={() => setDialog("none")}
        onPublish={(form) =>
          void draft.publish(form).then(async (published) => {
            if (!published) return;
            setDialog("none");
            await goTo("published");
          })
        }
      />
      <ConfirmDialog
        opened={dialog === "discard"}
        onClose={() => setDialog("none")}
        title={t("editor.discardTitle")}
        deed={t("editor.discardDraft")}
        onConfirm={async () => {
          store.getState().load(store.getState().opened);
          await draft.discard();
          await goTo("published");
        }}
      >
        {t("editor.discardBody", { name })}
      </ConfirmDialog>
      <RemoveDialog opened={dialog === "remove"} onClose={() => setDialog("none")} />
      <ConflictDialog
        newer={draft.conflict}
        onLater={() => draft.setConflict(null)}
        onTakeTheirs={() => {
          if (draft.conflict) store.getState().load(draft.conflict);
          draft.setConflict(null);
        }}
        onKeepMine={() => void draft.save(draft.conflict?.revision)}
      />
      <LeaveGuard dirty={dirty} onLeave={letGo} />
    </div>
  );
}

function RemoveDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const selected = useEditor((state) => state.selected);
  const nodes = useEditor((state) => state.graph.nodes);
  const ids = new Set(nodes.filter((node) => selected.includes(node.id) && !isCore(node)).map((node) => node.id));
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t("remove.title", { count: ids.size })}
      deed={t("remove.confirm", { count: ids.size })}
      onConfirm={() => store.getState().edit((graph) => removeNodes(graph, ids))}
    >
      {t("remove.body")}
    </ConfirmDialog>
  );
}

/** Asks before unsaved work is left behind, inside the product and by closing the page. */
function LeaveGuard({ dirty, onLeave }: { dirty: boolean; onLeave: () => void }) {
  const { t } = useWords("sync");
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => dirty,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      opened={blocker.status === "blocked"}
      onClose={() => blocker.reset?.()}
      title={t("editor.leaveTitle")}
      deed={t("editor.leave")}
      onConfirm={() => {
        onLeave();
        blocker.proceed?.();
      }}
    >
      {t("editor.leaveBody")}
    </ConfirmDialog>
  );
}
