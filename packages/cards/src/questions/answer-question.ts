/** Answers a question by rules: it is read once for each source, and the source that makes the most of it wins. */
import { CardIntent } from "@accord/contracts/insights/card-assistant";
import { type Built, intentOf } from "./build-intent.ts";
import { type QuestionParts, readQuestion } from "./read-question.ts";
import { refinedIntent } from "./refine-intent.ts";
import type { RefusalCode } from "./refusals.ts";
import type { QuestionSource } from "./source.ts";

export interface AskedQuestion {
  question: string;
  /** `YYYY-MM-DD` where it is asked: what “last month” starts from. */
  today: string;
}

export interface QuestionAnswer {
  intent: CardIntent;
  /** Words that nothing was made of. */
  ignored: string[];
  refusal?: undefined;
}

/** Its words are known, and an answer would be a wrong one. */
export interface QuestionRefusal {
  refusal: RefusalCode;
  intent?: undefined;
  ignored?: undefined;
}

/** What a question says of one source. */
export interface RankedSource {
  source: QuestionSource;
  parts: QuestionParts;
  score: number;
}

/** Below this a question says nothing about any source. */
const MIN_SCORE = 0.5;

/** Null when the question names nothing of any source. */
export function answerQuestion(
  asked: AskedQuestion,
  sources: readonly QuestionSource[],
): QuestionAnswer | QuestionRefusal | null {
  return answerOf(byScore(sources.map((source) => readFor(asked, source))));
}

/** The answer of the likeliest source. */
export function answerOf([best]: readonly RankedSource[]): QuestionAnswer | QuestionRefusal | null {
  if (!best || best.score < MIN_SCORE) return null;
  return answerFrom(intentOf(best.parts, best.source), best.parts);
}

/** The question as a change of a proposal; null when it changes nothing, or when its source is not among these. */
export function refineAnswer(
  asked: AskedQuestion,
  sources: readonly QuestionSource[],
  previous: CardIntent,
): QuestionAnswer | QuestionRefusal | null {
  const source = sources.find((one) => one.source.id === previous.source.id);
  if (!source) return null;
  const parts = readQuestion(asked.question, source, asked.today);
  const built = refinedIntent(previous, parts, source);
  return built.intent && isSame(built.intent, previous) ? null : answerFrom(built, parts);
}

/** The likeliest first. Others get their turn after each source: `pause` is waited for in between. */
export async function rankSources(
  asked: AskedQuestion,
  sources: readonly QuestionSource[],
  pause: () => Promise<unknown>,
): Promise<RankedSource[]> {
  const ranked: RankedSource[] = [];
  for (const source of sources) {
    ranked.push(readFor(asked, source));
    await pause();
  }
  return byScore(ranked);
}

/** Of equals a dataset that there is comes before an entity. */
function readFor({ question, today }: AskedQuestion, source: QuestionSource): RankedSource {
  const parts = readQuestion(question, source, today);
  return { source, parts, score: parts.score + (source.source.type === "DATASET" ? 0.4 : 0) };
}

const byScore = (ranked: readonly RankedSource[]): RankedSource[] =>
  ranked.toSorted((one, other) => other.score - one.score);

const answerFrom = (built: Built, { ignored }: QuestionParts): QuestionAnswer | QuestionRefusal =>
  built.intent ? { intent: built.intent, ignored } : { refusal: built.refusal };

const isSame = (one: CardIntent, other: CardIntent): boolean =>
  JSON.stringify(CardIntent.parse(one)) === JSON.stringify(CardIntent.parse(other));
