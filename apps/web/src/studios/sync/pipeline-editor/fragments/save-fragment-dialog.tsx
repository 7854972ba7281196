/** Saves the selected nodes under a name, to be inserted again here and in other pipelines. */
import { type FragmentContent, listFragments, saveFragment } from "@accord/contracts/sync/fragments";
import { fragmentOf } from "@accord/sync-engine/graph";
import { Button, Group, Modal, Stack, Textarea, TextInput } from "@mantine/core";
import { useCallback, useState } from "react";
import { useCall } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { toast } from "../../../../shared/toast.tsx";
import { useEditorStore } from "../editor-context.tsx";
import { useFieldScope } from "../field-pipeline/field-scope.ts";
import { RefusalBox } from "../../../../shared/refusal/refusal-box.tsx";

/** What is to be saved. */
interface NewFragment {
  content: FragmentContent;
  /** Selected nodes that fragments can't hold. */
  leftOut: number;
}

/** Begins saving the selection, or says why it can't be saved. */
export function useNewFragment() {
  const { t: rule } = useWords("graph");
  const store = useEditorStore();
  const [fragment, setFragment] = useState<NewFragment | null>(null);
  const begin = useCallback(() => {
    const { graph, selected } = store.getState();
    const made = fragmentOf(graph, new Set(selected));
    if (!made.ok) return toast.info(rule(made.reason));
    setFragment({ content: made.content, leftOut: selected.length - made.content.copyNodes.length });
  }, [rule, store]);
  const close = useCallback(() => setFragment(null), []);
  return { fragment, begin, close };
}

export function SaveFragmentDialog({ fragment, onClose }: { fragment: NewFragment | null; onClose: () => void }) {
  const { t } = useWords("sync");
  return (
    <Modal
      opened={fragment !== null}
      onClose={onClose}
      title={t("saveFragment.title")}
      closeButtonProps={{ "aria-label": t("shell:action.close") }}
      closeOnClickOutside={false}
      size={480}
    >
      {fragment ? <Form fragment={fragment} onClose={onClose} /> : null}
    </Modal>
  );
}

function Form({ fragment: { content, leftOut }, onClose }: { fragment: NewFragment; onClose: () => void }) {
  const { t } = useWords("sync");
  const context = useFieldScope() ? "field" : "entity";
  const saving = useCall(saveFragment, { refreshes: [listFragments] });
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [tried, setTried] = useState(false);
  const isMissing = name.trim() === "";
  const save = async () => {
    const saved = await saving.mutateAsync({ body: { name, description, context, content } });
    toast.success(t("saveFragment.done", { name: saved.name }));
    onClose();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (!isMissing) void save().catch(() => {});
      }}
    >
      <Stack gap={14}>
        <p className="ac-dialog__lead">
          {t("saveFragment.lead", {
            nodes: t("editor.nodes", { count: content.copyNodes.length }),
            edges: t("editor.edges", { count: content.copyEdges.length }),
          })}
        </p>
        {leftOut > 0 ? <p className="ac-quiet">{t("saveFragment.leftOut", { count: leftOut })}</p> : null}
        {saving.error ? <RefusalBox error={saving.error} /> : null}
        <TextInput
          label={t("saveFragment.name")}
          value={name}
          maxLength={120}
          data-autofocus
          error={tried && isMissing ? t("saveFragment.nameMissing") : null}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label={t("saveFragment.description")}
          value={description}
          maxLength={1000}
          autosize
          minRows={2}
          maxRows={5}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t("shell:action.cancel")}
          </Button>
          <Button type="submit" loading={saving.isPending}>
            {t("saveFragment.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
