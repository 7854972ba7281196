/** Which columns a table shows: a list with boxes and a search. */
import { Button, Checkbox, Popover, TextInput } from "@mantine/core";
import { IconColumns3, IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useUiWords } from "../ui-words.ts";
import "./column-choice.css";

export interface ColumnChoiceProps {
  columns: readonly { id: string; header: string; always?: boolean }[];
  hidden: readonly string[];
  onChange: (hidden: string[]) => void;
}

export function ColumnChoice({ columns, hidden, onChange }: ColumnChoiceProps) {
  const words = useUiWords();
  const [text, setText] = useState("");
  const choices = columns.filter((column) => column.header !== "" && !column.always);
  const found = choices.filter((column) => column.header.toLowerCase().includes(text.trim().toLowerCase()));
  return (
    <Popover position="bottom-end" width={260} trapFocus onClose={() => setText("")}>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns3 size={16} />}>
          {words.columns}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={8}>
        <div className="ac-column-choice">
          {choices.length > 8 ? (
            <TextInput
              size="xs"
              placeholder={words.search}
              aria-label={words.search}
              leftSection={<IconSearch size={14} />}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          ) : null}
          <div className="ac-column-choice__list">
            {found.map((column) => (
              <Checkbox
                key={column.id}
                label={column.header}
                checked={!hidden.includes(column.id)}
                onChange={(event) =>
                  onChange(
                    event.currentTarget.checked ? hidden.filter((id) => id !== column.id) : [...hidden, column.id],
                  )
                }
              />
            ))}
          </div>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
