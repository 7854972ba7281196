/** Over the list of records in quarantine: what it is, whether settled ones are shown, and trying them again. */
import { Button, Group } from "@mantine/core";
import { useWords } from "../../../../../app/words.ts";

interface Props {
  settledShown: boolean;
  isPublished: boolean;
  canReplay: boolean;
  /** How many entries are selected. */
  chosen: number;
  isFiltered: boolean;
  isReplaying: boolean;
  onShowSettled: (all: boolean) => void;
  onReplay: () => void;
}

export function QuarantineHead({
  settledShown,
  isPublished,
  canReplay,
  chosen,
  isFiltered,
  isReplaying,
  onShowSettled,
  onReplay,
}: Props) {
  const { t } = useWords("sync");
  const all = t(isFiltered ? "quarantine.replayCause" : "quarantine.replayAll");
  return (
    <Group gap={8} justify="space-between">
      <span className="ac-quarantine__lead">{t(isPublished ? "quarantine.lead" : "quarantine.leadUnpublished")}</span>
      <Group gap={8}>
        <Button variant="subtle" onClick={() => onShowSettled(!settledShown)}>
          {t(settledShown ? "quarantine.onlyOpen" : "quarantine.showSettled")}
        </Button>
        {canReplay ? (
          <Button variant="default" loading={isReplaying} onClick={onReplay}>
            {chosen > 0 ? t("quarantine.replaySome", { count: chosen }) : all}
          </Button>
        ) : null}
      </Group>
    </Group>
  );
}
