/** Two people edited one draft: shows what each changed, keeps both, and lets this one decide. */
import { Button, Group, Modal } from "@mantine/core";
import { useWords } from "../../../../app/words.ts";
import type { DraftConflict } from "./draft-conflict.ts";
import { useEditor } from "../editor-context.tsx";
import { DifferenceList } from "./difference-list.tsx";

interface Props {
  conflict: DraftConflict | null;
  opened: boolean;
  onTakeTheirs: () => void;
  onKeepMine: () => void;
  onLater: () => void;
}

export function ConflictDialog({ conflict, opened, onTakeTheirs, onKeepMine, onLater }: Props) {
  const { t } = useWords("sync");
  const kind = conflict?.kind ?? "saved";
  return (
    <Modal opened={opened && conflict !== null} onClose={onLater} title={t(`conflict.title_${kind}`)} size={760}>
      <p className="ac-dialog__lead">{t(`conflict.body_${kind}`)}</p>
      {conflict ? <BothDrafts conflict={conflict} /> : null}
      <Group justify="flex-end" gap={8} mt={16}>
        <Button variant="subtle" color="gray" onClick={onLater}>
          {t("conflict.later")}
        </Button>
        <Button variant="default" onClick={onTakeTheirs}>
          {t(`conflict.takeTheirs_${kind}`)}
        </Button>
        <Button color="red" onClick={onKeepMine}>
          {t(`conflict.keepMine_${kind}`)}
        </Button>
      </Group>
    </Modal>
  );
}

/** What was changed on either side since the draft that both began with. */
function BothDrafts({ conflict: { kind, newest } }: { conflict: DraftConflict }) {
  const { t } = useWords("sync");
  const saved = useEditor((state) => state.saved);
  const graph = useEditor((state) => state.graph);
  const by = newest?.updatedBy;
  const theirs = by ? t("conflict.by", { name: `${by.firstName} ${by.lastName}` }) : t("conflict.theirs");
  return (
    <div className="ac-conflict">
      <section>
        <h3>{t("conflict.yours")}</h3>
        <DifferenceList before={saved} after={graph} label={t("conflict.yours")} />
      </section>
      {newest && kind !== "discarded" ? (
        <section>
          <h3>{theirs}</h3>
          <DifferenceList before={saved} after={newest.graph} label={theirs} />
        </section>
      ) : null}
    </div>
  );
}
