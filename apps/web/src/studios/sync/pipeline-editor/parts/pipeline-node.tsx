/** One node on the canvas: coloured tile by kind, label, what it is, and how many problems it has. */
import {
  IconArrowsSplit2,
  IconBolt,
  IconCube,
  IconDatabaseExport,
  IconDatabaseImport,
  IconFunction,
} from "@tabler/icons-react";
import { Tooltip } from "@mantine/core";
import { Handle, Position, type NodeProps } from "@xyflow/react";
import { functionName, nodeTitle } from "@accord/sync-engine/graph";
import { memo } from "react";
import { useWords } from "../../../../app/words.ts";
import type { NodeData, NodeKind } from "../canvas.model.ts";
import { NodeHealth } from "./node-health.tsx";
import type { Node } from "@xyflow/react";

const ICONS = {
  source: IconDatabaseExport,
  core: IconCube,
  function: IconFunction,
  action: IconBolt,
  sink: IconDatabaseImport,
} satisfies Record<NodeKind, typeof IconBolt>;

export const PipelineNode = memo(function PipelineNode({ data, selected }: NodeProps<Node<NodeData, "pipeline">>) {
  const { t } = useWords("sync");
  const { node, kind, errors, mark } = data;
  const Icon = functionName(node) === "predicate" ? IconArrowsSplit2 : ICONS[kind];
  const title = nodeTitle(node);
  const text = (
    <>
      {title}
      {node.description ? <div className="ac-node__tip">{node.description}</div> : null}
    </>
  );
  return (
    <Tooltip label={text} openDelay={1000} multiline maw={280}>
      <div
        className={`ac-node ac-node--${kind}`}
        data-selected={selected || undefined}
        data-errors={errors > 0 || undefined}
        data-mark={mark}
      >
        {kind === "source" ? null : <Handle type="target" position={Position.Left} />}
        <span className="ac-node__tile" aria-hidden>
          <Icon size={17} stroke={1.7} />
        </span>
        <span className="ac-node__words">
          <span className="ac-node__label">{title}</span>
          <span className="ac-node__kind">{subtitle(data, t(`node.${kind}`), t("node.notConfigured"))}</span>
        </span>
        <span className="ac-node__health">
          <NodeHealth nodeId={node.id} />
        </span>
        {errors > 0 ? (
          <span className="ac-node__badge" aria-label={t("node.problems", { count: errors })}>
            {errors}
          </span>
        ) : null}
        {mark ? <span className="ac-node__mark">{t(`versions.${mark}`)}</span> : null}
        {kind === "sink" ? null : <Handle type="source" position={Position.Right} />}
      </div>
    </Tooltip>
  );
});

function subtitle({ node, kind }: NodeData, kindWords: string, unconfigured: string): string {
  if (node.subLabel) return node.subLabel;
  if ((kind === "source" || kind === "sink") && !node.configuration.entityDefinition) return unconfigured;
  if (kind === "function" && node.displayName && node.displayName !== node.label) return node.displayName;
  return kindWords;
}
