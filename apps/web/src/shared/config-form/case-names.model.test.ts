/** Names of cases as they are typed: stored as soon as they can be, whichever edit makes them so. */
import { expect, test } from "vitest";
import { removeCase, typedName, typeName } from "./case-names.model.ts";

const named = (...names: string[]) => names.map((name) => ({ name, value: name }));

test("a name is stored at once where it is given and its own, and kept with the case where it is not", () => {
  expect(typeName(named("Big", "Small"), {}, 1, "Tiny ").cases.map(({ name }) => name)).toEqual(["Big", "Tiny "]);
  for (const text of ["", " ", "big", " BIG ", "default", "Any"])
    expect(typeName(named("Big", "Small"), {}, 1, text), text).toEqual({
      cases: named("Big", "Small"),
      typed: { 1: { text, name: "Small" } },
    });
  const { cases, typed } = typeName(named("Big", "Small"), { 1: { text: "big", name: "Small" } }, 1, "Small");
  expect([cases, typed], "as it is called already").toEqual([named("Big", "Small"), null]);
});

test("a name that was taken is stored once its case is removed or called otherwise", () => {
  const cases = named("Big", "Small", "Tiny");
  const typed = { 2: { text: "big", name: "Tiny" } };
  expect(typedName(typed, cases, 2)).toBe("big");
  const renamed = typeName(cases, typed, 0, "Huge");
  expect([renamed.cases.map(({ name }) => name), renamed.typed]).toEqual([["Huge", "Small", "big"], null]);
  const removed = removeCase(cases, typed, 0);
  expect([removed.cases.map(({ name }) => name), removed.typed]).toEqual([["Small", "big"], null]);
});

test("what was typed goes with its case: others keep theirs when one is removed, and none is shown for another", () => {
  const cases = named("Big", "Small", "Tiny");
  const typed = { 0: { text: "", name: "Big" }, 2: { text: "small", name: "Tiny" } };
  expect(removeCase(cases, typed, 0).typed).toEqual({ 1: { text: "small", name: "Tiny" } });
  expect(removeCase(cases, typed, 2).typed).toEqual({ 0: { text: "", name: "Big" } });
  expect(typedName(typed, named("Big", "Small", "Other"), 2)).toBeUndefined();
  expect(typedName({ 0: "broken", 1: { text: 1, name: "Small" } }, cases, 1)).toBeUndefined();
});
