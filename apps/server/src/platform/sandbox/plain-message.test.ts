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
  expect(JSON.stringify(parseMessage(Buffer.from('{"a":12345678901234567890.10}')).message)).toBe(
    '{"a":12345678901234567890.10}',
  );
});

test.each(["", "{", "[]", "1", "null", '"x"', `{"a":${"[".repeat(70)}${"]".repeat(70)}}`, '{"a":{"__proto__":1}}'])(
  "refused: %s",
  (text) => {
    expect(() => parseMessage(Buffer.from(text))).toThrow(MessageError);
  },
);

test.each([
  { of: "numbers", text: `{"a":[${"1.10,".repeat(1_980_000)}1]}` },
  { of: "lists", text: `{"a":[${"[],".repeat(3_300_000)}1]}` },
  { of: "members", text: `{"a":{${'"b":1,'.repeat(1_600_000)}"c":1}}` },
  { of: "numbers with spaces between them", text: `{"a":[${"1 ".repeat(4_900_000)}` },
])("[PLT-105] nearly 10 MB of $of are refused without being read", ({ text }) => {
  expect(text.length).toBeLessThan(10_000_000);
  expect(() => parseMessage(Buffer.from(text))).toThrow("it has more than 200000 parts");
});

test("[PLT-105] texts without anything between them are refused without being read", () => {
  expect(() => parseMessage(Buffer.from('{"a":["",'.padEnd(9_900_000, '""')))).toThrow(MessageError);
});

test("what stands in texts is no part of a message, whatever it looks like", () => {
  const a = `${"1.10,".repeat(300_000)}[{"${"\\".repeat(3)}`;
  const { message, parts } = parseMessage(Buffer.from(JSON.stringify({ a, b: ["x", 1] })));
  expect(message).toEqual({ a, b: ["x", 1] });
  expect(parts).toBe(6);
});
