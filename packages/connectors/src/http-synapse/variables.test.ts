/** Values of variables in templates: a list stays one where it stands alone, and is joined within a text. */
import { expect, test } from "vitest";
import { fillBody, fillHeader, fillPath } from "../http/template.ts";

const facts = { variable: { teams: ["north", "a/b"], one: "x" }, record: { tags: ["p", "q"] } };

test("[PLT-054] several values of a variable are separated by commas, and are a list alone in a body", () => {
  expect(fillHeader("teams={{variable.teams}}", facts)).toBe("teams=north,a/b");
  expect(fillPath("/in/{{variable.teams}}/{{variable.one}}", facts)).toBe("/in/north%2Ca%2Fb/x");
  expect(fillBody('{"all": "{{variable.teams}}", "text": "of {{variable.teams}}"}', facts)).toBe(
    '{"all":["north","a/b"],"text":"of north,a/b"}',
  );
});

test("a list in a record stands in texts as JSON", () => {
  expect(fillHeader("{{record.tags}}", facts)).toBe('["p","q"]');
});
