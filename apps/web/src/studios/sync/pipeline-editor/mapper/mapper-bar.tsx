/** Head of the mapper: keys that are missing, proposals to accept at once, undo and redo. */
import { MAPPING_REASONS, type MappingReason } from "@accord/sync-engine/graph";
import { ErrorBox } from "@accord/ui";
import { ActionIcon, Button, Select } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp, IconWand } from "@tabler/icons-react";
import type { FieldSchema } from "@accord/contracts/data/schema";
import { useState, type ReactNode } from "react";
import { useWords } from "../../../../app/words.ts";
import { useEditor, useEditorStore } from "../editor-context.tsx";
import { withProposals, type MappedNodes, type ProposedLine } from "./mapper.model.ts";
import { nameOf, type Drawing } from "./use-drawing.ts";

interface Props {
  nodes: MappedNodes;
  proposals: readonly ProposedLine[];
  keys: readonly FieldSchema[];
  drawing: Drawing;
  isLocked: boolean;
  /** Which mapping it is, and the way out of it. */
  start: ReactNode;
  end: ReactNode;
}

export function MapperBar({ nodes, proposals, keys, drawing, isLocked, start, end }: Props) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const canUndo = useEditor(({ past }) => past.length > 0);
  const canRedo = useEditor(({ future }) => future.length > 0);
  const [least, setLeast] = useState<MappingReason>("sameMeaning");
  const chosen = proposals.filter(({ reason }) => MAPPING_REASONS.indexOf(reason) <= MAPPING_REASONS.indexOf(least));
  const accept = () => {
    store.getState().edit((graph) => withProposals(graph, nodes, chosen));
    drawing.setSaid(t("mapper.accepted", { count: chosen.length }));
  };
  return (
    <div className="ac-mapper__head">
      <div className="ac-mapper__actions">
        {start}
        <Select
          aria-label={t("mapper.confidence")}
          data={MAPPING_REASONS.map((value) => ({ value, label: t(`mapper.atLeast.${value}`) }))}
          value={least}
          allowDeselect={false}
          disabled={isLocked}
          onChange={(value) => setLeast(MAPPING_REASONS.find((one) => one === value) ?? least)}
          w={230}
        />
        <Button leftSection={<IconWand size={15} />} disabled={isLocked || chosen.length === 0} onClick={accept}>
          {chosen.length > 0 ? t("mapper.acceptAll", { count: chosen.length }) : t("mapper.noProposals")}
        </Button>
        <ActionIcon
          variant="default"
          size={30}
          aria-label={t("mapper.undo")}
          disabled={isLocked || !canUndo}
          onClick={() => store.getState().undo()}
        >
          <IconArrowBackUp size={16} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size={30}
          aria-label={t("mapper.redo")}
          disabled={isLocked || !canRedo}
          onClick={() => store.getState().redo()}
        >
          <IconArrowForwardUp size={16} />
        </ActionIcon>
      </div>
      {isLocked ? <ErrorBox tone="info" message={t("mapper.locked")} /> : null}
      {keys.length > 0 ? (
        <ErrorBox
          tone="warn"
          message={t("mapper.unmappedKeys", {
            count: keys.length,
            names: keys.map((field) => nameOf(field, field.apiName)).join(", "),
          })}
        />
      ) : null}
      <span className="ac-mapper__done">{end}</span>
    </div>
  );
}
