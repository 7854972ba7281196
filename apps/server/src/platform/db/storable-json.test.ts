/** Texts that JSON knows and PostgreSQL does not. */
import { expect, test } from "vitest";
import { storableJson, storableText } from "./storable-json.ts";

const shown = (value: unknown): unknown => JSON.parse(storableJson(value));

test("characters that can't be stored are shown as such, wherever they stand", () => {
  expect(shown("a\0b\ud800c")).toBe("a\uFFFDb\uFFFDc");
  expect(shown({ "k\0": ["\udfff", { deep: "\0" }] })).toEqual({ "k\uFFFD": ["\uFFFD", { deep: "\uFFFD" }] });
  expect(storableText("a\0b")).toBe("a\uFFFDb");
});

test("everything else stays, texts that only spell such a character too", () => {
  for (const value of ["\\u0000", "\\\\u0000", "\u{1F600}", 'tab\t "quoted"', null, 1.5, ["x"], { a: "\\ud800" }])
    expect(shown(value)).toEqual(value);
  expect(storableJson(undefined)).toBe("null");
});
