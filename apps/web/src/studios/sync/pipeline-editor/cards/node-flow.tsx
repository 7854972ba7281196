/** What became of records at one node in the cycle that is counted, on its card and in the list. */
import type { GraphNode } from "@accord/contracts/sync/graph";
import { StatusTag, type Tone } from "@accord/ui";
import { useWords } from "../../../../app/words.ts";
import { nodeKind } from "../canvas/canvas.model.ts";
import { useEditor } from "../editor-context.tsx";
import { useShownFlow } from "../flow/flow-context.tsx";
import { countsAt, type Outcome } from "../flow/flow-counts.model.ts";

const TONES: Record<Outcome, Tone> = {
  read: "info",
  notPassedOn: "idle",
  changed: "ok",
  written: "ok",
  ended: "idle",
  failed: "error",
};

export function NodeFlow({ node }: { node: GraphNode }) {
  const { t } = useWords("sync");
  const counts = useShownFlow()?.counts;
  const edges = useEditor((state) => state.graph.edges);
  const shown = counts ? countsAt(counts, node, nodeKind(node), edges) : [];
  if (shown.length === 0) return null;
  return (
    <span className="ac-node-flow">
      {shown.map(({ outcome, records }) => (
        <StatusTag key={outcome} tone={TONES[outcome]} title={t(`flow.${outcome}Hint`)}>
          {t(`flow.${outcome}`, { shown: records.toLocaleString("en-US") })}
        </StatusTag>
      ))}
    </span>
  );
}
