/** What of the editor stands in the address: the version, the selection. */
import { pipelineChanged } from "@accord/contracts/sync/pipelines";
import type { Id } from "@accord/contracts";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef } from "react";
import { onEvent } from "../../../app/realtime.ts";
import { useSession } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { useEditorStore } from "./editor-context.tsx";
import type { EditorSearch } from "./routes.tsx";

export type { Version } from "../addresses/graph-version.ts";

/** Changes parts of what stands in the address behind its path, replacing it. */
export function useSetSearch(): (part: Partial<EditorSearch>) => void {
  const navigate = useNavigate();
  return (part) =>
    void navigate({ to: ".", search: (old: EditorSearch): EditorSearch => ({ ...old, ...part }), replace: true });
}

/** Writing the address draws every part of the page that reads it: not with each press, and never during a drag. */
const ADDRESS_DELAY_MS = 400;

/**
 * Selected nodes stand in the address, replacing it: Back leaves the page, a reload selects them again. A node that a
 * link asks to focus is selected and shown.
 */
export function useSelectionInAddress(showNode: (nodeId: string) => void): void {
  const store = useEditorStore();
  const setSearch = useSetSearch();
  const { nodeIds, focusNodeId }: EditorSearch = useSearch({ strict: false });
  const written = useRef(nodeIds);
  const restore = useEffectEvent(() => {
    const { graph, select } = store.getState();
    const isIn = (items: readonly { id: string }[]) => (id: string) => items.some((item) => item.id === id);
    if (focusNodeId && isIn(graph.nodes)(focusNodeId)) return showNode(focusNodeId);
    const wanted = (nodeIds ?? "").split(",").filter(isIn([...graph.nodes, ...graph.notes]));
    if (wanted.length > 0) select(wanted);
  });
  /** A link to a node of the pipeline that is open already. */
  const follow = useEffectEvent(() => {
    if (!focusNodeId && (nodeIds === undefined || nodeIds === written.current)) return;
    written.current = nodeIds;
    restore();
  });
  const write = useEffectEvent(() => {
    const { selected } = store.getState();
    const text = selected.length > 0 ? selected.join(",") : undefined;
    if (text === written.current && !focusNodeId) return;
    written.current = text;
    setSearch({ nodeIds: text, focusNodeId: undefined });
  });
  useEffect(() => {
    restore();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = store.subscribe((state, before) => {
      if (state.selected === before.selected && state.isDragging === before.isDragging) return;
      clearTimeout(timer);
      if (!state.isDragging) timer = setTimeout(write, ADDRESS_DELAY_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [store]);
  useEffect(() => follow(), [nodeIds, focusNodeId]);
}

const CHANGE_TITLES: Partial<
  Record<string, "conflict.title_saved" | "conflict.title_published" | "conflict.title_discarded">
> = {
  draftSaved: "conflict.title_saved",
  published: "conflict.title_published",
  draftDiscarded: "conflict.title_discarded",
};

/** Somebody else saved, published or discarded this draft: nothing is replaced under the person's hands, but they are notified. */
export function useNewerDraftNotice(entityId: Id<"entity">): void {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const { id } = useSession();
  useEffect(
    () =>
      onEvent(pipelineChanged, (change) => {
        const { revision, opened } = store.getState();
        const title = CHANGE_TITLES[change.change];
        if (change.entityId !== entityId || !title || change.byUserId === id) return;
        if (opened.graphVersion === "draft" && change.revision > revision) toast.warning(t(title));
      }),
    [entityId, id, store, t],
  );
}
