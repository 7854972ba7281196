/** The pipeline editor: palette, graph, docked panel. */
import { Skeleton } from "@mantine/core";
import { createPipelineDraft, getPipelineGraph, type OpenedGraph } from "@accord/contracts/sync/pipelines";
import type { Id } from "@accord/contracts";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ReactFlowProvider } from "@xyflow/react";
import { memo, useCallback, useState } from "react";
import { call } from "../../../app/api.ts";
import { isNotFound } from "../../../app/api-error.ts";
import { refresh } from "../../../app/queries.ts";
import { useCan, useSession } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { toast } from "../../../shared/toast.tsx";
import { useNewerDraftNotice, useSetSearch, type Version } from "./address.ts";
import { graphVersionOf } from "../addresses/graph-version.ts";
import { StudioNotFound } from "../addresses/studio-not-found.tsx";
import { useEntityPage } from "../addresses/use-entity-page.ts";
import { EditorProvider, useEditorStore, useReadOnly } from "./editor-context.tsx";
import { createEditorStore } from "./editor.model.ts";
import { ConflictDialog } from "./draft/conflict-dialog.tsx";
import { DiscardDialog } from "./draft/discard-dialog.tsx";
import { DockedPanel } from "./docked-panel.tsx";
import { EditorBar } from "./editor-bar.tsx";
import { LeaveGuard } from "./draft/leave-guard.tsx";
import { FlowProvider } from "./flow/flow-context.tsx";
import { HealthContext } from "./cards/health-context.ts";
import { useConflictShown } from "./draft/use-conflict-shown.ts";
import { useUnsavedDraft } from "./draft/kept-work.ts";
import { MapperDialog } from "./mapper/mapper-dialog.tsx";
import { NoPipeline } from "./no-pipeline.tsx";
import { PublishDialog } from "./publishing/publish-dialog.tsx";
import { usePublishDialog } from "./publishing/use-publish-dialog.ts";
import { useCodeCheck } from "./problems/use-code-check.ts";
import { useLiveCheck } from "./problems/use-live-check.ts";
import { type ShownProblems, useProblemsInAddress } from "./problems/problem-address.ts";
import { useCoreEntity, useOpenedGraph, usePipelineRow, useVersion } from "./queries.ts";
import type { EditorSearch } from "./routes.tsx";
import { useDraft } from "./draft/use-draft.ts";
import { versionAsOpened } from "./draft/version-as-opened.ts";
import { TryProvider, useRunTo } from "./try/try-context.tsx";
import { useTestRuns } from "./tests/use-test-runs.ts";
import { EditorBody } from "./editor-body.tsx";
import { useShownNode } from "./use-shown-node.ts";
import { useShownView } from "./use-shown-view.ts";
import { useEditorKeys } from "./commands/use-editor-keys.ts";
import { useEditorCommands } from "./commands/use-editor-commands.ts";
import "./editor-screen.css";

export function EditorScreen() {
  const params = useParams({ strict: false });
  const entityId = (params.entityId ?? "") as Id<"entity">;
  const versionId = params.versionId === "draft" ? undefined : params.versionId;
  const version = graphVersionOf(params.graphVersion ?? "");
  if (versionId) return <OlderVersion entityId={entityId} versionId={versionId} />;
  return version ? <NewestVersion entityId={entityId} version={version} /> : <StudioNotFound />;
}

const PROBLEM_PATHS = {
  validation: "/sync-studio/entity/$entityId/pipeline/$graphVersion/validation",
  "pipeline-error": "/sync-studio/entity/$entityId/pipeline/$graphVersion/pipeline-error",
  none: "/sync-studio/entity/$entityId/pipeline/$graphVersion",
} as const;

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
  const { id: userId } = useSession();
  const { beside }: EditorSearch = useSearch({ strict: false });
  const [store] = useState(() => createEditorStore(opened, { panel: beside, mayWrite }));
  return (
    <EditorProvider value={store}>
      <TryProvider entityId={entityId} userId={userId} isOffered={mayWrite && versionId === undefined}>
        <ReactFlowProvider>
          <Editor entityId={entityId} mayWrite={mayWrite} versionId={versionId} />
        </ReactFlowProvider>
      </TryProvider>
    </EditorProvider>
  );
}

interface WatchesProps {
  entityId: Id<"entity">;
  /** Of the draft or of what is published; older versions have no addresses for problems. */
  version: Version | undefined;
  validate: () => Promise<unknown>;
}

/** What follows each edit, drag and panel without being seen: on its own, so that the editor isn't drawn anew with each. */
const Watches = memo(function Watches({ entityId, version, validate }: WatchesProps) {
  const navigate = useNavigate();
  const goToProblems = (graphVersion: Version, shown: ShownProblems | undefined) =>
    void navigate({
      to: PROBLEM_PATHS[shown ?? "none"],
      params: { entityId, graphVersion },
      search: (old: EditorSearch) => old,
      replace: true,
    });
  useProblemsInAddress(version ? (shown) => goToProblems(version, shown) : null, validate);
  useLiveCheck(entityId);
  useCodeCheck(entityId);
  useNewerDraftNotice(entityId);
  useTestRuns(entityId);
  return null;
});

