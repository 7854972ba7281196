/** What is taken from a sandbox, and what is refused. */
import { expect, test } from "vitest";
import { lineReader, MessageError, parseMessage } from "./plain-message.ts";

test("lines are cut wherever the chunks end", () => {
  const read = lineReader(100);
  expect(read(Buffer.from("ab")).map(String)).toEqual([]);
  expect(read(Buffer.from("c\nde\nf")).map(String)).toEqual(["abc", "de"]);
  expect(read(Buffer.from("\n")).map(String)).toEqual(["f"]);
});

test.each(["x".repeat(101), `${"x".repeat(101)}\n`])("a line beyond the bound is refused, ended or not", (text) => {
  expect(() => lineReader(100)(Buffer.from(text))).toThrow(MessageError);
});

test("a line is bounded over its chunks", () => {
  const read = lineReader(100);
  read(Buffer.from("x".repeat(60)));
  expect(() => read(Buffer.from("x".repeat(60)))).toThrow("too long");
});

test("numbers are kept to the last digit", () => {
  expect(JSON.stringify(parseMessage(Buffer.from('{"a":12345678901234567890.10}')))).toBe(
    '{"a":12345678901234567890.10}',
  );
});

test.each(["", "{", "[]", "1", "null", '"x"', `{"a":${"[".repeat(70)}${"]".repeat(70)}}`, '{"a":{"__proto__":1}}'])(
  "refused: %s",
  (text) => {
    expect(() => parseMessage(Buffer.from(text))).toThrow(MessageError);
  },
);
