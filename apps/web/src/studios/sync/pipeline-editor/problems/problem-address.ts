/** The addresses of problems: `/validation` opens what validation finds, `/pipeline-error` what went wrong in runs. */
import { useLocation } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { useEditor, useEditorStore } from "../editor-context.tsx";
import type { SidePanel } from "../editor.model.ts";

export type ShownProblems = "validation" | "pipeline-error";

const PANELS: Record<ShownProblems, SidePanel> = { validation: "problems", "pipeline-error": "errors" };
/** One and the same editor, whichever problems it shows. */
export const withoutProblems = (pathname: string): string => pathname.replace(/\/(validation|pipeline-error)$/, "");

const shownBy = (pathname: string): ShownProblems | undefined => {
  const last = pathname.split("/").at(-1);
  return last === "validation" || last === "pipeline-error" ? last : undefined;
};

/**
 * Opens the panel that the address asks for, also cold, and keeps the address true: it goes with the panel, and stands
 * there for whoever copies it while the panel is open.
 */
export function useProblemsInAddress(
  /** Takes the page to the address of what is shown; null where the version has no addresses for problems. */
  goTo: ((shown: ShownProblems | undefined) => void) | null,
  validate: () => Promise<unknown>,
): void {
  const store = useEditorStore();
  const panel = useEditor((state) => state.panel);
  const wanted = useLocation({ select: ({ pathname }) => shownBy(pathname) });
  const open = useEffectEvent(() => {
    if (wanted === undefined || store.getState().panel === PANELS[wanted]) return;
    store.getState().show(PANELS[wanted]);
    if (wanted === "validation" && store.getState().validated === null) void validate();
  });
  useEffect(() => open(), [wanted]);
  const follow = useEffectEvent(() => {
    // Read anew: the panel that the address asks for may just have been opened.
    const panel = store.getState().panel;
    const shown = panel === "problems" ? "validation" : panel === "errors" ? "pipeline-error" : undefined;
    // Problems are those of what runs or is drawn: an older version keeps its address.
    if (shown !== wanted) goTo?.(shown);
  });
  useEffect(() => follow(), [panel]);
}
