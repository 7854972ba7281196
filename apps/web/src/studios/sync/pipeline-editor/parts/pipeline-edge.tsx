/** A connection: its way out of a decision as a label that switches, and a place to take new nodes. */
import { BaseEdge, EdgeLabelRenderer, getSmoothStepPath, type EdgeProps } from "@xyflow/react";
import { setEdgeType } from "@accord/sync-engine/graph";
import { memo } from "react";
import { useWords } from "../../../../app/words.ts";
import type { FlowEdge } from "../canvas.model.ts";
import { useEditor } from "../editor-context.tsx";

export const PipelineEdge = memo(function PipelineEdge(props: EdgeProps<FlowEdge>) {
  const { t } = useWords("sync");
  const edit = useEditor((state) => state.edit);
  const [path, x, y] = getSmoothStepPath({ ...props, borderRadius: 10, offset: 12 });
  const type = props.data?.edgeType ?? "default";
  const label =
    type === "true" ? t("node.edgeTrue") : type === "false" ? t("node.edgeFalse") : type === "default" ? "" : type;
  const switchable = props.data?.switchable === true && props.data.readOnly !== true;
  return (
    <>
      <BaseEdge id={props.id} path={path} interactionWidth={22} />
      {label ? (
        <EdgeLabelRenderer>
          <button
            type="button"
            className={`ac-edge__label ac-edge__label--${type} nodrag nopan`}
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
            disabled={!switchable}
            title={switchable ? t("node.switchEdge") : undefined}
            onClick={() => edit((graph) => setEdgeType(graph, props.id, type === "true" ? "false" : "true"))}
          >
            {label}
          </button>
        </EdgeLabelRenderer>
      ) : null}
    </>
  );
});
