/** Variables of custom actions: converted to their type, given their default, refused with what they need. */
import type { Value } from "@accord/contracts/data/values";
import { ActionVariable } from "@accord/contracts/sync/actions";
import { expect, test } from "vitest";
import { variableMismatches } from "./node-mismatches.ts";
import { fitVariables, problemText } from "./variables.ts";

const variable = (name: string, more: object = {}) => ActionVariable.parse({ name, ...more });
const fit = (more: object, given: Value | undefined) =>
  fitVariables([variable("x", more)], given === undefined ? {} : { x: given });

test.each<[string, object, Value | undefined, Value]>([
  ["a text becomes the number that it spells", { type: "number" }, "12.50", 12.5],
  ["a number becomes text", { type: "text" }, 3, "3"],
  ["a list becomes text with semicolons", { type: "text" }, ["a", "b"], "a;b"],
  ["yes and no become true and false", { type: "boolean" }, "true", true],
  ["a date loses its time", { type: "date" }, "2026-03-04", "2026-03-04"],
  ["without a type the value stays as it is", {}, { a: [1] }, { a: [1] }],
  ["a text with semicolons becomes a list", { type: "number", multivalued: true }, "1;2; 3", [1, 2, 3]],
  ["one value becomes a list of one", { multivalued: true }, 7, [7]],
  ["a list of one is that value", { type: "number" }, ["5"], 5],
  ["no value is null", {}, undefined, null],
  ["no value of a list is an empty list", { multivalued: true }, "", []],
  ["no value is the default", { type: "number", defaultValue: "4" }, "", 4],
  ["a required one takes its default too", { required: true, defaultValue: "b" }, undefined, "b"],
])("%s", (_, more, given, wanted) => {
  expect(fit(more, given)).toEqual({ values: { x: wanted }, problems: [] });
});

test.each([
  ["a required value is missing", { required: true }, "", "needs a value"],
  ["a list of blanks is no value", { required: true, multivalued: true }, ["", null], "needs a value"],
  ["a text is no number", { type: "number" }, "abc", "needs a number, not “abc”"],
  ["one item of a list is no date", { type: "date", multivalued: true }, "2026-01-01;x", "needs a date, not “x”"],
  ["two values where one is taken", { type: "number" }, [1, 2], "takes one value, not 2"],
])("%s: what it needs is said", (_, more, given, reason) => {
  const { values, problems } = fit(more, given);
  expect({ values, problems }).toEqual({ values: {}, problems: [{ name: "x", reason }] });
  expect(problemText(problems)).toBe(`Variable “x” ${reason}.`);
});

test("a number beyond JavaScript's keeps its digits", () => {
  expect(JSON.stringify(fit({ type: "number" }, "12345678901234567890").values)).toBe('{"x":12345678901234567890}');
});

test("a node that fits no more says which variable and why; of tokens only a changed type is named", () => {
  const before = [variable("who"), variable("size"), variable("when")];
  const after = [variable("name", { required: true }), variable("size", { type: "number" }), variable("when")];
  const given = { who: "{{previous.values.Name}}", size: "large", when: "{{previous.values.When}}" };
  expect(variableMismatches(after, given, before)).toEqual([
    { name: "who", kind: "unknown" },
    { name: "name", kind: "missing" },
    { name: "size", kind: "invalid", reason: "needs a number, not “large”" },
  ]);
  expect(variableMismatches([variable("when", { type: "date" })], { when: "{{a}}" }, before)).toEqual([
    { name: "when", kind: "unchecked" },
  ]);
  expect(variableMismatches(before, given)).toEqual([]);
});
