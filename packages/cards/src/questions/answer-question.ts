/** Answers a question by rules: it is read once for each source, and the source that makes the most of it wins. */
import { CardIntent } from "@accord/contracts/insights/card-assistant";
import { intentOf, refinedIntent } from "./build-intent.ts";
import { readQuestion } from "./read-question.ts";
import type { QuestionSource } from "./source.ts";

export interface QuestionAnswer {
  intent: CardIntent;
  /** Words that nothing was made of. */
  ignored: string[];
}

/** Below this a question says nothing about any source. */
const LEAST_SCORE = 0.5;

/** Null when the question names nothing of any source. */
export function answerQuestion(
  question: string,
  sources: readonly QuestionSource[],
  previous?: CardIntent,
): QuestionAnswer | null {
  if (previous) {
    const source = sources.find((one) => one.source.id === previous.source.id);
    if (source) return refine(question, source, previous);
  }
  const [best] = rankSources(question, sources);
  if (!best || best.score < LEAST_SCORE) return null;
  return { intent: intentOf(best.parts, best.source), ignored: best.parts.ignored };
}

/** The likeliest first; of equals a dataset that there is before an entity. */
export function rankSources(question: string, sources: readonly QuestionSource[]) {
  return sources
    .map((source) => {
      const parts = readQuestion(question, source);
      return { source, parts, score: parts.score + (source.source.type === "DATASET" ? 0.4 : 0) };
    })
    .toSorted((one, other) => other.score - one.score);
}

function refine(question: string, source: QuestionSource, previous: CardIntent): QuestionAnswer | null {
  const parts = readQuestion(question, source);
  const intent = refinedIntent(previous, parts, source);
  return isSame(intent, previous) ? null : { intent, ignored: parts.ignored };
}

const isSame = (one: CardIntent, other: CardIntent): boolean =>
  JSON.stringify(CardIntent.parse(one)) === JSON.stringify(CardIntent.parse(other));
