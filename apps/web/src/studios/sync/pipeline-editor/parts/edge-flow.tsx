/** How many records passed an edge in the cycle that is counted: a button that lists the last ones. */
import { useWords } from "../../../../app/words.ts";
import { useEditorStore } from "../editor-context.tsx";
import { useShownFlow } from "../flow-context.tsx";

export function EdgeFlow({ edgeId, name, x, y }: { edgeId: string; name: string; x: number; y: number }) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const flow = useShownFlow();
  const records = flow?.counts?.passed[edgeId] ?? 0;
  if (records === 0) return null;
  const words = t("flow.passedEdge", { count: records, shown: records.toLocaleString("en-US"), edge: name });
  return (
    <button
      type="button"
      className="ac-edge__count nodrag nopan"
      style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
      aria-label={words}
      title={words}
      onClick={(event) => {
        event.stopPropagation();
        store.getState().selectEdge(edgeId);
        store.getState().show("edge");
      }}
    >
      {records.toLocaleString("en-US")}
    </button>
  );
}
