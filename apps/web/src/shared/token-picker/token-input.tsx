/** A text input that takes tokens: the picker puts them where the caret stands. */
import { Textarea, TextInput } from "@mantine/core";
import { useRef, type ReactNode } from "react";
import { TokenPicker, type TokenGroup } from "./token-picker.tsx";

export interface TokenInputProps {
  value: string;
  onChange: (value: string) => void;
  label: string;
  /** The visible label; absent where the input stands in a row of a list. */
  shownLabel?: ReactNode;
  description?: ReactNode;
  error?: ReactNode;
  required?: boolean;
  disabled?: boolean;
  multiline?: boolean;
  inputMode?: "text" | "numeric" | "decimal" | "url" | "email" | "tel";
  /** Tokens to offer; no picker when absent. */
  tokens?: readonly TokenGroup[] | undefined;
  onBlur?: () => void;
}

export function TokenInput(props: TokenInputProps) {
  const { value, onChange, tokens, label, shownLabel, multiline = false, disabled = false } = props;
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const caret = useRef<number>(undefined);

  const insert = (text: string) => {
    const position = Math.min(caret.current ?? value.length, value.length);
    onChange(value.slice(0, position) + text + value.slice(position));
    const after = position + text.length;
    caret.current = after;
    setTimeout(() => {
      input.current?.focus();
      input.current?.setSelectionRange(after, after);
    });
  };
  const remember = () => {
    caret.current = input.current?.selectionStart ?? undefined;
  };
  const shared = {
    ref: input,
    value,
    disabled,
    label: shownLabel,
    description: props.description,
    error: props.error,
    required: props.required ?? false,
    "aria-label": shownLabel === undefined ? label : undefined,
    autoComplete: "off",
    spellCheck: false,
    onSelect: remember,
    onBlur: () => {
      remember();
      props.onBlur?.();
    },
    rightSection: tokens ? (
      <TokenPicker groups={tokens} label={label} disabled={disabled} onPick={(token) => insert(token.value)} />
    ) : undefined,
  };
  return multiline ? (
    <Textarea
      {...shared}
      autosize
      minRows={2}
      maxRows={12}
      rightSectionProps={{ style: { alignItems: "start", paddingTop: 3 } }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  ) : (
    <TextInput {...shared} inputMode={props.inputMode} onChange={(event) => onChange(event.currentTarget.value)} />
  );
}
