/** Finds a node by its label or by what it does, and shows it. */
import { TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { Panel } from "@xyflow/react";
import { nodeTitle } from "@accord/sync-engine/graph";
import { useState, type KeyboardEvent } from "react";
import { useWords } from "../../../../app/words.ts";
import { summaryOf } from "../cards/card-summary.ts";
import { useCardWorld } from "../cards/card-world.tsx";
import { useEditor } from "../editor-context.tsx";
import { searchEntries } from "./palette-items.ts";
import { walkEntries } from "./entry-list.tsx";

const MAX_SHOWN = 12;

export function FindNode({ onShow, onClose }: { onShow: (nodeId: string) => void; onClose: () => void }) {
  const { t } = useWords("sync");
  const world = useCardWorld();
  const nodes = useEditor((state) => state.graph.nodes);
  const [text, setText] = useState("");
  const [opener] = useState(() => document.activeElement);
  const entries = nodes.map((node) => ({ id: node.id, label: nodeTitle(node), words: summaryOf(node, world) }));
  const found = searchEntries(entries, text).slice(0, MAX_SHOWN);
  const show = (id: string) => {
    onClose();
    onShow(id);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      onClose();
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
      return;
    }
    const [first] = found;
    walkEntries(event, () => first && show(first.id));
  };
  return (
    <Panel position="top-right">
      <div className="ac-find nodrag nopan nowheel" role="dialog" aria-label={t("find.label")} onKeyDown={onKeyDown}>
        <TextInput
          value={text}
          autoFocus
          onChange={(event) => setText(event.currentTarget.value)}
          placeholder={t("find.placeholder")}
          aria-label={t("find.label")}
          leftSection={<IconSearch size={15} />}
        />
        <ul className="ac-entries">
          {found.map((each) => (
            <li key={each.id}>
              <button type="button" className="ac-palette__function" data-entry onClick={() => show(each.id)}>
                <span className="ac-palette__entry-name">{each.label}</span>
                <span className="ac-palette__entry-detail">{each.words}</span>
              </button>
            </li>
          ))}
        </ul>
        {found.length === 0 ? <p className="ac-palette__none">{t("find.none", { text: text.trim() })}</p> : null}
      </div>
    </Panel>
  );
}
