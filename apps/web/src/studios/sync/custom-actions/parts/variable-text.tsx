/** A text with `{{variables}}` in it: typing braces offers the variables, and so does a button beside the text. */
import { ActionIcon, Menu, Textarea, TextInput, Tooltip } from "@mantine/core";
import { IconBraces, IconPlus, IconVariable } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useWords } from "../../../../app/words.ts";
import { type Completion, useCompletion } from "./use-completion.ts";

export interface VariableTextProps {
  value: string;
  onChange: (value: string) => void;
  /** Names that can be inserted. */
  variables: readonly string[];
  /** Makes a variable of a name that was typed and is none yet. */
  onAddVariable: (name: string) => void;
  label: string;
  /** Absent in a row of a list: the label is then only spoken. */
  shownLabel?: ReactNode;
  description?: ReactNode;
  error?: ReactNode;
  required?: boolean;
  readOnly: boolean;
  multiline?: boolean;
  placeholder?: string;
}

/** So that inputs side by side stand in one line. */
const WRAPPER_ORDER: ("label" | "input" | "description" | "error")[] = ["label", "input", "description", "error"];

export function VariableText(props: VariableTextProps) {
  const { value, variables, readOnly, label, shownLabel } = props;
  const completion = useCompletion({ ...props, isEnabled: !readOnly });
  const shared = {
    ...completion.inputProps,
    value,
    readOnly,
    label: shownLabel,
    description: props.description,
    inputWrapperOrder: WRAPPER_ORDER,
    error: props.error,
    required: props.required ?? false,
    placeholder: props.placeholder,
    autoComplete: "off",
    spellCheck: false,
    styles: { input: { fontFamily: "var(--ac-mono)" } },
    "aria-label": shownLabel === undefined ? label : undefined,
    rightSection:
      readOnly || variables.length === 0 ? undefined : (
        <VariableMenu variables={variables} label={label} onPick={completion.insert} />
      ),
  };
  return (
    <div className="ac-variable-text">
      {props.multiline ? (
        <Textarea
          {...shared}
          autosize
          minRows={4}
          maxRows={18}
          rightSectionProps={{ style: { alignItems: "start", paddingTop: 3 } }}
          onChange={(event) => completion.change(event.currentTarget.value)}
        />
      ) : (
        <TextInput {...shared} onChange={(event) => completion.change(event.currentTarget.value)} />
      )}
      <Suggestions completion={completion} />
    </div>
  );
}

function Suggestions({ completion: { suggestions, current, listId, optionId, pick } }: { completion: Completion }) {
  const { t } = useWords("customActions");
  if (suggestions.length === 0) return null;
  return (
    <ul id={listId} role="listbox" aria-label={t("request.suggestions")}>
      {suggestions.map((suggestion, index) => (
        <li
          key={suggestion.name}
          id={optionId(index)}
          role="option"
          aria-selected={suggestion === current}
          // The input keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => pick(suggestion)}
        >
          {suggestion.isNew ? <IconPlus size={14} aria-hidden /> : <IconVariable size={14} aria-hidden />}
          {suggestion.isNew ? t("request.addVariable", { name: suggestion.name }) : suggestion.name}
        </li>
      ))}
    </ul>
  );
}

interface VariableMenuProps {
  variables: readonly string[];
  label: string;
  onPick: (variable: string) => void;
}

function VariableMenu({ variables, label, onPick }: VariableMenuProps) {
  const { t } = useWords("customActions");
  const name = `${t("variables.insert")}: ${label}`;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Tooltip label={t("variables.insert")}>
          <ActionIcon variant="subtle" color="gray" aria-label={name}>
            <IconBraces size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t("variables.group")}</Menu.Label>
        {variables.map((variable) => (
          <Menu.Item
            key={variable}
            leftSection={<IconVariable size={14} aria-hidden />}
            onClick={() => onPick(variable)}
          >
            {variable}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
