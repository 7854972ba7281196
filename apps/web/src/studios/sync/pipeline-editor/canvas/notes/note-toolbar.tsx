/** Above a note that is selected: its colours, and removing it. */
import { NOTE_COLORS, type GraphNote } from "@accord/contracts/sync/graph";
import { changeNote } from "@accord/sync-engine/graph";
import { IconCheck, IconPencil, IconTrash } from "@tabler/icons-react";
import { NodeToolbar, Position } from "@xyflow/react";
import { useWords } from "../../../../../app/words.ts";
import { useEditorStore } from "../../editor-context.tsx";
import { removeNodesOf } from "../../removal/remove-items.ts";

export function NoteToolbar({ note }: { note: GraphNote }) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  return (
    <NodeToolbar
      className="ac-note-bar nodrag nopan"
      isVisible
      position={Position.Top}
      align="start"
      role="toolbar"
      aria-label={t("note.toolbar")}
    >
      {NOTE_COLORS.map((color) => (
        <button
          key={color}
          type="button"
          className={`ac-note-bar__color ac-note--${color}`}
          aria-label={t(`note.color_${color}`)}
          title={t(`note.color_${color}`)}
          aria-pressed={note.color === color}
          onClick={() => store.getState().edit((graph) => changeNote(graph, note.id, { color }))}
        >
          {note.color === color ? <IconCheck size={14} stroke={2.4} aria-hidden /> : null}
        </button>
      ))}
      <button
        type="button"
        aria-label={t("note.edit")}
        title={t("note.edit")}
        onClick={() => store.getState().rename(note.id)}
      >
        <IconPencil size={15} aria-hidden />
      </button>
      <button
        type="button"
        aria-label={t("note.remove")}
        title={t("note.remove")}
        onClick={() => removeNodesOf(store, new Set([note.id]))}
      >
        <IconTrash size={15} aria-hidden />
      </button>
    </NodeToolbar>
  );
}
