/** The foot of a list that begins with the newest: ways to its newer and older pages. */
import { Button } from "@mantine/core";
import { useWords } from "../app/words.ts";

interface NewerOlderProps {
  /** Undefined: there are none. */
  onNewer: (() => void) | undefined;
  onOlder: (() => void) | undefined;
}

export function NewerOlder({ onNewer, onOlder }: NewerOlderProps) {
  const { t } = useWords("shell");
  return (
    <>
      <Button size="xs" variant="default" disabled={!onNewer} onClick={onNewer}>
        {t("action.newer")}
      </Button>
      <Button size="xs" variant="default" disabled={!onOlder} onClick={onOlder}>
        {t("action.older")}
      </Button>
    </>
  );
}
