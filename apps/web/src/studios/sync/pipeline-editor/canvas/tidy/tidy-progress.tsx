/** Over the graph while it is tidied up, where that takes longer than a moment: how much there is, and calling it off. */
import { Button, Loader } from "@mantine/core";
import { Panel } from "@xyflow/react";
import { useWords } from "../../../../../app/words.ts";
import { useEditor, useEditorStore } from "../../editor-context.tsx";
import "./tidy-progress.css";

export function TidyProgress() {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const isTidying = useEditor((state) => state.isTidying);
  const count = useEditor((state) => state.graph.nodes.length);
  if (!isTidying) return null;
  return (
    <Panel position="top-center" className="ac-tidy">
      <span className="ac-tidy__words" role="status">
        <Loader size={14} aria-hidden /> {t("tidy.running", { count })}
      </span>
      <Button size="xs" variant="default" onClick={() => store.getState().setTidying(false)}>
        {t("shell:action.cancel")}
      </Button>
    </Panel>
  );
}
