/** One line below a chart for each thing it leaves out, adds up or draws in another way. */
import type { CardNote } from "@accord/cards/views";
import { formatNumber } from "@accord/cards/definitions";
import { useWords } from "../../../app/words.ts";

export function CardNotes({ notes }: { notes: readonly CardNote[] }) {
  const { t } = useWords("insights");
  if (notes.length === 0) return null;
  const texts = notes.map((note) => t(`cardNote.${keyOf(note)}`, wordsFor(note.facts)));
  return (
    <p className="ac-card-face__notes" role="note" aria-label={t("cardNote.label")} title={texts.join(" · ")}>
      {texts.join(" · ")}
    </p>
  );
}

const keyOf = (note: CardNote) =>
  note.code === "other_categories" && note.facts.total !== null ? "other_categories_sum" : note.code;

/** Every word any of the notes may hold; the count itself chooses between one and many. */
function wordsFor(facts: CardNote["facts"]) {
  const given: Record<string, string | number | null | undefined> = facts;
  const word = (name: string): string => {
    const fact = given[name] ?? "";
    return typeof fact === "number" ? formatNumber(fact) : fact;
  };
  return {
    count: Number(given["count"] ?? 0),
    number: word("count"),
    label: word("label"),
    text: word("text"),
    shown: word("shown"),
    total: word("total"),
  };
}
