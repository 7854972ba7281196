/** What a dashboard can be filtered by at a mark: by all that the mark says, or by one column of it. */
import type { FilterMark } from "@accord/contracts/insights/cross-filter";
import { ErrorBox } from "@accord/ui";
import { Button } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import { useState } from "react";
import { useWords } from "../../../app/words.ts";
import { type FilterCard, useFilterText } from "./filter-texts.ts";

interface Props {
  choices: readonly FilterMark[];
  card: FilterCard;
  /** False where the filter would be too long for an address. */
  onChoose: (mark: FilterMark) => boolean;
}

export function FilterChoices({ choices, card, onChoose }: Props) {
  const { t } = useWords("insights");
  const textOf = useFilterText();
  const [isFull, setFull] = useState(false);
  return (
    <div className="ac-filter-choices">
      {choices.map((mark, at) => (
        <Button
          key={JSON.stringify(mark)}
          variant="subtle"
          size="compact-sm"
          leftSection={<IconFilter size={14} />}
          data-autofocus={at === 0 || undefined}
          onClick={() => setFull(!onChoose(mark))}
        >
          {t("crossFilter.by", { filter: textOf([mark], card) })}
        </Button>
      ))}
      {isFull ? <ErrorBox message={t("crossFilter.full")} /> : null}
    </div>
  );
}
