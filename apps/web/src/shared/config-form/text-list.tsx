/** Several texts, one under the other; a text with semicolons becomes several. */
import { ActionIcon, Button, Input } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useWords } from "../../app/words.ts";
import { TokenInput } from "../token-picker/token-input.tsx";
import type { TokenGroup } from "../token-picker/token-picker.tsx";
import { splitValues } from "./config-form.model.ts";
import type { Labelled } from "./input-props.ts";

export interface TextListProps {
  value: readonly string[];
  labelled: Labelled;
  tokens: readonly TokenGroup[] | undefined;
  onChange: (value: string[]) => void;
}

export function TextList({ value, labelled, tokens, onChange }: TextListProps) {
  const { t } = useWords("builder");
  const rows = value.length === 0 ? [""] : value;
  const set = (index: number, text: string) =>
    onChange(rows.flatMap((row, at) => (at !== index ? [row] : text.includes(";") ? splitValues(text) : [text])));
  return (
    <Input.Wrapper
      label={labelled.label}
      description={labelled.description}
      error={labelled.error}
      required={labelled.required}
      labelElement="div"
    >
      <div className="ac-rows" role="group" aria-label={labelled.label}>
        {rows.map((row, index) => (
          <div key={index} className="ac-rows__row">
            <TokenInput
              label={`${labelled.label}: ${t("form.row", { row: index + 1 })}`}
              value={row}
              disabled={labelled.disabled}
              tokens={tokens}
              onBlur={labelled.onBlur}
              onChange={(text) => set(index, text)}
            />
            {labelled.disabled ? null : (
              <ActionIcon
                aria-label={t("form.removeRow", { row: index + 1 })}
                disabled={value.length === 0}
                onClick={() => onChange(rows.filter((_, at) => at !== index))}
              >
                <IconTrash size={15} />
              </ActionIcon>
            )}
          </div>
        ))}
        {labelled.disabled ? null : (
          <div>
            <Button
              size="xs"
              variant="subtle"
              leftSection={<IconPlus size={14} />}
              onClick={() => onChange([...rows, ""])}
            >
              {t("form.addRow")}
            </Button>
          </div>
        )}
      </div>
    </Input.Wrapper>
  );
}
