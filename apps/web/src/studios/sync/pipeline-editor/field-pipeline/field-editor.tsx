/** The frame of an open field pipeline: bar, palette, graph, docked panel, and its dialogs. */
import { createFieldDraft, listFieldPipelines, type OpenedFieldGraph } from "@accord/contracts/sync/field-pipelines";
import type { Id } from "@accord/contracts";
import { isCore, nodeTitle } from "@accord/sync-engine/graph";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../../../app/api.ts";
import { refresh } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { toast } from "../../../../shared/toast.tsx";
import type { Version } from "../../addresses/graph-version.ts";
import { useSetSearch } from "../address.ts";
import { ConflictDialog } from "../draft/conflict-dialog.tsx";
import { useConflictShown } from "../draft/use-conflict-shown.ts";
import type { Draft } from "../draft/use-draft.ts";
import { useUnsavedDraft } from "../draft/kept-work.ts";
import { LeaveGuard } from "../draft/leave-guard.tsx";
import { useEditor, useEditorStore, useReadOnly } from "../editor-context.tsx";
import type { EditorSearch } from "../editor-search.ts";
import { ConfigurePanel } from "../node-forms/configure-panel.tsx";
import { ErrorsPanel } from "../problems/errors-panel.tsx";
import { type ShownProblems, useProblemsInAddress } from "../problems/problem-address.ts";
import { ProblemsPanel } from "../problems/problems-panel.tsx";
import { useLiveCheck } from "../problems/use-live-check.ts";
import { useRunTo } from "../try/try-context.tsx";
import { TryPanel } from "../try/try-panel.tsx";
import { TestsPanel } from "../tests/tests-panel.tsx";
import { useTestRuns } from "../tests/use-test-runs.ts";
import { EditorBody } from "../editor-body.tsx";
import { useShownNode } from "../use-shown-node.ts";
import { type ShownView, useShownView } from "../use-shown-view.ts";
import { useEditorCommands } from "../commands/use-editor-commands.ts";
import { useEditorKeys } from "../commands/use-editor-keys.ts";
import { FieldBar } from "./field-bar.tsx";
import type { FieldScope } from "./field-scope.ts";
import { useFieldCrumbs } from "./use-field-crumbs.ts";
import { useFieldDraft } from "./use-field-draft.ts";
import { useNewerFieldDraftNotice } from "./use-newer-field-draft-notice.ts";
import { ConfirmDialog } from "../../../../shared/refusal/confirm-dialog.tsx";
import "../editor-screen.css";
import "./field-pipeline.css";

interface Props {
  entityId: Id<"entity">;
  entityName: string;
  fieldId: Id<"field">;
  version: Version;
  first: OpenedFieldGraph;
  mayWrite: boolean;
  scope: FieldScope;
}

const PATHS = {
  validation: "/sync-studio/entity/$entityId/field/$fieldId/pipeline/$graphVersion/validation",
  "pipeline-error": "/sync-studio/entity/$entityId/field/$fieldId/pipeline/$graphVersion/pipeline-error",
  none: "/sync-studio/entity/$entityId/field/$fieldId/pipeline/$graphVersion",
} as const;

/** Ways between the addresses of this field pipeline, and back to its entity pipeline. */
function useFieldWays({ entityId, fieldId, version }: Pick<Props, "entityId" | "fieldId" | "version">) {
  const navigate = useNavigate();
  const store = useEditorStore();
  const { fromNode }: EditorSearch = useSearch({ strict: false });
  const goTo = (graphVersion: Version) =>
    navigate({ to: PATHS.none, params: { entityId, fieldId, graphVersion }, search: { fromNode } });
  return {
    goTo,
    goToProblems: (shown: ShownProblems | undefined) =>
      void navigate({
        to: PATHS[shown ?? "none"],
        params: { entityId, fieldId, graphVersion: version },
        search: (old: EditorSearch) => old,
        replace: true,
      }),
    openVersion: async (graphVersion: Version) => {
      if (graphVersion === "draft" && !store.getState().opened.hasDraft) {
        await call(createFieldDraft, { params: { entityId, fieldId }, body: {} });
        await refresh(listFieldPipelines);
      }
      await goTo(graphVersion);
    },
    goBack: (graphVersion: Version) =>
      navigate({
        to: "/sync-studio/entity/$entityId/pipeline/$graphVersion",
        params: { entityId, graphVersion },
        search: fromNode ? { focusNodeId: fromNode } : {},
      }),
  };
}

/** The node that led here, else the core node: where the way back leads. */
function backTo({ entityGraph, entityVersion }: FieldScope, fromNode: string | undefined, entityName: string) {
  const node = entityGraph.nodes.find(({ id }) => id === fromNode) ?? entityGraph.nodes.find(isCore);
  return { graphVersion: entityVersion, nodeId: node?.id, label: node ? nodeTitle(node) : entityName };
}

