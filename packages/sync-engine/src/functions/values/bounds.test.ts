/** Results that would fill the memory stop their record with the reason, and nothing else. */
import type { Value } from "@accord/contracts/data/values";
import { expect, test } from "vitest";
import { MAX_CHARACTERS, MAX_ITEMS } from "./bounds.ts";
import { newFlowRecord, setResult } from "../flow.ts";
import { CONTEXT, NOW, PREVIOUS_SLOT } from "../functions.fixtures.ts";
import { functionByName } from "../registry.ts";

function run(name: string, config: Record<string, unknown>, value: Value, Name: Value = null) {
  const node = functionByName(name)?.compile(config, { ...CONTEXT, nodeId: "node", slot: 0 });
  const record = newFlowRecord({ values: { Name } });
  setResult(record, PREVIOUS_SLOT, value);
  node?.([record], { now: NOW, random: () => 0.5 });
  return record;
}
const codeOf = (...args: Parameters<typeof run>) => run(...args).failure?.code;

const long = "a".repeat(MAX_CHARACTERS / 5);
const list = Array.from({ length: MAX_ITEMS / 2 }, () => "a");

test("a text grows to a bound, whatever makes it grow", () => {
  expect(codeOf("replace", { find: "aa", replacement: "b".repeat(20) }, long)).toBe("text_too_long");
  expect(codeOf("pad", { length: 10_000 }, list)).toBe("text_too_long");
  expect(codeOf("joinList", { separator: "-".repeat(100) }, [...list, ...list])).toBe("text_too_long");
  expect(
    codeOf("concatenate", { parts: Array.from({ length: 6 }, () => "{{previous.values.Name}}") }, null, long),
  ).toBe("text_too_long");
  expect(codeOf("evaluateExpression", { expression: "replace([Name], 'a', 'bbbbbb')" }, null, long)).toBe(
    "text_too_long",
  );
  expect(codeOf("append", { text: "b" }, long)).toBeUndefined();
});

test("a list grows to a bound as well", () => {
  expect(
    codeOf(
      "union",
      { other: "{{previous.values.Name}}" },
      Array.from(list, (_, index) => index),
      list,
    ),
  ).toBe(undefined);
  expect(codeOf("appendItem", { item: "{{previous.values.Name}}" }, [...list, "b"], list)).toBe("list_too_long");
  expect(
    codeOf(
      "flatten",
      {},
      Array.from({ length: 1_000 }, () => list),
    ),
  ).toBe("list_too_long");
});

test("a text with tokens that would be too long is left empty, with a warning", () => {
  const record = run("setValue", { field: "Name", value: "{{previous.values.Name}}".repeat(6) }, null, long);
  expect(record.warnings.map(({ code }) => code)).toEqual(["text_too_long"]);
  expect(record.values["Name"]).toBeNull();
});

test("a pattern works on texts that it can get through", () => {
  const pattern = "(?:a?){1000}b";
  expect(codeOf("regexMatch", { pattern }, "a".repeat(1_000))).toBeUndefined();
  expect(codeOf("regexMatch", { pattern }, long)).toBe("text_too_long");
  expect(codeOf("regexExtract", { pattern: "a+" }, long)).toBeUndefined();
});

test("characters that can't be stored do not come out of a function", () => {
  expect(codeOf("base64Decode", {}, "AA==")).toBe("not_text");
  expect(codeOf("urlDecode", {}, "a%00b")).toBe("not_text");
  expect(run("parseJson", {}, '{"a":"\\u0000"}').results[0]).toEqual({ a: "\ufffd" });
});

test("a text of open elements that never end is read in one pass", () => {
  const html = "<b><table>x".repeat(90_000);
  expect(run("stripHtml", {}, html).results[0]).toBe(Array.from({ length: 90_000 }, () => "x").join("\n"));
});
