/** A number that leads to its records, where that is offered. */
import type { CardMark } from "@accord/contracts/insights/mark-records";
import type { ChartWords } from "../chart/words.ts";
import { isAdding, type OnMark } from "../mark-target.ts";

export interface MarkNumberProps {
  text: string;
  /** What the mark is called; ends with its text. */
  label: string;
  mark: CardMark | null | undefined;
  words: ChartWords;
  onMark: OnMark | undefined;
  /** Something is filtered by it. */
  isChosen?: boolean;
}

export function MarkNumber({ text, label, mark, words, onMark, isChosen = false }: MarkNumberProps) {
  if (!mark || !onMark || text === "") return text;
  return (
    <button
      type="button"
      className="ac-mark-number"
      aria-haspopup="dialog"
      aria-pressed={isChosen || undefined}
      aria-label={words.records(label)}
      onClick={(event) => {
        const { left, top, height, width } = event.currentTarget.getBoundingClientRect();
        onMark({ mark, label }, { x: left + width / 2, y: top, height }, isAdding(event));
      }}
    >
      {text}
    </button>
  );
}
