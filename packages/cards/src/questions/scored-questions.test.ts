/** The rules answer at least 36 of 40 typical questions about the demo's data; the score and the misses are printed. */
import { CardIntent } from "@accord/contracts/insights/card-assistant";
import { expect, test } from "vitest";
import { problemsOfCard } from "../definitions.ts";
import { answerQuestion } from "./answer-question.ts";
import { cardOfIntent } from "./card-of-intent.ts";
import { DEMO_SOURCES } from "./demo-sources.fixtures.ts";
import { TODAY } from "./exact-questions.fixtures.ts";
import { SCORED_QUESTIONS } from "./scored-questions.fixtures.ts";

const PLAIN = { category: null, series: null, columns: [], conditions: [], top: null, order: null, combinator: "and" };
const nameOf = (id: string) => DEMO_SOURCES.find(({ source }) => source.id === id)?.displayName;

test("[INS-004] of forty questions about the demo's data at least 36 get the dataset and the card they ask for", () => {
  const misses = SCORED_QUESTIONS.flatMap(([question, { source, ...expected }]) => {
    const answer = answerQuestion({ question, today: TODAY }, DEMO_SOURCES);
    const { source: chosen, ...card } = answer?.intent ?? { source: { id: "" } };
    const isRight =
      nameOf(chosen.id) === source &&
      JSON.stringify(sorted(card)) === JSON.stringify(sorted({ ...PLAIN, ...expected }));
    return isRight ? [] : [`${question}\n    ${nameOf(chosen.id)} ${JSON.stringify(card)}`];
  });
  const score = SCORED_QUESTIONS.length - misses.length;
  process.stdout.write(`Questions answered right: ${score} of ${SCORED_QUESTIONS.length}\n`);
  for (const miss of misses) process.stdout.write(`  missed: ${miss}\n`);
  expect(SCORED_QUESTIONS).toHaveLength(40);
  expect(score).toBeGreaterThanOrEqual(36);
});

const sorted = (value: object) =>
  Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));

test("whatever is answered is a complete card of columns that are there", () => {
  for (const [question] of SCORED_QUESTIONS) {
    const answer = answerQuestion({ question, today: TODAY }, DEMO_SOURCES);
    if (!answer?.intent) continue;
    expect(CardIntent.safeParse(answer.intent).success, question).toBe(true);
    const source = DEMO_SOURCES.find((one) => one.source.id === answer.intent.source.id);
    const card = cardOfIntent(answer.intent, { columns: source?.columns ?? [], datasetId: "", rowCount: "Rows" });
    expect(problemsOfCard(card), question).toEqual([]);
  }
});
