/** How many records passed an edge in the cycle that is counted: a button that lists the last ones. */
import { useWords } from "../../../../app/words.ts";
import { useEditorStore } from "../editor-context.tsx";
import { useShownFlow } from "./flow-context.tsx";

const BRIEF = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

export function EdgeFlow({ edgeId, name, x, y }: { edgeId: string; name: string; x: number; y: number }) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const flow = useShownFlow();
  const records = flow?.counts?.passed[edgeId] ?? 0;
  if (records === 0) return null;
  const [exact, brief] = [records.toLocaleString("en-US"), BRIEF.format(records)];
  const words = t("flow.passedEdge", { count: records, shown: exact, edge: name });
  return (
    <button
      type="button"
      className="ac-edge__count nodrag nopan"
      style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
      // What is shown is part of the name, for those who say what they see.
      aria-label={exact === brief ? words : `${words} · ${brief}`}
      title={words}
      onClick={(event) => {
        event.stopPropagation();
        store.getState().selectEdge(edgeId);
        store.getState().show("edge");
      }}
    >
      <span className="ac-edge__exact">{exact}</span>
      <span className="ac-edge__brief">{brief}</span>
    </button>
  );
}
