/** The foot of a list that begins with the newest: older ones by cursor, newer ones by going back. */
import { Button } from "@mantine/core";
import { useWords } from "../app/words.ts";

interface NewerOlderProps {
  /** Where this page begins; undefined: at the newest. */
  cursor: string | undefined;
  nextCursor: string | null;
  onOlder: (cursor: string) => void;
}

export function NewerOlder({ cursor, nextCursor, onOlder }: NewerOlderProps) {
  const { t } = useWords("shell");
  return (
    <>
      <Button size="xs" variant="default" disabled={!cursor} onClick={() => history.back()}>
        {t("action.newer")}
      </Button>
      <Button size="xs" variant="default" disabled={!nextCursor} onClick={() => nextCursor && onOlder(nextCursor)}>
        {t("action.older")}
      </Button>
    </>
  );
}
