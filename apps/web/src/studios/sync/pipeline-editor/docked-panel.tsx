/** What stands beside the graph: the form of a node, the records of a connection, problems, or versions. */
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import type { Id } from "@accord/contracts";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { memo } from "react";
import { useSetSearch, type Version } from "./address.ts";
import { useEditor, useEditorStore } from "./editor-context.tsx";
import type { EditorSearch } from "./routes.tsx";
import { ConfigurePanel } from "./node-forms/configure-panel.tsx";
import { EdgePanel } from "./flow/edge-panel.tsx";
import { ErrorsPanel } from "./problems/errors-panel.tsx";
import { ProblemsPanel } from "./problems/problems-panel.tsx";
import { TestsPanel } from "./tests/tests-panel.tsx";
import { TryPanel } from "./try/try-panel.tsx";
import { VersionsPanel } from "./publishing/versions-panel.tsx";

interface Props {
  entityId: Id<"entity">;
  row: PipelineRow | undefined;
  mayWrite: boolean;
  /** Of an older version that is shown. */
  versionId: Id<"pipelineVersion"> | undefined;
  save: () => Promise<boolean>;
  isValidating: boolean;
  onValidate: () => Promise<unknown>;
  /** Selects the node and takes the view there. */
  onShowNode: (nodeId: string) => void;
  /** Takes the view there and no more. */
  onCentre: (nodeId: string) => void;
  onVersion: (version: Version, search: EditorSearch) => Promise<void>;
}

export const DockedPanel = memo(function DockedPanel(props: Props) {
  const { entityId } = props;
  const panel = useEditor((state) => state.panel);
  switch (panel) {
    case "none":
      return null;
    case "configure":
      return <ConfigurePanel entityId={entityId} save={props.save} />;
    case "edge":
      return <EdgePanel entityId={entityId} />;
    case "problems":
      return (
        <ProblemsPanel
          isValidating={props.isValidating}
          onValidate={() => void props.onValidate()}
          onGoTo={props.onShowNode}
        />
      );
    case "errors":
      return <ErrorsPanel entityId={entityId} onGoTo={props.onShowNode} />;
    case "versions":
      return <Versions {...props} />;
    case "tests":
      return <Tests {...props} />;
    case "try":
      return <Try {...props} />;
  }
});

function Tests({ entityId, mayWrite, save, onShowNode }: Props) {
  const store = useEditorStore();
  const setSearch = useSetSearch();
  const close = () => {
    store.getState().show("none");
    setSearch({ beside: undefined });
  };
  return <TestsPanel entityId={entityId} mayWrite={mayWrite} save={save} onClose={close} onGoTo={onShowNode} />;
}

function Try({ entityId, mayWrite, onShowNode }: Props) {
  const store = useEditorStore();
  const setSearch = useSetSearch();
  const close = () => {
    store.getState().show("none");
    setSearch({ beside: undefined });
  };
  const goTo = (nodeId: string) => {
    onShowNode(nodeId);
    store.getState().show("configure");
  };
  return <TryPanel entityId={entityId} mayWrite={mayWrite} onClose={close} onGoTo={goTo} />;
}

function Versions({ entityId, row, mayWrite, versionId, onCentre, onVersion }: Props) {
  const store = useEditorStore();
  const navigate = useNavigate();
  const { compareWith }: EditorSearch = useSearch({ strict: false });
  const setSearch = useSetSearch();
  return (
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
          ? navigate({
              to: "/sync-studio/entity/$entityId/versions/$versionId",
              params: { entityId, versionId: shown.versionId },
              search: { beside: "versions" },
            })
          : onVersion(shown, { beside: "versions" }))
      }
      onCompare={(other) => setSearch({ compareWith: other })}
      onGoTo={onCentre}
    />
  );
}
