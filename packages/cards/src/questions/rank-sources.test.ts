/** However many sources and options there are, everybody else gets a turn after each of them. */
import { expect, test } from "vitest";
import { answerOf, rankSources } from "./answer-question.ts";
import { DEMO_SOURCES } from "./demo-sources.fixtures.ts";
import { TODAY } from "./exact-questions.fixtures.ts";
import type { QuestionSource } from "./source.ts";

const OPTIONS = 1_000;

/** Entities with three picklists of a thousand options each. */
const largeSources = (count: number): QuestionSource[] =>
  Array.from({ length: count }, (_, at) => {
    const labels = Object.fromEntries(
      Array.from({ length: OPTIONS }, (__, option) => [`o${option}`, `Option ${option} of ${at}`]),
    );
    const column = (name: string) => ({ name, displayName: `Choice ${name}`, dataType: "picklist" as const, labels });
    return {
      source: { type: "ENTITY", id: String(at).padStart(24, "0") },
      ...{ displayName: `Thing${at}`, otherNames: [], columns: [column("a"), column("b"), column("c")] },
    };
  });

test("200 sources with picklists of 1,000 options are read one at a time, with a turn for others after each", async () => {
  const sources = largeSources(200);
  const accounts = DEMO_SOURCES[0]!;
  let turns = 0;
  const pause = async () => void turns++;
  const question = `How many active accounts by country where ${"no such word is anywhere in here ".repeat(15)}`.slice(
    0,
    500,
  );
  expect(question).toHaveLength(500);
  await rankSources({ question, today: TODAY }, [...sources, accounts], pause);
  expect(turns).toBe(201);
  const [best] = await rankSources(
    { question: "Accounts by country", today: TODAY },
    [...sources.slice(0, 3), accounts],
    pause,
  );
  expect(answerOf(best ? [best] : [])?.intent).toMatchObject({
    vizType: "BAR",
    category: { column: "billingCountry" },
  });
});
