/** Completion of variables at the caret of an input: what is offered, which of it is marked, and its keys. */
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import { insertVariable, openedName, type Suggestion, suggestionsFor } from "./variable-text.model.ts";

interface Options {
  value: string;
  variables: readonly string[];
  isEnabled: boolean;
  onChange: (value: string) => void;
  onAddVariable: (name: string) => void;
}

export function useCompletion({ value, variables, isEnabled, onChange, onAddVariable }: Options) {
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const listId = useId();
  const [caret, setCaret] = useState(value.length);
  const [isOpen, setOpen] = useState(false);
  const [marked, setMarked] = useState(0);
  /** Where the caret goes as soon as the changed text is shown. */
  const caretAfter = useRef<number>(undefined);

  const typed = isOpen && isEnabled ? openedName(value, caret) : null;
  const suggestions = typed === null ? [] : suggestionsFor(typed, variables);
  const index = Math.min(marked, suggestions.length - 1);
  const current = suggestions[index];
  const follow = () => setCaret(input.current?.selectionStart ?? value.length);

  const insert = (name: string) => {
    const next = insertVariable(value, Math.min(caret, value.length), name);
    onChange(next.text);
    setCaret(next.caret);
    setOpen(false);
    caretAfter.current = next.caret;
  };
  // Together with the text: moved any later, it would go before what was typed meanwhile.
  useLayoutEffect(() => {
    const place = caretAfter.current;
    if (place === undefined) return;
    caretAfter.current = undefined;
    input.current?.focus();
    input.current?.setSelectionRange(place, place);
  });
  const pick = ({ name, isNew }: Suggestion) => {
    if (isNew) onAddVariable(name);
    insert(name);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!current) return;
    const steps: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: suggestions.length - 1 };
    const step = steps[event.key];
    if (step !== undefined) setMarked((index + step) % suggestions.length);
    else if (event.key === "Enter" || event.key === "Tab") pick(current);
    else if (event.key === "Escape") setOpen(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    suggestions,
    current,
    listId,
    optionId: (at: number) => `${listId}-${at}`,
    insert,
    pick,
    change(text: string) {
      onChange(text);
      setMarked(0);
      setOpen(true);
      follow();
    },
    /** Of the input that is completed. */
    inputProps: {
      ref: input,
      onSelect: follow,
      onKeyDown,
      onBlur: () => setOpen(false),
      "aria-autocomplete": "list" as const,
      "aria-controls": current ? listId : undefined,
      "aria-activedescendant": current ? `${listId}-${index}` : undefined,
    },
  };
}

export type Completion = ReturnType<typeof useCompletion>;
