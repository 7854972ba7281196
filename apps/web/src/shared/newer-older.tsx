/** The foot of a list that is read page by page: ways to its newer and older pages, or by whatever it is in order. */
import { Button } from "@mantine/core";
import { useWords } from "../app/words.ts";

interface NewerOlderProps {
  /** Undefined: there are none. */
  onNewer: (() => void) | undefined;
  onOlder: (() => void) | undefined;
  /** Of a list that is not in order of age: what its pages before and after are called. */
  labels?: { before: string; after: string } | undefined;
}

export function NewerOlder({ onNewer, onOlder, labels }: NewerOlderProps) {
  const { t } = useWords("shell");
  return (
    <>
      <Button size="xs" variant="default" disabled={!onNewer} onClick={onNewer}>
        {labels?.before ?? t("action.newer")}
      </Button>
      <Button size="xs" variant="default" disabled={!onOlder} onClick={onOlder}>
        {labels?.after ?? t("action.older")}
      </Button>
    </>
  );
}
