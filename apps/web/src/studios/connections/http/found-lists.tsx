/** Lists that were found in an answer, where there is something to choose: the one that holds the records is marked. */
import { Button } from "@mantine/core";

interface FoundListsProps {
  label: string;
  result: { recordSelectors: readonly string[]; problem?: unknown };
  /** `$`: the answer itself. */
  selector: string;
  /** Empty: the answer itself. */
  onSelector: (selector: string) => void;
}

export function FoundLists({ label, result: { recordSelectors, problem }, selector, onSelector }: FoundListsProps) {
  if (recordSelectors.length === 0 || (recordSelectors.length === 1 && !problem)) return null;
  return (
    <div className="ac-http__line">
      {label}:
      {recordSelectors.map((path) => (
        <Button
          key={path}
          size="compact-xs"
          variant={path === selector ? "light" : "default"}
          onClick={() => onSelector(path === "$" ? "" : path)}
        >
          {path}
        </Button>
      ))}
    </div>
  );
}
