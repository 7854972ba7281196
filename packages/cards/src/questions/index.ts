/** Questions about datasets: answered by rules, ranked by source, and turned into cards. */
export { answerQuestion, rankSources } from "./answer-question.ts";
export { cardOfIntent } from "./card-of-intent.ts";
export type { QuestionSource } from "./source.ts";
