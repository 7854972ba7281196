/** What of the editor stands in the address: the version, the selection, the crumbs above. */
import { pipelineChanged } from "@accord/contracts/sync/pipelines";
import type { Id } from "@accord/contracts";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { Crumb } from "../../../app/page.ts";
import { onEvent } from "../../../app/realtime.ts";
import { useSession } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { useEditor, useEditorStore } from "./editor-context.tsx";
import type { EditorSearch } from "./routes.tsx";

export type Version = "draft" | "published";

export const toVersion = (text: string | undefined): Version =>
  text === "published" || text === "approved" ? "published" : "draft";

export const crumbsOf = (entityId: string, t: ReturnType<typeof useWords<"sync">>["t"]): Crumb[] => [
  { label: t("title"), to: "/sync-studio" },
  { kind: "entity", id: entityId },
  { label: t("editor.crumb") },
];

/** Selected nodes stand in the address, replacing it: Back leaves the page, a reload selects them again. */
export function useSelectionInAddress(): void {
  const store = useEditorStore();
  const navigate = useNavigate();
  const { nodeIds }: EditorSearch = useSearch({ strict: false });
  const selected = useEditor((state) => state.selected);
  const restored = useRef(false);
  useEffect(() => {
    if (!restored.current) {
      restored.current = true;
      const { graph, select } = store.getState();
      const wanted = (nodeIds ?? "").split(",").filter((id) => graph.nodes.some((node) => node.id === id));
      if (wanted.length > 0) return select(wanted);
    }
    const text = selected.length > 0 ? selected.join(",") : undefined;
    if (text === nodeIds) return;
    void navigate({ to: ".", search: (old: EditorSearch) => ({ ...old, nodeIds: text }), replace: true });
  }, [navigate, nodeIds, selected, store]);
}

/** Somebody else saved this draft: nothing is replaced under the person's hands, but they are told. */
export function useNewerDraftNotice(entityId: Id<"entity">): void {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const { id } = useSession();
  useEffect(
    () =>
      onEvent(pipelineChanged, (change) => {
        const { revision, opened } = store.getState();
        if (change.entityId !== entityId || change.change !== "draftSaved" || change.byUserId === id) return;
        if (opened.graphVersion === "draft" && change.revision > revision) toast.warning(t("conflict.title"));
      }),
    [entityId, id, store, t],
  );
}
