/** What stands below an editor's bar: the palette, the graph or its list, and what is docked beside it. */
import type { ComponentProps, ReactNode } from "react";
import { Canvas } from "./canvas/canvas.tsx";
import { ListView } from "./canvas/list-view.tsx";
import { GraphDialogs } from "./commands/graph-dialogs.tsx";
import { useReadOnly } from "./editor-context.tsx";
import { Palette } from "./palette/palette.tsx";
import type { ShownView } from "./use-shown-view.ts";

interface Props extends ComponentProps<typeof Canvas> {
  view: ShownView;
  /** Docked beside the graph. */
  children: ReactNode;
}

export function EditorBody({ view: { shown, isNarrow }, children, ...canvas }: Props) {
  const palette = useReadOnly() ? null : <Palette entityId={canvas.entityId} />;
  return (
    <div className="ac-editor__body">
      {isNarrow ? null : palette}
      {shown === "list" ? <ListView /> : <Canvas {...canvas} />}
      {isNarrow && shown === "list" ? palette : null}
      {children}
      <GraphDialogs commands={canvas.commands} />
    </div>
  );
}