function Editor({ entityId, mayWrite, versionId }: Omit<OpenEditorProps, "opened"> & { mayWrite: boolean }) {
  const { t } = useWords("sync");
  const navigate = useNavigate();
  const store = useEditorStore();
  const readOnly = useReadOnly();
  const view = useShownView();
  const row = usePipelineRow(entityId).data;
  const name = useCoreEntity(entityId).data?.displayName ?? row?.name ?? "";
  const draft = useDraft(entityId);
  const publishing = usePublishDialog(draft);
  const [isDiscarding, setDiscarding] = useState(false);
  const conflict = useConflictShown(draft.conflict);
  useEntityPage(entityId, t("editor.pageTitle", { name }), { label: t("editor.crumb") });
  const { focus, setFocus, showNode, showEverything } = useShownNode();
  const version = graphVersionOf(useParams({ strict: false }).graphVersion ?? "") ?? "draft";
  const letGo = useUnsavedDraft(entityId);
  const commands = useEditorCommands();
  const [isFinding, setFinding] = useState(false);

  const goTo = useCallback(
    (graphVersion: Version, search: EditorSearch = {}) =>
      navigate({
        to: "/sync-studio/entity/$entityId/pipeline/$graphVersion",
        params: { entityId, graphVersion },
        search,
      }),
    [entityId, navigate],
  );
  const centre = useCallback((nodeId: string) => setFocus({ nodeId }), [setFocus]);
  const setSearch = useSetSearch();
  const toggle = (beside: "versions" | "tests" | "try") => {
    const opens = store.getState().panel !== beside;
    store.getState().show(opens ? beside : "none");
    setSearch({ beside: opens ? beside : undefined });
  };
  const showTry = versionId ? undefined : () => toggle("try");
  const openVersion = async (graphVersion: Version) => {
    if (graphVersion === "draft" && !store.getState().opened.hasDraft) {
      await call(createPipelineDraft, { params: { entityId }, body: {} });
      await refresh(getPipelineGraph);
      toast.success(t("menu.draftCreated", { name }));
    }
    await goTo(graphVersion);
  };
  const keys = { showEverything, showTry, runTo: useRunTo(), commands, view: view.shown };
  const finish = { does: t("editor.publish"), run: () => void publishing.open() };
  useEditorKeys({ ...keys, finish, save: () => void draft.save(), find: () => setFinding(true) });

  return (
    <div className="ac-editor" data-palette={!readOnly || undefined}>
      <Watches entityId={entityId} version={versionId ? undefined : version} validate={draft.validate} />
      <EditorBar
        row={row}
        name={name}
        view={view.shown}
        draft={draft}
        mayWrite={mayWrite}
        versionId={versionId}
        onView={(next) => setSearch({ view: next === "list" ? "list" : undefined })}
        onVersions={() => toggle("versions")}
        onTests={() => toggle("tests")}
        onTry={() => toggle("try")}
        onVersion={(version) => void openVersion(version).catch(toast.failed)}
        onPublish={() => void publishing.open()}
        onDiscard={() => setDiscarding(true)}
        onDecide={conflict.decide}
      />
      <FlowProvider entityId={entityId} isShown={!versionId && version === "published"}>
        <HealthContext value={versionId ? null : (row?.health ?? null)}>
          <EditorBody
            entityId={entityId}
            name={name}
            view={view}
            focus={focus}
            commands={commands}
            isFinding={isFinding}
            onFind={setFinding}
            onShowNode={showNode}
            onShowEverything={showEverything}
          >
            <DockedPanel
              entityId={entityId}
              row={row}
              mayWrite={mayWrite}
              versionId={versionId}
              save={draft.save}
              isValidating={draft.busy === "validating"}
              onValidate={draft.validate}
              onShowNode={showNode}
              onCentre={centre}
              onVersion={goTo}
            />
          </EditorBody>
        </HealthContext>
      </FlowProvider>
      <PublishDialog
        name={name}
        opened={publishing.isOpen}
        busy={draft.busy === "publishing"}
        error={draft.publishError}
        onClose={publishing.close}
        onPublish={async (form) => {
          if (!(await draft.publish(form))) return false;
          publishing.close();
          await goTo("published");
          return true;
        }}
      />
      <DiscardDialog
        entityId={entityId}
        name={name}
        opened={isDiscarding}
        onClose={() => setDiscarding(false)}
        onDiscard={async () => {
          await draft.discard();
          await goTo("published");
        }}
      />
      <MapperDialog entityId={entityId} />
      <ConflictDialog
        conflict={draft.conflict}
        opened={conflict.isDeciding}
        onLater={conflict.later}
        onTakeTheirs={() => draft.takeTheirs() === "published" && void goTo("published")}
        onKeepMine={() => void draft.keepMine()}
      />
      <LeaveGuard save={draft.save} onLeave={letGo} />
    </div>
  );
}
