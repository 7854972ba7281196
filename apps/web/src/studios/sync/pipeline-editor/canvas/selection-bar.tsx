/** Over the graph while several nodes are selected: how many, and what can be done to them together. */
import { Button, Tooltip } from "@mantine/core";
import { IconBoxMultiple, IconCopy, IconPuzzle, IconTrash } from "@tabler/icons-react";
import { Panel } from "@xyflow/react";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { useEditor, useLocked } from "../editor-context.tsx";
import { type EditorCommands, useCopyRefusal } from "../commands/use-editor-commands.ts";

function useSelectedWords(): string {
  const { t } = useWords("sync");
  const nodes = useEditor(({ graph, selected }) => graph.nodes.filter(({ id }) => selected.includes(id)).length);
  const notes = useEditor(({ selected }) => selected.length) - nodes;
  if (notes === 0) return t("selection.count", { count: nodes });
  return t("note.selected", { nodes: t("editor.nodes", { count: nodes }), notes: t("note.count", { count: notes }) });
}

export function SelectionBar({ commands, onSaveFragment }: { commands: EditorCommands; onSaveFragment: () => void }) {
  const { t } = useWords("sync");
  const readOnly = useLocked();
  const mayWrite = useCan("WRITE_STUDIO");
  const count = useEditor((state) => state.selected.length);
  const words = useSelectedWords();
  const refusal = useCopyRefusal();
  if (count < 2) return null;
  return (
    <Panel position="top-center">
      <div className="ac-selection" role="toolbar" aria-label={t("selection.label")}>
        <span className="ac-selection__count">{words}</span>
        {readOnly ? null : (
          <Tooltip label={`${t("selection.group")} · Ctrl G`} openDelay={500}>
            <Button size="xs" variant="subtle" leftSection={<IconBoxMultiple size={15} />} onClick={commands.group}>
              {t("selection.group")}
            </Button>
          </Tooltip>
        )}
        <Tooltip label={refusal ?? `${t("selection.copy")} · Ctrl C`} openDelay={refusal ? 0 : 500} multiline maw={280}>
          <Button
            size="xs"
            variant="subtle"
            leftSection={<IconCopy size={15} />}
            // Still reached by pointer and keys: its tooltip says why.
            data-disabled={refusal !== null || undefined}
            aria-disabled={refusal !== null}
            aria-description={refusal ?? undefined}
            onClick={refusal === null ? commands.copy : undefined}
          >
            {t("selection.copy")}
          </Button>
        </Tooltip>
        {mayWrite ? (
          <Button size="xs" variant="subtle" leftSection={<IconPuzzle size={15} />} onClick={onSaveFragment}>
            {t("fragments.save")}
          </Button>
        ) : null}
        {readOnly ? null : (
          <Button
            size="xs"
            variant="subtle"
            color="error"
            className="ac-selection__remove"
            leftSection={<IconTrash size={15} />}
            onClick={commands.remove}
          >
            {t("selection.remove")}
          </Button>
        )}
      </div>
    </Panel>
  );
}
