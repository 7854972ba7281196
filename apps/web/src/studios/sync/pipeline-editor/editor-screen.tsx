/** The pipeline editor: palette, graph, docked panel. */
import { ConfirmDialog, EmptyState } from "@accord/ui";
import { Button, Group, Skeleton } from "@mantine/core";
import { IconSchema } from "@tabler/icons-react";
import {
  createPipelineDraft,
  getPipeline,
  getPipelineGraph,
  pipelineChanged,
  type OpenedGraph,
} from "@accord/contracts/sync/pipelines";
import type { Id } from "@accord/contracts";
import { isCore, removeNodes } from "@accord/sync-engine/graph";
import { useBlocker, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ReactFlowProvider } from "@xyflow/react";
import { useEffect, useRef, useState } from "react";
import { call } from "../../../app/api.ts";
import { isNotFound } from "../../../app/api-error.ts";
import { usePage, type Crumb } from "../../../app/page.ts";
import { onEvent } from "../../../app/realtime.ts";
import { refresh, useCall } from "../../../app/queries.ts";
import { useCan, useSession } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { toast } from "../../../shared/toast.tsx";
import { EditorProvider, useEditor, useEditorStore, useReadOnly } from "./editor-context.tsx";
import { createEditorStore, isDirty } from "./editor.model.ts";
import { Canvas } from "./parts/canvas.tsx";
import { ConfigurePanel } from "./parts/configure-panel.tsx";
import { ConflictDialog } from "./parts/conflict-dialog.tsx";
import { EditorBar } from "./parts/editor-bar.tsx";
import { ListView } from "./parts/list-view.tsx";
import { Palette } from "./parts/palette.tsx";
import { ProblemsPanel } from "./parts/problems-panel.tsx";
import { PublishDialog } from "./parts/publish-dialog.tsx";
import { useCoreEntity, useOpenedGraph, usePipelineRow } from "./queries.ts";
import type { EditorSearch } from "./routes.tsx";
import { useDraft } from "./use-draft.ts";
import { useEditorKeys } from "./use-editor-keys.ts";
import "./editor-screen.css";

type Version = "draft" | "published";

const toVersion = (text: string | undefined): Version =>
  text === "published" || text === "approved" ? "published" : "draft";

export function EditorScreen() {
  const params = useParams({ strict: false });
  const entityId = (params.entityId ?? "") as Id<"entity">;
  const version = toVersion(params.graphVersion);
  const opened = useOpenedGraph(entityId, version);
  if (opened.isError && isNotFound(opened.error)) return <NoPipeline entityId={entityId} version={version} />;
  return (
    <QueryView query={opened} skeleton={<Skeleton height="100%" radius={0} />}>
      {(graph) => <OpenEditor key={`${entityId} ${version}`} entityId={entityId} opened={graph} />}
    </QueryView>
  );
}

/** The version asked for does not exist: says so and offers the one next step. */
function NoPipeline({ entityId, version }: { entityId: Id<"entity">; version: Version }) {
  const { t } = useWords("sync");
  const mayWrite = useCan("WRITE_STUDIO");
  const navigate = useNavigate();
  const entity = useCoreEntity(entityId);
  const row = usePipelineRow(entityId).data;
  const name = entity.data?.displayName ?? "";
  usePage({ title: t("editor.pageTitle", { name }), crumbs: crumbsOf(entityId, t) });
  const create = useCall(createPipelineDraft, {
    refreshes: [getPipelineGraph, getPipeline],
    onError: (error) => toast.failed(error),
    onSuccess: () => openVersion("draft"),
  });
  const openVersion = (graphVersion: Version) =>
    navigate({ to: "/sync-studio/entity/$entityId/pipeline/$graphVersion", params: { entityId, graphVersion } });
  if (entity.isError)
    return (
      <QueryView query={entity} skeleton={null}>
        {() => null}
      </QueryView>
    );
  const published = row?.pipelineStatus === "PUBLISHED";
  return (
    <EmptyState
      icon={<IconSchema size={22} />}
      title={t(version === "draft" ? "editor.noDraft" : "editor.noPublished", { name })}
      body={t(published ? "editor.noDraftHint" : "editor.noPipelineHint", { name })}
      action={
        <Group gap={8} justify="center">
          {published && version === "draft" ? (
            <Button variant="default" onClick={() => void openVersion("published")}>
              {t("menu.goToPipeline")}
            </Button>
          ) : null}
          {mayWrite ? (
            <Button loading={create.isPending} onClick={() => create.mutate({ params: { entityId }, body: {} })}>
              {t("editor.createDraft")}
            </Button>
          ) : null}
        </Group>
      }
    />
  );
}

