/** The notes of a graph below its list of nodes, with the same actions as on the canvas. */
import { MAX_NOTE_TEXT, NOTE_COLORS, NoteColor, type GraphNote } from "@accord/contracts/sync/graph";
import { addNote, changeNote, nodesOn, nodeTitle, removeNotes } from "@accord/sync-engine/graph";
import { Button, Select, Textarea } from "@mantine/core";
import { IconNote, IconTrash } from "@tabler/icons-react";
import { useWords } from "../../../../../app/words.ts";
import { useEditor, useEditorStore, useLocked } from "../../editor-context.tsx";
import { usePlaceInView } from "../use-placing.ts";
import { noteAt } from "./new-note.ts";
import "./note-card.css";
import "./note-list.css";

export function NoteList() {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const locked = useLocked();
  const notes = useEditor((state) => state.graph.notes);
  const placeInView = usePlaceInView();
  if (locked && notes.length === 0) return null;
  const add = () => store.getState().edit((graph) => addNote(graph, noteAt(placeInView())));
  return (
    <section className="ac-note-list" aria-labelledby="ac-note-list-title">
      <h2 id="ac-note-list-title">{t("note.title")}</h2>
      <ul>
        {notes.map((note, index) => (
          <li key={note.id}>
            <ListedNote note={note} number={index + 1} />
          </li>
        ))}
      </ul>
      {locked ? null : (
        <Button variant="default" size="xs" leftSection={<IconNote size={15} />} onClick={add}>
          {t("note.add")}
        </Button>
      )}
    </section>
  );
}

function ListedNote({ note, number }: { note: GraphNote; number: number }) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const locked = useLocked();
  const nodes = useEditor(({ graph }) => nodesOn(graph, note).map(nodeTitle).join(", "));
  const change = (part: Partial<GraphNote>, step?: string) =>
    store.getState().edit((graph) => changeNote(graph, note.id, part), step);
  return (
    <div className={`ac-note-list__note ac-note--${note.color}`}>
      <Textarea
        aria-label={t("note.textOf", { number })}
        placeholder={t("note.placeholder")}
        value={note.text}
        maxLength={MAX_NOTE_TEXT}
        readOnly={locked}
        autosize
        minRows={1}
        maxRows={8}
        onChange={(event) => change({ text: event.currentTarget.value }, `${note.id} text`)}
        onBlur={() => store.getState().endStep()}
      />
      {nodes ? <p className="ac-quiet">{t("note.on", { nodes })}</p> : null}
      {locked ? null : (
        <div className="ac-note-list__actions">
          <Select
            aria-label={t("note.colorOf", { number })}
            size="xs"
            allowDeselect={false}
            value={note.color}
            data={NOTE_COLORS.map((color) => ({ value: color, label: t(`note.color_${color}`) }))}
            onChange={(color) => change({ color: NoteColor.parse(color) })}
          />
          <Button
            variant="subtle"
            color="error"
            size="xs"
            leftSection={<IconTrash size={15} />}
            aria-label={t("note.removeOf", { number })}
            onClick={() => store.getState().edit((graph) => removeNotes(graph, new Set([note.id])))}
          >
            {t("selection.remove")}
          </Button>
        </div>
      )}
    </div>
  );
}
