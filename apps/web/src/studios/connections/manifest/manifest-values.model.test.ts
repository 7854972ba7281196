/** Inputs of a manifest between a flat form and the texts that a connection stores. */
import { ManifestInput } from "@accord/contracts/connections/manifest-facts";
import { describe, expect, test } from "vitest";
import {
  changedValues,
  flatValues,
  nestedValues,
  parsedValues,
  textOf,
  withoutSecrets,
} from "./manifest-values.model.ts";

const input = (path: string, more: Partial<ManifestInput> = {}): ManifestInput =>
  ManifestInput.parse({ name: path, path: path.split("."), label: path, ...more });

const under = (value: string) => ({ visibilityDependsOnFieldValue: { field: "sign.kind", pattern: `^${value}$` } });
const INPUTS = [
  input("start", { datatype: "date" }),
  input("pages", { datatype: "integer", defaultValue: 5 }),
  input("regions", { repeatable: true }),
  input("extra", { datatype: "object" }),
  input("sign.kind", { datatype: "picklist", defaultValue: "key" }),
  input("sign.site", under("key")),
  input("sign.realm", under("app")),
];

describe("what is stored", () => {
  test("numbers, lists and choices are stored as what they are, at their paths, with the defaults that show", () => {
    expect(
      nestedValues(INPUTS, { start: "2024-01-05", regions: ["eu", "us"], extra: '{"a": [1]}', "sign.site": "a" }, {}),
    ).toEqual({
      start: "2024-01-05",
      pages: 5,
      regions: ["eu", "us"],
      extra: { a: [1] },
      sign: { kind: "key", site: "a" },
    });
  });
  test("inputs of a choice that is not taken are left out, with what was entered for it before", () => {
    const base = { sign: { kind: "key", site: "a" } };
    const values = { ...flatValues(INPUTS, base), "sign.kind": "app", "sign.realm": "r" };
    expect(nestedValues(INPUTS, values, base)).toEqual({ pages: 5, sign: { kind: "app", realm: "r" } });
  });
  test("what the manifest does not ask for stays; what is emptied goes, with objects that held nothing else", () => {
    const inputs = [input("deep.er.name"), input("other")];
    const base = { deep: { er: { name: "x" } }, kept: [1], other: "y" };
    expect(nestedValues(inputs, { other: "" }, base)).toEqual({ kept: [1] });
  });
  test.each([
    ["a long number keeps its digits", "90071992547409931234", "90071992547409931234"],
    ["a number becomes one", "12", 12],
    ["a fraction becomes one", "0.50", 0.5],
    ["leading zeros are kept", "007", "007"],
  ])("%s", (_, entered, stored) => {
    expect(nestedValues([input("n", { datatype: "double" })], { n: entered }, {})).toEqual({ n: stored });
  });
  test("a number that is chosen is one; a moment has no thousandths that nobody entered", () => {
    const inputs = [input("n", { datatype: "picklist", isNumber: true }), input("at", { datatype: "datetime" })];
    const values = { n: "100", at: "2024-01-01T00:00:00.000Z" };
    expect(nestedValues(inputs, values, {})).toEqual({ n: 100, at: "2024-01-01T00:00:00Z" });
  });
  test("a secret that is JSON is stored as JSON, one that only looks like it as text", () => {
    const inputs = [input("keys", { secret: true, renderType: "json" }), input("account", { secret: true })];
    const text = '{"a":1}';
    expect(nestedValues(inputs, { keys: text, account: text }, {})).toEqual({ keys: { a: 1 }, account: text });
  });
  test("secrets show by a choice among the plain inputs", () => {
    const secrets = [input("sign.token", { secret: true, ...under("app") })];
    const all = { inputs: [...INPUTS, ...secrets], values: { "sign.kind": "app" } };
    expect(nestedValues(secrets, { "sign.token": "t" }, {}, all)).toEqual({ sign: { token: "t" } });
    expect(nestedValues(secrets, { "sign.token": "t" }, {}, { ...all, values: {} })).toEqual({});
  });
});

test("stored values come back into the form as they were entered", () => {
  const nested = { start: "2024-01-05", regions: ["eu"], extra: { a: 1 }, sign: { kind: "app", realm: "r" } };
  expect(flatValues(INPUTS, nested)).toEqual({
    ...{ start: "2024-01-05", regions: ["eu"], extra: '{"a":1}' },
    ...{ "sign.kind": "app", "sign.realm": "r" },
  });
});

test("what was changed is kept as it was entered, what was emptied as empty; blank rows of a list are not stored", () => {
  const before = { regions: ["eu"], extra: "{}", start: "x", pages: 5 };
  const next = { regions: ["eu", ""], extra: '{"a": ', start: "x" };
  expect(changedValues(before, next)).toEqual({ regions: ["eu", ""], extra: '{"a": ', pages: "" });
  expect(nestedValues(INPUTS, next, {})).toMatchObject({ regions: ["eu"] });
  expect(nestedValues(INPUTS, { regions: [""] }, {})).not.toHaveProperty("regions");
});

test("an input with a default that was emptied is null, stays empty in the form, and has its default again when it is absent", () => {
  const stored = nestedValues(INPUTS, { pages: "" }, {});
  expect(stored).toMatchObject({ pages: null });
  expect(flatValues(INPUTS, stored)).toMatchObject({ pages: "" });
  expect(nestedValues(INPUTS, flatValues(INPUTS, {}), {})).toMatchObject({ pages: 5 });
});

test("values where a secret is asked for now are taken out, and named", () => {
  const inputs = [input("id", { secret: true }), input("sign.key", { secret: true }), input("url")];
  const { nested, removed } = withoutSecrets(inputs, { id: "a", sign: { key: "b" }, url: "c", more: 1 });
  expect(nested).toEqual({ url: "c", more: 1 });
  expect(removed.map(({ name }) => name)).toEqual(["id", "sign.key"]);
});

test("hidden inputs of the choice taken have their values stored, those of others not", () => {
  const inputs = [
    input("sign.kind", { datatype: "picklist", defaultValue: "key" }),
    input("sign.flow", { implicit: true, defaultValue: "code", ...under("app") }),
    input("sign.way", { implicit: true, defaultValue: "header", ...under("key") }),
  ];
  expect(nestedValues(inputs, {}, {})).toEqual({ sign: { kind: "key", way: "header" } });
});

test.each([
  ["", {}],
  ['{"a": 1}', { a: 1 }],
  ["a: 1", null],
  ["[1]", null],
  [undefined, null],
])("the text %j is %j", (text, values) => {
  expect(parsedValues(text)).toEqual(values);
});

test("nothing entered is an empty text", () => {
  expect([textOf({}), textOf({ a: 1 })]).toEqual(["", '{"a":1}']);
});