export function FieldEditor(props: Props) {
  const { entityId, entityName, fieldId, version, first, mayWrite, scope } = props;
  const { t } = useWords("sync");
  const readOnly = useReadOnly();
  const setSearch = useSetSearch();
  const { fromNode }: EditorSearch = useSearch({ strict: false });
  const view = useShownView();
  const panel = useEditor((state) => state.panel);
  const name = scope.field.displayName;
  const { draft, isReady, isMarking, mark } = useFieldDraft(entityId, fieldId, first);
  const [dialog, setDialog] = useState<Dialog>("none");
  const conflict = useConflictShown(draft.conflict);
  const ways = useFieldWays({ entityId, fieldId, version });
  useFieldCrumbs(entityId, t("fieldPipeline.pageTitle", { field: name }), name);
  useProblemsInAddress(ways.goToProblems, draft.validate);
  useLiveCheck(entityId);
  useTestRuns(entityId);
  useNewerFieldDraftNotice(entityId, fieldId);
  const store = useEditorStore();
  const toggle = (beside: "try" | "tests"): void => {
    const isOpening = panel !== beside;
    store.getState().show(isOpening ? beside : "none");
    setSearch({ beside: isOpening ? beside : undefined });
  };
  return (
    <div className="ac-editor" data-panel={panel !== "none" || undefined} data-palette={!readOnly || undefined}>
      <FieldBar
        entityId={entityId}
        field={name}
        back={backTo(scope, fromNode, entityName)}
        view={view.shown}
        draft={draft}
        mayWrite={mayWrite}
        isReady={isReady}
        isMarking={isMarking}
        onView={(next) => setSearch({ view: next === "list" ? "list" : undefined })}
        panel={panel}
        onToggle={toggle}
        onVersion={(next) => void ways.openVersion(next).catch(toast.failed)}
        onMark={(ready) => void mark(ready)}
        onDiscard={() => setDialog("discard")}
        onDecide={conflict.decide}
      />
      <FieldBody
        entityId={entityId}
        name={name}
        view={view}
        draft={draft}
        mayWrite={mayWrite}
        onToggle={toggle}
        onReady={() => {
          if (!isReady && !isMarking) void mark(true);
        }}
      />
      <FieldDialogs {...props} draft={draft} ways={ways} dialog={dialog} onClose={() => setDialog("none")} />
      <ConflictDialog
        conflict={draft.conflict}
        opened={conflict.isDeciding}
        onLater={conflict.later}
        onTakeTheirs={() => draft.takeTheirs() === "published" && void ways.goTo("published")}
        onKeepMine={() => void draft.keepMine()}
      />
    </div>
  );
}

type Dialog = "none" | "discard";

interface BodyProps {
  entityId: Id<"entity">;
  name: string;
  view: ShownView;
  draft: Draft;
  mayWrite: boolean;
  onToggle: (beside: "try" | "tests") => void;
  /** Marks the draft as ready. */
  onReady: () => void;
}

/** Palette, graph and what stands beside it, with the keys that work there. */
function FieldBody({ entityId, name, view, draft, mayWrite, onToggle, onReady }: BodyProps) {
  const { t } = useWords("sync");
  const { focus, showNode, showEverything } = useShownNode();
  const commands = useEditorCommands();
  const [isFinding, setFinding] = useState(false);
  const keys = { showEverything, showTry: () => onToggle("try"), runTo: useRunTo(), commands, view: view.shown };
  const finish = { does: t("fieldPipeline.markReady"), run: onReady };
  useEditorKeys({ ...keys, finish, save: () => void draft.save(), find: () => setFinding(true) });
  return (
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
      <FieldPanel
        entityId={entityId}
        mayWrite={mayWrite}
        isValidating={draft.busy === "validating"}
        onValidate={() => void draft.validate()}
        onShowNode={showNode}
        save={draft.save}
        onToggle={onToggle}
      />
    </EditorBody>
  );
}

interface DialogProps extends Props {
  draft: Draft;
  ways: ReturnType<typeof useFieldWays>;
  dialog: Dialog;
  onClose: () => void;
}

/** What is asked before something is lost. */
function FieldDialogs({ entityId, fieldId, scope, draft, ways, dialog, onClose }: DialogProps) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const letGo = useUnsavedDraft(`${entityId} ${fieldId}`);
  const discard = async (): Promise<void> => {
    const { hasPublished } = store.getState().opened;
    await draft.discard();
    await (hasPublished ? ways.goTo("published") : ways.goBack(scope.entityVersion));
  };
  return (
    <>
      <ConfirmDialog
        opened={dialog === "discard"}
        onClose={onClose}
        title={t("editor.discardTitle")}
        action={t("editor.discardDraft")}
        onConfirm={discard}
      >
        {t("fieldPipeline.discardBody", { field: scope.field.displayName })}
      </ConfirmDialog>
      <LeaveGuard save={draft.save} onLeave={letGo} />
    </>
  );
}

interface PanelProps {
  entityId: Id<"entity">;
  mayWrite: boolean;
  isValidating: boolean;
  onValidate: () => void;
  onShowNode: (nodeId: string) => void;
  save: () => Promise<boolean>;
  onToggle: (beside: "try" | "tests") => void;
}

/** A node's form, problems, tests, or a record that is tried; versions stand beside the entity pipeline. */
function FieldPanel({ entityId, mayWrite, isValidating, onValidate, onShowNode, save, onToggle }: PanelProps) {
  const store = useEditorStore();
  const panel = useEditor((state) => state.panel);
  const configure = (nodeId: string): void => {
    onShowNode(nodeId);
    store.getState().show("configure");
  };
  if (panel === "try")
    return <TryPanel entityId={entityId} mayWrite={mayWrite} onClose={() => onToggle("try")} onGoTo={configure} />;
  const tests = { entityId, mayWrite, save, onGoTo: onShowNode };
  if (panel === "tests") return <TestsPanel {...tests} onClose={() => onToggle("tests")} />;
  if (panel === "configure") return <ConfigurePanel entityId={entityId} save={save} />;
  if (panel === "errors") return <ErrorsPanel entityId={entityId} onGoTo={onShowNode} />;
  if (panel !== "problems") return null;
  return <ProblemsPanel isValidating={isValidating} onValidate={onValidate} onGoTo={onShowNode} />;
}
