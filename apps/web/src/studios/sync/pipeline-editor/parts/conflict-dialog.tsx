/** Two people edited one draft: shows what each changed, keeps both, and lets this one decide. */
import { Button, Group, Modal } from "@mantine/core";
import type { OpenedGraph } from "@accord/contracts/sync/pipelines";
import { useWords } from "../../../../app/words.ts";
import { useEditor } from "../editor-context.tsx";
import { DifferenceList } from "./difference-list.tsx";

interface Props {
  newer: OpenedGraph | null;
  opened: boolean;
  onTakeTheirs: () => void;
  onKeepMine: () => void;
  onLater: () => void;
}

export function ConflictDialog({ newer, opened, onTakeTheirs, onKeepMine, onLater }: Props) {
  const { t } = useWords("sync");
  return (
    <Modal opened={opened && newer !== null} onClose={onLater} title={t("conflict.title")} size={760}>
      <p className="ac-dialog__lead">{t("conflict.body")}</p>
      {newer ? <BothDrafts newer={newer} /> : null}
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

/** What was changed on either side since the draft that both began with. */
function BothDrafts({ newer }: { newer: OpenedGraph }) {
  const { t } = useWords("sync");
  const saved = useEditor((state) => state.saved);
  const graph = useEditor((state) => state.graph);
  const by = newer.updatedBy;
  const theirs = by ? t("conflict.by", { name: `${by.firstName} ${by.lastName}` }) : t("conflict.theirs");
  return (
    <div className="ac-conflict">
      <section>
        <h3>{t("conflict.yours")}</h3>
        <DifferenceList before={saved} after={graph} label={t("conflict.yours")} />
      </section>
      <section>
        <h3>{theirs}</h3>
        <DifferenceList before={saved} after={newer.graph} label={theirs} />
      </section>
    </div>
  );
}
