/** Values in a form of the API's own, and texts within quotes of a query language. */
import { compileSelector } from "@accord/connector-sdk";
import { HttpField } from "@accord/contracts/connections/http-entity";
import { descriptionProblems } from "@accord/contracts/connections/http-description";
import type { Value } from "@accord/contracts/data/values";
import { expect, test } from "vitest";
import { hasMore, joined, sentValue, withinNothing } from "./sent-values.ts";
import { fillBody, fillPath, mentions } from "./template.ts";

const field = (facts: object = {}) => HttpField.parse({ apiName: "name", displayName: "Name", ...facts });
const wrapped = { sentAs: '{"name":"{{value}}"}' };

test("a value is put into the JSON that is described around it, each of several, a list that is cleared is empty", () => {
  expect(sentValue(field(wrapped), 'a "b"')).toEqual({ name: 'a "b"' });
  expect(sentValue(field(wrapped), null)).toBe(null);
  const list = field({ ...wrapped, isMultiValueField: true });
  expect(sentValue(list, ["a", "b"])).toEqual([{ name: "a" }, { name: "b" }]);
  expect(sentValue(list, null)).toEqual([]);
  expect(sentValue(field({ ...wrapped, dataType: "integer" }), "12345678901234567890")).toEqual({
    name: JSON.rawJSON("12345678901234567890"),
  });
  expect(sentValue(field(), null)).toBe(null);
});

test("a text in parts is sent in parts and read as one, and no character is cut in two", () => {
  const inParts = field({ partLength: 3 });
  expect(sentValue(inParts, "ab😀cd")).toEqual(["ab", "😀c", "d"]);
  expect(sentValue(inParts, null)).toEqual([]);
  expect(sentValue(inParts, "")).toEqual([]);
  expect(sentValue(field({ partLength: 3, ...wrapped }), "abcd")).toEqual([{ name: "abc" }, { name: "d" }]);
  const read = (value: Value | undefined) => joined(inParts, () => value)(null);
  expect(read(["ab", "cd"])).toBe("abcd");
  expect(read([])).toBe(null);
  expect(read(undefined)).toBe(undefined);
  expect(joined(field(), () => ["ab"])(null)).toEqual(["ab"]);
});

test("where an object is null, nothing is in it; where it is left out, nothing is said of what is in it", () => {
  const city = withinNothing("address.city", compileSelector("address.city"));
  expect(city({ address: { city: "Graz" } })).toBe("Graz");
  expect(city({ address: null })).toBe(null);
  expect(city({})).toBe(undefined);
  expect(city({ address: {} })).toBe(undefined);
  const tags = withinNothing("tags[*].name", compileSelector("tags[*].name"));
  expect([tags({ tags: null }), tags({ tags: [] }), tags({})]).toEqual([null, [], undefined]);
});

test("a record says that it shows a part of a value", () => {
  const isCut = hasMore(field({ moreSelector: "more" }));
  const shown: Value[] = [{ more: true }, { more: "x" }, { more: false }, { more: null }, {}];
  expect(shown.map(isCut)).toEqual([true, true, false, false, false]);
  expect(hasMore(field())({ more: true })).toBe(false);
});

test("JSON around a value that is none, or has no place for it, is refused", () => {
  const problems = (sentAs: string) =>
    descriptionProblems({ list: { path: "/" }, fields: [field({ sentAs })] }).map(({ path }) => path.join("."));
  expect(problems('{"name":"{{value}}"}')).toEqual([]);
  expect(problems("{name: {{value}}}")).toEqual(["fields.0.sentAs"]);
  expect(problems('{"name":"{{vaule}}"}')).toEqual(["fields.0.sentAs"]);
});

test("an escaped value can't end the quotes around it, in paths and in bodies", () => {
  const value = 'it\'s \\ "so"\n';
  expect(decodeURIComponent(fillPath("/q?name='{{value | escaped}}'", { value }))).toBe(
    "/q?name='it\\'s \\\\ \\\"so\\\"\\n'",
  );
  expect(JSON.parse(fillBody('{"q":"name = \'{{ value|escaped }}\'"}', { value }))).toEqual({
    q: "name = 'it\\'s \\\\ \\\"so\\\"\\n'",
  });
  expect(fillPath("/q?n={{value | escaped}}", { value: 12 })).toBe("/q?n=12");
  expect(mentions("{{value | escaped}}", "value")).toBe(true);
});
