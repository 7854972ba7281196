/** Ways to the newer and older pages of a list that is read page by page; nothing where there is one page. */
import type { PageInfo } from "@accord/contracts/paging";
import { Group } from "@mantine/core";
import { NewerOlder } from "../../../../shared/newer-older.tsx";

/** Part of a list's query: the page to read; nothing for the first. */
export interface Turn {
  cursor?: string;
  direction?: "next" | "previous";
}

interface Props {
  page: PageInfo;
  onTurn: (turn: Turn) => void;
  labels?: { before: string; after: string };
}

export function PageTurns({ page: { nextCursor, previousCursor }, onTurn, labels }: Props) {
  if (!nextCursor && !previousCursor) return null;
  return (
    <Group gap={8} justify="flex-end">
      <NewerOlder
        labels={labels}
        onNewer={previousCursor ? () => onTurn({ cursor: previousCursor, direction: "previous" }) : undefined}
        onOlder={nextCursor ? () => onTurn({ cursor: nextCursor, direction: "next" }) : undefined}
      />
    </Group>
  );
}
