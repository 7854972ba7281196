/** A note on the canvas: its text, edited in place, and the lines and the corner that change its size. */
import { NOTE_SIZE, MAX_NOTE_TEXT, type GraphNote } from "@accord/contracts/sync/graph";
import { changeNote, noteById } from "@accord/sync-engine/graph";
import { IconArrowsDiagonal2 } from "@tabler/icons-react";
import {
  type ControlPosition,
  NodeResizeControl,
  type NodeProps,
  type OnResizeEnd,
  ResizeControlVariant,
} from "@xyflow/react";
import { memo, type KeyboardEvent } from "react";
import { useWords } from "../../../../../app/words.ts";
import { useEditor, useEditorStore } from "../../editor-context.tsx";
import { focusNode } from "../focus-node.ts";
import type { NoteNode } from "./note-parts.ts";
import { NoteToolbar } from "./note-toolbar.tsx";
import "./note-card.css";

const RESIZE_STEP = 10;
const SIDES: readonly ControlPosition[] = ["top", "right", "bottom", "left"];
/** In px on screen. They stand over the canvas' own styles, which are in no layer. */
const UPRIGHT = { width: "calc(10px / var(--ac-zoom, 1))", borderColor: "transparent" };
const LEVEL = { height: "calc(10px / var(--ac-zoom, 1))", borderColor: "transparent" };
const CORNER_SIDE = "calc(24px / var(--ac-zoom, 1))";
const CORNER = { width: CORNER_SIDE, height: CORNER_SIDE, border: 0, background: "none", translate: "-50% -50%" };

const LIMITS = {
  minWidth: NOTE_SIZE.minWidth,
  minHeight: NOTE_SIZE.minHeight,
  maxWidth: NOTE_SIZE.max,
  maxHeight: NOTE_SIZE.max,
};

export const NoteCard = memo(function NoteCard({ data: { note, readOnly }, selected }: NodeProps<NoteNode>) {
  const { t } = useWords("sync");
  const isEditing = useEditor((state) => state.renaming === note.id) && !readOnly;
  const isAlone = useEditor((state) => state.selected.length === 1);
  return (
    <div className={`ac-note ac-note--${note.color}`} data-selected={selected || undefined}>
      {isEditing ? (
        <NoteInput noteId={note.id} />
      ) : (
        <div className="ac-note__text" data-empty={note.text === "" || undefined}>
          {note.text || t(readOnly ? "note.empty" : "note.placeholder")}
        </div>
      )}
      {readOnly ? null : <NoteSize note={note} />}
      {selected && isAlone && !readOnly ? <NoteToolbar note={note} /> : null}
    </div>
  );
});

/** What is typed is in the graph with each key: leaving it by Esc, Ctrl Enter or a press elsewhere keeps it. */
function NoteInput({ noteId }: { noteId: string }) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  // From the store and not from the canvas, which hands on a moment later: the caret would jump.
  const text = useEditor((state) => noteById(state.graph, noteId)?.text ?? "");
  const leave = () => {
    const { renaming, rename, endStep } = store.getState();
    endStep();
    if (renaming === noteId) rename(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    const isDone = event.key === "Escape" || (event.key === "Enter" && (event.ctrlKey || event.metaKey));
    if (!isDone) return;
    event.preventDefault();
    leave();
    focusNode(noteId);
  };
  return (
    <textarea
      className="ac-note__input nodrag nopan nowheel"
      aria-label={t("note.text")}
      placeholder={t("note.placeholder")}
      value={text}
      maxLength={MAX_NOTE_TEXT}
      autoFocus
      onFocus={({ currentTarget: input }) => input.setSelectionRange(input.value.length, input.value.length)}
      onChange={({ currentTarget: { value } }) =>
        store.getState().edit((graph) => changeNote(graph, noteId, { text: value }), `${noteId} text`)
      }
      onBlur={leave}
      onKeyDown={onKeyDown}
    />
  );
}

/** By its sides and its corner with the pointer, by the corner with the arrow keys. */
function NoteSize({ note }: { note: GraphNote }) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const start = () => store.getState().setDragging(true);
  const end: OnResizeEnd = (_, { x, y, width, height }) => {
    store.getState().setDragging(false);
    const size = { width: Math.round(width), height: Math.round(height) };
    const location = { x: Math.round(x), y: Math.round(y) };
    store.getState().edit((graph) => changeNote(graph, note.id, { ...size, location }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = sizeByKey(event.key);
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const within = (size: number, least: number): number => Math.min(NOTE_SIZE.max, Math.max(least, size));
    const size = {
      width: within(note.width + by.width, NOTE_SIZE.minWidth),
      height: within(note.height + by.height, NOTE_SIZE.minHeight),
    };
    store.getState().edit((graph) => changeNote(graph, note.id, size), `${note.id} size`);
  };
  const resizing = { ...LIMITS, onResizeStart: start, onResizeEnd: end };
  return (
    <>
      {SIDES.map((position) => (
        <NodeResizeControl
          key={position}
          position={position}
          variant={ResizeControlVariant.Line}
          style={position === "left" || position === "right" ? UPRIGHT : LEVEL}
          {...resizing}
        />
      ))}
      <NodeResizeControl className="ac-note__corner" position="bottom-right" style={CORNER} {...resizing}>
        <button type="button" aria-label={t("note.resize")} title={t("note.resizeHint")} onKeyDown={onKeyDown}>
          <IconArrowsDiagonal2 size={14} stroke={2} aria-hidden />
        </button>
      </NodeResizeControl>
    </>
  );
}

function sizeByKey(key: string): { width: number; height: number } | undefined {
  switch (key) {
    case "ArrowLeft":
      return { width: -RESIZE_STEP, height: 0 };
    case "ArrowRight":
      return { width: RESIZE_STEP, height: 0 };
    case "ArrowUp":
      return { width: 0, height: -RESIZE_STEP };
    case "ArrowDown":
      return { width: 0, height: RESIZE_STEP };
    default:
      return undefined;
  }
}
