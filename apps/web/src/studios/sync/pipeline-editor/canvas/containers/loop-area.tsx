/** The frame around a loop, from its start to its End loop: its label selects its nodes and, dragged, moves them. */
import { IconRepeat } from "@tabler/icons-react";
import type { Node, NodeProps } from "@xyflow/react";
import { memo } from "react";
import { useWords } from "../../../../../app/words.ts";
import { useEditorStore } from "../../editor-context.tsx";
import type { LoopData } from "./area-parts.ts";
import "./loop-area.css";

export const LoopArea = memo(function LoopArea({ data }: NodeProps<Node<LoopData, "loop">>) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const { label, nodeIds, labelWidth } = data;
  const words = t("loop.select", { label, count: nodeIds.length });
  return (
    <div className="ac-loop">
      <button
        type="button"
        className="ac-loop__title"
        style={{ maxWidth: `calc(${labelWidth - 8}px / var(--ac-shrink, 1))` }}
        // Named by what it shows; what a press does is said as its description.
        title={words}
        onClick={() => store.getState().select(nodeIds)}
      >
        <IconRepeat size={14} stroke={1.9} aria-hidden />
        <span className="ac-loop__label">{label}</span>{" "}
        <span className="ac-loop__count">{t("editor.nodes", { count: nodeIds.length })}</span>
      </button>
    </div>
  );
});
