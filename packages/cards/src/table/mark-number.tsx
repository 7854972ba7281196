/** A number that leads to its records, where that is offered. */
import type { CardMark } from "@accord/contracts/insights/mark-records";
import type { ChartWords } from "../chart/words.ts";
import type { OnMark } from "../mark-target.ts";

export interface MarkNumberProps {
  text: string;
  /** What the mark is called; ends with its text. */
  label: string;
  mark: CardMark | null | undefined;
  words: ChartWords;
  onMark: OnMark | undefined;
}

export function MarkNumber({ text, label, mark, words, onMark }: MarkNumberProps) {
  if (!mark || !onMark || text === "") return text;
  return (
    <button
      type="button"
      className="ac-mark-number"
      aria-haspopup="dialog"
      aria-label={words.records(label)}
      onClick={({ currentTarget }) => {
        const { left, top, height, width } = currentTarget.getBoundingClientRect();
        onMark({ mark, label }, { x: left + width / 2, y: top, height });
      }}
    >
      {text}
    </button>
  );
}
