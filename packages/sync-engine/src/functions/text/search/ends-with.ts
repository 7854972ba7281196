/** Ends with. */
import { defineTextTest } from "../../kinds/text-test.ts";

export const endsWith = defineTextTest({
  name: "endsWith",
  label: "Ends with",
  summary: "Tells whether a text ends with another one.",
  test: (text, wanted) => text.endsWith(wanted),
  examples: [
    { says: "without regard to case", config: { text: ".ORG" }, in: "ann@example.org", out: true },
    { says: "unless it matters", config: { text: ".ORG", matchCase: true }, in: "ann@example.org", out: false },
    { says: "blank ends with nothing", config: { text: "a" }, in: null, out: false },
    { says: "a list is worked on item by item", config: { text: "c" }, in: ["abc", "xyz"], out: [true, false] },
    { says: "a number is taken as text", config: { text: ".ORG" }, in: 12, out: false },
  ],
});
