/** Has the code of a draft checked while it is edited: the server reads it, since the browser has no sandbox for it. */
import type { Id } from "@accord/contracts";
import type { Graph } from "@accord/contracts/sync/graph";
import { validatePipeline } from "@accord/contracts/sync/pipelines";
import { isCode } from "@accord/sync-engine/graph";
import { useEffect, useMemo } from "react";
import { call } from "../../../../app/api.ts";
import { useEditor, useEditorStore, useReadOnly } from "../editor-context.tsx";

/** A line is typed to its end first. */
const PAUSE_MS = 700;

/** The code of all nodes, and whether each is disabled: compared by value. */
const codeIn = (graph: Graph): string =>
  graph.nodes
    .filter(isCode)
    .map(({ id, bypassed, configuration }) => JSON.stringify([id, bypassed ?? false, configuration["script"]]))
    .join("\n");

export function useCodeCheck(entityId: Id<"entity">): void {
  const store = useEditorStore();
  const readOnly = useReadOnly();
  const edited = useEditor((state) => state.graph);
  const code = useMemo(() => codeIn(edited), [edited]);
  useEffect(() => {
    if (readOnly || code === "") return;
    let isOver = false;
    const check = async (): Promise<void> => {
      const { graph } = store.getState();
      const { problems } = await call(validatePipeline, { params: { entityId }, body: { graph } });
      if (!isOver) store.getState().setValidated({ graph, problems });
    };
    // What can't be checked now is checked when it is published.
    const timer = setTimeout(() => void check().catch(() => {}), PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [code, entityId, readOnly, store]);
}
