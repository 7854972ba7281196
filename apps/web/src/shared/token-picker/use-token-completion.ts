/** The list of tokens at the caret of a text: when it opens, what is chosen in it, and what that does to the text. */
import { useId, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import { replaceText } from "./replace-text.ts";
import {
  firstOf,
  queryAt,
  sectionsOf,
  withToken,
  type PickableToken,
  type TokenGroup,
  type TokenSection,
} from "./token-text.model.ts";

/** More would make the list slow, and nobody reads them. */
const MOST_LISTED = 200;

export interface Completion {
  /** Where the text is replaced by a token; null: the list is closed. */
  from: number | null;
  sections: TokenSection[];
  /** There are more than are listed. */
  isCut: boolean;
  /** Of all tokens in the list, the one that Enter inserts. */
  active: number;
  listId: string;
  optionId: (index: number) => string;
  pick: (token: PickableToken) => void;
  /** Opens it at the caret. */
  openHere: () => void;
  close: () => void;
  /** After each change of the text by typing. */
  typed: (text: string, caret: number) => void;
  /** After each move of the caret. */
  moved: () => void;
  /** Whether the key was for the list. */
  pressed: (event: KeyboardEvent) => boolean;
  setActive: (index: number) => void;
}

interface CompletionOf {
  input: RefObject<HTMLTextAreaElement | null>;
  text: string;
  groups: readonly TokenGroup[];
}

export function useTokenCompletion({ input, text, groups }: CompletionOf): Completion {
  const listId = useId();
  const [opened, setOpened] = useState<{ from: number; caret: number } | null>(null);
  const [active, setActive] = useState(0);
  /** Braces whose list was closed by Esc stay without one. */
  const dismissed = useRef<number>(undefined);

  const words = opened ? text.slice(opened.from, opened.caret).replace(/^\{\{/, "") : "";
  const { sections, isCut } = firstOf(opened ? sectionsOf(groups, words) : [], MOST_LISTED);
  const all = sections.flatMap(({ tokens }) => tokens);
  const from = opened?.from ?? null;
  const chosen = all[Math.min(active, all.length - 1)];

  const open = (next: { from: number; caret: number } | null) => {
    setOpened(next);
    if (next?.from !== opened?.from || next?.caret !== opened?.caret) setActive(0);
  };
  const close = () => open(null);
  const follow = (now: string, caret: number, isTyping: boolean) => {
    const query = queryAt(now, caret);
    if (query === null) dismissed.current = undefined;
    const isOpenByKey = opened !== null && !now.startsWith("{{", opened.from);
    if (query && (isTyping || opened) && query.from !== dismissed.current) open({ from: query.from, caret });
    else if (isOpenByKey && caret >= opened.from && sectionsOf(groups, now.slice(opened.from, caret)).length > 0)
      open({ from: opened.from, caret });
    else close();
  };
  const caretNow = () => input.current?.selectionStart ?? text.length;
  const pick = (token: PickableToken) => {
    if (!opened) return;
    const next = withToken(text, opened.from, opened.caret, token.value);
    close();
    if (input.current) replaceText(input.current, next.text, { from: next.caret, to: next.caret });
  };
  const openHere = () => {
    const caret = caretNow();
    dismissed.current = undefined;
    open({ from: queryAt(text, caret)?.from ?? caret, caret });
  };
  const pressed = (event: KeyboardEvent): boolean => {
    if (event.nativeEvent.isComposing) return false;
    if (!opened) {
      if (!(event.ctrlKey && event.code === "Space") && !(event.altKey && event.key === "ArrowDown")) return false;
      openHere();
      return true;
    }
    switch (event.key) {
      case "ArrowDown":
        setActive(all.length === 0 ? 0 : (active + 1) % all.length);
        return true;
      case "ArrowUp":
        setActive(all.length === 0 ? 0 : (active + all.length - 1) % all.length);
        return true;
      case "Escape":
        dismissed.current = opened.from;
        close();
        return true;
      case "Enter":
      case "Tab":
        if (!chosen || event.shiftKey) return false;
        pick(chosen);
        return true;
      default:
        return false;
    }
  };
  return {
    from,
    sections,
    isCut,
    active: Math.min(active, Math.max(all.length - 1, 0)),
    listId,
    optionId: (index) => `${listId}-${index}`,
    pick,
    openHere,
    close,
    typed: (now, caret) => follow(now, caret, true),
    // The browser reports the selection again after keys that leave it as it is: Esc would open the list anew.
    moved: () => {
      if (opened && caretNow() !== opened.caret) follow(text, caretNow(), false);
    },
    pressed,
    setActive,
  };
}
