/** What is wrong with a node that is being filled in is said in words that people know, whatever its form holds meanwhile. */
import { expect, test } from "vitest";
import { ACTIONS } from "../actions/registry.ts";
import type { CompleteInput } from "@accord/contracts/config/inputs";
import { functionByName, FUNCTIONS } from "./registry.ts";

/** What inputs hold while they are filled in, and what only calls of the API leave in them. */
const UNFINISHED = [undefined, null, "", "x", [], [""], [null], [{}], {}];

function* unfinished(inputs: readonly CompleteInput[]): Generator<Record<string, unknown>> {
  const defaults = inputs.flatMap(({ name, defaultValue }) =>
    defaultValue === undefined ? [] : [[name, defaultValue]],
  );
  yield {};
  for (const { name } of inputs) for (const held of UNFINISHED) yield { ...Object.fromEntries(defaults), [name]: held };
}

test("no message about a function or an action names types of a programming language", () => {
  const wrong = new Set<string>();
  for (const { name, inputs, check } of [...FUNCTIONS, ...ACTIONS])
    for (const configuration of unfinished(inputs))
      for (const { input, reason } of check(configuration, []))
        if (/Invalid (input|option)|expected \w+ to|received|nonoptional|undefined|NaN/.test(reason))
          wrong.add(`${name} ${input}: ${reason}`);
  expect([...wrong]).toEqual([]);
});

test("rows that are not filled in yet are one problem, however many they are", () => {
  expect(functionByName("mapValues")?.check({ pairs: [{ from: "a" }, { from: "b" }, {}] }, [])).toEqual([
    { input: "pairs", reason: "fill in each row." },
  ]);
});
