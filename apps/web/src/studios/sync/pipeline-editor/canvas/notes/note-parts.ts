/** Notes as the canvas draws them: behind nodes, and first, so that Tab comes to them before the nodes. */
import type { GraphNote } from "@accord/contracts/sync/graph";
import type { Node } from "@xyflow/react";
import type { Part } from "../../draft/kept-items.ts";

export interface NoteData extends Record<string, unknown> {
  note: GraphNote;
  readOnly: boolean;
}

export type NoteNode = Node<NoteData, "note">;

interface NotesInput {
  graph: { notes: readonly GraphNote[] };
  readOnly: boolean;
  /** What a note is called where it is read out. */
  noteName?: ((note: GraphNote) => string) | undefined;
}

export const noteParts = ({ graph, readOnly, noteName }: NotesInput): Part<NoteNode>[] =>
  graph.notes.map((note) => ({
    id: note.id,
    from: [note, readOnly],
    make: () => {
      const size = { width: note.width, height: note.height };
      return {
        ...{ id: note.id, type: "note", position: note.location, selected: false },
        ...{ ...size, measured: size, connectable: false },
        ariaLabel: noteName ? noteName(note) : note.text,
        data: { note, readOnly },
      };
    },
  }));
