/** The addresses of problems: `/validation` opens what validation finds, `/pipeline-error` what went wrong in runs. */
import type { Id } from "@accord/contracts";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import type { Version } from "./address.ts";
import { useEditor, useEditorStore } from "./editor-context.tsx";
import type { SidePanel } from "./editor.model.ts";
import type { EditorSearch } from "./routes.tsx";

type Shown = "validation" | "pipeline-error";

const PANELS: Record<Shown, SidePanel> = { validation: "problems", "pipeline-error": "errors" };
const PATHS = {
  validation: "/sync-studio/entity/$entityId/pipeline/$graphVersion/validation",
  "pipeline-error": "/sync-studio/entity/$entityId/pipeline/$graphVersion/pipeline-error",
  none: "/sync-studio/entity/$entityId/pipeline/$graphVersion",
} as const;

/** One and the same editor, whichever problems it shows. */
export const withoutProblems = (pathname: string): string => pathname.replace(/\/(validation|pipeline-error)$/, "");

const shownBy = (pathname: string): Shown | undefined => {
  const last = pathname.split("/").at(-1);
  return last === "validation" || last === "pipeline-error" ? last : undefined;
};

/**
 * Opens the panel that the address asks for, also cold, and keeps the address true: it goes with the panel, and stands
 * there for whoever copies it while the panel is open.
 */
export function useProblemsInAddress(
  entityId: Id<"entity">,
  version: Version | null,
  validate: () => Promise<unknown>,
): void {
  const store = useEditorStore();
  const navigate = useNavigate();
  const panel = useEditor((state) => state.panel);
  const wanted = useLocation({ select: ({ pathname }) => shownBy(pathname) });
  const open = useEffectEvent(() => {
    if (wanted === undefined || store.getState().panel === PANELS[wanted]) return;
    store.getState().show(PANELS[wanted]);
    if (wanted === "validation" && store.getState().problems === null) void validate();
  });
  useEffect(() => open(), [wanted]);
  const follow = useEffectEvent(() => {
    // Read anew: the panel that the address asks for may just have been opened.
    const panel = store.getState().panel;
    const shown = panel === "problems" ? "validation" : panel === "errors" ? "pipeline-error" : undefined;
    // Problems are those of what runs or is drawn: an older version keeps its address.
    if (shown === wanted || version === null) return;
    void navigate({
      to: PATHS[shown ?? "none"],
      params: { entityId, graphVersion: version },
      search: (old: EditorSearch) => old,
      replace: true,
    });
  });
  useEffect(() => follow(), [panel]);
}
