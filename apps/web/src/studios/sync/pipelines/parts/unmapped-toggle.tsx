/** Folds entities without a pipeline away, or out. */
import { Button } from "@mantine/core";
import { useWords } from "../../../../app/words.ts";

interface Props {
  count: number;
  isShown: boolean;
  onToggle: () => void;
}

export function UnmappedToggle({ count, isShown, onToggle }: Props) {
  const { t } = useWords("sync");
  return (
    <Button variant="subtle" className="ac-pipelines__unmapped" aria-expanded={isShown} onClick={onToggle}>
      {isShown ? t("table.hideUnmapped") : t("table.showUnmapped", { count })}
    </Button>
  );
}
