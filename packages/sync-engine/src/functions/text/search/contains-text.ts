/** Contains. */
import { defineTextTest } from "../../kinds/text-test.ts";

export const containsText = defineTextTest({
  name: "containsText",
  label: "Contains",
  summary: "Tells whether a text holds another one.",
  test: (text, wanted) => text.includes(wanted),
  examples: [
    { says: "without regard to case", config: { text: "LTD" }, in: "Acme Ltd", out: true },
    { says: "unless it matters", config: { text: "LTD", matchCase: true }, in: "Acme Ltd", out: false },
    { says: "blank holds nothing", config: { text: "a" }, in: null, out: false },
    { says: "a list is worked on item by item", config: { text: "a" }, in: ["abc", "xyz"], out: [true, false] },
    { says: "a number is taken as text", config: { text: "LTD" }, in: 12, out: false },
  ],
});
