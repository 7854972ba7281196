/** Search of one screen: `/` focuses it, Esc clears it; sends its text after a short pause. */
import { CloseButton, Kbd, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useUiWords } from "../ui-words.ts";

export interface SearchBoxProps {
  value: string;
  onChange: (text: string) => void;
  /** Enter, with what is typed by then, which is sent before. */
  onEnter?: (text: string) => void;
  placeholder?: string;
  /** Wait in ms after the last key; 200 when absent. */
  pause?: number;
  width?: number | string;
  /** Whether `/` leads to it: only to one on a page; so unless false. */
  hasShortcut?: boolean;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

export function SearchBox({
  value,
  onChange,
  onEnter,
  placeholder,
  pause = 200,
  width = 260,
  hasShortcut = true,
}: SearchBoxProps) {
  const words = useUiWords();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const sent = useRef(value);

  // A change from outside (Back, Clear filters) replaces what is typed; our own echo doesn't.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);

  const send = useEffectEvent((next: string) => {
    sent.current = next;
    onChange(next);
  });
  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => {
      if (text !== sent.current) send(text);
    }, pause);
    return () => clearTimeout(timer);
  }, [text, pause]);

  useEffect(() => {
    if (!hasShortcut) return;
    const focus = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, [hasShortcut]);

  return (
    <TextInput
      ref={input}
      type="search"
      w={width}
      value={text}
      aria-label={placeholder ?? words.search}
      placeholder={placeholder ?? words.search}
      leftSection={<IconSearch size={15} />}
      rightSection={
        text === "" ? (
          hasShortcut ? (
            <Kbd aria-hidden>/</Kbd>
          ) : null
        ) : (
          <CloseButton size="sm" aria-label={words.clear} onClick={() => setText("")} />
        )
      }
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        // That key ends a composition: it is about what is being written, not about the search.
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Enter" && onEnter) {
          if (text !== sent.current) {
            sent.current = text;
            onChange(text);
          }
          onEnter(text);
        }
        if (event.key !== "Escape") return;
        if (text !== "") event.stopPropagation();
        setText("");
      }}
    />
  );
}
