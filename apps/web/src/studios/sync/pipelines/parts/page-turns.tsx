/** Ways to the newer and older pages of a list that is read page by page; nothing where there is one page. */
import type { PageInfo } from "@accord/contracts/paging";
import { Button, Group } from "@mantine/core";
import { useWords } from "../../../../app/words.ts";

/** Part of a list's query: the page to read; nothing for the first. */
export interface Turn {
  cursor?: string;
  direction?: "next" | "previous";
}

interface Props {
  page: PageInfo;
  onTurn: (turn: Turn) => void;
}

export function PageTurns({ page: { nextCursor, previousCursor }, onTurn }: Props) {
  const { t } = useWords("sync");
  if (!nextCursor && !previousCursor) return null;
  return (
    <Group gap={8} justify="flex-end">
      <Button
        variant="default"
        disabled={!previousCursor}
        onClick={() => previousCursor && onTurn({ cursor: previousCursor, direction: "previous" })}
      >
        {t("refused.newer")}
      </Button>
      <Button
        variant="default"
        disabled={!nextCursor}
        onClick={() => nextCursor && onTurn({ cursor: nextCursor, direction: "next" })}
      >
        {t("refused.older")}
      </Button>
    </Group>
  );
}
