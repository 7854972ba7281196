/**
 * A select that is searched by typing, among options that are all here. Enter takes the best match; leaving the input
 * takes an option whose name was typed in full. What names no option changes nothing and is said.
 */
import { getParsedComboboxData, Select, type SelectProps } from "@mantine/core";
import { useRef, useState, type KeyboardEvent, type SyntheticEvent } from "react";
import { useUiWords } from "../ui-words.ts";
import { bestFirst, itemsOf, namedBy } from "./option-match.ts";

type OwnProps =
  | "value"
  | "defaultValue"
  | "onChange"
  | "filter"
  | "searchValue"
  | "defaultSearchValue"
  | "onSearchChange"
  | "selectFirstOptionOnChange"
  | "dropdownOpened"
  | "defaultDropdownOpened"
  | "onInput"
  | "onKeyDownCapture";

export interface SearchSelectProps extends Omit<SelectProps, OwnProps> {
  value: string | null;
  onChange: (value: string | null) => void;
}

export function SearchSelect(props: SearchSelectProps) {
  const { value, onChange, error, searchable = true, nothingFoundMessage } = props;
  const words = useUiWords();
  const options = getParsedComboboxData<string>(props.data);
  const items = itemsOf(options).filter((item) => !item.disabled || item.value === value);
  const label = items.find((item) => item.value === value)?.label ?? "";
  /** What was typed since the input shows the name of its value; null where it still shows that. */
  const [typed, setTyped] = useState<string | null>(null);
  const [note, setNote] = useState("");
  const [isOpen, setOpen] = useState(false);
  /** Whether arrows chose among what was found: then Enter takes what they marked. */
  const hasMoved = useRef(false);
  const text = typed?.trim() ?? "";

  const close = () => {
    setTyped(null);
    setOpen(false);
  };
  const take = (next: string | null) => {
    setNote("");
    if (next !== value) onChange(next);
  };
  const say = (sentence: string): string => sentence.replace("{{text}}", () => text);
  const leave = () => {
    close();
    if (text === "" || text === label.trim()) return;
    const named = namedBy(
      items.filter((item) => !item.disabled),
      text,
    );
    const [first] = named;
    if (first && named.length === 1) take(first.value);
    else setNote(say(first ? words.optionAmbiguous : words.optionUnknown));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") hasMoved.current = true;
    if (event.key !== "Enter" || event.nativeEvent.isComposing || text === "" || hasMoved.current) return;
    // Mantine takes the option at a place in its list, which may be that of a list shown before.
    event.preventDefault();
    event.stopPropagation();
    const best = itemsOf(bestFirst(options, text, value)).find((item) => !item.disabled);
    if (!best) return;
    close();
    take(best.value);
  };
  // What is typed takes the place of the name that is shown.
  const selectLabel = (event: SyntheticEvent<HTMLInputElement>) => {
    if (searchable && typed === null) event.currentTarget.select();
  };
  return (
    <Select
      {...props}
      searchable={searchable}
      error={note || error}
      nothingFoundMessage={text !== "" && items.length > 0 ? say(words.optionUnknown) : nothingFoundMessage}
      searchValue={typed ?? label}
      filter={(found) => bestFirst(found.options, text, value, found.limit)}
      selectFirstOptionOnChange={text !== ""}
      dropdownOpened={isOpen}
      onDropdownOpen={() => {
        setOpen(true);
        props.onDropdownOpen?.();
      }}
      onDropdownClose={() => {
        close();
        props.onDropdownClose?.();
      }}
      onInput={(event) => {
        // A password manager writes into inputs that don't have the focus.
        if (document.activeElement !== event.currentTarget) return;
        hasMoved.current = false;
        setNote("");
        setTyped(event.currentTarget.value);
      }}
      onKeyDownCapture={onKeyDown}
      onFocus={(event) => {
        setNote("");
        selectLabel(event);
        props.onFocus?.(event);
      }}
      onClick={(event) => {
        selectLabel(event);
        props.onClick?.(event);
      }}
      onBlur={(event) => {
        leave();
        props.onBlur?.(event);
      }}
      onClear={() => {
        setTyped(null);
        props.onClear?.();
      }}
      onChange={take}
    />
  );
}
