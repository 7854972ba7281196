/** How the form of a node is left: its edits kept and sent, or taken back to what they were when it was opened. */
import type { GraphNode } from "@accord/contracts/sync/graph";
import { changeNode, isCore } from "@accord/sync-engine/graph";
import { Anchor, Button, Group } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { focusNode } from "../canvas/focus-node.ts";
import { useEditor, useEditorStore, useLocked } from "../editor-context.tsx";
import type { EditorStore } from "../editor.model.ts";
import { nodeOfForm } from "../inputs/invalid-inputs.ts";
import { removeNodesOf } from "../removal/remove-items.ts";

/** Closes the form; the keyboard goes on at its node. */
export function useClosing(nodeId: string): () => void {
  const store = useEditorStore();
  return () => {
    store.getState().show("none");
    focusNode(nodeId);
  };
}

/** Words and configuration as they were, in one step; where it stands and its group are no part of its form. */
function takeBack(store: EditorStore, opened: GraphNode): void {
  const { edit, endStep, invalidInputs, keepInvalid } = store.getState();
  const { label, description = "", configuration, subLabel = "", connectorEntityName = "" } = opened;
  endStep();
  edit((graph) => {
    const now = graph.nodes.find(({ id }) => id === opened.id);
    if (!now || JSON.stringify(wordsOf(now)) === JSON.stringify(wordsOf(opened))) return graph;
    return changeNode(graph, opened.id, { label, description, configuration, subLabel, connectorEntityName });
  });
  for (const key of Object.keys(invalidInputs)) if (nodeOfForm(key) === opened.id) keepInvalid(key, null);
}

const wordsOf = ({ label, description, configuration, subLabel, connectorEntityName }: GraphNode) => [
  label,
  description ?? "",
  configuration,
  subLabel ?? "",
  connectorEntityName ?? "",
];

interface Props {
  node: GraphNode;
  /** An input reports an error: nothing is saved then. */
  hasErrors: boolean;
  /** Somebody wanted to save all the same. */
  onRefused: () => void;
  onClose: () => void;
  save: () => Promise<boolean>;
}

export function ConfigureFooter({ node, hasErrors, onRefused, onClose, save }: Props) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const readOnly = useLocked();
  const [opened] = useState(node);
  const isUnfinished = useEditor(({ invalidInputs }) =>
    Object.keys(invalidInputs).some((key) => nodeOfForm(key) === node.id),
  );
  if (readOnly)
    return (
      <Button variant="default" onClick={onClose}>
        {t("configure.close")}
      </Button>
    );
  const refused = hasErrors || isUnfinished;
  return (
    <Group gap={8} justify="flex-end" wrap="nowrap" w="100%">
      {isCore(node) ? null : (
        <Anchor
          component="button"
          type="button"
          c="var(--ac-error)"
          mr="auto"
          onClick={() => removeNodesOf(store, new Set([node.id]))}
        >
          {t("configure.remove")}
        </Anchor>
      )}
      <Button
        variant="default"
        onClick={() => {
          takeBack(store, opened);
          onClose();
        }}
      >
        {t("configure.cancel")}
      </Button>
      {/* A press on it while it is off says what is missing; a truly disabled button could not. */}
      <Button
        {...(refused ? { "data-disabled": true, "aria-disabled": true } : {})}
        onClick={() => {
          if (refused) return onRefused();
          onClose();
          void save();
        }}
      >
        {t("configure.save")}
      </Button>
    </Group>
  );
}
