/** A text in which tokens are marked: a layer below the input has the same text, and gives both their height. */
import type { ReactNode, RefObject } from "react";
import type { TokenInputProps } from "./token-input-props.ts";
import { TokenList } from "./token-list.tsx";
import { cutAt, piecesOf, type TextPiece, type TokenGroup } from "./token-text.model.ts";
import type { Completion } from "./use-token-completion.ts";

interface MarkedTextProps extends TokenInputProps {
  id: string;
  tokens: readonly TokenGroup[];
  input: RefObject<HTMLTextAreaElement | null>;
  completion: Completion;
  isInvalid: boolean;
  /** Ids of what describes the text. */
  describedBy: string | undefined;
}

export function MarkedText(props: MarkedTextProps) {
  const { value, tokens, completion, label, multiline = false } = props;
  const isOpen = completion.from !== null;
  const [before, after] = cutAt(piecesOf(value, tokens), completion.from ?? value.length);
  const least = multiline ? (props.minRows ?? 2) : 1;
  return (
    <div className="ac-token-text__scroll">
      <div className="ac-token-text__sheet">
        <div aria-hidden className="ac-token-text__marks" style={{ minHeight: `${least}lh` }}>
          {before.map(mark)}
          {isOpen ? <TokenList completion={completion} label={label} isEmpty={tokens.length === 0} /> : null}
          {after.map(mark)}
          {"\u200B"}
        </div>
        <TextLayer {...props} />
      </div>
    </div>
  );
}

/** Pieces have no names of their own: their order is all there is. */
const mark = ({ text, kind }: TextPiece, index: number): ReactNode =>
  kind === "text" ? (
    text
  ) : (
    <mark key={index} data-kind={kind}>
      {text}
    </mark>
  );

function TextLayer({ input, ...props }: MarkedTextProps) {
  const { value, onChange, completion, multiline = false } = props;
  const hasOptions = completion.from !== null && completion.sections.length > 0;
  const change = (typed: string, caret: number) => {
    // As in an input of one line: what is pasted loses its line breaks.
    const text = multiline ? typed : typed.replaceAll(/[\r\n]+/g, " ");
    onChange(text);
    completion.typed(text, caret);
  };
  return (
    <textarea
      ref={input}
      id={props.id}
      rows={1}
      value={value}
      disabled={props.disabled}
      required={props.required}
      inputMode={props.inputMode}
      aria-label={props.shownLabel === undefined ? props.label : undefined}
      aria-describedby={props.describedBy}
      aria-invalid={props.isInvalid || undefined}
      aria-multiline={multiline}
      aria-autocomplete="list"
      aria-haspopup="listbox"
      aria-controls={hasOptions ? completion.listId : undefined}
      aria-activedescendant={hasOptions ? completion.optionId(completion.active) : undefined}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => change(event.currentTarget.value, event.currentTarget.selectionStart)}
      onSelect={completion.moved}
      onKeyDown={(event) => {
        const isTaken =
          completion.pressed(event) || props.onKey?.(event) === true || (!multiline && event.key === "Enter");
        if (!isTaken) return;
        event.preventDefault();
        event.stopPropagation();
      }}
      onBlur={() => {
        completion.close();
        props.onBlur?.();
      }}
    />
  );
}
