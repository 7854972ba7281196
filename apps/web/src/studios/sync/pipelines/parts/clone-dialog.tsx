/** Asks what the clone of a pipeline is called, and opens its draft. */
import { clonePipeline, listPipelines, MAX_CLONE_NAME, type PipelineRow } from "@accord/contracts/sync/pipelines";
import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { RefusalBox } from "../../../../shared/refusal/refusal-box.tsx";
import { toast } from "../../../../shared/toast.tsx";
import { useCallInDialog } from "../../../../shared/use-call-in-dialog.ts";

interface Props {
  row: PipelineRow;
  version: "draft" | "published";
  onClose: () => void;
}

export function CloneDialog({ row, version, onClose }: Props) {
  const { t } = useWords("sync");
  const navigate = useNavigate();
  const [name, setName] = useState<string>(t("clone.proposal", { name: row.name }).slice(0, MAX_CLONE_NAME));
  const [isTried, setTried] = useState(false);
  const isMissing = name.trim() === "";
  const { call: clone, close } = useCallInDialog(clonePipeline, {
    refreshes: [listPipelines],
    lateTitle: t("clone.failedOf", { name: row.name }),
    onClose,
    onDone: (made) => toast.success(t("menu.cloned", { name: made.name })),
    onClosed: (made) =>
      void navigate({
        to: "/sync-studio/entity/$entityId/pipeline/$graphVersion",
        params: { entityId: made.entityId, graphVersion: "draft" },
      }),
  });
  return (
    <Modal opened onClose={close} title={t(`clone.title_${version}`, { name: row.name })} size={480}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (!isMissing && !clone.isPending)
            clone.mutate({ params: { entityId: row.id }, body: { version, name: name.trim() } });
        }}
      >
        <Stack gap={14}>
          <p className="ac-dialog__lead">{t("clone.lead")}</p>
          {clone.isError ? <RefusalBox title={t("clone.failed")} error={clone.error} /> : null}
          <TextInput
            data-autofocus
            label={t("clone.name")}
            value={name}
            maxLength={MAX_CLONE_NAME}
            withAsterisk
            error={isTried && isMissing ? t("clone.required") : undefined}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" disabled={clone.isPending} onClick={close}>
              {t("configure.cancel")}
            </Button>
            <Button type="submit" loading={clone.isPending}>
              {t("clone.confirm")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
