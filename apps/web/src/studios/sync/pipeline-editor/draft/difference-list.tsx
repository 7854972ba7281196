/** What differs between two graphs, in words; each node that is still there leads to its place. */
import { EmptyState, StatusTag, type Tone } from "@accord/ui";
import type { Graph, GraphEdge, GraphNote } from "@accord/contracts/sync/graph";
import { compareGraphs, isSame, nodeById, nodeTitle } from "@accord/sync-engine/graph";
import { useMemo } from "react";
import { useWords } from "../../../../app/words.ts";
import type { Mark } from "../canvas/canvas.model.ts";

const TONES: Record<Mark, Tone> = { added: "ok", changed: "warn", removed: "error" };

/** Of a note's text so much is shown. */
const NOTE_TITLE = 60;

interface Line {
  key: string;
  mark: Mark;
  title: string;
  detail: string;
  nodeId?: string;
}

export function DifferenceList({
  before,
  after,
  label,
  onGoTo,
}: {
  before: Graph;
  after: Graph;
  label?: string;
  /** Absent where what is listed is not on screen. */
  onGoTo?: (nodeId: string) => void;
}) {
  const { t } = useWords("sync");
  const found = useMemo(() => compareGraphs(before, after), [before, after]);
  if (isSame(found)) return <EmptyState compact title={t("versions.same")} />;
  const titleOfNote = ({ text }: GraphNote): string => text.trim().slice(0, NOTE_TITLE) || t("note.empty");
  const ends = (graph: Graph, edge: GraphEdge) =>
    [edge.source.nodeId, edge.destination.nodeId]
      .map((id) => nodeById(graph, id))
      .map((node) => (node ? nodeTitle(node) : "?"))
      .join(" → ");
  const lines: Line[] = [
    ...found.added.map((node) => line("added", node.id, nodeTitle(node), t("versions.newNode"), node.id)),
    ...found.changed.map(({ before: old, after: node, aspects, settings }) =>
      line(
        "changed",
        node.id,
        nodeTitle(node),
        aspects
          .map((aspect) =>
            aspect === "label"
              ? t("versions.wasCalled", { name: nodeTitle(old) })
              : aspect === "settings"
                ? t("versions.settings", { names: settings.join(", ") })
                : t(aspect === "bypassed" ? "flow.bypass.changed" : `versions.${aspect}`),
          )
          .join("; "),
        node.id,
      ),
    ),
    ...found.removed.map((node) => line("removed", node.id, nodeTitle(node), t("versions.goneNode"))),
    ...found.addedEdges.map((edge) => line("added", edge.id, ends(after, edge), t("versions.connection"))),
    ...found.removedEdges.map((edge) => line("removed", edge.id, ends(before, edge), t("versions.connection"))),
    ...found.addedGroups.map((group) => line("added", group.id, group.label || group.name, t("node.group"))),
    ...found.changedGroups.map(({ before: old, after: group }) =>
      line("changed", group.id, group.label || group.name, t("versions.wasGroup", { name: old.label || old.name })),
    ),
    ...found.removedGroups.map((group) => line("removed", group.id, group.label || group.name, t("node.group"))),
    ...found.addedNotes.map((note) => line("added", note.id, titleOfNote(note), t("note.name"))),
    ...found.changedNotes.map(({ after: note }) => line("changed", note.id, titleOfNote(note), t("note.changed"))),
    ...found.removedNotes.map((note) => line("removed", note.id, titleOfNote(note), t("note.name"))),
  ];
  return (
    <ul className="ac-differences" aria-label={label ?? t("versions.differences")}>
      {lines.map((each) => (
        <li key={each.key}>
          <button
            type="button"
            className="ac-row-button"
            disabled={!each.nodeId || !onGoTo}
            onClick={() => each.nodeId && onGoTo?.(each.nodeId)}
          >
            <StatusTag tone={TONES[each.mark]}>{t(`versions.${each.mark}`)}</StatusTag>
            <span className="ac-differences__title">{each.title}</span>
            <span className="ac-differences__detail">{each.detail}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

const line = (mark: Mark, id: string, title: string, detail: string, nodeId?: string): Line => ({
  key: `${mark} ${id}`,
  mark,
  title,
  detail,
  ...(nodeId ? { nodeId } : {}),
});
