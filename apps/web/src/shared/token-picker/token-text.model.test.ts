/** What is looked for at the caret, what is offered, and how a text with tokens reads. */
import { expect, test } from "vitest";
import { TOKENS } from "./token-text.fixtures.ts";
import {
  cutAt,
  filledInPart,
  filledWith,
  firstOf,
  piecesOf,
  queryAt,
  sectionsOf,
  unknownTokens,
  withToken,
} from "./token-text.model.ts";

test("two braces begin a query that ends at the caret, and closed or single braces begin none", () => {
  expect(queryAt("Hi {{na", 7)).toEqual({ from: 3, words: "na" });
  expect(queryAt("{{a}} {{", 8)).toEqual({ from: 6, words: "" });
  expect(queryAt("{{a}} b", 7)).toBeNull();
  expect(queryAt("{a", 2)).toBeNull();
  expect(queryAt("{{a}}", 3), "inside of a token").toEqual({ from: 0, words: "a" });
});

test("a chosen token replaces what was typed for it, and the rest of the token that the caret stands in", () => {
  expect(withToken("Hi {{na!", 3, 7, "{{x}}")).toEqual({ text: "Hi {{x}}!", caret: 8 });
  expect(withToken("{{old}} b", 0, 3, "{{x}}")).toEqual({ text: "{{x}} b", caret: 5 });
  expect(withToken("ab}}", 1, 1, "{{x}}"), "braces that belong to nothing stay").toEqual({
    text: "a{{x}}b}}",
    caret: 6,
  });
});

test("tokens are listed by group and by the node that they come from, found by any of their words", () => {
  const titles = (words: string) => sectionsOf(TOKENS, words).map(({ title }) => title);
  expect(titles("")).toEqual([
    "Functions",
    "Core fields",
    "Source fields: CRM › company",
    "Source fields: Billing › account",
    "Others",
  ]);
  expect(sectionsOf(TOKENS, "name crm").flatMap(({ tokens }) => tokens.map(({ token }) => token))).toEqual([
    "CRM.company.name",
  ]);
});

test("a long list is cut after its first tokens, and says so", () => {
  const sections = sectionsOf(TOKENS, "");
  expect(firstOf(sections, 100)).toEqual({ sections, isCut: false });
  const first = firstOf(sections, 2);
  expect(first.isCut).toBe(true);
  expect(first.sections.map(({ tokens }) => tokens.length)).toEqual([1, 1]);
});

test("a token that nothing before the node gives is unknown; a path into an object is not, and nothing is before the list is known", () => {
  expect(unknownTokens("{{nobody}} {{previous.values.Nam}} {{previous.values.Name}}", TOKENS)).toEqual([
    "nobody",
    "previous.values.Nam",
  ]);
  expect(unknownTokens("{{previous.values.Address.city}} {{source.name}}", TOKENS)).toEqual([]);
  expect(unknownTokens("{{previous.values.Name.first}}", TOKENS)).toEqual(["previous.values.Name.first"]);
  expect(unknownTokens("{{nobody}}", [])).toEqual([]);
});

test("all of a text is in its pieces, spaces in braces too, wherever it is cut", () => {
  const text = "a {{ Value From Upper }}{{nobody}} }} {{b";
  const pieces = piecesOf(text, TOKENS);
  expect(pieces.map(({ kind }) => kind)).toEqual(["text", "token", "unknown", "text"]);
  for (let place = 0; place <= text.length; place += 1) {
    const [before, after] = cutAt(pieces, place).map((part) => part.map((piece) => piece.text).join(""));
    expect([before, after]).toEqual([text.slice(0, place), text.slice(place)]);
  }
});

test("what a text gives is said only where all of its tokens are known; in part, the others stay", () => {
  const sampleOf = (token: string) => (token === "previous.values.Name" ? "Acme" : undefined);
  expect(filledWith("Hi {{previous.values.Name}}", sampleOf)).toBe("Hi Acme");
  expect(filledWith("Hi {{x}}", sampleOf)).toBeNull();
  expect(filledWith("Hi", sampleOf)).toBeNull();
  expect(filledInPart("{{previous.values.Name}} {{x}}", sampleOf, (value) => `<${value}>`)).toBe("<Acme> {{x}}");
});
