/** The pipeline editor: palette, graph, docked panel. */
import { ConfirmDialog } from "@accord/ui";
import { Skeleton } from "@mantine/core";
import { createPipelineDraft, getPipelineGraph, type OpenedGraph } from "@accord/contracts/sync/pipelines";
import type { Graph } from "@accord/contracts/sync/graph";
import type { Id } from "@accord/contracts";
import { nodeTitle } from "@accord/sync-engine/graph";
import { useMediaQuery } from "@mantine/hooks";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ReactFlowProvider, useReactFlow } from "@xyflow/react";
import { useCallback, useState } from "react";
import { call } from "../../../app/api.ts";
import { isNotFound } from "../../../app/api-error.ts";
import { usePage } from "../../../app/page.ts";
import { refresh } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { toast } from "../../../shared/toast.tsx";
import { crumbsOf, useNewerDraftNotice, useSelectionInAddress, useSetSearch, type Version } from "./address.ts";
import { graphVersionOf } from "../addresses/graph-version.ts";
import { StudioNotFound } from "../addresses/studio-not-found.tsx";
import { EditorProvider, useEditor, useEditorStore, useReadOnly } from "./editor-context.tsx";
import { createEditorStore, nodeOfForm } from "./editor.model.ts";
import { Canvas } from "./parts/canvas.tsx";
import { ConflictDialog } from "./parts/conflict-dialog.tsx";
import { DockedPanel } from "./parts/docked-panel.tsx";
import { EditorBar } from "./parts/editor-bar.tsx";
import { LeaveGuard } from "./parts/leave-guard.tsx";
import { ListView } from "./parts/list-view.tsx";
import { Palette } from "./parts/palette.tsx";
import { FlowProvider } from "./flow-context.tsx";
import { HealthContext } from "./health-context.ts";
import { useUnsavedDraft } from "./kept-work.ts";
import { NoPipeline } from "./no-pipeline.tsx";
import { RemoveDialog } from "./parts/remove-dialog.tsx";
import { PublishDialog } from "./parts/publish-dialog.tsx";
import { useProblemsInAddress } from "./problem-address.ts";
import { useCoreEntity, useOpenedGraph, usePipelineRow, useVersion } from "./queries.ts";
import type { EditorSearch } from "./routes.tsx";
import { useDraft } from "./use-draft.ts";
import { versionAsOpened } from "./version-as-opened.ts";
import { useTestRuns } from "./use-test-runs.ts";
import { useEditorKeys } from "./use-editor-keys.ts";
import { useEditorCommands } from "./use-editor-commands.ts";
import { FIT, MOTION } from "./parts/zoom-controls.tsx";
import "./editor-screen.css";

export function EditorScreen() {
  const params = useParams({ strict: false });
  const entityId = (params.entityId ?? "") as Id<"entity">;
  const versionId = params.versionId === "draft" ? undefined : params.versionId;
  const version = graphVersionOf(params.graphVersion ?? "");
  if (versionId) return <OlderVersion entityId={entityId} versionId={versionId} />;
  return version ? <NewestVersion entityId={entityId} version={version} /> : <StudioNotFound />;
}

const FrameSkeleton = () => <Skeleton height="100%" radius={0} />;

function NewestVersion({ entityId, version }: { entityId: Id<"entity">; version: Version }) {
  const opened = useOpenedGraph(entityId, version);
  if (opened.isError && isNotFound(opened.error)) return <NoPipeline entityId={entityId} version={version} />;
  // What other screens read of it may be older than what is published by now.
  if (!opened.isFetchedAfterMount && !opened.isError) return <FrameSkeleton />;
  return (
    <QueryView isScreen query={opened} skeleton={<FrameSkeleton />}>
      {(graph) => (
        <OpenEditor key={`${entityId} ${version}`} entityId={entityId} versionId={undefined} opened={graph} />
      )}
    </QueryView>
  );
}

/** A version as it was published: to look at, to compare, to restore. */
function OlderVersion({ entityId, versionId }: { entityId: Id<"entity">; versionId: Id<"pipelineVersion"> }) {
  const { t } = useWords("sync");
  const version = useVersion(entityId, versionId);
  const row = usePipelineRow(entityId);
  if (row.isPending) return <FrameSkeleton />;
  return (
    <QueryView isScreen query={version} skeleton={<FrameSkeleton />}>
      {(found) => (
        <OpenEditor
          key={`${entityId} ${versionId}`}
          entityId={entityId}
          versionId={versionId}
          opened={versionAsOpened(
            entityId,
            found,
            row.data?.pipelineStatus,
            t("versions.readOnly", { number: found.number }),
          )}
        />
      )}
    </QueryView>
  );
}

interface OpenEditorProps {
  entityId: Id<"entity">;
  opened: OpenedGraph;
  /** Of an older version. */
  versionId: Id<"pipelineVersion"> | undefined;
}

function OpenEditor({ entityId, opened, versionId }: OpenEditorProps) {
  const mayWrite = useCan("WRITE_STUDIO");
  const { beside }: EditorSearch = useSearch({ strict: false });
  const [store] = useState(() => createEditorStore(opened, { panel: beside, mayWrite }));
  return (
    <EditorProvider value={store}>
      <ReactFlowProvider>
        <Editor entityId={entityId} mayWrite={mayWrite} versionId={versionId} />
      </ReactFlowProvider>
    </EditorProvider>
  );
}

const nodeAskedFor = ({ nodes }: Graph, nodeId: string | undefined): { nodeId: string } | undefined =>
  nodeId !== undefined && nodes.some(({ id }) => id === nodeId) ? { nodeId } : undefined;

