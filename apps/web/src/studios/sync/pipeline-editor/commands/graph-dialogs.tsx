/** What is asked before several nodes are removed or duplicated, a group is made or one is dissolved. */
import { GraphGroup } from "@accord/contracts/sync/graph";
import { addGroup, isCore, ungroup } from "@accord/sync-engine/graph";
import { Button, Group, Modal, Stack, Textarea, TextInput } from "@mantine/core";
import { memo, useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { toast } from "../../../../shared/toast.tsx";
import { newElementId } from "../canvas/new-node.ts";
import { useEditor, useEditorStore } from "../editor-context.tsx";
import { removeNodesOf } from "../removal/remove-items.ts";
import type { EditorCommands } from "./use-editor-commands.ts";
import { ConfirmDialog } from "../../../../shared/refusal/confirm-dialog.tsx";

/** What is asked, about what: followed only while it is asked, and kept while the dialog closes. */
function useAsked() {
  const store = useEditorStore();
  const question = useEditor((state) => state.question);
  const selected = useEditor((state) => (state.question ? state.selected : null));
  const graph = useEditor((state) => (state.question ? state.graph : null));
  const [about, setAbout] = useState(() => ({ selected: store.getState().selected, graph: store.getState().graph }));
  if (selected && graph && (about.selected !== selected || about.graph !== graph)) setAbout({ selected, graph });
  return { question, ...about };
}

export const GraphDialogs = memo(function GraphDialogs({
  commands,
}: {
  commands: Pick<EditorCommands, "duplicateNow">;
}) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const { question, selected, graph } = useAsked();
  const close = () => store.getState().ask(null);
  const nodes = graph.nodes.filter((node) => selected.includes(node.id) && !isCore(node));
  const notes = graph.notes.filter(({ id }) => selected.includes(id));
  const removed = new Set([...nodes, ...notes].map(({ id }) => id));
  const counts = {
    nodes: t("editor.nodes", { count: nodes.length }),
    notes: t("note.count", { count: notes.length }),
  };
  const withNotes = notes.length > 0;
  const dissolved = graph.groups.find(({ id }) => question?.kind === "ungroup" && id === question.groupId);
  return (
    <>
      <ConfirmDialog
        opened={question?.kind === "remove"}
        onClose={close}
        title={
          withNotes
            ? t(nodes.length > 0 ? "note.removeTitle" : "note.removeOnlyTitle", counts)
            : t("remove.title", { count: removed.size })
        }
        action={withNotes ? t("note.removeConfirm") : t("remove.confirm", { count: removed.size })}
        onConfirm={() => removeNodesOf(store, removed)}
      >
        {t(withNotes ? "note.removeBody" : "remove.body")}
      </ConfirmDialog>
      <ConfirmDialog
        opened={question?.kind === "duplicate"}
        onClose={close}
        danger={false}
        title={t("duplicateNodes.title", { count: selected.length })}
        action={t("duplicateNodes.confirm")}
        onConfirm={commands.duplicateNow}
      >
        {t("duplicateNodes.body")}
      </ConfirmDialog>
      <ConfirmDialog
        opened={dissolved !== undefined}
        onClose={close}
        danger={false}
        title={t("group.ungroupTitle", { group: dissolved?.name ?? "" })}
        action={t("group.ungroup")}
        onConfirm={() => {
          if (dissolved) store.getState().edit((current) => ungroup(current, dissolved.id));
        }}
      >
        {t("group.ungroupBody")}
      </ConfirmDialog>
      <Modal opened={question?.kind === "group"} onClose={close} title={t("group.createTitle")} size={440}>
        <NewGroup onClose={close} />
      </Modal>
    </>
  );
});

function NewGroup({ onClose }: { onClose: () => void }) {
  const { t } = useWords("sync");
  const { t: rule } = useWords("graph");
  const store = useEditorStore();
  const [name, setName] = useState<string>(t("group.defaultName"));
  const [description, setDescription] = useState("");
  const create = () => {
    const { graph, selected, edit } = store.getState();
    const said = description.trim();
    const group = GraphGroup.parse({
      id: newElementId(),
      name: name.trim() || t("group.defaultName"),
      ...(said ? { description: said } : {}),
    });
    const made = addGroup(graph, group, selected);
    onClose();
    if (!made.ok) return toast.info(rule(made.reason));
    edit(() => made.graph);
    toast.success(rule("group_created"));
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create();
      }}
    >
      <Stack gap={14}>
        <TextInput
          data-autofocus
          label={t("group.name")}
          value={name}
          maxLength={120}
          // What is typed takes the place of the proposed name, and not of one that was typed.
          onFocus={(event) => {
            if (name === t("group.defaultName")) event.currentTarget.select();
          }}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label={t("configure.description")}
          value={description}
          maxLength={1000}
          autosize
          minRows={2}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t("configure.cancel")}
          </Button>
          <Button type="submit">{t("group.createConfirm")}</Button>
        </Group>
      </Stack>
    </form>
  );
}
