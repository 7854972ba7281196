/** The rules of generated forms. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { expect, test } from "vitest";
import {
  initialValues,
  isHidden,
  numberFrom,
  problemOf,
  problemsOf,
  sectionsOf,
  normalizeChoice,
  splitValues,
  takesTokens,
} from "./config-form.model.ts";

const input = (part: Partial<InputDefinition>): InputDefinition => ({
  name: "a",
  label: "A",
  datatype: "string",
  ...part,
});
const hidden = (part: Partial<InputDefinition>, values = {}, others: InputDefinition[] = [], context = {}) => {
  const one = input(part);
  return isHidden(one, [one, ...others], values, context);
};

test("[SYN-042] implicit inputs are hidden, but the node's label is not", () => {
  expect(hidden({ implicit: true })).toBe(true);
  expect(hidden({ name: "nodeLabel", implicit: true })).toBe(false);
});

test("[SYN-042] uneditable inputs, tabs, columns of a field set and unmet required values are hidden; values survive", () => {
  expect(hidden({ uneditable: true })).toBe(true);
  expect(hidden({ datatype: "tab" })).toBe(true);
  expect(hidden({ fieldSet: "rows" }, {}, [input({ name: "rows", datatype: "composite" })])).toBe(true);
  expect(hidden({ fieldSet: "Advanced" })).toBe(false);
  const rule = { requiredValue: { field: "kind", value: "x" } };
  expect(hidden(rule, { kind: "y" })).toBe(true);
  expect(hidden(rule, { kind: "x" })).toBe(false);
  expect(initialValues([input({ ...rule })], { a: "kept", kind: "y" })["a"]).toBe("kept");
});

test("[SYN-042] the data type is hidden on a set-value node of an entity", () => {
  expect(hidden({ name: "dataType" }, {}, [], { isSetValueOnEntity: true })).toBe(true);
  expect(hidden({ name: "dataType" })).toBe(false);
});

test("[SYN-043] visibility follows another field by exact value or by pattern", () => {
  const exact = { visibilityDependsOnFieldValue: { field: "mode", value: "b" } };
  expect(hidden(exact, { mode: "a" })).toBe(true);
  expect(hidden(exact, { mode: "b" })).toBe(false);
  const pattern = { visibilityDependsOnFieldValue: { field: "mode", pattern: "^(b|c)$" } };
  expect(hidden(pattern, { mode: "c" })).toBe(false);
  expect(hidden(pattern, { mode: "cc" })).toBe(true);
  expect(hidden(pattern, {})).toBe(true);
});

test("[SYN-044] each typed input reports what doesn't fit it, and only inputs for text take tokens", () => {
  expect(problemOf(input({ datatype: "integer" }), "x")).toBe("notWhole");
  expect(problemOf(input({ datatype: "integer" }), 4.5)).toBe("notWhole");
  expect(problemOf(input({ datatype: "integer" }), 4)).toBe(undefined);
  expect(problemOf(input({ datatype: "double" }), "1e3")).toBe(undefined);
  expect(problemOf(input({ datatype: "url" }), "ftp://x")).toBe("notUrl");
  expect(problemOf(input({ datatype: "emailList" }), "a@b.c;x")).toBe("notEmail");
  expect(problemOf(input({ datatype: "object" }), "{")).toBe("notJson");
  expect(problemOf(input({ datatype: "integer" }), "{{record.size}}")).toBe(undefined);
  expect(takesTokens(input({ datatype: "string" }))).toBe(true);
  expect(takesTokens(input({ datatype: "boolean" }))).toBe(false);
  expect(takesTokens(input({ datatype: "picklist" }))).toBe(false);
  expect(takesTokens(input({ hideTokenPicker: true }))).toBe(false);
  expect(takesTokens(input({ secret: true }))).toBe(false);
});

test("[SYN-044] problems count only what is shown", () => {
  const inputs = [
    input({ name: "mode" }),
    input({ name: "size", datatype: "integer", required: true, requiredValue: { field: "mode", value: "big" } }),
  ];
  expect(problemsOf(inputs, { mode: "small" })).toEqual({});
  expect(problemsOf(inputs, { mode: "big" })).toEqual({ size: "required" });
});

test("[SYN-045] a boolean that is none is off; a choice that is no option any more is empty", () => {
  const inputs = [
    input({ name: "on", datatype: "boolean" }),
    input({ name: "kept", datatype: "boolean", defaultValue: true }),
    input({ name: "choice", datatype: "picklist", values: [{ id: "x", label: "X" }] }),
    input({ name: "late", datatype: "picklist" }),
  ];
  expect(initialValues(inputs, { on: null, choice: "gone", late: "y" })).toEqual({
    on: false,
    kept: true,
    choice: "",
    late: "y",
  });
  expect(normalizeChoice(input({ datatype: "picklist" }), "y", [{ id: "z", label: "Z" }])).toBe("");
});

test("[SYN-047] text for several values is cut at semicolons", () => {
  expect(splitValues("a;b")).toEqual(["a", "b"]);
  expect(splitValues(" a ; ;b;")).toEqual(["a", "b"]);
});

test("a saved secret need not be given again, an empty one must be", () => {
  const secret = input({ name: "password", datatype: "password", secret: true, required: true });
  expect(problemOf(secret, undefined, { configuredSecrets: ["password"] })).toBe(undefined);
  expect(problemOf(secret, "", { configuredSecrets: ["password"] })).toBe("required");
  expect(problemOf(secret, undefined)).toBe("required");
});

test("inputs stand under their headings, those without one first", () => {
  const inputs = [
    input({ name: "b", fieldSet: "Advanced" }),
    input({ name: "c" }),
    input({ name: "d", fieldSet: "Advanced" }),
  ];
  expect(sectionsOf(inputs, {}).map(({ title, inputs: shown }) => [title, shown.map(({ name }) => name)])).toEqual([
    [undefined, ["c"]],
    ["Advanced", ["b", "d"]],
  ]);
});

test("typed numbers become numbers only when no digit is lost", () => {
  expect(numberFrom("5432")).toBe(5432);
  expect(numberFrom("007")).toBe("007");
  expect(numberFrom("x")).toBe("x");
  expect(numberFrom(" ")).toBe(null);
});
