/** One node on the canvas: what it stands for, one line of what it does, its ways out and how many problems it has. */
import { IconPlus } from "@tabler/icons-react";
import { Handle, Position, type Node, type NodeProps } from "@xyflow/react";
import {
  changeNode,
  disabledMessage,
  hasPortRows,
  isBypassed,
  isLoopEnd,
  isLoopStart,
  isPredicate,
  NODE_SIZE,
  nodeTitle,
  outPorts,
  portTop,
} from "@accord/sync-engine/graph";
import type { GraphNode } from "@accord/contracts/sync/graph";
import { memo, useState, type KeyboardEvent } from "react";
import { ConnectorIcon } from "../../../../shared/connector-icon/connector-icon.tsx";
import { useWords } from "../../../../app/words.ts";
import type { NodeData, NodeKind } from "../canvas/canvas.model.ts";
import { summaryOf } from "./card-summary.ts";
import { CardTip, useRestedOn } from "./card-tip.tsx";
import { useCardWorld } from "./card-world.tsx";
import { useEditor, useEditorStore } from "../editor-context.tsx";
import { isLocked } from "../editor.model.ts";
import { formKey, LABEL_FORM } from "../inputs/invalid-inputs.ts";
import { focusNode } from "../canvas/focus-node.ts";
import { BACK_HANDLE, IN_HANDLE, IN_TOP } from "../canvas/handles.ts";
import { usePortNames } from "../canvas/port-names.ts";
import { NodeIcon } from "./node-icon.tsx";
import { TryTag } from "../try/node-try.tsx";
import { NodeFlow } from "./node-flow.tsx";
import { NodeHealth } from "./node-health.tsx";

export const PipelineNode = memo(function PipelineNode({ data, selected }: NodeProps<Node<NodeData, "pipeline">>) {
  const { t } = useWords("sync");
  const world = useCardWorld();
  const { node, kind, errors, mark } = data;
  const isRenaming = useEditor((state) => state.renaming === node.id);
  const disabled = useEditor((state) => disabledMessage(state.graph, node));
  const title = nodeTitle(node);
  const summary = summaryOf(node, world);
  const { restedOn, listeners } = useRestedOn();
  return (
    <div
      {...listeners}
      className={`ac-node ac-node--${kind}`}
      data-selected={selected || undefined}
      data-disabled={disabled !== null || isBypassed(node) || undefined}
      data-errors={errors > 0 || undefined}
      data-mark={mark}
    >
      {kind === "source" ? null : (
        <Handle id={IN_HANDLE} type="target" position={Position.Left} style={{ top: IN_TOP }} />
      )}
      <div className="ac-node__face">
        <NodeTile node={node} kind={kind} />
        <span className="ac-node__words">
          {isRenaming ? <RenameInput node={node} /> : <span className="ac-node__label">{title}</span>}
          <span className="ac-node__kind">{disabled ?? summary}</span>
        </span>
        <span className="ac-node__health">
          <TryTag nodeId={node.id} />
          <NodeFlow node={node} />
          <NodeHealth nodeId={node.id} />
        </span>
      </div>
      {errors > 0 ? <ProblemBadge nodeId={node.id} count={errors} /> : null}
      {mark ? <span className="ac-node__mark">{t(`versions.${mark}`)}</span> : null}
      <Ports data={data} />
      {isLoopEnd(node) ? <Handle id={BACK_HANDLE} type="source" position={Position.Bottom} /> : null}
      {isLoopStart(node) ? <Handle id={BACK_HANDLE} type="target" position={Position.Bottom} /> : null}
      {restedOn ? (
        <CardTip nodeId={node.id} card={restedOn} title={title}>
          {disabled ?? (isBypassed(node) ? summary : node.description || summary)}
        </CardTip>
      ) : null}
    </div>
  );
});

/** How much is wrong with a node, and what comes first. */
function ProblemBadge({ nodeId, count }: { nodeId: string; count: number }) {
  const { t } = useWords("sync");
  const first = useEditor(
    ({ problems }) =>
      problems?.find((problem) => problem.nodeId === nodeId && problem.severity === "error")?.errorMessage,
  );
  return (
    <span className="ac-node__badge" role="img" aria-label={t("node.problems", { count })} title={first}>
      {count}
    </span>
  );
}

