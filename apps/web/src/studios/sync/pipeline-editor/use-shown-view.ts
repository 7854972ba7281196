/** Whether the graph or its list is shown. */
import { useMediaQuery } from "@mantine/hooks";
import { useSearch } from "@tanstack/react-router";
import type { GraphView } from "./bar-parts.tsx";
import type { EditorSearch } from "./editor-search.ts";

export interface ShownView {
  shown: GraphView;
  isNarrow: boolean;
}

/** Fingers on a small screen can't draw a graph: the list has the same actions. */
export function useShownView(): ShownView {
  const { view }: EditorSearch = useSearch({ strict: false });
  const isNarrow = useMediaQuery("(max-width: 900px)", false, { getInitialValueInEffect: false });
  return { shown: view ?? (isNarrow ? "list" : "graph"), isNarrow };
}
