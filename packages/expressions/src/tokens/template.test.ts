/** Templates: texts with tokens. */
import type { Value } from "@accord/contracts/data/values";
import { expect, test } from "vitest";
import { compileTemplate, readTemplate, renameTokens, tokensIn } from "./template.ts";

const fill = (text: string, values: Record<string, Value>) =>
  compileTemplate<null>(text, (token) => () => values[token])(null);

test("exactly one token keeps its type, anything more is text", () => {
  expect(fill("{{n}}", { n: 5 })).toBe(5);
  expect(fill(" {{ n }}", { n: 5 })).toBe(" 5");
  expect(fill("{{a}}/{{b}}", { a: [1, 2], b: null })).toBe("1;2/");
  expect(fill("plain", {})).toBe("plain");
  expect(fill("{{missing}}", {})).toBeNull();
});

test("braces that are no token are text, and nothing is evaluated", () => {
  expect(fill("{{}} {x} {{a", { x: 1 })).toBe("{{}} {x} {{a");
  expect(readTemplate("{{n + 1}}")).toEqual([{ token: "n + 1" }]);
});

test("what a token brings is not read again", () => {
  expect(fill("<{{a}}>", { a: "{{b}}", b: "x" })).toBe("<{{b}}>");
});

test("tokens are found anywhere and renamed", () => {
  expect(tokensIn({ a: ["{{x}}"], b: { c: "{{y}} {{x}}" } })).toEqual(["x", "y"]);
  expect(renameTokens("a {{Value From Old}} b", (token) => token.replace("Old", "New"))).toBe("a {{Value From New}} b");
});
