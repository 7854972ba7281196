/** A name that turns into an input when pressed. Enter keeps, Esc gives up; a refusal stays under it. */
import { TextInput, UnstyledButton } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useUiWords } from "../ui-words.ts";
import "./inline-edit.css";

export interface InlineEditProps {
  value: string;
  label: string;
  /** A throw keeps the input open with its words. */
  onSave: (value: string) => unknown;
  disabled?: boolean;
  maxLength?: number;
}

export function InlineEdit({ value, label, onSave, disabled = false, maxLength = 120 }: InlineEditProps) {
  const words = useUiWords();
  const [draft, setDraft] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const settled = useRef(false);

  const keep = async () => {
    if (settled.current || draft === undefined) return;
    const next = draft.trim();
    if (next === "" || next === value) return setDraft(undefined);
    settled.current = true;
    try {
      await onSave(next);
      setDraft(undefined);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      settled.current = false;
    }
  };

  if (disabled) return <span>{value}</span>;
  if (draft === undefined)
    return (
      <UnstyledButton
        className="ac-inline-edit"
        aria-label={`${words.edit} ${label}: ${value}`}
        onClick={() => {
          setProblem(undefined);
          setDraft(value);
        }}
      >
        {value}
        <IconPencil size={14} aria-hidden />
      </UnstyledButton>
    );
  return (
    <TextInput
      autoFocus
      aria-label={label}
      value={draft}
      maxLength={maxLength}
      error={problem}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={() => void keep()}
      onKeyDown={(event) => {
        if (event.key === "Enter") void keep();
        if (event.key !== "Escape") return;
        event.stopPropagation();
        setDraft(undefined);
      }}
    />
  );
}
