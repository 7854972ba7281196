/** Two people edited one draft: says who saved, keeps both, and lets this one decide. */
import { Button, Group, Modal } from "@mantine/core";
import type { OpenedGraph } from "@accord/contracts/sync/pipelines";
import { useWords } from "../../../../app/words.ts";

interface Props {
  newer: OpenedGraph | null;
  onTakeTheirs: () => void;
  onKeepMine: () => void;
  onLater: () => void;
}

export function ConflictDialog({ newer, onTakeTheirs, onKeepMine, onLater }: Props) {
  const { t } = useWords("sync");
  const by = newer?.updatedBy;
  return (
    <Modal opened={newer !== null} onClose={onLater} title={t("conflict.title")} size={480}>
      <p className="ac-dialog__lead">{t("conflict.body")}</p>
      {by ? <p>{t("conflict.by", { name: `${by.firstName} ${by.lastName}` })}</p> : null}
      <Group justify="flex-end" gap={8} mt={16}>
        <Button variant="subtle" color="gray" onClick={onLater}>
          {t("conflict.later")}
        </Button>
        <Button variant="default" onClick={onTakeTheirs}>
          {t("conflict.takeTheirs")}
        </Button>
        <Button color="red" onClick={onKeepMine}>
          {t("conflict.keepMine")}
        </Button>
      </Group>
    </Modal>
  );
}