function NodeTile({ node, kind }: { node: GraphNode; kind: NodeKind }) {
  const world = useCardWorld();
  const connector = world.connector(node.configuration.connectorId);
  const icon = { kind, apiName: node.apiName, family: world.family(node.apiName) };
  if (!connector)
    return (
      <span className="ac-node__tile" aria-hidden>
        <NodeIcon {...icon} size={17} stroke={1.7} />
      </span>
    );
  return (
    <span className="ac-node__system">
      <ConnectorIcon icon={connector.metadata.icon} color={connector.backgroundColor} size={30} />
      <span className="ac-node__side">
        <NodeIcon {...icon} size={11} stroke={2.2} />
      </span>
    </span>
  );
}

/** What is pressed at several ways out moves apart where the graph is shown small, so that none lies on another. */
const outwards = (fromMiddle: number): string =>
  `${fromMiddle} * max(0px, 25px / var(--ac-zoom, 1) - ${NODE_SIZE.portRow}px)`;

/** Each way out: its name where there are several, the handle to draw from, and "+" to add what comes next. */
function Ports({ data: { node, readOnly, usedPorts } }: { data: NodeData }) {
  const { t } = useWords("sync");
  const nameOf = usePortNames();
  const store = useEditorStore();
  const ports = outPorts(node);
  const used = usedPorts.split("\n");
  // Nothing follows on one side of a decision: its records go no further, on purpose.
  const isOneSided = isPredicate(node) && !isBypassed(node) && ports.some((port) => used.includes(port));
  return ports.map((port, index) => {
    const top = portTop(node, index);
    const apart = outwards(index - (ports.length - 1) / 2);
    const name = nameOf(node, port);
    const label = name
      ? t("node.addAfterBranch", { label: nodeTitle(node), branch: name })
      : t("node.addAfter", { label: nodeTitle(node) });
    return (
      <span key={port}>
        {hasPortRows(node) ? (
          <span className={`ac-node__port ac-node__port--${port}`} style={{ top: top - 12 }}>
            {isOneSided && !used.includes(port) ? t("port.ends", { port: name }) : name}
          </span>
        ) : null}
        <Handle id={port} type="source" position={Position.Right} style={{ top }}>
          <span className="ac-node__hit" style={{ top: `calc(50% + ${apart})` }} />
        </Handle>
        {readOnly ? null : (
          <button
            type="button"
            className="ac-node__add nodrag nopan"
            tabIndex={-1}
            data-used={used.includes(port) || undefined}
            data-one-of-several={ports.length > 1 || undefined}
            style={{ top: `calc(${top}px + ${apart})` }}
            aria-label={label}
            title={label}
            onClick={(event) => {
              event.stopPropagation();
              const { right, top: y } = event.currentTarget.getBoundingClientRect();
              store.getState().openQuickAdd({ screen: { x: right + 6, y: y - 8 }, where: { afterId: node.id, port } });
            }}
          >
            <IconPlus size={14} stroke={2.2} aria-hidden />
          </button>
        )}
      </span>
    );
  });
}

/** The label, edited in place: Enter keeps it, Esc does not. */
function RenameInput({ node }: { node: GraphNode }) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const [text, setText] = useState(node.label);
  const finish = (keep: boolean) => {
    const { edit, rename, renaming, keepInvalid } = store.getState();
    if (renaming !== node.id) return;
    // What was typed waits in its input until the test that runs has ended.
    if (keep && isLocked(store.getState())) return;
    rename(null);
    if (!keep || text.trim() === "" || text.trim() === node.label) return;
    edit((graph) => changeNode(graph, node.id, { label: text }));
    keepInvalid(formKey(node.id, LABEL_FORM), null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key !== "Enter" && event.key !== "Escape") return;
    finish(event.key === "Enter");
    focusNode(node.id);
  };
  return (
    <input
      className="ac-node__rename nodrag nopan"
      aria-label={t("node.rename", { label: node.label })}
      value={text}
      maxLength={120}
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => finish(true)}
      onKeyDown={onKeyDown}
    />
  );
}
