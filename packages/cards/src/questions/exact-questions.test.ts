/** Questions that are easily misread are answered as they are meant, or refused with a reason. */
import { expect, test } from "vitest";
import { answerQuestion } from "./answer-question.ts";
import { DEMO_SOURCES } from "./demo-sources.fixtures.ts";
import { COMPARED, DRAWN, JOINED, NEGATED, PERIODS, TODAY } from "./exact-questions.fixtures.ts";

const ask = (question: string, sources = DEMO_SOURCES) => answerQuestion({ question, today: TODAY }, sources);

test.each([...COMPARED, ...NEGATED, ...JOINED, ...PERIODS, ...DRAWN])(
  "[INS-004] “%s” is not misread",
  (question, expected) => {
    const answer = ask(question);
    if (typeof expected === "string") expect(answer).toEqual({ refusal: expected });
    else expect(answer?.intent).toMatchObject(expected);
  },
);

test("an option that holds a negation is a value, and a column of yes and no is negated by its words", () => {
  const source = {
    ...DEMO_SOURCES[8]!,
    columns: [
      ...DEMO_SOURCES[8]!.columns,
      {
        name: "step",
        displayName: "Step",
        dataType: "picklist" as const,
        labels: { not: "Not started", done: "Done" },
      },
      { name: "urgent", displayName: "Urgent", dataType: "boolean" as const },
    ],
  };
  const conditionsOf = (question: string) => ask(question, [source])?.intent?.conditions;
  expect(conditionsOf("Cases that are not started")).toEqual([{ column: "step", operator: "equals", values: ["not"] }]);
  expect(conditionsOf("Cases where step is Not started")).toEqual([
    { column: "step", operator: "equals", values: ["not"] },
  ]);
  expect(conditionsOf("Urgent cases")).toEqual([{ column: "urgent", operator: "isTrue", values: [] }]);
  expect(conditionsOf("Cases that are not urgent")).toEqual([{ column: "urgent", operator: "isFalse", values: [] }]);
});

test("more values or columns than one card holds are refused, and so is a number without end", () => {
  const columns = Array.from({ length: 25 }, (_, at) => ({
    ...{ name: `n${at}`, displayName: `Figure${String.fromCharCode(97 + at)}`, dataType: "integer" as const },
  }));
  const source = { ...DEMO_SOURCES[0]!, columns };
  const names = columns.map(({ displayName }) => displayName);
  expect(ask(`Total ${names.slice(0, 6).join(", ")} of accounts`, [source])).toEqual({ refusal: "tooMuch" });
  expect(ask(`List ${names.join(", ")} of accounts`, [source])).toEqual({ refusal: "tooMuch" });
  expect(ask(`Accounts with ${names[0]} over ${"9".repeat(400)}`, [source])).toEqual({ refusal: "tooMuch" });
});