const crumbsOf = (entityId: string, t: ReturnType<typeof useWords<"sync">>["t"]): Crumb[] => [
  { label: t("title"), to: "/sync-studio" },
  { kind: "entity", id: entityId },
  { label: t("editor.crumb") },
];

function OpenEditor({ entityId, opened }: { entityId: Id<"entity">; opened: OpenedGraph }) {
  const mayWrite = useCan("WRITE_STUDIO");
  const [store] = useState(() => createEditorStore(mayWrite ? opened : { ...opened, readOnly: true }));
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
  const session = useSession();
  const navigate = useNavigate();
  const store = useEditorStore();
  const readOnly = useReadOnly();
  const dirty = useEditor(isDirty);
  const panel = useEditor((state) => state.panel);
  const { view = "graph" }: EditorSearch = useSearch({ strict: false });
  const row = usePipelineRow(entityId).data;
  const name = useCoreEntity(entityId).data?.displayName ?? row?.name ?? "";
  const draft = useDraft(entityId);
  const [dialog, setDialog] = useState<"none" | "publish" | "discard" | "remove">("none");
  const [focus, setFocus] = useState<string>();
  usePage({
    title: t("editor.pageTitle", { name }),
    crumbs: crumbsOf(entityId, t),
  });
  useSelectionInAddress();
  useNewerDraftNotice(entityId);
  useEditorKeys({
    instanceId: session.currentInstanceAccordId ?? "",
    save: () => void draft.save(),
    confirmRemoval: () => setDialog("remove"),
  });

  const goTo = (graphVersion: Version) =>
    navigate({ to: "/sync-studio/entity/$entityId/pipeline/$graphVersion", params: { entityId, graphVersion } });
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
    setFocus(nodeId);
  };

  return (
    <div className="ac-editor" data-panel={panel !== "none" || undefined} data-palette={!readOnly || undefined}>
      <EditorBar
        row={row}
        name={name}
        view={view}
        draft={draft}
        mayWrite={mayWrite}
        onView={(next) =>
          void navigate({
            to: ".",
            search: (old: EditorSearch): EditorSearch => ({ ...old, view: next === "list" ? "list" : undefined }),
            replace: true,
          })
        }
        onVersion={(version) => void openVersion(version).catch(toast.failed)}
        onPublish={() => void publish()}
        onDiscard={() => setDialog("discard")}
      />
      <div className="ac-editor__body">
        {readOnly ? null : <Palette entityId={entityId} />}
        {view === "list" ? <ListView /> : <Canvas name={name} focusNodeId={focus} />}
        {panel === "configure" ? <ConfigurePanel entityId={entityId} /> : null}
        {panel === "problems" ? <ProblemsPanel onGoTo={selectAndFocus} /> : null}
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
      <LeaveGuard dirty={dirty} />
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
function LeaveGuard({ dirty }: { dirty: boolean }) {
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
      onConfirm={() => blocker.proceed?.()}
    >
      {t("editor.leaveBody")}
    </ConfirmDialog>
  );
}

/** Selected nodes stand in the address, replacing it: Back leaves the page, a reload selects them again. */
function useSelectionInAddress(): void {
  const store = useEditorStore();
  const navigate = useNavigate();
  const { nodeIds }: EditorSearch = useSearch({ strict: false });
  const selected = useEditor((state) => state.selected);
  const restored = useRef(false);
  useEffect(() => {
    if (!restored.current) {
      restored.current = true;
      const { graph, select } = store.getState();
      const wanted = (nodeIds ?? "").split(",").filter((id) => graph.nodes.some((node) => node.id === id));
      if (wanted.length > 0) return select(wanted);
    }
    const text = selected.length > 0 ? selected.join(",") : undefined;
    if (text === nodeIds) return;
    void navigate({ to: ".", search: (old: EditorSearch) => ({ ...old, nodeIds: text }), replace: true });
  }, [navigate, nodeIds, selected, store]);
}

/** Somebody else saved this draft: nothing is replaced under the person's hands, but they are told. */
function useNewerDraftNotice(entityId: Id<"entity">): void {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const { id } = useSession();
  useEffect(
    () =>
      onEvent(pipelineChanged, (change) => {
        const { revision, opened } = store.getState();
        if (change.entityId !== entityId || change.change !== "draftSaved" || change.byUserId === id) return;
        if (opened.graphVersion === "draft" && change.revision > revision) toast.warning(t("conflict.title"));
      }),
    [entityId, id, store, t],
  );
}