function Editor({ entityId, mayWrite, versionId }: Omit<OpenEditorProps, "opened"> & { mayWrite: boolean }) {
  const { t } = useWords("sync");
  const navigate = useNavigate();
  const store = useEditorStore();
  const readOnly = useReadOnly();
  const panel = useEditor((state) => state.panel);
  const { view: wantedView, focusNodeId }: EditorSearch = useSearch({ strict: false });
  // Fingers on a small screen can't draw a graph: the list has the same deeds.
  const isNarrow = useMediaQuery("(max-width: 900px)", false, { getInitialValueInEffect: false });
  const view = wantedView ?? (isNarrow ? "list" : "graph");
  const palette = readOnly ? null : <Palette entityId={entityId} />;
  const row = usePipelineRow(entityId).data;
  const name = useCoreEntity(entityId).data?.displayName ?? row?.name ?? "";
  const draft = useDraft(entityId);
  const [dialog, setDialog] = useState<"none" | "publish" | "discard" | "remove">("none");
  const [focus, setFocus] = useState(() => nodeAskedFor(store.getState().graph, focusNodeId));
  const [isDeciding, setDeciding] = useState(false);
  // A conflict is shown when it appears; decided later, the header leads back to it.
  const [shownConflict, setShownConflict] = useState(draft.conflict);
  if (shownConflict !== draft.conflict) {
    setShownConflict(draft.conflict);
    setDeciding(draft.conflict !== null);
  }
  usePage({
    title: t("editor.pageTitle", { name }),
    crumbs: crumbsOf(entityId, t),
  });
  const flow = useReactFlow();
  const showNode = useCallback(
    (nodeId: string) => {
      store.getState().select([nodeId]);
      setFocus({ nodeId });
    },
    [store],
  );
  const showEverything = useCallback(() => void flow.fitView({ ...FIT, ...MOTION }), [flow]);
  useSelectionInAddress(showNode);
  const version = graphVersionOf(useParams({ strict: false }).graphVersion ?? "") ?? "draft";
  useProblemsInAddress(entityId, versionId ? null : version, draft.validate);
  useNewerDraftNotice(entityId);
  useTestRuns(entityId);
  const letGo = useUnsavedDraft(entityId);
  const confirmRemoval = useCallback(() => setDialog("remove"), []);
  const commands = useEditorCommands(confirmRemoval);
  const [isFinding, setFinding] = useState(false);
  useEditorKeys({ save: () => void draft.save(), showEverything, find: () => setFinding(true), commands, view });

  const goTo = (graphVersion: Version, search: EditorSearch = {}) =>
    navigate({
      to: "/sync-studio/entity/$entityId/pipeline/$graphVersion",
      params: { entityId, graphVersion },
      search,
    });
  const setSearch = useSetSearch();
  const toggle = (beside: "versions" | "tests") => {
    const opens = panel !== beside;
    store.getState().show(opens ? beside : "none");
    setSearch({ beside: opens ? beside : undefined });
  };
  const openVersion = async (graphVersion: Version) => {
    if (graphVersion === "draft" && !store.getState().opened.hasDraft) {
      await call(createPipelineDraft, { params: { entityId }, body: {} });
      await refresh(getPipelineGraph);
    }
    await goTo(graphVersion);
  };
  const publish = async () => {
    if (hasInvalidInput() || !(await draft.save()) || !(await draft.validate())) return;
    store.getState().show("none");
    draft.setPublishError(null);
    setDialog("publish");
  };
  /** What was typed and can't be used is shown, not left out silently. */
  const hasInvalidInput = (): boolean => {
    const { graph, invalidInputs, select, show } = store.getState();
    const node = graph.nodes.find(({ id }) => Object.keys(invalidInputs).some((key) => nodeOfForm(key) === id));
    if (!node) return false;
    select([node.id]);
    show("configure");
    toast.warning(t("editor.inputInvalid", { label: nodeTitle(node) }));
    return true;
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
        onVersions={() => toggle("versions")}
        onTests={() => toggle("tests")}
        onVersion={(version) => void openVersion(version).catch(toast.failed)}
        onPublish={() => void publish()}
        onDiscard={() => setDialog("discard")}
        onDecide={() => setDeciding(true)}
      />
      <div className="ac-editor__body">
        <FlowProvider entityId={entityId} isShown={!versionId && version === "published"}>
          {isNarrow ? null : palette}
          <HealthContext value={versionId ? null : (row?.health ?? null)}>
            {view === "list" ? (
              <ListView />
            ) : (
              <Canvas
                entityId={entityId}
                name={name}
                focus={focus}
                commands={commands}
                isFinding={isFinding}
                onFind={setFinding}
                onShowNode={showNode}
                onShowEverything={showEverything}
              />
            )}
          </HealthContext>
          {isNarrow && view === "list" ? palette : null}
          <DockedPanel
            entityId={entityId}
            row={row}
            mayWrite={mayWrite}
            versionId={versionId}
            save={draft.save}
            isValidating={draft.busy === "validating"}
            onValidate={() => void draft.validate()}
            onShowNode={showNode}
            onCentre={(nodeId) => setFocus({ nodeId })}
            onVersion={goTo}
          />
        </FlowProvider>
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
        action={t("editor.discardDraft")}
        onConfirm={async () => {
          await draft.discard();
          await goTo("published");
        }}
      >
        {t("editor.discardBody", { name })}
      </ConfirmDialog>
      <RemoveDialog opened={dialog === "remove"} onClose={() => setDialog("none")} />
      <ConflictDialog
        conflict={draft.conflict}
        opened={isDeciding}
        onLater={() => setDeciding(false)}
        onTakeTheirs={() => draft.takeTheirs() === "published" && void goTo("published")}
        onKeepMine={() => void draft.keepMine()}
      />
      <LeaveGuard save={draft.save} onLeave={letGo} />
    </div>
  );
}
