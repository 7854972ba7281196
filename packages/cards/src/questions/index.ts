/** Questions about datasets: answered by rules, ranked by source, and turned into cards. */
export { answerOf, answerQuestion, type AskedQuestion, rankSources, refineAnswer } from "./answer-question.ts";
export { cardOfIntent } from "./card-of-intent.ts";
export type { RefusalCode } from "./refusals.ts";
export { settledIntent } from "./settle-intent.ts";
export type { QuestionSource } from "./source.ts";
