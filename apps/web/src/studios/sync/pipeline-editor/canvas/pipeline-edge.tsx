/** A connection, with a place in its middle to put a node in. A loop's way back runs below what it goes back past. */
import { BaseEdge, EdgeLabelRenderer, getSmoothStepPath, type EdgeProps } from "@xyflow/react";
import { IconPlus } from "@tabler/icons-react";
import { memo } from "react";
import { useWords } from "../../../../app/words.ts";
import { TIDY } from "@accord/sync-engine/graph";
import { NODE_WIDTH, type FlowEdge } from "./canvas.model.ts";
import { useEditorStore } from "../editor-context.tsx";
import { useShownFlow } from "../flow/flow-context.tsx";
import { EdgeFlow } from "../flow/edge-flow.tsx";

/** How far beside its ends a connection to the left turns. */
const LANE_OFFSET = 16;

export const PipelineEdge = memo(function PipelineEdge(props: EdgeProps<FlowEdge>) {
  const isBack = props.data?.isWayBack === true;
  const passed = useShownFlow()?.counts?.passed[props.id] ?? 0;
  const [path, x, y] = isBack ? wayBack(props) : forwards(props);
  return (
    <>
      <BaseEdge
        id={props.id}
        path={path}
        interactionWidth={24}
        data-passed={passed > 0 || undefined}
        {...(props.markerEnd ? { markerEnd: props.markerEnd } : {})}
      />
      {props.data?.isWhole && !isBack && passed > 0 ? (
        <EdgeLabelRenderer>
          <EdgeFlow edgeId={props.id} name={props.data.name} x={x} y={y} />
        </EdgeLabelRenderer>
      ) : null}
      {isBack ? (
        <EdgeLabelRenderer>
          <BackLabel x={x} y={y} />
        </EdgeLabelRenderer>
      ) : null}
      {props.selected && !isBack && props.data?.readOnly !== true ? (
        <EdgeLabelRenderer>
          <AddHere edgeId={props.id} x={x} y={y} />
        </EdgeLabelRenderer>
      ) : null}
    </>
  );
});

/**
 * Over more than one column the way turns right behind its start, and not in the middle of what stands between; to the
 * left it runs in its lane.
 */
function forwards(props: EdgeProps<FlowEdge>): [path: string, x: number, y: number] {
  const lane = props.data?.lane ?? null;
  const gap = TIDY.column - NODE_WIDTH;
  const turnAt = props.sourceX + gap / 2 + (props.data?.turn ?? 0);
  if (lane !== null && turnAt < props.targetX - gap / 2) return past(props, lane, turnAt, props.targetX - gap / 2);
  if (lane !== null && lane > props.sourceY && lane < props.targetY) {
    const [path] = getSmoothStepPath({ ...props, centerY: lane, borderRadius: 10, offset: LANE_OFFSET });
    return [path, (props.sourceX + props.targetX) / 2, lane];
  }
  const isLong = props.targetX - props.sourceX > 1.5 * gap;
  const turn = isLong || (props.data?.turn && turnAt < props.targetX) ? { centerX: turnAt } : {};
  const [path, x, y] = getSmoothStepPath({ ...props, ...turn, borderRadius: 10, offset: 12 });
  return [path, isLong ? (props.sourceX + props.targetX) / 2 : x, isLong ? props.targetY : y];
}

/** From its first turn along the lane to its last one, corners rounded where there is room. */
function past(
  { sourceX, sourceY, targetX, targetY }: EdgeProps<FlowEdge>,
  lane: number,
  first: number,
  last: number,
): [path: string, x: number, y: number] {
  const turn = (x: number, from: number, to: number): string => {
    const radius = Math.min(10, Math.abs(to - from) / 2);
    const down = Math.sign(to - from) * radius;
    return `H ${x - radius} Q ${x} ${from} ${x} ${from + down} V ${to - down} Q ${x} ${to} ${x + radius} ${to}`;
  };
  const path = `M ${sourceX} ${sourceY} ${turn(first, sourceY, lane)} ${turn(last, lane, targetY)} H ${targetX}`;
  return [path, (first + last) / 2, lane];
}

function wayBack({
  sourceX,
  sourceY,
  targetX,
  targetY,
  data,
}: EdgeProps<FlowEdge>): [path: string, x: number, y: number] {
  const y = Math.max(sourceY, targetY) + (data?.backDepth ?? 0);
  const corner = 10;
  const path = [
    `M ${sourceX} ${sourceY} V ${y - corner} Q ${sourceX} ${y} ${sourceX - corner} ${y}`,
    `H ${targetX + corner} Q ${targetX} ${y} ${targetX} ${y - corner} V ${targetY}`,
  ].join(" ");
  return [path, (sourceX + targetX) / 2, y];
}

function BackLabel({ x, y }: { x: number; y: number }) {
  const { t } = useWords("sync");
  return (
    <span className="ac-edge__label" style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}>
      {t("port.back")}
    </span>
  );
}

function AddHere({ edgeId, x, y }: { edgeId: string; x: number; y: number }) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  return (
    <button
      type="button"
      className="ac-node__add ac-node__add--edge nodrag nopan"
      style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
      aria-label={t("node.insertHere")}
      title={t("node.insertHere")}
      onClick={(event) => {
        event.stopPropagation();
        const { right, top } = event.currentTarget.getBoundingClientRect();
        store.getState().openQuickAdd({ screen: { x: right + 6, y: top - 8 }, where: { edgeId } });
      }}
    >
      <IconPlus size={14} stroke={2.2} aria-hidden />
    </button>
  );
}
