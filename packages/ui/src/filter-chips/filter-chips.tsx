/** Active filters as chips that can be taken off one by one or all at once. */
import { UnstyledButton } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useUiWords } from "../ui-words.ts";
import "./filter-chips.css";

export interface FilterChip {
  id: string;
  /** "Status is Error" */
  label: string;
  onRemove: () => void;
  onOpen?: () => void;
}

export function FilterChips({ chips, onClear }: { chips: readonly FilterChip[]; onClear: () => void }) {
  const words = useUiWords();
  if (chips.length === 0) return null;
  return (
    <ul className="ac-chips">
      {chips.map((chip) => (
        <li key={chip.id} className="ac-chips__chip">
          {chip.onOpen ? (
            <button type="button" onClick={chip.onOpen}>
              {chip.label}
            </button>
          ) : (
            <span>{chip.label}</span>
          )}
          <UnstyledButton
            className="ac-chips__remove"
            aria-label={words.removeFilter.replace("{{name}}", chip.label)}
            onClick={chip.onRemove}
          >
            <IconX size={13} />
          </UnstyledButton>
        </li>
      ))}
      <li>
        <UnstyledButton className="ac-chips__clear" onClick={onClear}>
          {words.clearFilters}
        </UnstyledButton>
      </li>
    </ul>
  );
}
